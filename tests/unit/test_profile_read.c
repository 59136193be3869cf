/* Every reader on examples small enough to be worked out by hand, and on their odd relatives. */
#include "profile_text.h"

#include "profile/profile_read.h"

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- Collapsed stacks ---- */

static void collapsed_stacks_are_summed_by_line(void **unused)
{
	READS("a;b;c 1\na;b;c 1\na;b;d 4\na;b;c 3\na;b 5", "a;b 5\na;b;c 5\na;b;d 4\n");
	READS("a;b;c 1\r\na;b 2 \r\n", "a;b 2\na;b;c 1\n");
}

static void collapsed_frames_may_hold_anything_but_a_semicolon(void **unused)
{
	READS("java main (x 3);run #1 7\n", "java main (x 3);run #1 7\n");
	READS("main 3\n", "main 3\n");
	READS("{closure};[unknown] 3\n[native];x 1\n", "{closure};[unknown] 3\n[native];x 1\n");
	READS("a;;b 2\n", "a;b 2\n");
	READS("a_[k];b_[j] 2\na;b 1\n", "a;b 3\n");
}

static void collapsed_fractions_are_exact(void **unused)
{
	struct profile *p = profile_from("a;b 12.75\na 1\na;b 0.1\n", 22,
					 (struct profile_options){ 0 });
	char *lines = profile_lines(p, 0);

	assert_int_equal(p->threads[0].places, 2);
	assert_string_equal(lines, "a 100\na;b 1285\n");
	free(lines);
	profile_free(p);
}

static void collapsed_differences_have_two_counts(void **unused)
{
	READS("a;b 5 7\na;c 3 1\n", "a;b 2\na;c -2\n");
}

static void collapsed_lines_that_are_none_are_counted(void **unused)
{
	struct profile *p = profile_from("# note\n// no\na;b 1\na 2\nword\n", 28,
					 (struct profile_options){ 0 });

	assert_int_equal(p->odd[PROFILE_ODD_LINE], 2);
	assert_int_equal(p->odd_first[PROFILE_ODD_LINE], 2);
	profile_free(p);
}

/* ---- Firefox ---- */

#define SHARED                                                                                  \
	"\"shared\":{\"stackTable\":{\"length\":3,\"frame\":[0,1,2],\"prefixOffset\":[0,1,2]}," \
	"\"frameTable\":{\"length\":3,\"func\":[0,1,2]},"                                       \
	"\"funcTable\":{\"length\":3,\"name\":[0,1,2],\"resource\":[-1,-1,-1],"                 \
	"\"lineNumber\":[null,3,null]},\"stringArray\":[\"A\",\"B\\u00e9\",\"C\"]}"

static void firefox_tables_may_be_shared_and_follow_the_threads(void **unused)
{
	READS("{\"meta\":{\"preprocessedProfileVersion\":70,\"interval\":1}," SHARED
	      ",\"threads\":[{\"name\":\"T\",\"samples\":{\"length\":4,\"stack\":[0,1,null,2],"
	      "\"timeDeltas\":[1,1,1,1],\"weight\":null,\"weightType\":\"samples\"}}]}",
	      "A 1\nA;B\303\251 1\nA;C 1\n");
	READS("{\"threads\":[{\"samples\":{\"stack\":[2,2],\"weight\":[5,-2]}}]," SHARED "}",
	      "A;C 3\n");
}

static void firefox_old_tables_are_per_thread(void **unused)
{
	static const char old[] =
		"{\"meta\":{\"preprocessedProfileVersion\":24},\"threads\":["
		"{\"name\":\"one\",\"stackTable\":{\"length\":2,\"frame\":[0,1],\"prefix\":[null,0]},"
		"\"frameTable\":{\"func\":[1,0]},\"funcTable\":{\"name\":[0,1],\"fileName\":[null,null]},"
		"\"stringArray\":[\"leaf\",\"root\"],\"samples\":{\"stack\":[1,0,1],\"time\":[1,2,3.5]}},"
		"{\"name\":\"two\",\"stackTable\":{\"length\":1,\"frame\":[0],\"prefix\":[null]},"
		"\"frameTable\":{\"func\":[0]},\"funcTable\":{\"name\":[0]},\"stringArray\":[\"root\"],"
		"\"samples\":{\"stack\":[0],\"time\":[1]}}]}";

	READS(old, "root 1\nroot;leaf 2\n");
	assert_profile(old, sizeof(old) - 1, (struct profile_options){ 0 }, 1, "root 1\n");
	assert_profile(old, sizeof(old) - 1, (struct profile_options){ .sums = true }, 0,
		       "root 1\nroot;leaf 2\n");
}

