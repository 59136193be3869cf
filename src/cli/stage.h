/* stage.h - what --stats prints: wall time, CPU time and peak memory of each stage. */
#ifndef CLI_STAGE_H
#define CLI_STAGE_H

/* The stage that has just ended; begins the next one. */
void stage_end(const char *name);

#endif
