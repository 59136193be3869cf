#include "serve/http_library.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define SONAME "libmicrohttpd.so.12"
#define FUNCTION(name)                                            \
	{                                                         \
		"MHD_" #name, offsetof(struct http_library, name) \
	}

struct http_library http;

static const struct {
	const char *name;
	size_t at;
} functions[] = {
	FUNCTION(start_daemon),
	FUNCTION(stop_daemon),
	FUNCTION(get_daemon_info),
	FUNCTION(lookup_connection_value),
	FUNCTION(create_response_from_buffer),
	FUNCTION(add_response_header),
	FUNCTION(queue_response),
	FUNCTION(destroy_response),
};

bool http_library_load(struct lp_error *err)
{
	void *library = dlopen(SONAME, RTLD_NOW | RTLD_LOCAL);

	if (!library) {
		snprintf(err->text, sizeof(err->text),
			 "serving needs " SONAME
			 ", which cannot be loaded (package libmicrohttpd12): %s",
			 dlerror());
		return false;
	}
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		void *f = dlsym(library, functions[i].name);

		if (!f) {
			snprintf(err->text, sizeof(err->text), SONAME " has no %s",
				 functions[i].name);
			return false;
		}
		memcpy((char *)&http + functions[i].at, &f, sizeof(f));
	}
	return true;
}
