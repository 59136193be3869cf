/*
 * tree_print.h - for tests: call trees of profiles from text, and as text.
 *
 * "A 3[B 2/1 C 1/1]": name, total, self if there is one (top-down only), children in order.
 */
#ifndef TESTS_TREE_PRINT_H
#define TESTS_TREE_PRINT_H

#include "longpole.h"

#include "analysis/tree_handle.h"
#include "profile_text.h"

/* The worked example of the original discussion. */
static const char example[] __attribute__((unused)) =
	"(root);main;runLoop 10\n"
	"(root);main;runLoop;appEvent 1\n"
	"(root);main;runLoop;appEvent;appNetworkEventHandler 2\n"
	"(root);main;runLoop;appEvent;appNetworkEventHandler;queueEvent 1\n"
	"(root);main;runLoop;appEvent;appNetworkEventHandler;queueEvent;vecPush 1\n"
	"(root);main;runLoop;appEvent;appWorkFinishedEventHandler 3\n"
	"(root);main;runLoop;nativeEvent 1\n"
	"(root);main;runLoop;nativeEvent;nativeClickEventHandler 1\n"
	"(root);main;runLoop;nativeEvent;nativeClickEventHandler;queueEvent 2\n"
	"(root);main;runLoop;nativeEvent;nativeClickEventHandler;queueEvent;vecPush 1\n"
	"(root);main;runLoop;nativeEvent;nativeKeyEventHandler 1\n"
	"(root);main;runLoop;nativeEvent;nativeKeyEventHandler;vecPush 1\n";

static inline struct lp_profile *open_text(const char *text)
{
	struct lp_profile *h = calloc(1, sizeof(*h));

	h->p = profile_from(text, strlen(text), (struct profile_options){ 0 });
	return h;
}

static inline struct lp_tree *open_tree(const struct lp_profile *h, struct lp_tree_options o)
{
	struct lp_error err = { 0 };
	struct lp_tree *t = lp_tree_open(h, o, &err);

	if (!t)
		fail_msg("%s", err.text);
	return t;
}

static inline void print_node(FILE *out, struct lp_tree *t, struct lp_node n)
{
	struct lp_node children[64];
	struct lp_node_data d;

	assert_true(lp_tree_node(t, n, &d));
	fprintf(out, "%s %lld", d.name, (long long)d.total);
	if (d.self && !t->view.inverted)
		fprintf(out, "/%lld", (long long)d.self);
	uint32_t k = lp_tree_children(t, n, children, 64);

	assert_true(k <= 64);
	for (uint32_t i = 0; i < k; i++) {
		fputc(i ? ' ' : '[', out);
		print_node(out, t, children[i]);
	}
	if (k)
		fputc(']', out);
}

static inline char *print_tree(struct lp_tree *t)
{
	struct lp_node roots[64];
	uint32_t k = lp_tree_roots(t, roots, 64);
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	for (uint32_t i = 0; i < k; i++) {
		if (i)
			fputc(' ', out);
		print_node(out, t, roots[i]);
	}
	fclose(out);
	return text;
}

static inline void expect(const char *profile, struct lp_tree_options o, struct lp_tree_filter f,
			  const char *want)
{
	struct lp_profile *h = open_text(profile);
	struct lp_tree *t = open_tree(h, o);
	struct lp_error err = { 0 };

	if ((f.nsearch || f.window) && !lp_tree_filter(t, f, &err))
		fail_msg("%s", err.text);
	char *got = print_tree(t);

	assert_string_equal(got, want);
	free(got);
	lp_tree_close(t);
	lp_profile_close(h);
}

#define DOWN(profile, want)                                                \
	expect(profile, (struct lp_tree_options){ .firefox_order = true }, \
	       (struct lp_tree_filter){ 0 }, want)
#define INVERTED(profile, want)                                                            \
	expect(profile, (struct lp_tree_options){ .invert = true, .firefox_order = true }, \
	       (struct lp_tree_filter){ 0 }, want)

static inline void expect_transform(const char *profile, bool invert, enum lp_transform_kind kind,
				    const char *functions, const char *want)
{
	struct lp_transform x = { kind, functions };

	expect(profile,
	       (struct lp_tree_options){ .invert = invert,
					 .firefox_order = true,
					 .transforms = &x,
					 .ntransforms = 1 },
	       (struct lp_tree_filter){ 0 }, want);
}

#endif
