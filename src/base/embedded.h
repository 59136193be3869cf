/* embedded.h - files that travel inside the binary (tools/embed makes the arrays). */
#ifndef BASE_EMBEDDED_H
#define BASE_EMBEDDED_H

#include <stddef.h>

#ifdef HAVE_PAGE
/* The page's program and its style, made by web/. */
extern const unsigned char page_script[], page_style[];
extern const size_t page_script_size, page_style_size;
#endif

#endif
