/* SPDX-License-Identifier: BSD-3-Clause
 *
 * crash: the handler calls only what is safe there: write, and of the C library backtrace(), which allocates and loads
 * at its first call only, so that this is made at the begin. Should it hang all the same, in a lock that the crash has
 * left taken, an alarm ends the process.
 */
#include "core/env/crash.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/board.h"
#include "base/list.h"

#if defined(__GLIBC__) && __has_include(<execinfo.h>)
#include <execinfo.h>
#define HAS_BACKTRACE 1
#endif

#define FRAMES      64
#define STACK_BYTES (64 << 10) /* the unwinder takes less than 16 KiB */
#define PATIENCE_S  3

static const int caught[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
static struct hws_board *board; /* NULL: nobody reads */
static char who[320];           /* "rank 3 on host h1" */
static pid_t owner;
static volatile sig_atomic_t is_struck;
static struct sigaction before[HWS_ARRAY_LEN(caught)]; /* handlers that ours comes before, and lets go on */

static void say(const char *text)
{
    if (write(STDERR_FILENO, text, strlen(text)) < 0)
        return;
}

#ifdef HAS_BACKTRACE
/* The outermost call of MPI in these frames; NULL: none. */
static const char *call_of(void *const *frames, int n)
{
    for (int i = n - 1; i >= 0; i--) {
        Dl_info of;
        if (!dladdr(frames[i], &of) || !of.dli_sname)
            continue;
        const char *name = of.dli_sname[0] == 'P' ? of.dli_sname + 1 : of.dli_sname;
        if (strncmp(name, "MPI_", 4) == 0)
            return name;
    }
    return NULL;
}

/* Whether libgfortran has set this handler, as it does at the start of a program in Fortran: it names the source lines,
 * and of MPI nothing. */
static bool is_of_gfortran(const struct sigaction *action)
{
    Dl_info of;
    void (*handler)(int) = action->sa_handler;
    return handler != SIG_IGN && dladdr((void *)handler, &of) && of.dli_fname &&
           strstr(of.dli_fname, "/libgfortran.so");
}

/* frames_follow: somebody else prints the frames. */
static void tell(const char *signal_name, bool frames_follow)
{
    void *frames[FRAMES];
    int n = backtrace(frames, FRAMES);
    const char *call = call_of(frames, n);
    if (board)
        hws_board_text(board->died_in, call ? call : HWS_BOARD_NO_CALL, sizeof board->died_in);
    say("hawser: ");
    say(who);
    say(": ");
    say(signal_name);
    say(call ? ", in " : "");
    say(call ? call : "");
    say(frames_follow ? "\n" : "; the calls that led there, the last one first:\n");
    if (n > 2 && !frames_follow)
        backtrace_symbols_fd(frames + 2, n - 2, STDERR_FILENO); /* without this function and the handler */
}

static void prepare(void)
{
    void *frame;
    backtrace(&frame, 1);
}
#else
static bool is_of_gfortran(const struct sigaction *action)
{
    (void)action;
    return false;
}

static void tell(const char *signal_name, bool frames_follow)
{
    (void)frames_follow;
    say("hawser: ");
    say(who);
    say(": ");
    say(signal_name);
    say("\n");
}

static void prepare(void)
{
}
#endif

static size_t index_of(int signum)
{
    size_t i = 0;
    while (i + 1 < HWS_ARRAY_LEN(caught) && caught[i] != signum)
        i++;
    return i;
}

/* On return a fault strikes again, and goes on as it would have without this: with the handler that was there before,
 * or none. What somebody has sent must be sent again. */
static void on_signal(int signum, siginfo_t *info, void *context)
{
    static const char *const names[] = {"SIGSEGV", "SIGBUS", "SIGFPE", "SIGILL", "SIGABRT"};
    size_t i = index_of(signum);
    bool another = before[i].sa_handler != SIG_DFL;
    (void)context;
    if (getpid() == owner && !__atomic_exchange_n(&is_struck, 1, __ATOMIC_SEQ_CST)) {
        sigset_t alarms;
        sigemptyset(&alarms);
        sigaddset(&alarms, SIGALRM);
        signal(SIGALRM, SIG_DFL);
        sigprocmask(SIG_UNBLOCK, &alarms, NULL);
        alarm(PATIENCE_S);
        tell(names[i], another);
        alarm(0);
    }
    if (another)
        sigaction(signum, &before[i], NULL);
    if (info->si_code <= 0)
        raise(signum);
}

static void make_stack(void)
{
    stack_t now, mine = {.ss_size = STACK_BYTES};
    if (sigaltstack(NULL, &now) != 0 || !(now.ss_flags & SS_DISABLE))
        return;
    mine.ss_sp = malloc(STACK_BYTES); /* for the life of the thread, which may be longer than MPI's */
    if (mine.ss_sp && sigaltstack(&mine, NULL) != 0)
        free(mine.ss_sp);
}

void hws_crash_begin(struct hws_board *b, int rank, const char *host)
{
    struct sigaction now, ours = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESETHAND};
    board = b;
    owner = getpid();
    snprintf(who, sizeof who, "rank %d on host %s", rank, host);
    prepare();
    make_stack();
    for (size_t i = 0; i < HWS_ARRAY_LEN(caught); i++) {
        if (sigaction(caught[i], NULL, &now) != 0 || (now.sa_flags & SA_SIGINFO))
            continue;
        if (now.sa_handler != SIG_DFL && !is_of_gfortran(&now))
            continue;
        before[i] = now;
        sigaction(caught[i], &ours, NULL);
    }
}

void hws_crash_end(void)
{
    struct sigaction now;
    board = NULL;
    for (size_t i = 0; i < HWS_ARRAY_LEN(caught); i++)
        if (sigaction(caught[i], NULL, &now) == 0 && (now.sa_flags & SA_SIGINFO) && now.sa_sigaction == on_signal)
            sigaction(caught[i], &before[i], NULL);
}
