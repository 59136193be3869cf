/*
 * heap.h - how the memory of a command that holds few, large arrays is to be managed.
 */
#ifndef CLI_HEAP_H
#define CLI_HEAP_H

/*
 * From now on large arrays are mapped one by one and given back when they are freed; what is small
 * shares a huge page. To be called before much is allocated. Without effect where that is not
 * known.
 */
void heap_of_large_arrays(void);

#endif
