/* SPDX-License-Identifier: MIT */
/*
 * Declares the operating system of os.h in memory: settings of one service, files as byte arrays,
 * owners as flags, a clock that advances by one with every question. Fast and repeatable, for fuzz
 * targets. For one thread only.
 */
#ifndef PRFDATA_TESTS_OS_MEMORY_H
#define PRFDATA_TESTS_OS_MEMORY_H

#include "map/model.h"
#include "system/os.h"

/* Removes all files; their views stay valid until they are closed. */
void os_memory_empty_folder(void);

/* Change settings; bytes are copied. */
void os_memory_set_bytes(const char *name, const void *bytes, size_t size);
void os_memory_set_number(const char *name, uint32_t value);

/* Writes what an installation of this map writes: its maps, and where its titles begin. */
void os_memory_install(prfdata_model *model, uint32_t first_counter);

/*
 * Set what prfdata_os_process_id and prfdata_os_boot answer, and restart prfdata_os_random: its
 * numbers have the same order of size in every series, and no number occurs in two series.
 */
void os_memory_set_process_id(uint32_t process_id);
void os_memory_set_boot(uint64_t value);
void os_memory_set_random(uint32_t series);

/*
 * Puts a file of `size` zero bytes into the folder, in an allocation of exactly that size,
 * replacing one with the same name. `is_owned`: by some process that takes no part. Returns its
 * bytes; they stay valid until the file is removed and no view is left.
 */
uint8_t *os_memory_put_file(const char *name, uint64_t size, bool is_owned);

/* The bytes and the size of a file; NULL if it does not exist. */
uint8_t *os_memory_file(const char *name, uint64_t *size);

void os_memory_remove_file(const char *name);

/* Sets whether some process owns the file from now on. */
void os_memory_set_owned(const char *name, bool is_owned);

/* Sets whether opening the file for reading is denied from now on. */
void os_memory_deny(const char *name, bool is_denied);

/*
 * Calls `hook` before every guarded read, with the view's bytes. If it returns false, the view
 * faults and the read does not happen. NULL: no hook.
 */
typedef bool os_memory_hook(void *context, uint8_t *bytes, uint64_t size);
void os_memory_set_hook(os_memory_hook *hook, void *context);

/*
 * Remember all files as they are, and put them back, with the same views: this is what a process
 * that ends now leaves. Files that were created later vanish, deleted ones return. A process that
 * owns a file when they are put back still owns it.
 */
void os_memory_freeze(void);
void os_memory_thaw(void);

#endif
