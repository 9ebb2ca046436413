/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pmix_lib: the few calls of libpmix that a client needs, found by dlopen where a launcher speaks PMIx, so that no
 * program is linked to it. The types are those of the PMIx standard's ABI, which are the same in libpmix 3 to 5
 * (libpmix.so.2); the names here are ours.
 */
#ifndef HWS_LAUNCH_PMIX_LIB_H
#define HWS_LAUNCH_PMIX_LIB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HWS_PMIX_SONAME        "libpmix.so.2"
#define HWS_PMIX_OK            0
#define HWS_PMIX_ERR_NOT_FOUND (-46)
#define HWS_PMIX_ERR_LOST      (-61) /* event: the connection to the server has ended */
#define HWS_PMIX_ALL_RANKS     (UINT32_MAX - 1)
#define HWS_PMIX_GLOBAL        3 /* scope of a value: all ranks */

enum hws_pmix_type { HWS_PMIX_BOOL = 1, HWS_PMIX_STRING = 3, HWS_PMIX_UINT16 = 13, HWS_PMIX_UINT32 = 14 };

struct hws_pmix_proc {
    char nspace[256]; /* the job's name */
    uint32_t rank;
};

struct hws_pmix_value {
    uint16_t type; /* enum hws_pmix_type, or one that is of no interest here */
    union {
        bool flag;
        char *string;
        uint16_t uint16;
        uint32_t uint32;
        struct {
            void *first, *second;
            char third;
        } largest; /* of what PMIx can put here */
    } data;
};

struct hws_pmix_info {
    char key[512];
    uint32_t flags;
    struct hws_pmix_value value;
};

typedef void hws_pmix_done_fn(int status, void *arg);
typedef void hws_pmix_event_done_fn(int status, struct hws_pmix_info *results, size_t n, hws_pmix_done_fn *done,
                                    void *done_arg, void *arg);
typedef void hws_pmix_event_fn(size_t id, int status, const struct hws_pmix_proc *source, struct hws_pmix_info *info,
                               size_t n_info, struct hws_pmix_info *results, size_t n_results,
                               hws_pmix_event_done_fn *done, void *done_arg);

struct hws_pmix_lib {
    int (*init)(struct hws_pmix_proc *me, struct hws_pmix_info *info, size_t n);
    int (*finalize)(const struct hws_pmix_info *info, size_t n);
    int (*abort)(int status, const char *text, struct hws_pmix_proc *whom, size_t n);
    int (*put)(uint8_t scope, const char *key, struct hws_pmix_value *value);
    int (*commit)(void);
    int (*fence)(const struct hws_pmix_proc *who, size_t n, const struct hws_pmix_info *info, size_t n_info,
                 hws_pmix_done_fn *done, void *arg);
    int (*get)(const struct hws_pmix_proc *whose, const char *key, const struct hws_pmix_info *info, size_t n,
               struct hws_pmix_value **value); /* *value and a string in it are the caller's, for free_it */
    void (*on_event)(int *codes, size_t n_codes, struct hws_pmix_info *info, size_t n_info, hws_pmix_event_fn *fn,
                     void *done, void *arg);
    const char *(*error_text)(int status);
    void (*free_it)(void *); /* free() of the library that it allocates with */
};

extern struct hws_pmix_lib hws_pmix_lib;

/* Loads it once. HWS_OK, or HWS_ESYS with one line of advice in err. */
int hws_pmix_lib_load(const char *soname, char *err, size_t err_len);

#endif
