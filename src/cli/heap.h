/* heap.h - how memory is managed while a trace is analysed. */
#ifndef CLI_HEAP_H
#define CLI_HEAP_H

/* To be called once, before a trace is read. Without effect where that is not known. */
void heap_for_analyses(void);

#endif
