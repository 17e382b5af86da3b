/* SPDX-License-Identifier: MIT */
/* Knows POSIX. */
#define _GNU_SOURCE /* timegm, tm_gmtoff, realpath */
#include "os/console.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <prfdata/error.h>

#include "core/names.h"
#include "core/os.h"

/* A byte comes out of it when somebody stops the program; a handler may write to a pipe. */
static int stop_pipe[2] = {-1, -1};

static void on_signal(int signal_number)
{
    int saved = errno;

    (void)signal_number;
    if (write(stop_pipe[1], "", 1) < 0) { /* a byte is in there: enough */
    }
    errno = saved;
}

/* ---- Text ---- */

/* UTF-16 with a NUL behind it, for free(); NULL: no memory, or no UTF-8. */
static uint16_t *utf16_from_utf8(const char *bytes)
{
    size_t size = strlen(bytes);
    wchar_t *wide = malloc((size + 1) * sizeof *wide);
    uint16_t *chars = malloc((2 * size + 1) * sizeof *chars);
    size_t count = SIZE_MAX;

    if (wide && chars && prfdata_names_wide_from_utf8(bytes, size, wide) != SIZE_MAX)
        count = prfdata_names_utf16_from_wide(wide, chars, 2 * size);
    free(wide);
    if (count == SIZE_MAX) {
        free(chars);
        return NULL;
    }
    chars[count] = 0;
    return chars;
}

/* UTF-8 with a NUL behind it, for free(); NULL: no memory. */
static char *utf8_from_text(prfdata_text text)
{
    char *bytes = malloc(3 * text.count + 1);

    if (bytes)
        bytes[prfdata_names_utf8_from_utf16(text.chars, text.count, bytes, 3 * text.count)] = 0;
    return bytes;
}

static size_t put_ascii(const char *text, uint16_t *chars, size_t capacity)
{
    size_t count = 0;

    for (; count < capacity && text[count]; count++)
        chars[count] = (unsigned char)text[count];
    return count;
}

/* ---- The program ---- */

int prfdata_console_run(int argc, char **argv, prfdata_console_program program)
{
    size_t count = argc > 0 ? (size_t)argc - 1 : 0;
    uint16_t **arguments = calloc(count + 1, sizeof *arguments);
    int exit_code = 1;
    size_t made = 0;

    if (!arguments)
        return exit_code;
    for (; made < count; made++) {
        arguments[made] = utf16_from_utf8(argv[made + 1]);
        if (!arguments[made])
            break;
    }
    if (made == count) {
        exit_code = program(count, (const uint16_t *const *)arguments);
    } else {
        static const char reason[] = "Error: an argument is not UTF-8\n";

        (void)prfdata_console_write(prfdata_console_err(), reason, sizeof reason - 1);
    }
    while (made > 0)
        free(arguments[--made]);
    free(arguments);
    return exit_code;
}

void prfdata_console_catch_stop(void)
{
    struct sigaction action;

    if (pipe(stop_pipe) != 0)
        return;
    for (int i = 0; i < 2; i++) {
        (void)fcntl(stop_pipe[i], F_SETFD, FD_CLOEXEC);
        (void)fcntl(stop_pipe[i], F_SETFL, O_NONBLOCK);
    }
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    action.sa_flags = SA_RESTART;
    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGTERM, &action, NULL);
    (void)sigaction(SIGHUP, &action, NULL);
    action.sa_handler = SIG_IGN;
    (void)sigaction(SIGPIPE, &action, NULL); /* write() says so, too */
}

bool prfdata_console_wait_until(uint64_t due_ms)
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

intptr_t prfdata_console_stop(void)
{
    return stop_pipe[0];
}

/* ---- Files and streams ---- */

static uint32_t last_error(void)
{
    switch (errno) {
    case ENOENT:
        return ERROR_FILE_NOT_FOUND;
    case ENOTDIR:
        return ERROR_PATH_NOT_FOUND;
    case EACCES:
    case EPERM:
    case EROFS:
    case EISDIR:
        return ERROR_ACCESS_DENIED;
    case EEXIST:
        return ERROR_FILE_EXISTS;
    case ENOSPC:
    case EDQUOT:
        return ERROR_DISK_FULL;
    case EPIPE:
        return ERROR_BROKEN_PIPE;
    case ENOMEM:
        return ERROR_NOT_ENOUGH_MEMORY;
    default:
        return ERROR_GEN_FAILURE;
    }
}

prfdata_console_file prfdata_console_out(void)
{
    return STDOUT_FILENO;
}

prfdata_console_file prfdata_console_err(void)
{
    return STDERR_FILENO;
}

bool prfdata_console_is_terminal(prfdata_console_file file)
{
    return isatty((int)file) != 0;
}