static void firefox_threads_may_have_no_stacks_at_first(void **unused)
{
	static const char text[] =
		"{\"meta\":{\"preprocessedProfileVersion\":24},\"threads\":["
		"{\"name\":\"one\",\"stackTable\":{\"length\":0,\"frame\":[],\"prefix\":[]},"
		"\"frameTable\":{\"func\":[]},\"funcTable\":{\"name\":[]},\"stringArray\":[],"
		"\"samples\":{\"stack\":[],\"time\":[]}},"
		"{\"name\":\"two\",\"stackTable\":{\"length\":1,\"frame\":[0],\"prefix\":[null]},"
		"\"frameTable\":{\"func\":[0]},\"funcTable\":{\"name\":[0]},\"stringArray\":[\"root\"],"
		"\"samples\":{\"stack\":[0],\"time\":[1]}}]}";

	assert_profile(text, sizeof(text) - 1, (struct profile_options){ 0 }, 1, "root 1\n");
	assert_profile(text, sizeof(text) - 1, (struct profile_options){ .sums = true }, 1,
		       "root 1\n");
}

static void firefox_milliseconds_are_nanoseconds_exactly(void **unused)
{
	READS("{\"threads\":[{\"samples\":{\"weightType\":\"tracing-ms\",\"stack\":[0,1,1],"
	      "\"weight\":[0.7,0.1,0.2]}}]," SHARED "}",
	      "A 700000\nA;B\303\251 300000\n");
}

static void firefox_time_between_samples_is_a_weight(void **unused)
{
	static const char text[] = "{\"meta\":{\"interval\":0.5},\"threads\":[{\"samples\":{"
				   "\"stack\":[0,1,2,2],\"time\":[0,1,5,6]}}]," SHARED "}";

	assert_profile(text, sizeof(text) - 1, (struct profile_options){ .weight = "time" }, 0,
		       "A 1000000\nA;B\303\251 4000000\nA;C 1500000\n");
}

static void firefox_indices_out_of_range_are_counted(void **unused)
{
	static const char text[] =
		"{\"threads\":[{\"stackTable\":{\"frame\":[0,9,0],\"prefix\":[null,7,2]},"
		"\"frameTable\":{\"func\":[0]},\"funcTable\":{\"name\":[0]},\"stringArray\":[\"A\"],"
		"\"samples\":{\"stack\":[0,1,2,77]}}]}";
	struct profile *p = profile_from(text, sizeof(text) - 1, (struct profile_options){ 0 });
	char *lines = profile_lines(p, 0);

	assert_string_equal(lines, "A 2\n(invalid frame) 1\n");
	assert_int_equal(p->odd[PROFILE_ODD_INDEX], 4);
	free(lines);
	profile_free(p);
}

static void gecko_tables_are_by_row(void **unused)
{
	READS("{\"meta\":{\"version\":9},\"threads\":[{\"name\":\"G\","
	      "\"samples\":{\"schema\":{\"stack\":0,\"time\":1},\"data\":[[1,0.5],[0],[null,2]]},"
	      "\"frameTable\":{\"schema\":{\"location\":0,\"line\":3},"
	      "\"data\":[[0],[1,null,null,7]]},"
	      "\"stackTable\":{\"schema\":{\"prefix\":0,\"frame\":1},\"data\":[[null,0],[0,1]]},"
	      "\"stringTable\":[\"(root)\",\"step (https://x/y.js:12:3)\"]}]}",
	      "(root) 1\n(root);step 1\n");
}

/* ---- speedscope ---- */

static void speedscope_events_are_replayed(void **unused)
{
	READS("{\"shared\":{\"frames\":[{\"name\":\"a\"},{\"name\":\"b\"},{\"name\":\"c\"}]},\"profiles\":["
	      "{\"type\":\"evented\",\"unit\":\"none\",\"startValue\":0,\"endValue\":14,\"events\":["
	      "{\"type\":\"O\",\"frame\":0,\"at\":0},{\"type\":\"O\",\"frame\":1,\"at\":0},"
	      "{\"type\":\"C\",\"frame\":1,\"at\":8},{\"type\":\"O\",\"frame\":2,\"at\":9},"
	      "{\"type\":\"C\",\"frame\":2,\"at\":13},{\"type\":\"C\",\"frame\":0,\"at\":14}]}]}",
	      "a 2\na;b 8\na;c 4\n");
}

