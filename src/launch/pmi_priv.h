/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pmi_priv: what the files of the PMI client share: pmi.c (questions and answers, barrier, end), pmi_open.c (what is
 * asked at the start), pmi_keys.c (the key space).
 */
#ifndef HWS_LAUNCH_PMI_PRIV_H
#define HWS_LAUNCH_PMI_PRIV_H

#include <sys/types.h>

#include "launch/pmi.h"
#include "launch/pmi_wire.h"

struct hws_pmi {
    enum hws_pmi_launcher launcher;
    struct hws_pmi_wire wire; /* its fd is owned; -1: singleton */
    pid_t owner;
    int rank, size, appnum, universe_size, n_local;
    size_t vallen_max;
    char *kvsname;
    uint64_t job_id;
    bool is_brief; /* Hawser's mpirun: see ask_hawser() */
    char *mapping; /* which ranks share a host; NULL: nobody knows */
    char *given;   /* what came with the last barrier_out, or NULL */
    bool has_secret;
    unsigned char secret[HWS_PMI_SECRET_BYTES];
    bool barrier_pending, finalized, is_lost;
    char reason[256];
};

/* Keeps the sentence that hws_pmi_reason() gives; rc itself. */
int hws_pmi_fail(struct hws_pmi *p, int rc, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* HWS_OK, or HWS_EPMI in a forked child; forgets the last call's reason. */
int hws_pmi_check_owner(struct hws_pmi *p);

/* Sends one request line and waits for its answer, whose cmd must be `answer`; the caller frees *out. A NULL `answer`
 * waits for none. HWS_OK, HWS_EPMI, HWS_ECLOSED or HWS_ENOMEM. */
int hws_pmi_request(struct hws_pmi *p, const char *answer, char **out, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* A copy of a word's value, the caller's to free, or NULL. */
char *hws_pmi_copy_word(const char *line, const char *key);

/* The job's secret: drawn from the kernel; the same and put for the others; taken from its hexadecimal form. */
int hws_pmi_read_secret(struct hws_pmi *p);
int hws_pmi_publish_secret(struct hws_pmi *p);
int hws_pmi_parse_secret(struct hws_pmi *p, const char *hex);

#endif
