/*
 * xlsx_library.h - libzip and expat, fetched when a workbook is read.
 *
 * libzip brings libraries of cryptography and compression along; what reads no workbook does
 * not wait for them to load. What is loaded stays for the life of the process.
 */
#ifndef WORKBOOK_XLSX_LIBRARY_H
#define WORKBOOK_XLSX_LIBRARY_H

#include "base/error.h"

#include <expat.h>
#include <zip.h>

#define XLSX_ZIP_FUNCTIONS(X)       \
	X(zip_discard)              \
	X(zip_error_fini)           \
	X(zip_error_init)           \
	X(zip_error_init_with_code) \
	X(zip_error_strerror)       \
	X(zip_fclose)               \
	X(zip_file_strerror)        \
	X(zip_fopen)                \
	X(zip_fread)                \
	X(zip_open)                 \
	X(zip_open_from_source)     \
	X(zip_source_buffer_create) \
	X(zip_source_free)          \
	X(zip_strerror)

#define XLSX_XML_FUNCTIONS(X)             \
	X(XML_ErrorString)                \
	X(XML_GetBuffer)                  \
	X(XML_GetCurrentColumnNumber)     \
	X(XML_GetCurrentLineNumber)       \
	X(XML_GetErrorCode)               \
	X(XML_ParseBuffer)                \
	X(XML_ParserCreate)               \
	X(XML_ParserFree)                 \
	X(XML_SetCharacterDataHandler)    \
	X(XML_SetElementHandler)          \
	X(XML_SetStartDoctypeDeclHandler) \
	X(XML_SetUserData)                \
	X(XML_StopParser)

/* The functions that we call, by their names. */
struct xlsx_library {
#define X(name) __typeof__(name) *name;
	XLSX_ZIP_FUNCTIONS(X)
	XLSX_XML_FUNCTIONS(X)
#undef X
};

/* Of the whole process; NULL, with err, if one of them cannot be loaded. */
const struct xlsx_library *xlsx_library(struct lp_error *err);

#endif