static void speedscope_samples_have_units(void **unused)
{
	READS("{\"profiles\":[{\"type\":\"sampled\",\"unit\":\"seconds\",\"startValue\":0,\"endValue\":14,"
	      "\"samples\":[[0,1],[0,1],[0]],\"weights\":[1,1.5,0.000000001]}],"
	      "\"shared\":{\"frames\":[{\"name\":\"a\"},{\"name\":\"b\"}]}}",
	      "a 1\na;b 2500000000\n");
}

static void speedscope_lines_of_one_function_are_one(void **unused)
{
	READS("{\"shared\":{\"frames\":[{\"name\":\"a\",\"file\":\"x.py\",\"line\":1},"
	      "{\"name\":\"a\",\"file\":\"x.py\",\"line\":2},{\"name\":\"a\",\"file\":\"y.py\"}]},"
	      "\"profiles\":[{\"type\":\"sampled\",\"unit\":\"none\",\"samples\":[[0],[1],[2]],"
	      "\"weights\":[1,1,1]}]}",
	      "a 2\na 1\n");
}

static void speedscope_values_of_the_wrong_kind_say_nothing(void **unused)
{
	static const char text[] =
		"{\"shared\":{\"frames\":[{\"name\":\"a\"}]},\"profiles\":[{\"endValue\":null,"
		"\"weights\":[7,8],\"events\":[{\"type\":\"O\",\"frame\":0,\"at\":0},"
		"{\"type\":\"C\",\"frame\":0,\"at\":5}]}]}";
	struct profile *p = profile_from(text, sizeof(text) - 1, (struct profile_options){ 0 });
	char *got = profile_lines(p, 0);

	assert_string_equal(got, "a 5\n");
	assert_int_equal(p->odd[PROFILE_ODD_NESTING], 0);
	free(got);
	profile_free(p);
}

/* ---- V8 ---- */

static void cpuprofile_samples_last_until_the_next(void **unused)
{
	READS("{\"nodes\":[{\"id\":1,\"callFrame\":{\"functionName\":\"(root)\",\"lineNumber\":-1},"
	      "\"children\":[2]},{\"id\":2,\"callFrame\":{\"functionName\":\"\",\"url\":\"f.js\","
	      "\"lineNumber\":0}}],\"startTime\":10,\"endTime\":100,\"samples\":[1,2,2],"
	      "\"timeDeltas\":[5,20,30]}",
	      "(root) 20000\n(root);(anonymous) 65000\n");
}

static void cpuprofile_hits_that_are_none_are_no_hits(void **unused)
{
	READS("{\"nodes\":[{\"id\":1,\"callFrame\":{\"functionName\":\"a\"},\"hitCount\":null},"
	      "{\"id\":2,\"callFrame\":{\"functionName\":\"b\"},\"hitCount\":3}]}",
	      "b 3\n");
}

static void times_end_where_64_bits_do(void **unused)
{
	static const char v8[] =
		"{\"nodes\":[{\"id\":1,\"callFrame\":{\"functionName\":\"a\"}}],"
		"\"samples\":[1,1,1],\"timeDeltas\":[0,9000000000000000,9000000000000000]}";
	static const char firefox[] =
		"{\"meta\":{},\"threads\":[{\"stringTable\":[\"a\"],\"funcTable\":{\"name\":[0]},"
		"\"frameTable\":{\"func\":[0]},\"stackTable\":{\"frame\":[0],\"prefix\":[null]},"
		"\"samples\":{\"stack\":[0,0],\"time\":[-9000000000000,9000000000000]}}]}";
	struct profile *p = profile_from(v8, sizeof(v8) - 1, (struct profile_options){ 0 });
	struct lp_error err = { 0 };

	assert_int_equal(p->samples.weight[1], INT64_MAX - 9000000000000000000);
	assert_int_equal(p->odd[PROFILE_ODD_WEIGHT], 2); /* the last one, too */
	profile_free(p);
	assert_int_equal(profile_read_memory("test", firefox, sizeof(firefox) - 1,
					     (struct profile_options){ .weight = "time" }, &p,
					     &err),
			 PROFILE_READ);
	assert_int_equal(p->samples.weight[0], INT64_MAX);
	profile_free(p);
}

static void cpuprofile_nodes_may_be_nested(void **unused)
{
	READS("{\"head\":{\"functionName\":\"r\",\"id\":1,\"hitCount\":2,\"children\":["
	      "{\"functionName\":\"a\",\"id\":2,\"hitCount\":0,\"children\":[{\"functionName\":\"b\","
	      "\"id\":3,\"hitCount\":4,\"children\":[]}]},{\"functionName\":\"c\",\"hitCount\":1}]}}",
	      "r 2\nr;a;b 4\nr;c 1\n");
	READS("{\"head\":{\"callFrame\":{\"functionName\":\"r\"},\"selfSize\":0,\"children\":["
	      "{\"callFrame\":{\"functionName\":\"a\"},\"selfSize\":16,\"children\":[]}]}}",
	      "r;a 16\n");
}

