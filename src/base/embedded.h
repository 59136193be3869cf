/* embedded.h - files that travel inside the binary (tools/embed makes the arrays). */
#ifndef BASE_EMBEDDED_H
#define BASE_EMBEDDED_H

#include <stddef.h>

struct embedded {
	const char *name; /* of the file; NULL ends an array */
	const unsigned char *bytes;
	size_t n;
};

/* What GPUs can do: data/arch/. */
extern const struct embedded arch_files[];

#ifdef HAVE_PAGE
/* The page's program and its style, made by web/. */
extern const unsigned char page_script[], page_style[];
extern const size_t page_script_size, page_style_size;
#endif

#endif
