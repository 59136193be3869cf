/*
 * guides.h - a tree in one column of text.
 *
 *	nn.Module: Model › Encoder       an only child with the parent's value, but for 1 %,
 *	├ aten::softmax › aten::_softmax  shares its line, where it fits
 *	└ aten::bmm
 */
#ifndef RENDER_GUIDES_H
#define RENDER_GUIDES_H

#include "render/sheet.h"

/* Folds lines, and puts guides before the texts of the tree field, within `columns`. */
void guides_draw(struct sheet *s, uint32_t field, unsigned columns);

#endif
