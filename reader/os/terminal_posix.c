/* SPDX-License-Identifier: MIT */
/* Controls the terminal with termios and the VT sequences that all current terminals obey. */
#define _GNU_SOURCE /* SIGWINCH */
#include "os/terminal.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <termios.h>
#include <unistd.h>

#include <prfdata/error.h>

#include "os/stop.h"
#include "os/streams.h"
#include "system/os.h"

#define ESCAPE_WAIT_MS 50 /* if nothing follows ESC for this time, the key is Esc */
#define MAX_CELLS      1000
#define MAX_WAIT       3600000u /* ms; pselect() may refuse very long waits */

/* Enter an alternate screen without cursor and without line wrapping, and leave it. */
static const char enter[] = "\033[?1049h\033[?25l\033[?7l";
static const char leave[] = "\033[0m\033[?7h\033[?25h\033[?1049l";

static bool is_open;
static bool is_unicode;
static struct termios before;
static struct sigaction before_winch;
static sigset_t before_mask;
static unsigned char pending[64]; /* bytes that were read, but not yet returned as keys */
static size_t pending_size;

/*
 * Does nothing, but must exist, because SIGWINCH ends pselect() only if the signal has a handler.
 * SIGWINCH is blocked outside pselect(), so that no change of size is lost between drawing and
 * waiting.
 */
static void handle_resize(int signal_number)
{
    (void)signal_number;
}

static bool locale_has_utf8(void)
{
    locale_t locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
    bool has = false;

    if (locale != (locale_t)0) {
        has = strcasecmp(nl_langinfo_l(CODESET, locale), "UTF-8") == 0;
        freelocale(locale);
    }
    return has;
}

uint32_t prfdata_terminal_open(void)
{
    struct termios raw;
    struct sigaction action;
    sigset_t winch;

    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO) || tcgetattr(STDIN_FILENO, &before) != 0)
        return ERROR_INVALID_HANDLE;
    raw = before;
    raw.c_iflag &= ~(tcflag_t)(ICRNL | INLCR | IGNCR | IXON | ISTRIP);
    raw.c_lflag &= ~(tcflag_t)(ECHO | ICANON | ISIG | IEXTEN);
    raw.c_cc[VMIN] = 0; /* read() need not wait, because pselect() says when there is input */
    raw.c_cc[VTIME] = 0;
    if (tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw) != 0)
        return ERROR_INVALID_HANDLE;
    is_open = true;
    is_unicode = locale_has_utf8();
    pending_size = 0;
    memset(&action, 0, sizeof action);
    action.sa_handler = handle_resize;
    (void)sigaction(SIGWINCH, &action, &before_winch);
    (void)sigemptyset(&winch);
    (void)sigaddset(&winch, SIGWINCH);
    (void)pthread_sigmask(SIG_BLOCK, &winch, &before_mask);
    if (prfdata_streams_write(prfdata_streams_out(), enter, sizeof enter - 1) == ERROR_SUCCESS)
        return ERROR_SUCCESS;
    prfdata_terminal_close();
    return ERROR_INVALID_HANDLE;
}

void prfdata_terminal_close(void)
{
    if (!is_open)
        return;
    is_open = false;
    (void)prfdata_streams_write(prfdata_streams_out(), leave, sizeof leave - 1);
    (void)tcsetattr(STDIN_FILENO, TCSAFLUSH, &before);
    (void)pthread_sigmask(SIG_SETMASK, &before_mask, NULL);
    (void)sigaction(SIGWINCH, &before_winch, NULL);
}

static uint32_t bound_posix_cells(unsigned cells, uint32_t otherwise)
{
    if (cells == 0)
        return otherwise;
    return cells < MAX_CELLS ? cells : MAX_CELLS;
}

void prfdata_terminal_size(uint32_t *width, uint32_t *height)
{
    struct winsize size;

    memset(&size, 0, sizeof size);
    (void)ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
    *width = bound_posix_cells(size.ws_col, 80);
    *height = bound_posix_cells(size.ws_row, 24);
}

uint32_t prfdata_terminal_draw(const char *frame, size_t size)
{
    return prfdata_streams_write(prfdata_streams_out(), frame, size);
}

bool prfdata_terminal_is_unicode(void)
{
    return is_unicode;
}

static bool take_pending_key(bool is_all, uint32_t *key)
{
    size_t taken = prfdata_terminal_keys_take(pending, pending_size, is_all, key);

    if (taken == 0)
        return false;
    pending_size -= taken;
    memmove(pending, pending + taken, pending_size);
    return true;
}

/* Read the available keyboard input, as far as there is room. Returns false if the terminal no
 * longer exists. */
static bool read_pending_bytes(void)
{
    ssize_t got = read(STDIN_FILENO, pending + pending_size, sizeof pending - pending_size);

    if (got < 0 && (errno == EINTR || errno == EAGAIN))
        return true;
    if (got <= 0)
        return false;
    pending_size += (size_t)got;
    return true;
}

prfdata_terminal_event prfdata_terminal_wait(uint64_t due_ms, uint32_t *key)
{
    for (;;) {
        int stop = (int)prfdata_stop_handle();
        uint64_t now_ms = prfdata_os_milliseconds();
        uint64_t wait_ms = due_ms > now_ms ? due_ms - now_ms : 0;
        struct timespec wait;
        sigset_t mask = before_mask;
        fd_set ready;
        int count;

        if (take_pending_key(false, key))
            return PRFDATA_TERMINAL_KEY;
        if (pending_size > 0)
            wait_ms = ESCAPE_WAIT_MS;
        if (wait_ms > MAX_WAIT)
            wait_ms = MAX_WAIT;
        wait.tv_sec = (time_t)(wait_ms / 1000);
        wait.tv_nsec = (long)(wait_ms % 1000 * 1000000);
        (void)sigdelset(&mask, SIGWINCH);
        FD_ZERO(&ready);
        FD_SET(STDIN_FILENO, &ready);
        if (stop >= 0)
            FD_SET(stop, &ready);
        count = pselect((stop > STDIN_FILENO ? stop : STDIN_FILENO) + 1, &ready, NULL, NULL, &wait,
                        &mask);
        if (count < 0)
            return errno == EINTR ? PRFDATA_TERMINAL_RESIZED : PRFDATA_TERMINAL_STOPPED;
        if (count > 0 && stop >= 0 && FD_ISSET(stop, &ready))
            return PRFDATA_TERMINAL_STOPPED;
        if (count > 0) {
            if (!read_pending_bytes())
                return PRFDATA_TERMINAL_STOPPED;
        } else if (pending_size > 0) {
            if (take_pending_key(true, key))
                return PRFDATA_TERMINAL_KEY;
        } else if (prfdata_os_milliseconds() >= due_ms) {
            return PRFDATA_TERMINAL_DUE;
        }
    }
}
