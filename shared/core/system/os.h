/* SPDX-License-Identifier: MIT */
/*
 * Declares the functions that PrfData needs from the operating system. The files os_..._win32.c and
 * os_..._posix.c implement them; guard_win32.c and guard_posix.c implement the guard at the end.
 * docs/architecture.md, decisions 3, 4 and 8, and region-format.md, "Names and lifetime", give
 * reasons.
 */
#ifndef PRFDATA_OS_H
#define PRFDATA_OS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <prfdata/error.h>

/* ---- Time, process, boot ---- */

/* On Windows QueryPerformanceCounter, on Linux CLOCK_MONOTONIC in units of 100 ns. */
uint64_t prfdata_os_ticks(void);
uint64_t prfdata_os_ticks_per_second(void);

/* Monotonic milliseconds, coarse and cheap (on Windows GetTickCount64). */
uint64_t prfdata_os_milliseconds(void);

void prfdata_os_sleep(uint32_t milliseconds);

uint32_t prfdata_os_process_id(void);

uint64_t prfdata_os_random(void);

/*
 * A number that is the same in all processes of one boot and different in another boot; 0 if the
 * system does not provide one. Windows: the time when the volatile key HKLM\HARDWARE\DESCRIPTION
 * was made. Linux: /proc/sys/kernel/random/boot_id.
 */
uint64_t prfdata_os_boot(void);

/*
 * ---- A lock between threads of this process; zeroed memory is an unlocked lock ----
 *
 * A child that fork() made does not wait for locks that threads of its parent held, because these
 * threads do not exist in the child. What such a lock protects may be half changed.
 */

typedef struct prfdata_os_lock {
#ifdef _WIN32
    void *word; /* an SRWLOCK */
#else
    uint32_t word;
#endif
} prfdata_os_lock;

void prfdata_os_lock_enter(prfdata_os_lock *lock);
bool prfdata_os_lock_try(prfdata_os_lock *lock);
void prfdata_os_lock_leave(prfdata_os_lock *lock);

/* ---- Accounts ---- */

/*
 * Run `call(context)` under the process's own account, and wait until `call` has returned. Normally
 * this thread runs `call`. If this thread impersonates a client, a new thread runs `call`, because
 * a new thread carries no token. (If this thread removed its token instead, a failure to restore
 * the token would be a security hole.)
 *
 * Returns ERROR_SUCCESS, ERROR_TIMEOUT (the new thread did not begin within five seconds, normally
 *         because this thread is in DllMain) or ERROR_NOT_ENOUGH_MEMORY. After an error, `call` was
 *         not run and will not be run.
 */
uint32_t prfdata_os_call_as_process(void (*call)(void *context), void *context);

/* ---- The values under Services\<service>\Performance ---- */

/*
 * Read a REG_DWORD. On Linux the value is the decimal text in the file <root>/<service>/<name>.
 * Returns ERROR_SUCCESS, ERROR_FILE_NOT_FOUND, ERROR_ACCESS_DENIED, ERROR_INVALID_DATA (another
 *         type, or on Linux not a decimal number of 32 bits) or another system error; `*value` is
 *         untouched on failure.
 */
uint32_t prfdata_os_setting_number(const char *service, const char *name, uint32_t *value);

/*
 * Read a REG_BINARY of at most `limit` bytes into new memory. On Linux the value is the content of
 * the file <root>/<service>/<name>.
 * Returns what prfdata_os_setting_number does, ERROR_INVALID_DATA (larger than `limit`) or
 *         ERROR_NOT_ENOUGH_MEMORY.
 * Owner: the caller; free().
 */
uint32_t prfdata_os_setting_bytes(const char *service, const char *name, size_t limit, void **bytes,
                                  size_t *size);

/*
 * Read the bytes of the value `Regions`, a REG_SZ of at most `limit` bytes. Arguments and results
 * are those of prfdata_os_setting_bytes(). The bytes are not checked, so use them only for
 * comparisons.
 */
