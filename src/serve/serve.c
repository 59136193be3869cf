#include "serve/server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>

#define MAX_CONNECTIONS 1000
#define IDLE_SECONDS    15   /* a client that says nothing for so long is hung up on */
#define HEADER_BYTES    8192 /* of memory for each connection */

static bool fail(struct lp_error *err, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(err->text, sizeof(err->text), fmt, args);
	va_end(args);
	return false;
}

static bool make_token(struct lp_server *s, struct lp_error *err)
{
	unsigned char random[TOKEN_CHARS / 2];

	if (getrandom(random, sizeof(random), 0) != (ssize_t)sizeof(random))
		return fail(err, "no random bytes for the address: %s", strerror(errno));
	for (size_t i = 0; i < sizeof(random); i++)
		snprintf(s->token + 2 * i, 3, "%02x", random[i]);
	return true;
}

/* Some of the process's files must be left for everything else. */
static unsigned connection_limit(void)
{
	struct rlimit files;

	if (getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur > MAX_CONNECTIONS + 24)
		return MAX_CONNECTIONS;
	return files.rlim_cur > 32 ? (unsigned)files.rlim_cur - 24 : 8;
}

/* No name of ours has an escape in it, so none is undone, and no %2f or %00 can mislead. */
static size_t leave_escapes(void *unused, struct MHD_Connection *c, char *text)
{
	(void)unused;
	(void)c;
	return strlen(text);
}

static bool start(struct lp_server *s, uint16_t port, struct lp_error *err)
{
	struct sockaddr_in loopback = {
		.sin_family = AF_INET,
		.sin_port = htons(port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};

	errno = 0;
	s->daemon = http.start_daemon(
		MHD_USE_EPOLL_INTERNAL_THREAD, port, NULL, NULL, request_handle, s,
		MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&loopback, MHD_OPTION_CONNECTION_LIMIT,
		connection_limit(), MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_SECONDS,
		MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)HEADER_BYTES,
		MHD_OPTION_LISTEN_BACKLOG_SIZE, (unsigned)SOMAXCONN, MHD_OPTION_UNESCAPE_CALLBACK,
		leave_escapes, NULL, MHD_OPTION_END);
	if (!s->daemon)
		return fail(err, "cannot listen on 127.0.0.1:%u: %s", port,
			    errno ? strerror(errno) : "no thread or socket");
	const union MHD_DaemonInfo *bound = http.get_daemon_info(s->daemon,
								 MHD_DAEMON_INFO_BIND_PORT);

	snprintf(s->url, sizeof(s->url), "http://127.0.0.1:%u/%s/", bound ? bound->port : port,
		 s->token);
	return true;
}

struct lp_server *lp_serve(struct lp_trace *tr, struct lp_serve_options o, struct lp_error *err)
{
	struct lp_server *s = calloc(1, sizeof(*s));

	if (!s) {
		fail(err, "out of memory");
		return NULL;
	}
	s->tr = tr;
	if (http_library_load(err) && make_token(s, err) && resources_open(s, o.report, err) &&
	    start(s, o.port, err))
		return s;
	lp_server_stop(s);
	return NULL;
}

const char *lp_server_url(const struct lp_server *s)
{
	return s->url;
}

void lp_server_stop(struct lp_server *s)
{
	if (!s)
		return;
	if (s->daemon)
		http.stop_daemon(s->daemon);
	resources_close(s);
	free(s);
}