uint32_t prfdata_console_write(prfdata_console_file file, const void *bytes, size_t size)
{
    for (size_t at = 0; at < size;) {
        ssize_t written = write((int)file, (const char *)bytes + at, size - at);

        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return last_error();
        at += (size_t)written;
    }
    return ERROR_SUCCESS;
}

static uint32_t open_path(prfdata_text path, int flags, int *file)
{
    char *name = utf8_from_text(path);
    uint32_t status = ERROR_SUCCESS;

    if (!name)
        return ERROR_NOT_ENOUGH_MEMORY;
    *file = open(name, flags | O_CLOEXEC, 0666);
    if (*file < 0)
        status = last_error();
    free(name);
    return status;
}

uint32_t prfdata_console_create(prfdata_text path, bool overwrite, prfdata_console_file *file)
{
    int descriptor = -1;
    uint32_t status =
        open_path(path, O_WRONLY | O_CREAT | (overwrite ? O_TRUNC : O_EXCL), &descriptor);

    if (status == ERROR_SUCCESS)
        *file = descriptor;
    return status;
}

uint32_t prfdata_console_close(prfdata_console_file file)
{
    return close((int)file) == 0 ? ERROR_SUCCESS : last_error();
}

static uint32_t read_to_end(int file, char *bytes, size_t size)
{
    for (size_t at = 0; at < size;) {
        ssize_t got = read(file, bytes + at, size - at);

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return got < 0 ? last_error() : ERROR_GEN_FAILURE;
        at += (size_t)got;
    }
    bytes[size] = 0;
    return ERROR_SUCCESS;
}

uint32_t prfdata_console_read_file(prfdata_text path, size_t limit, void **bytes, size_t *size)
{
    struct stat about;
    char *content = NULL;
    int file = -1;
    uint32_t status = open_path(path, O_RDONLY, &file);

    if (status != ERROR_SUCCESS)
        return status;
    if (fstat(file, &about) != 0)
        status = last_error();
    else if (!S_ISREG(about.st_mode))
        status = ERROR_ACCESS_DENIED;
    else if ((uint64_t)about.st_size > limit)
        status = ERROR_MORE_DATA;
    else if (!(content = malloc((size_t)about.st_size + 1)))
        status = ERROR_NOT_ENOUGH_MEMORY;
    else
        status = read_to_end(file, content, (size_t)about.st_size);
    close(file);
    if (status != ERROR_SUCCESS) {
        free(content);
        return status;
    }
    *bytes = content;
    *size = (size_t)about.st_size;
    return ERROR_SUCCESS;
}

/* The name of the file that is written first, for free(). */
static char *temporary_name(const char *name)
{
    const size_t capacity = strlen(name) + 32;
    char *temporary = malloc(capacity);

    if (temporary)
        snprintf(temporary, capacity, "%s.%u.tmp", name, (unsigned)getpid());
    return temporary;
}

static uint32_t write_and_close(int file, const void *bytes, size_t size)
{
    uint32_t status = prfdata_console_write(file, bytes, size);

    if (close(file) != 0 && status == ERROR_SUCCESS)
        status = last_error();
    return status;
}

/* Beside the file and then in its place: `name` is the old file or the new one, never a half. */
static uint32_t replace(const char *name, mode_t mode, const void *bytes, size_t size)
{
    char *temporary = temporary_name(name);
    uint32_t status;
    int file;

    if (!temporary)
        return ERROR_NOT_ENOUGH_MEMORY;
    file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    status = file < 0 ? last_error() : write_and_close(file, bytes, size);
    if (status == ERROR_SUCCESS && rename(temporary, name) != 0)
        status = last_error();
    if (file >= 0 && status != ERROR_SUCCESS)
        (void)unlink(temporary);
    free(temporary);
    return status;
}

/* A file that exists: through links, and into devices and pipes, which nothing can replace. */
static uint32_t overwrite_existing(const char *name, const void *bytes, size_t size)
{
    char *real = realpath(name, NULL);
    uint32_t status;
    struct stat found;

    if (!real)
        return last_error();
    if (stat(real, &found) != 0) {
        status = last_error();
    } else if (S_ISREG(found.st_mode)) {
        status = replace(real, found.st_mode & 0777, bytes, size);
    } else {
        int file = open(real, O_WRONLY | O_CLOEXEC);

        status = file < 0 ? last_error() : write_and_close(file, bytes, size);
    }
    free(real);
    return status;
}

uint32_t prfdata_console_write_file(prfdata_text path, bool overwrite, const void *bytes,
                                    size_t size)
{
    char *name = utf8_from_text(path);
    uint32_t status;
    int claim;

    if (!name)
        return ERROR_NOT_ENOUGH_MEMORY;
    /* An empty file takes the name: nobody else can, until it is replaced. */
    claim = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (claim >= 0) {
        struct stat claimed;

        status = fstat(claim, &claimed) != 0 ? last_error()
                                             : replace(name, claimed.st_mode & 0777, bytes, size);
        (void)close(claim);
        if (status != ERROR_SUCCESS)
            (void)unlink(name);
    } else if (errno == EEXIST && overwrite) {
        status = overwrite_existing(name, bytes, size);
    } else {
        status = last_error();
    }
    free(name);
    return status;
}

