// SPDX-License-Identifier: GPL-2.0
/*
 * verbs_check: do every operation of the verbs interface between two ends and
 * look at each byte that arrives, at the bytes around it and at the status of
 * each completion.
 *
 * The two ends are two processes: forked here (loopback on one device, or
 * between two with -D), or started one by one with --listen and --connect in
 * different network namespaces. Both draw from the same seed, so each knows
 * what the other does; a failure names the case and the seed.
 */
#include "vc.h"
#include <arpa/inet.h>
#include <errno.h>
#include <getopt.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static struct opts o = {
	.dev = "rxe0", .gid = 1, .gid2 = 1, .port = 1, .loops = 1,
	.deadline = 30, .timeout = 14,
	.sizes = { 0, 1, 2, 3, 4, 7, 8, 33, 64, 255, 256, 257, 1023, 1024, 1025,
		   4095, 4096, 4097, 9000, 65535, 65536, 65537, 1048577,
		   8388608 },
	.nsizes = 24,
};
static int listen_port;
static const char *connect_to;
static const char *only = "all";

static const struct option longs[] = {
	{ "listen", required_argument, NULL, 'P' },
	{ "connect", required_argument, NULL, 'C' },
	{ "list", no_argument, NULL, 'L' },
	{ "loss", no_argument, NULL, 'x' },
	{ }
};

static void list_groups(void)
{
	const struct group *g;

	for (g = groups_ops; g->name; g++)
		printf("%-14s %s\n", g->name, g->help);
	for (g = groups_err; g->name; g++)
		printf("%-14s %s\n", g->name, g->help);
}

static void usage(int rc)
{
	printf("usage: verbs_check [-d DEV] [-D DEV2] [-g GID] [-G GID2] [-m MTU] [-s SEED]\n"
	       "  [-l LOOPS] [-S SIZE,...] [-t GROUP,...|all|ops|err] [-T DEADLINE_S]\n"
	       "  [-u TIMEOUT] [-e] [-v] [--loss] [--listen PORT | --connect HOST:PORT]\n"
	       "groups:\n");
	list_groups();
	exit(rc);
}

static void parse_sizes(char *list)
{
	char *at;

	o.nsizes = 0;
	for (at = strtok(list, ","); at; at = strtok(NULL, ",")) {
		if (o.nsizes == VC_MAX_SIZES)
			usage(2);
		o.sizes[o.nsizes++] = strtoul(at, NULL, 0);
	}
}

static void parse_one(int c)
{
	switch (c) {
	case 'd': o.dev = optarg; break;
	case 'D': o.dev2 = optarg; break;
	case 'g': o.gid = atoi(optarg); break;
	case 'G': o.gid2 = atoi(optarg); break;
	case 'm': o.mtu = atoi(optarg); break;
	case 's': o.seed = strtoull(optarg, NULL, 0); break;
	case 'l': o.loops = atoi(optarg); break;
	case 'S': parse_sizes(optarg); break;
	case 't': only = optarg; break;
	case 'T': o.deadline = atoi(optarg); break;
	case 'u': o.timeout = atoi(optarg); break;
	case 'e': o.events = true; break;
	case 'v': o.verbose = true; break;
	case 'x': o.loss = true; break;
	case 'P': listen_port = atoi(optarg); break;
	case 'C': connect_to = optarg; break;
	case 'L': list_groups(); exit(0);
	case 'h': usage(0); break;
	default: usage(2);
	}
}

static void parse(int argc, char **argv)
{
	int c;

	o.seed = time(NULL) * 2654435761ULL + getpid();
	while ((c = getopt_long(argc, argv, "d:D:g:G:m:s:l:S:t:T:u:evh", longs,
				NULL)) != -1)
		parse_one(c);
	if (optind < argc)
		usage(2);
}

static bool wanted(const char *name, const char *kind)
{
	char list[512], *at, *save;

	if (!strcmp(only, "all") || !strcmp(only, kind))
		return true;
	snprintf(list, sizeof(list), "%s", only);
	for (at = strtok_r(list, ",", &save); at;
	     at = strtok_r(NULL, ",", &save))
		if (!strcmp(at, name))
			return true;
	return false;
}

static int run_groups(struct end *e, const struct group *g, const char *kind)
{
	int n = 0;

	for (; g->name; g++) {
		double start = now();

		if (!wanted(g->name, kind))
			continue;
		/* Some groups draw at one end only. */
		e->rng = o.seed + strlen(g->name) * 8191 + g->name[3];
		g->run(e);
		n++;
		if (e->initiator)
			printf("verbs_check: %-14s ok, %.1f s\n", g->name,
			       now() - start);
		fflush(stdout);
	}
	return n;
}

/* The target takes the initiator's seed, device of its own. */
static int run_end(bool initiator, int fd)
{
	struct end e = { .o = &o, .initiator = initiator, .fd = fd };
	int n;

	srand(o.seed + initiator);
	if (initiator)
		chan_put(&e, &o.seed, sizeof(o.seed));
	else
		chan_get(&e, &o.seed, sizeof(o.seed));
	end_open(&e);
	n = run_groups(&e, groups_ops, "ops");
	n += run_groups(&e, groups_err, "err");
	end_close(&e);
	if (!n)
		fprintf(stderr, "verbs_check: no group '%s'\n", only);
	return n ? 0 : 2;
}

static int both_ends(void)
{
	int fd[2], status;
	pid_t target;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, fd))
		return 1;
	target = fork();
	if (!target) {
		close(fd[0]);
		exit(run_end(false, fd[1]));
	}
	close(fd[1]);
	if (run_end(true, fd[0]))
		return 1;
	if (waitpid(target, &status, 0) != target)
		return 1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

static int serve(void)
{
	struct sockaddr_in6 a = { .sin6_family = AF_INET6,
				  .sin6_port = htons(listen_port) };
	int s = socket(AF_INET6, SOCK_STREAM, 0), on = 1, fd;

	setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (bind(s, (void *)&a, sizeof(a)) || listen(s, 1)) {
		perror("verbs_check: listen");
		return 1;
	}
	fd = accept(s, NULL, NULL);
	return run_end(false, fd);
}

static int dial(void)
{
	struct sockaddr_in a = { .sin_family = AF_INET };
	char host[64];
	int port, s;

	if (sscanf(connect_to, "%63[^:]:%d", host, &port) != 2 ||
	    inet_pton(AF_INET, host, &a.sin_addr) != 1)
		usage(2);
	a.sin_port = htons(port);
	s = socket(AF_INET, SOCK_STREAM, 0);
	if (connect(s, (void *)&a, sizeof(a))) {
		fprintf(stderr, "verbs_check: connect %s: %s\n", connect_to,
			strerror(errno));
		return 1;
	}
	return run_end(true, s);
}

int main(int argc, char **argv)
{
	int rc;

	parse(argc, argv);
	rc = listen_port ? serve() : connect_to ? dial() : both_ends();
	if (rc)
		fprintf(stderr, "verbs_check: failed, seed %llu\n",
			(unsigned long long)o.seed);
	return rc;
}
