/* SPDX-License-Identifier: MIT */
/* Turns signals into bytes in a pipe that can be waited for. */
#define _POSIX_C_SOURCE 200809L
#include "os/stop.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/select.h>
#include <unistd.h>

#include "system/os.h"

/* A request to stop is a byte in this pipe, because a signal handler may call write(). */
static int stop_pipe[2] = {-1, -1};

void prfdata_stop_prepare(void)
{
    if (pipe(stop_pipe) != 0)
        return;
    for (int i = 0; i < 2; i++) {
        (void)fcntl(stop_pipe[i], F_SETFD, FD_CLOEXEC);
        (void)fcntl(stop_pipe[i], F_SETFL, O_NONBLOCK);
    }
}

void prfdata_stop_request(void)
{
    if (write(stop_pipe[1], "", 1) < 0) { /* the pipe is full, so there is a byte to read */
    }
}

static void handle_signal(int signal_number)
{
    int saved = errno;

    (void)signal_number;
    prfdata_stop_request();
    errno = saved;
}

void prfdata_stop_catch(void)
{
    struct sigaction action;

    prfdata_stop_prepare();
    if (stop_pipe[1] < 0)
        return;
    /* Without SA_RESTART, the signal also ends a wait for the other end of a pipe. */
    memset(&action, 0, sizeof action);
    action.sa_handler = handle_signal;
    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGTERM, &action, NULL);
    (void)sigaction(SIGHUP, &action, NULL);
    action.sa_handler = SIG_IGN; /* write() then returns an error */
    (void)sigaction(SIGPIPE, &action, NULL);
    (void)sigaction(SIGXFSZ, &action, NULL);
}

bool prfdata_stop_wait_until(uint64_t due_ms)
{
    for (;;) {
        uint64_t now = prfdata_os_milliseconds();
        uint64_t wait_ms = due_ms > now ? due_ms - now : 0;
        struct timeval wait = {(time_t)(wait_ms / 1000), (suseconds_t)(wait_ms % 1000 * 1000)};
        fd_set stopped;

        FD_ZERO(&stopped);
        if (stop_pipe[0] >= 0)
            FD_SET(stop_pipe[0], &stopped);
        if (select(stop_pipe[0] + 1, &stopped, NULL, NULL, &wait) > 0)
            return false;
        if (prfdata_os_milliseconds() >= due_ms)
            return true;
    }
}

intptr_t prfdata_stop_handle(void)
{
    return stop_pipe[0];
}
