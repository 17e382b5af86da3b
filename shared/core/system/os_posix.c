/* SPDX-License-Identifier: MIT */
/*
 * Implements time, process and boot of os.h for Linux. The other os_..._posix.c files implement the
 * lock, the settings, the regions folder and the regions.
 */
#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64

#include "system/os_posix.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

uint32_t prfdata_os_status_of_errno(int error)
{
    switch (error) {
    case 0:
        return ERROR_SUCCESS;
    case ENOENT:
        return ERROR_FILE_NOT_FOUND;
    case ENOTDIR:
        return ERROR_PATH_NOT_FOUND;
    case EACCES:
    case EPERM:
    case EROFS:
    case EISDIR:
    case ETXTBSY:
        return ERROR_ACCESS_DENIED;
    case ENOMEM:
        return ERROR_NOT_ENOUGH_MEMORY;
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
        return ERROR_DISK_FULL;
    case EEXIST:
        return ERROR_FILE_EXISTS;
    case EBUSY:
    case EWOULDBLOCK:
        return ERROR_SHARING_VIOLATION;
    case EPIPE:
        return ERROR_BROKEN_PIPE;
    case ENAMETOOLONG:
        return ERROR_FILENAME_EXCED_RANGE;
    case EINTR:
        return ERROR_CANCELLED;
    default:
        return ERROR_GEN_FAILURE;
    }
}

bool prfdata_os_is_not_plain_error(int error)
{
    return error == ELOOP || error == EISDIR || error == ENOTDIR || error == ENXIO ||
           error == ENODEV;
}

static uint64_t clock_units(clockid_t clock, uint64_t units_per_second)
{
    struct timespec now;

    if (clock_gettime(clock, &now) != 0)
        return 0;
    return (uint64_t)now.tv_sec * units_per_second +
           (uint64_t)now.tv_nsec / (1000000000u / units_per_second);
}

uint64_t prfdata_os_ticks(void)
{
    return clock_units(CLOCK_MONOTONIC, 10000000);
}

uint64_t prfdata_os_ticks_per_second(void)
{
    return 10000000;
}

uint64_t prfdata_os_milliseconds(void)
{
    return clock_units(CLOCK_MONOTONIC_COARSE, 1000);
}

void prfdata_os_sleep(uint32_t milliseconds)
{
    const struct timespec time = {(time_t)(milliseconds / 1000),
                                  (long)(milliseconds % 1000) * 1000000};

    nanosleep(&time, NULL);
}

uint32_t prfdata_os_process_id(void)
{
    return (uint32_t)getpid();
}

uint64_t prfdata_os_random(void)
{
    uint64_t value;
    ssize_t got;

    do
        got = getrandom(&value, sizeof(value), 0);
    while (got < 0 && errno == EINTR);
    /* Without this system call, the number at least differs from process to process. */
    if (got != (ssize_t)sizeof(value))
        value = ((uint64_t)getpid() << 40) ^ clock_units(CLOCK_REALTIME, 1000000000);
    return value;
}

static int hex_digit(char character)
{
    if (character >= '0' && character <= '9')
        return character - '0';
    if (character >= 'a' && character <= 'f')
        return character - 'a' + 10;
    return -1;
}

/*
 * The file boot_id contains 32 hexadecimal digits, with dashes between them. The number of the boot
 * is the exclusive or of the first 16 digits and the last 16.
 */
uint64_t prfdata_os_boot(void)
{
    char text[64];
    uint64_t half = 0, boot = 0;
    unsigned digits = 0;
    ssize_t text_chars;
    int file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);

    if (file < 0)
        return 0;
    text_chars = read(file, text, sizeof(text));
    close(file);
    for (ssize_t i = 0; i < text_chars; i++) {
        int digit = hex_digit(text[i]);

        if (digit < 0)
            continue;
        half = half << 4 | (uint64_t)digit;
        if (++digits % 16 == 0)
            boot ^= half;
    }
    return boot;
}

/* On Linux, threads do not impersonate clients. */
uint32_t prfdata_os_call_as_process(void (*call)(void *context), void *context)
{
    call(context);
    return ERROR_SUCCESS;
}