uint32_t prfdata_os_setting_folder(const char *service, size_t limit, void **bytes, size_t *size);

/*
 * Get a number that changes when a value is written or removed, or the key is made again. On
 * Windows it is the key's last write time, so two changes within one tick of the clock (about
 * 15 ms) may give the same number.
 * Returns ERROR_SUCCESS, ERROR_FILE_NOT_FOUND (there is no such key), ERROR_ACCESS_DENIED (to this
 *         thread's token) or another system error.
 */
uint32_t prfdata_os_settings_stamp(const char *service, uint64_t *stamp);

#ifndef _WIN32
/*
 * Set the folder of the settings on Linux. The call copies `root`. If `root` is NULL, there are no
 * settings, and no service is installed.
 */
void prfdata_os_posix_set_root(const char *root);
#endif

/* ---- The regions folder ---- */

typedef struct prfdata_os_directory prfdata_os_directory;

/*
 * The name of a region file: `<boot>-<number>.region`, two numbers of 16 lower-case hexadecimal
 * digits. os_name.h makes and checks names. Files with other names are never touched.
 */
#define PRFDATA_OS_NAME_BYTES 41
typedef struct prfdata_os_name {
    char text[PRFDATA_OS_NAME_BYTES]; /* with NUL */
} prfdata_os_name;

/*
 * Open the folder that the value `Regions` names (an absolute path).
 * Returns ERROR_SUCCESS, ERROR_FILE_NOT_FOUND (not installed, no folder), ERROR_ACCESS_DENIED,
 *         ERROR_INVALID_DATA (not an absolute path, or not a real directory; links are not
 *         followed), ERROR_SHARING_VIOLATION ("Refusals", below), ERROR_NOT_ENOUGH_MEMORY or
 *         another system error.
 */
uint32_t prfdata_os_directory_open(const char *service, prfdata_os_directory **directory);
#ifdef _WIN32
/*
 * Open the folder with this absolute path, whatever the value `Regions` says. Returns what
 * prfdata_os_directory_open() does, or ERROR_FILENAME_EXCED_RANGE (the path is too long).
 */
uint32_t prfdata_os_directory_open_path(const wchar_t *path, prfdata_os_directory **directory);
#endif
void prfdata_os_directory_close(prfdata_os_directory *directory);

/*
 * List the region files of one boot.
 *
 * names      Gets the lowest names in sorted order, at most `capacity`.
 * count      The number of stored names.
 * more       Whether there are more files.
 *
 * The call examines at most 16 * capacity names that begin with this boot. If there are more such
 * names, `more` is set, and it is unspecified which names are stored.
 */
uint32_t prfdata_os_directory_list(prfdata_os_directory *directory, uint64_t boot,
                                   prfdata_os_name *names, size_t capacity, size_t *count,
                                   bool *more);

/*
 * List the region files of one boot in several calls. Each call is short, however many names the
 * folder holds. The calls together list every file.
 *
 * position  The start of this call, 0 for the first one. Gets the start of the next call, or 0 if
 *           this call has reached the end. If it is 0 both before and after a call, that call
 *           listed all files.
 * names     Gets the names in sorted order, at most `capacity`. A later call may list a name again.
 * count     The number of stored names.
 *
 * A call examines at most 20,480 names. On Windows, `capacity` must be at least 16, because the
 * names whose numbers differ only in the first digit must fit into one call.
 */
uint32_t prfdata_os_directory_list_part(prfdata_os_directory *directory, uint64_t boot,
                                        uint64_t *position, prfdata_os_name *names, size_t capacity,
                                        size_t *count);

/*
 * List the region files of all boots except `boot`, the present one. These files are useless, and
 * may be deleted. The arguments are those of prfdata_os_directory_list().
 */
uint32_t prfdata_os_directory_list_others(prfdata_os_directory *directory, uint64_t boot,
                                          prfdata_os_name *names, size_t capacity, size_t *count,
                                          bool *more);

