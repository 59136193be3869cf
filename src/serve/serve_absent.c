/* lp_serve of a build without libmicrohttpd. */
#include "longpole.h"

#include <stdio.h>

struct lp_server *lp_serve(struct lp_trace *tr, struct lp_serve_options o, struct lp_error *err)
{
	(void)tr;
	(void)o;
	snprintf(err->text, sizeof(err->text),
		 "serve is not built in: install libmicrohttpd-dev and build with -Dserve=enabled");
	return NULL;
}

const char *lp_server_url(const struct lp_server *s)
{
	(void)s;
	return "";
}

void lp_server_stop(struct lp_server *s)
{
	(void)s;
}