static void cpuprofile_parents_in_a_circle_end(void **unused)
{
	static const char text[] = "{\"nodes\":[{\"id\":1,\"parent\":2},{\"id\":2,\"parent\":1}],"
				   "\"samples\":[1,2]}";
	struct profile *p = profile_from(text, sizeof(text) - 1, (struct profile_options){ 0 });

	assert_int_equal(p->samples.n, 2);
	profile_free(p);
}

/* ---- perf script ---- */

static void perf_stacks_are_leaf_first(void **unused)
{
	static const char text[] =
		"# ====\n"
		"my prog 10/11 [001]  5.000001:  250000 cycles:u: \n"
		"\t  55 leaf(int, char (*)[2])+0x1f (/bin/x (deleted))\n"
		"\t  66 [unknown] (/bin/x)\n"
		"\t  77 main+0xff (/bin/x)\n"
		"\n"
		"my prog 10/11 [001]  5.000002:  1 cycles:u: \n"
		"\t  77 main+0xaa (/bin/x)\n"
		"\n"
		"other     9  6.000000:      1 cycles:u:   ffff spin ([kernel.kallsyms])\n";

	READS(text, "main 1\nmain;[unknown];leaf(int, char (*)[2]) 1\n");
	assert_profile(text, sizeof(text) - 1, (struct profile_options){ 0 }, 1, "spin 1\n");
	assert_profile(text, sizeof(text) - 1, (struct profile_options){ .weight = "period" }, 0,
		       "main 1\nmain;[unknown];leaf(int, char (*)[2]) 250000\n");
}

static void perf_threads_have_names_and_numbers(void **unused)
{
	struct profile *p = profile_from("a b 7/8 1.5: ev: \n 1 x (y)\n\n", 28,
					 (struct profile_options){ 0 });

	assert_string_equal(p->threads[0].name, "a b");
	assert_string_equal(p->threads[0].pid, "7");
	assert_string_equal(p->threads[0].tid, "8");
	assert_int_equal(p->samples.time[0], 1500000000);
	profile_free(p);
}

/* ---- pprof ---- */

/*
 * Types (samples, count), (cpu, nanoseconds); function 1 main, 2 leaf, 3 inlined; location 5 is
 * main, 6 is leaf with the inlined code in it; sample [6, 5] (2, 20), sample [5] (1, 7).
 */
static const char pprof[] =
	"\x0a\x04\x08\x01\x10\x02\x0a\x04\x08\x03\x10\x04"
	"\x12\x08\x0a\x02\x06\x05\x12\x02\x02\x14\x12\x06\x08\x05\x10\x01\x10\x07"
	"\x22\x06\x08\x05\x22\x02\x08\x01\x22\x0a\x08\x06\x22\x02\x08\x03\x22\x02\x08\x02"
	"\x2a\x04\x08\x01\x10\x05\x2a\x04\x08\x02\x10\x06\x2a\x04\x08\x03\x10\x07"
	"\x32\x00\x32\x07samples\x32\x05"
	"count\x32\x03"
	"cpu\x32\x0bnanoseconds\x32\x04main\x32\x04leaf\x32\x07inlined";

static void pprof_takes_the_last_value_and_keeps_inlined_code(void **unused)
{
	READS(pprof, "main 7\nmain;leaf;inlined 20\n");
	assert_profile(pprof, sizeof(pprof) - 1, (struct profile_options){ .weight = "samples" }, 0,
		       "main 1\nmain;leaf;inlined 2\n");
}

/* ---- What is none of them ---- */

static void strangers_are_refused_by_name(void **unused)
{
	assert_refused("", "nothing in this file");
	assert_refused("PK\3\4xxxx", "zip");
	assert_refused("Some text that\nis no profile\n", "neither a trace nor a profile");
	assert_refused("{\"version\":3,\"sources\":[]}", "neither a profile that we know");
	assert_refused("{\"threads\":[{\"samples\":{\"stack\":[1,2", "byte");
	assert_refused("{\"threads\":[{\"samples\":{\"weight\":[9e18,9e18],\"stack\":[1,1]}}]}",
		       "64 bits");
}

