/*
 * A page of another origin must not read the trace through its visitor's browser: it does
 * not know the token, and a name that it lets resolve to 127.0.0.1 is no name of ours (Host).
 * Nothing can be written: GET and HEAD are all there is.
 */
#include "serve/server.h"

#include <string.h>
#include <strings.h>

static const char *const headers[][2] = {
	{ "Cache-Control", "no-store" },
	{ "X-Content-Type-Options", "nosniff" },
	{ "X-Frame-Options", "DENY" },
	{ "Referrer-Policy", "no-referrer" },
	{ "Cross-Origin-Resource-Policy", "same-origin" },
	{ "Cross-Origin-Opener-Policy", "same-origin" },
};

static enum MHD_Result reply(struct MHD_Connection *c, struct body b)
{
	struct MHD_Response *r = http.create_response_from_buffer(
		b.n, b.text, b.owned ? MHD_RESPMEM_MUST_FREE : MHD_RESPMEM_PERSISTENT);
	enum MHD_Result done = MHD_NO;

	if (!r)
		return MHD_NO;
	for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++)
		http.add_response_header(r, headers[i][0], headers[i][1]);
	http.add_response_header(r, MHD_HTTP_HEADER_CONTENT_TYPE, b.type);
	if (b.status == MHD_HTTP_METHOD_NOT_ALLOWED)
		http.add_response_header(r, MHD_HTTP_HEADER_ALLOW, "GET, HEAD");
	done = http.queue_response(c, b.status, r);
	http.destroy_response(r);
	return done;
}

static enum MHD_Result refuse(struct MHD_Connection *c, unsigned status, const char *why)
{
	return reply(c, (struct body){ .status = status,
				       .type = "text/plain; charset=utf-8",
				       .text = (char *)why,
				       .n = strlen(why) });
}

/* A tunnel may bring another port, so only the name is looked at. */
static bool host_is_ours(const char *host)
{
	static const char *const names[] = { "127.0.0.1", "localhost", "[::1]" };

	for (size_t i = 0; host && i < sizeof(names) / sizeof(names[0]); i++) {
		size_t n = strlen(names[i]);

		if (strncasecmp(host, names[i], n) != 0)
			continue;
		if (!host[n] || (host[n] == ':' && host[n + 1] &&
				 strspn(host + n + 1, "0123456789") == strlen(host + n + 1)))
			return true;
	}
	return false;
}

/* The path behind "/TOKEN/", or NULL. How long it takes does not tell how much was right. */
static const char *behind_token(const struct lp_server *s, const char *path)
{
	unsigned differs = path[0] != '/';

	if (strlen(path) < TOKEN_CHARS + 2)
		return NULL;
	for (size_t i = 0; i < TOKEN_CHARS; i++)
		differs |= (unsigned)(path[1 + i] ^ s->token[i]);
	differs |= path[1 + TOKEN_CHARS] != '/';
	return differs ? NULL : path + TOKEN_CHARS + 2;
}

enum MHD_Result request_handle(void *server, struct MHD_Connection *c, const char *path,
			       const char *method, const char *version, const char *upload,
			       size_t *upload_size, void **state)
{
	struct lp_server *s = server;
	static char seen;

	(void)version;
	(void)upload;
	if (strcmp(method, MHD_HTTP_METHOD_GET) != 0 && strcmp(method, MHD_HTTP_METHOD_HEAD) != 0)
		return refuse(c, MHD_HTTP_METHOD_NOT_ALLOWED, "only GET and HEAD are answered\n");
	/* The first call has the head of the request only; what comes with a GET is not read. */
	if (!*state) {
		*state = &seen;
		return MHD_YES;
	}
	*upload_size = 0;
	if (!host_is_ours(http.lookup_connection_value(c, MHD_HEADER_KIND, MHD_HTTP_HEADER_HOST)))
		return refuse(c, MHD_HTTP_FORBIDDEN,
			      "the name in the address must be 127.0.0.1 or localhost\n");
	const char *name = behind_token(s, path);

	if (!name)
		return refuse(c, MHD_HTTP_NOT_FOUND,
			      "not found: use the whole address that longpole serve printed\n");
	return reply(c, resource_get(s, name, c));
}