/* ---- Region files and their views ---- */

/*
 * Refusals. Every attempt to open an existing file may fail with ERROR_SHARING_VIOLATION although
 * the file has no owner. This happens if a virus scanner or an indexer examines the file, or if a
 * reader probes the file. prfdata_os_region_probe() finds out whether the file has an owner. A
 * caller that may wait tries again after a pause (patience.h). Opening a folder may fail in the
 * same way.
 */

/*
 * Identifies a file independently of its name. No other file gets the id of a file that is mapped.
 * If the system does not provide ids, the id of every file is 0.
 */
typedef struct prfdata_os_file_id {
    uint64_t volume;
    uint64_t file[2];
} prfdata_os_file_id;

/*
 * The account that owns a file: on Windows its SID, on Linux the byte 1 and its user id. The
 * remaining bytes are 0. If the account is not known, all bytes are 0.
 */
#define PRFDATA_OS_ACCOUNT_BYTES 68 /* SECURITY_MAX_SID_SIZE */
typedef struct prfdata_os_account {
    uint8_t bytes[PRFDATA_OS_ACCOUNT_BYTES];
} prfdata_os_account;

/*
 * Whether the account is that of this thread, or owns the files that this thread creates. On
 * Windows, the files of elevated administrators may belong to the group Administrators.
 */
bool prfdata_os_account_is_own(const prfdata_os_account *account);

static inline bool prfdata_os_account_is(const prfdata_os_account *account,
                                         const prfdata_os_account *other)
{
    for (uint32_t i = 0; i < PRFDATA_OS_ACCOUNT_BYTES; i++)
        if (account->bytes[i] != other->bytes[i])
            return false;
    return true;
}

/* Write an account as S-1-5-..., or as the digits of a user id; "?" if it is unknown. */
#define PRFDATA_OS_ACCOUNT_CHARS 192 /* with NUL, for 15 subauthorities */
void prfdata_os_account_write(const prfdata_os_account *account, char *text);

typedef struct prfdata_os_region {
    uint8_t *bytes; /* the view, page aligned; NULL: none */
    uint64_t size;  /* size of the file and of the view */
    intptr_t owner; /* writer: the open file, which shows others that the owner lives; -1: none */
    prfdata_os_file_id file_id; /* reader: the file's id; otherwise zero */
    prfdata_os_account account; /* reader: the file's owner; otherwise zero */
} prfdata_os_region;

#define PRFDATA_OS_REGION_NONE                                                                     \
    {                                                                                              \
        0, 0, -1, {0, {0, 0}},                                                                     \
        {                                                                                          \
            {                                                                                      \
                0                                                                                  \
            }                                                                                      \
        }                                                                                          \
    }

/*
 * Create a region file of `size` zero bytes, completely allocated on the disk, and map it for
 * reading and writing. This process owns the file from the start. Programs that this process starts
 * do not inherit the file. On Linux, a child of fork() owns the file, too, until the child ends or
 * calls exec().
 * Returns ERROR_SUCCESS, ERROR_FILE_EXISTS, ERROR_ACCESS_DENIED (the file may not be created, or
 *         its final path is not in the folder), ERROR_INVALID_DATA (on Windows, the new file is
 *         not plain, for instance encrypted), ERROR_DISK_FULL or another system error. After an
 *         error no new file is left.
 */
uint32_t prfdata_os_region_create(prfdata_os_directory *directory, const prfdata_os_name *name,
                                  uint64_t size, prfdata_os_region *region);

/*
 * Become the owner of a region file that has no owner, and map the file for reading and writing.
 * Does not follow links and does not wait. If the file is empty, the call succeeds, and the
 * region's `bytes` is NULL and its `size` 0.
 * Returns ERROR_SUCCESS, ERROR_SHARING_VIOLATION (the file has an owner; or see "Refusals", above),
 *         ERROR_ACCESS_DENIED (the file is of another account, has a second name, is not plain, or
 *         its final path is not in the folder), ERROR_FILE_NOT_FOUND or another system error.
 */
