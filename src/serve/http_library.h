/*
 * http_library.h - libmicrohttpd, fetched when a server starts.
 *
 * It brings a library of cryptography along; a command that serves nothing does not wait
 * for that to load. What is loaded stays for the life of the process.
 */
#ifndef SERVE_HTTP_LIBRARY_H
#define SERVE_HTTP_LIBRARY_H

#include "longpole.h"

#include <microhttpd.h>

/* The functions that we call, without their prefix MHD_. */
struct http_library {
	__typeof__(MHD_start_daemon) *start_daemon;
	__typeof__(MHD_stop_daemon) *stop_daemon;
	__typeof__(MHD_get_daemon_info) *get_daemon_info;
	__typeof__(MHD_lookup_connection_value) *lookup_connection_value;
	__typeof__(MHD_create_response_from_buffer) *create_response_from_buffer;
	__typeof__(MHD_add_response_header) *add_response_header;
	__typeof__(MHD_queue_response) *queue_response;
	__typeof__(MHD_destroy_response) *destroy_response;
};

/* Of the whole process; valid after http_library_load() has succeeded. */
extern struct http_library http;

bool http_library_load(struct lp_error *err);

#endif