static void lists_and_trace_events_are_traces(void **unused)
{
	struct profile *p = NULL;
	struct profile_options o = { 0 };
	struct lp_error err;

	assert_int_equal(profile_read_memory("t", "[]", 2, o, &p, &err), PROFILE_TRACE);
	assert_int_equal(profile_read_memory("t", "\n{\"traceEvents\":[", 17, o, &p, &err),
			 PROFILE_TRACE);
	assert_int_equal(profile_read_memory("t", "\xef\xbb\xbf[,{", 6, o, &p, &err),
			 PROFILE_TRACE);
	assert_int_equal(profile_read_memory("t", "{\"a\":[1],\"traceEvents\":[", 24, o, &p, &err),
			 PROFILE_TRACE);
}

static void stacks_may_be_a_hundred_thousand_deep(void **unused)
{
	enum { DEPTH = 100000 };
	char *text = malloc(2 * DEPTH + 2);

	for (int i = 0; i < DEPTH; i++) {
		text[2 * i] = 'a' + i % 2;
		text[2 * i + 1] = i + 1 < DEPTH ? ';' : ' ';
	}
	memcpy(text + 2 * DEPTH, "1\n", 2);
	struct profile *p = profile_from(text, 2 * DEPTH + 2, (struct profile_options){ 0 });

	assert_int_equal(p->stacks.n, DEPTH);
	assert_int_equal(p->samples.stack[0], DEPTH - 1);
	free(text);
	profile_free(p);
}

/* ---- Files that cannot be read to their end ---- */

/* Lines for a while, then the connection is reset: what was sent to `s` was never read. */
static void send_and_reset(int s)
{
	for (int i = 0; i < 200000; i++)
		if (write(s, "a;b 1\n", 6) != 6)
			break;
	close(s);
	_exit(0);
}

static void a_profile_that_breaks_off_is_refused(void **unused)
{
	struct profile *p = NULL;
	struct lp_error err = { "" };
	int ends[2], kept = dup(STDIN_FILENO);

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
	assert_int_equal(write(ends[0], "?", 1), 1);
	pid_t sender = fork();
	if (!sender) {
		close(ends[0]);
		send_and_reset(ends[1]);
	}
	close(ends[1]);
	dup2(ends[0], STDIN_FILENO);
	assert_int_equal(profile_read("-", (struct profile_options){ 0 }, &p, &err),
			 PROFILE_REFUSED);
	assert_string_equal(err.text, "-: cannot read: Connection reset by peer");
	waitpid(sender, NULL, 0);
	dup2(kept, STDIN_FILENO);
	close(kept);
	close(ends[0]);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(collapsed_stacks_are_summed_by_line),
		cmocka_unit_test(collapsed_frames_may_hold_anything_but_a_semicolon),
		cmocka_unit_test(collapsed_fractions_are_exact),
		cmocka_unit_test(collapsed_differences_have_two_counts),
		cmocka_unit_test(collapsed_lines_that_are_none_are_counted),
		cmocka_unit_test(firefox_tables_may_be_shared_and_follow_the_threads),
		cmocka_unit_test(firefox_old_tables_are_per_thread),
		cmocka_unit_test(firefox_threads_may_have_no_stacks_at_first),
		cmocka_unit_test(firefox_milliseconds_are_nanoseconds_exactly),
		cmocka_unit_test(firefox_time_between_samples_is_a_weight),
		cmocka_unit_test(firefox_indices_out_of_range_are_counted),
		cmocka_unit_test(gecko_tables_are_by_row),
		cmocka_unit_test(speedscope_events_are_replayed),
		cmocka_unit_test(speedscope_samples_have_units),
		cmocka_unit_test(speedscope_lines_of_one_function_are_one),
		cmocka_unit_test(speedscope_values_of_the_wrong_kind_say_nothing),
		cmocka_unit_test(cpuprofile_samples_last_until_the_next),
		cmocka_unit_test(cpuprofile_hits_that_are_none_are_no_hits),
		cmocka_unit_test(times_end_where_64_bits_do),
		cmocka_unit_test(cpuprofile_nodes_may_be_nested),
		cmocka_unit_test(cpuprofile_parents_in_a_circle_end),
		cmocka_unit_test(perf_stacks_are_leaf_first),
		cmocka_unit_test(perf_threads_have_names_and_numbers),
		cmocka_unit_test(pprof_takes_the_last_value_and_keeps_inlined_code),
		cmocka_unit_test(strangers_are_refused_by_name),
		cmocka_unit_test(lists_and_trace_events_are_traces),
		cmocka_unit_test(stacks_may_be_a_hundred_thousand_deep),
		cmocka_unit_test(a_profile_that_breaks_off_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
