/*
 * inflate.h - one gzip member at a time, by ISA-L or zlib, behind one face.
 *
 * Damage is told, not hidden: a wrong checksum is noticed after all bytes are out,
 * so they are still given.
 */
#ifndef BASE_INFLATE_H
#define BASE_INFLATE_H

#include "base/base.h"

struct inflate;

/*
 * What is left to read and to fill; both move on as inflate_run() works. The eight bytes
 * used up last must still stand before `in`: at the end of a member some are handed back.
 */
struct inflate_step {
	const unsigned char *in;
	size_t in_n;
	unsigned char *out;
	size_t out_n;
};

enum inflate_end {
	INFLATE_MORE,       /* give more input or more room */
	INFLATE_MEMBER_END, /* step->in stands behind the member's trailer */
	INFLATE_BAD_CRC,    /* the same, but checksum or length are wrong */
	INFLATE_DAMAGED,    /* this is no deflate stream */
};

struct inflate *inflate_new(void);
/* Begins a member; its header is the next input. */
void inflate_start(struct inflate *z);
enum inflate_end inflate_run(struct inflate *z, struct inflate_step *step);
void inflate_free(struct inflate *z);
/* "isa-l" or "zlib". */
const char *inflate_name(void);

#endif
