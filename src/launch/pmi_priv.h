/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pmi_priv: what the files of the PMI client share: pmi.c (questions and answers, barrier, end), launchers.c (in what
 * launchers differ), pmi_open.c (what is asked at the start), pmi_keys.c (the key space).
 */
#ifndef HWS_LAUNCH_PMI_PRIV_H
#define HWS_LAUNCH_PMI_PRIV_H

#include <sys/types.h>

#include "launch/pmi.h"
#include "launch/pmi_wire.h"

enum hws_presence { HWS_PRESENCE_UNKNOWN, HWS_PRESENCE_NO, HWS_PRESENCE_YES };

/* In what one launcher differs from another: a row of the table in launchers.c. */
struct hws_launcher {
    enum hws_pmi_launcher kind;
    bool (*is_it)(const char *line);                 /* from the answer to init; NULL: it speaks PMIx */
    int (*ask)(struct hws_pmi *p, const char *line); /* the rest of what is asked at the start */
    int (*put)(struct hws_pmi *p, const char *key, const char *value, size_t len); /* NULL: nobody would read it */
    int (*get)(struct hws_pmi *p, const char *key, char **value);                  /* *value is the caller's to free */
    int (*enter)(struct hws_pmi *p, const char *wanted); /* begins a barrier; wanted: see gives_value, or NULL */
    int (*read)(struct hws_pmi *p);                      /* what has come, without blocking */
    int (*finalize)(struct hws_pmi *p);
    void (*abort)(struct hws_pmi *p, int code, const char *text); /* NULL: the text is printed here, and that is all */
    bool judges_deaths; /* decides what a rank's death means (mpirun/job/policy.h); others may wait for ever */
    bool (*host_of)(const struct hws_pmi *p, int rank, char *dst, size_t len); /* NULL: names of hosts are not told */
    int (*be_here)(
        struct hws_pmi *p); /* says to the others that this rank waits in the barrier; NULL: they cannot ask */
    enum hws_presence (*is_here)(struct hws_pmi *p, int rank); /* whether that rank has said so */
    size_t line_max;  /* bytes of a line that it reads, whatever it says of values; 0: what it says holds */
    bool gives_value; /* a key's value comes along with the end of a barrier that asks for it */
};

struct hws_pmi {
    const struct hws_launcher *launcher; /* hws_launcher_none until one has answered */
    struct hws_pmi_wire wire;            /* its fd is owned; -1: singleton; PMIx has only that */
    pid_t owner;
    int rank, size, appnum, universe_size, n_local;
    size_t vallen_max;
    uint64_t init_wait_ms; /* bound of a wait for other ranks; 0: none */
    unsigned n_waits;      /* barriers that have been waited for, the same in all ranks */
    char *kvsname;
    uint64_t job_id;
    char *mapping; /* which ranks share a host; NULL: nobody knows */
    char *given;   /* what came with the last barrier_out, or NULL */
    bool has_secret;
    unsigned char secret[HWS_PMI_SECRET_BYTES];
    bool barrier_pending, finalized, is_lost;
    char reason[512];
};

extern const struct hws_launcher hws_launcher_none; /* the process is a singleton */

/* The one that has sent this answer to init; NULL: that of a process with PMIx. */
const struct hws_launcher *hws_launcher_find(const char *line);

/* pmi_open.c: what is asked of Hawser's mpirun; the same, of a client that did not say hawser=1; of any PMI-1 launcher.
 */
int hws_pmi_ask_own(struct hws_pmi *p, const char *line);
int hws_pmi_ask_own_plain(struct hws_pmi *p, const char *line);
int hws_pmi_ask_pmi1(struct hws_pmi *p, const char *line);

/* pmi.c, pmi_keys.c: launchers that speak PMI-1's lines. */
int hws_pmi_get_line(struct hws_pmi *p, const char *key, char **value);
int hws_pmi_enter_line(struct hws_pmi *p, const char *wanted);
int hws_pmi_read_lines(struct hws_pmi *p);

/* What a failed read or write on the wire means; rc itself. */
int hws_pmi_note_io(struct hws_pmi *p, int rc);

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
