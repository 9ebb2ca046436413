/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the link suite needs of Criterion, for kernels in which Criterion does not run: its arena lies at addresses that
 * User-Mode Linux does not have. plain.c runs each test in a process of its own and prints TAP.
 */
#ifndef HWS_TESTS_PLAIN_CRITERION_H
#define HWS_TESTS_PLAIN_CRITERION_H

struct plain_options {
    void (*init)(void);
    void (*fini)(void);
};

struct plain_test {
    const char *name;
    void (*run)(void);
    const struct plain_options *options; /* of its suite */
    struct plain_test *next;
};

void plain_add(struct plain_test *t);
void plain_fail(const char *file, int line, const char *what, const char *fmt, ...)
    __attribute__((noreturn, format(printf, 4, 5)));
void plain_skip(const char *fmt, ...) __attribute__((noreturn, format(printf, 1, 2)));

#define TestSuite(suite, ...)                                                                                          \
    static const struct plain_options *plain_options_of_##suite(void)                                                  \
    {                                                                                                                  \
        static const struct plain_options options = {__VA_ARGS__};                                                     \
        return &options;                                                                                               \
    }                                                                                                                  \
    struct plain_unused

#define Test(suite, test)                                                                                              \
    static void suite##_##test(void);                                                                                  \
    __attribute__((constructor)) static void add_##suite##_##test(void)                                                \
    {                                                                                                                  \
        static struct plain_test t = {.name = #suite "/" #test, .run = suite##_##test};                                \
        t.options = plain_options_of_##suite();                                                                        \
        plain_add(&t);                                                                                                 \
    }                                                                                                                  \
    static void suite##_##test(void)

#define plain_check(condition, text, ...)                                                                              \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            plain_fail(__FILE__, __LINE__, text, " " __VA_ARGS__);                                                     \
    } while (0)

#define cr_assert(c, ...)        plain_check(c, #c, ##__VA_ARGS__)
#define cr_assert_not(c, ...)    plain_check(!(c), "!(" #c ")", ##__VA_ARGS__)
#define cr_assert_eq(a, b, ...)  plain_check((a) == (b), #a " == " #b, ##__VA_ARGS__)
#define cr_assert_neq(a, b, ...) plain_check((a) != (b), #a " != " #b, ##__VA_ARGS__)
#define cr_assert_gt(a, b, ...)  plain_check((a) > (b), #a " > " #b, ##__VA_ARGS__)
#define cr_assert_lt(a, b, ...)  plain_check((a) < (b), #a " < " #b, ##__VA_ARGS__)
#define cr_skip_test(...)        plain_skip(__VA_ARGS__)

#endif