uint32_t prfdata_os_region_take(prfdata_os_directory *directory, const prfdata_os_name *name,
                                prfdata_os_region *region);

/*
 * Unmap a region that this process owns, delete its file and close the file. If a reader has a view
 * of the file, Windows does not delete the file.
 */
void prfdata_os_region_delete(prfdata_os_directory *directory, const prfdata_os_name *name,
                              prfdata_os_region *region);

/*
 * Delete a region file that has no owner, without reading it. It must belong to this account;
 * administrators, SYSTEM and root may delete files of any account.
 * Returns ERROR_SUCCESS, ERROR_SHARING_VIOLATION (it has an owner, a reader probes it, or, on
 *         Windows, a reader has a view of it), ERROR_ACCESS_DENIED (it may not be deleted, or is
 *         not a plain file), ERROR_FILE_NOT_FOUND or another system error.
 */
uint32_t prfdata_os_region_remove(prfdata_os_directory *directory, const prfdata_os_name *name);

/* Unmap a region and close its file, so a writer no longer owns the file. Empties `region`. */
void prfdata_os_region_close(prfdata_os_region *region);

/*
 * Map a region file for reading only. Does not follow links and does not wait for an oplock.
 * Accepts only plain files: not sparse, compressed, encrypted, offline or empty. `owner` becomes
 * -1, because the view alone keeps the file open.
 * Returns ERROR_SUCCESS, ERROR_ACCESS_DENIED (this thread may not open it), ERROR_INVALID_DATA (not
 *         a plain file, empty, or larger than `limit` bytes), ERROR_FILE_NOT_FOUND or another
 *         system error.
 */
uint32_t prfdata_os_region_attach(prfdata_os_directory *directory, const prfdata_os_name *name,
                                  uint64_t limit, prfdata_os_region *region);

/*
 * Examine a file without mapping it: copy the first `head_bytes` bytes, which another program may
 * be writing, and find out which account owns the file.
 *
 * head  Gets the bytes; those beyond the end of the file are 0.
 *
 * Returns what prfdata_os_region_attach() does; an empty file is no error.
 */
uint32_t prfdata_os_region_look(prfdata_os_directory *directory, const prfdata_os_name *name,
                                void *head, size_t head_bytes, prfdata_os_account *account);

/*
 * Find out whether a region file has an owner.
 *
 * view  The view attached under this name, or NULL. If another file has the name now, the call does
 *       not look for the owner of that file.
 *
 * Returns ERROR_SUCCESS and sets `*alive`, ERROR_FILE_NOT_FOUND (deleted, or replaced by another
 *         file), ERROR_SHARING_VIOLATION (a refusal) or another error (denied, not a plain file).
 *         `*alive` is untouched on failure.
 */
uint32_t prfdata_os_region_probe(prfdata_os_directory *directory, const prfdata_os_name *name,
                                 const prfdata_os_region *view, bool *alive);

/*
 * Do what prfdata_os_region_probe() does, for a region that had an owner before. On Windows the
 * call is faster, but every refusal sets `*alive` to true. This may be wrong, because a scanner may
 * cause the refusal, or another file may have the name now.
 */
uint32_t prfdata_os_region_probe_owned(prfdata_os_directory *directory, const prfdata_os_name *name,
                                       const prfdata_os_region *view, bool *alive);

/* ---- Reading views that may fault ---- */

/*
 * Run `read(context)`. Returns false if a fault inside the view's bytes ended `read` (the file was
 * truncated, or the disk failed). Other faults go to an outer guard, or to the program. `read` must
 * hold no lock, and own nothing that only `read` would release. `read` may change `*view` before it
 * reads another view.
 *
 * Threads: any. On Windows there is no state between two calls; on Linux a signal handler is
 *          installed while views are attached.
 */
bool prfdata_os_guarded(const prfdata_os_region *view, void (*read)(void *context), void *context);

#endif
