/*
 * xlsx_writer.h - libxlsxwriter, fetched when the first workbook is written.
 *
 * It brings a library of cryptography along, which takes longer to load than most answers
 * take to be found; a command that writes no workbook does not wait for it.
 */
#ifndef RENDER_XLSX_WRITER_H
#define RENDER_XLSX_WRITER_H

#include "base/error.h"

#include <xlsxwriter.h>

/* The functions that we call, under their own names. */
struct xlsx_writer {
	__typeof__(workbook_new_opt) *workbook_new_opt;
	__typeof__(workbook_set_properties) *workbook_set_properties;
	__typeof__(workbook_add_format) *workbook_add_format;
	__typeof__(workbook_add_worksheet) *workbook_add_worksheet;
	__typeof__(workbook_validate_sheet_name) *workbook_validate_sheet_name;
	__typeof__(workbook_close) *workbook_close;
	__typeof__(format_set_bold) *format_set_bold;
	__typeof__(format_set_num_format) *format_set_num_format;
	__typeof__(worksheet_write_string) *worksheet_write_string;
	__typeof__(worksheet_write_number) *worksheet_write_number;
	__typeof__(worksheet_write_boolean) *worksheet_write_boolean;
	__typeof__(worksheet_set_column) *worksheet_set_column;
	__typeof__(worksheet_freeze_panes) *worksheet_freeze_panes;
	__typeof__(worksheet_autofilter) *worksheet_autofilter;
	__typeof__(lxw_strerror) *lxw_strerror;
};

/* What is loaded stays for the life of the process. */
bool xlsx_writer_load(struct xlsx_writer *x, struct lp_error *err);

#endif
