/*
 * heap.h - how the memory of a command that holds few, large arrays is to be managed.
 */
#ifndef CLI_HEAP_H
#define CLI_HEAP_H

/*
 * From now on large arrays come from one heap in huge pages, and what is freed is kept for the
 * next: fresh pages cost more than what is done with them. Without effect where that is not known.
 */
void heap_of_large_arrays(void);

#endif