/* ---- The computer ---- */

size_t prfdata_console_computer(uint16_t *chars, size_t capacity)
{
    char name[256];

    if (gethostname(name, sizeof name) != 0)
        return 0;
    name[sizeof name - 1] = 0;
    return put_ascii(name, chars, capacity);
}

size_t prfdata_console_error_words(uint32_t status, uint16_t *chars, size_t capacity)
{
    static const struct {
        uint32_t status;
        const char *words;
    } known[] = {
        {ERROR_FILE_NOT_FOUND, "The file is not there."},
        {ERROR_PATH_NOT_FOUND, "The path is not there."},
        {ERROR_ACCESS_DENIED, "Access is denied."},
        {ERROR_NOT_ENOUGH_MEMORY, "Not enough memory."},
        {ERROR_INVALID_DATA, "The data is invalid."},
        {ERROR_NOT_SUPPORTED, "Only Windows has that."},
        {ERROR_FILE_EXISTS, "The file exists."},
        {ERROR_BROKEN_PIPE, "Nobody reads the pipe."},
        {ERROR_DISK_FULL, "The disk is full."},
        {ERROR_MORE_DATA, "There is more data than expected."},
        {ERROR_NO_MORE_ITEMS, "There is no more."},
    };

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (known[i].status == status)
            return put_ascii(known[i].words, chars, capacity);
    }
    return put_ascii("The system failed.", chars, capacity);
}

static void store_time(const struct tm *time, uint16_t milliseconds, uint16_t numbers[8])
{
    numbers[0] = (uint16_t)(time->tm_year + 1900);
    numbers[1] = (uint16_t)(time->tm_mon + 1);
    numbers[2] = (uint16_t)time->tm_wday;
    numbers[3] = (uint16_t)time->tm_mday;
    numbers[4] = (uint16_t)time->tm_hour;
    numbers[5] = (uint16_t)time->tm_min;
    numbers[6] = (uint16_t)time->tm_sec;
    numbers[7] = milliseconds;
}

/* As Windows decides it; a 31st of February is none either. */
static bool is_time(const uint16_t t[8])
{
    static const uint16_t days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = t[0] % 4 == 0 && (t[0] % 100 != 0 || t[0] % 400 == 0);

    return t[0] >= 1601 && t[0] <= 30827 && t[1] >= 1 && t[1] <= 12 && t[3] >= 1 &&
           t[3] <= days[t[1] - 1] + (t[1] == 2 && leap) && t[4] <= 23 && t[5] <= 59 && t[6] <= 59 &&
           t[7] <= 999;
}

void prfdata_console_local_time(const uint16_t utc[8], uint16_t local[8])
{
    struct timespec now;
    struct tm time;
    time_t seconds;
    uint16_t milliseconds;

    clock_gettime(CLOCK_REALTIME, &now);
    seconds = now.tv_sec;
    milliseconds = (uint16_t)(now.tv_nsec / 1000000);
    if (utc && is_time(utc)) {
        memset(&time, 0, sizeof time);
        time.tm_year = utc[0] - 1900;
        time.tm_mon = utc[1] - 1;
        time.tm_mday = utc[3];
        time.tm_hour = utc[4];
        time.tm_min = utc[5];
        time.tm_sec = utc[6];
        seconds = timegm(&time);
        milliseconds = utc[7];
    }
    if (!localtime_r(&seconds, &time))
        memset(&time, 0, sizeof time);
    store_time(&time, milliseconds, local);
}

int64_t prfdata_console_utc(uint16_t utc[8])
{
    const int64_t seconds_before_1970 = 11644473600;
    struct timespec now;
    struct tm time;

    clock_gettime(CLOCK_REALTIME, &now);
    if (!gmtime_r(&now.tv_sec, &time))
        memset(&time, 0, sizeof time);
    store_time(&time, (uint16_t)(now.tv_nsec / 1000000), utc);
    return (now.tv_sec + seconds_before_1970) * 10000000 + now.tv_nsec / 100;
}

size_t prfdata_console_time_zone(uint16_t *chars, size_t capacity, int32_t *bias_minutes)
{
    time_t now = time(NULL);
    struct tm here;

    if (!localtime_r(&now, &here)) {
        *bias_minutes = 0;
        return 0;
    }
    *bias_minutes = (int32_t)(-here.tm_gmtoff / 60);
    return put_ascii(here.tm_zone, chars, capacity);
}

void prfdata_console_end_process(int exit_code)
{
    _exit(exit_code);
}
