/*
 * server.h - one trace, asked over HTTP on the loopback address.
 *
 * One thread answers one request after the other, so nothing of the trace is locked. What
 * may be asked for stands in resources.c; who may ask, in request.c.
 */
#ifndef SERVE_SERVER_H
#define SERVE_SERVER_H

#include "serve/http_library.h"

#define TOKEN_CHARS 32

struct lp_server {
	struct MHD_Daemon *daemon;
	struct lp_trace *tr;
	struct lp_picture *picture;
	struct lp_profile *profiles[2]; /* by enum weight; NULL: not asked for yet */
	struct lp_tree *trees[2][2];    /* likewise; [1]: inverted */
	char *page;                     /* HTML, made once */
	size_t page_size;
	char token[TOKEN_CHARS + 1]; /* the first part of every path: who has it may ask */
	char url[96];
};

enum weight { WEIGHT_CPU, WEIGHT_GPU };

/* The body of an answer: text of its own, or of the server. */
struct body {
	unsigned status; /* of HTTP */
	const char *type;
	char *text;
	size_t n;
	bool owned; /* freed with the response */
};

/* What stands at `name`, the path behind the token; a query is the connection's. */
struct body resource_get(struct lp_server *s, const char *name, struct MHD_Connection *c);
/* Makes what every visitor needs, so that a fault is told before the address is. */
bool resources_open(struct lp_server *s, struct lp_report_options o, struct lp_error *err);
void resources_close(struct lp_server *s);

/* For libmicrohttpd: checks who asks, and answers. */
enum MHD_Result request_handle(void *server, struct MHD_Connection *c, const char *path,
			       const char *method, const char *version, const char *upload,
			       size_t *upload_size, void **state);

#endif
