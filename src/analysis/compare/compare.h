/*
 * compare.h - reports side by side.
 *
 *	side "a"   side "b"        lines of one sheet       tables
 *	mm    3    mm    5         mm    row 0  row 0       mm   +2  +66.7
 *	add   1    mul   1    ->   add   row 1  -       ->  ...
 *	                           mul   -      row 1
 *
 * A side is a report or a trace, as sheets of text. A line is a row of one side or of several:
 * every row of every side is in exactly one line, so that the lines add up to what each report
 * says. (Not so where TraceLens is imitated: there rows of one key make a line each with each.)
 */
#ifndef ANALYSIS_COMPARE_H
#define ANALYSIS_COMPARE_H

#include "analysis/compare/compare_rule.h"
#include "base/table.h"
#include "workbook/workbook.h"

struct compare_side {
	const char *path, *name;
	struct workbook book;
};

/* What there is to say of all of it. */
struct compare_news {
	uint32_t ncompared;   /* sheets */
	bool differ;          /* the time of some row */
	const char *name;     /* the row whose time changed most; NULL */
	uint32_t side, rank;  /* in which report; the lower, the better a sheet to take it from */
	double before, after; /* ns */
};

struct compare {
	struct lp_answer *a;
	struct arena *arena; /* of the answer */
	struct arena scratch;
	enum lp_report_style style;
	uint32_t nsides;
	struct compare_side *side; /* the first is what the others are compared with */
	struct strings kept;       /* texts of the answer so far */
	struct column kept_at;     /* const char *, of each: where it lives */
	struct compare_news news;
};

/* A sheet of all sides. */
struct compare_sheet {
	const struct compare_rule *rule;
	const char *shown;
	const struct grid **grid; /* of each side; NULL: it has none */
	uint32_t nkeys;
	const char **key;
	uint32_t nlines;
	uint32_t *row;          /* of each line, side by side: the row; NONE */
	double *ns;             /* of each side: nanoseconds per unit of the time */
	uint32_t *time, *count; /* of each side: the column; NONE */
	uint32_t *key_column;   /* of each key, side by side */
};

/* Sides without names and sheets yet; an answer without tables. */
void compare_begin(struct compare *c, const char *const *paths, uint32_t n);
/* From sides to answer. */
bool compare_run(struct compare *c, struct lp_error *err);
/* Frees all but the answer. */
void compare_end(struct compare *c);

/* A text of a side as one of the answer, which outlives the sides. */
const char *compare_keep(struct compare *c, const char *text);

/* Which row of one side is which of the others: fills nlines and row. */
bool compare_match(struct compare *c, struct compare_sheet *s, struct lp_error *err);

/* The tables of a sheet; the news if it is any. */
void compare_tables(struct compare *c, const struct compare_sheet *s);

/* All sheets that two sides or more have, one after the other. */
bool compare_sheets(struct compare *c, struct lp_error *err);
/* The sentence, and what to look at next. */
void compare_say(struct compare *c);

/* Fills in the names of the sides: those given, else what tells their paths apart. */
bool compare_name_sides(struct compare *c, const char *const *names, unsigned nnames,
			struct lp_error *err);

/* The column of a side's sheet; NONE if there is no sheet or no such column. */
uint32_t compare_column(const struct compare_sheet *s, uint32_t side, const char *name);
/* A key of a line, as the first side that has it says; NULL. */
const char *compare_key(const struct compare *c, const struct compare_sheet *s, uint32_t line,
			uint32_t key);
/* The cell of a line; NULL if the side has no such row, or nothing in it. */
const char *compare_text(const struct compare *c, const struct compare_sheet *s, uint32_t line,
			 uint32_t side, uint32_t col);
/* Its number; NaN if it is none. */
double compare_figure(const struct compare *c, const struct compare_sheet *s, uint32_t line,
		      uint32_t side, uint32_t col);
/* The time of a line in ns; 0 if the side has no such row. */
double compare_time(const struct compare *c, const struct compare_sheet *s, uint32_t line,
		    uint32_t side);

#endif
