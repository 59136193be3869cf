#include "workbook/xlsx_library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

#define ZIP_SONAME "libzip.so.4"
#define XML_SONAME "libexpat.so.1"

struct function {
	const char *name;
	size_t at;
};

#define X(name) { #name, offsetof(struct xlsx_library, name) },
static const struct function zip_functions[] = { XLSX_ZIP_FUNCTIONS(X) };
static const struct function xml_functions[] = { XLSX_XML_FUNCTIONS(X) };
#undef X

static struct xlsx_library library;
static struct lp_error trouble; /* why it could not be loaded; empty: it could */

static bool load(const char *soname, const char *package, const struct function *f, size_t n)
{
	void *handle = dlopen(soname, RTLD_NOW | RTLD_LOCAL);

	if (!handle)
		return error_set(&trouble,
				 "reading workbooks needs %s, which cannot be loaded (package %s): "
				 "%s",
				 soname, package, dlerror());
	for (size_t i = 0; i < n; i++) {
		void *at = dlsym(handle, f[i].name);

		if (!at)
			return error_set(&trouble, "%s has no %s", soname, f[i].name);
		memcpy((char *)&library + f[i].at, &at, sizeof(at));
	}
	return true;
}

static void load_both(void)
{
	if (load(ZIP_SONAME, "libzip4", zip_functions, ARRAY_SIZE(zip_functions)))
		load(XML_SONAME, "libexpat1", xml_functions, ARRAY_SIZE(xml_functions));
}

const struct xlsx_library *xlsx_library(struct lp_error *err)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, load_both);
	if (!trouble.text[0])
		return &library;
	error_set(err, "%s", trouble.text);
	return NULL;
}
