/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A test program is a list of cases and KTAP_MAIN(list). A case expects things;
 * it goes on after a failure, and is "not ok" if there was any.
 */
#ifndef UNIT_KTAP_H
#define UNIT_KTAP_H

#include <stdbool.h>
#include <stdio.h>

struct ktap_case {
	const char *name;
	void (*run)(void);
};

#define KTAP_SHOWN	10	/* failures of a case that are printed */

static unsigned int ktap_failures;

static inline void ktap_note(const char *file, int line, const char *what)
{
	if (ktap_failures++ < KTAP_SHOWN)
		printf("# %s:%d: %s\n", file, line, what);
}

static inline void ktap_equal(unsigned long long a, unsigned long long b,
			      const char *file, int line, const char *what)
{
	char text[256];

	if (a == b)
		return;
	snprintf(text, sizeof(text), "%s: 0x%llx, not 0x%llx", what, a, b);
	ktap_note(file, line, text);
}

#define EXPECT(cond)							\
	do {								\
		if (!(cond))						\
			ktap_note(__FILE__, __LINE__, #cond);		\
	} while (0)

#define EXPECT_EQ(a, b)	ktap_equal(a, b, __FILE__, __LINE__, #a " == " #b)

/* For loops: what tells what was being looked at. */
#define EXPECT_EQ_AT(what, a, b)	ktap_equal(a, b, __FILE__, __LINE__, what)

static inline int ktap_run(const struct ktap_case *cases, unsigned int num)
{
	unsigned int i, bad = 0;

	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("KTAP version 1\n1..%u\n", num);
	for (i = 0; i < num; i++) {
		ktap_failures = 0;
		cases[i].run();
		bad += !!ktap_failures;
		printf("%sok %u %s\n", ktap_failures ? "not " : "", i + 1, cases[i].name);
	}
	return !!bad;
}

#define KTAP_MAIN(cases)						\
	int main(void)							\
	{								\
		return ktap_run(cases, sizeof(cases) / sizeof((cases)[0])); \
	}

#endif
