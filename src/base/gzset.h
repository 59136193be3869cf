/*
 * gzset.h - many gzip files written at once, in bounded memory, on several processors.
 *
 * Each file has one small buffer; a full one is deflated by a worker as a block that stands
 * alone and is appended to its file, which is opened only for that. So a thousand files
 * cost no more than ten. Each is one gzip member without name or date: equal input gives
 * files of equal text, whatever the number of workers. They appear under their names when whole.
 */
#ifndef BASE_GZSET_H
#define BASE_GZSET_H

#include "base/error.h"

struct gzset;

/*
 * `path` (n of them) must stay valid. Buffers take about `budget` bytes in all, but at least
 * 4 KiB a file; `threads` deflate.
 */
struct gzset *gzset_open(const char *const *path, uint32_t n, size_t budget, unsigned threads);
void gzset_write(struct gzset *g, uint32_t file, const void *bytes, size_t n);
/* Ends and names all files and frees `g`; with `keep` false they are deleted instead. */
bool gzset_close(struct gzset *g, bool keep, struct lp_error *err);

#endif
