/* SPDX-License-Identifier: MIT */
/* Declares a system in memory that implements os.h: settings of one service, files as byte arrays,
 * owners as flags, and a clock that advances by one each time it is read. It is fast, repeatable,
 * and for one thread only. */
#ifndef PRFDATA_TESTS_OS_MEMORY_H
#define PRFDATA_TESTS_OS_MEMORY_H

#include "map/model.h"
#include "system/os.h"

/* Removes all files; their views stay valid until they are closed. */
void os_memory_empty_folder(void);

/* Change settings; bytes are copied. */
void os_memory_set_bytes(const char *name, const void *bytes, size_t size);
void os_memory_set_number(const char *name, uint32_t value);

/* Writes the values `Maps`, `First Counter` and `First Help` of an installation of this map. */
void os_memory_install(prfdata_model *model, uint32_t first_counter);

/* Set the results of prfdata_os_process_id() and prfdata_os_boot(), and begin a new series of
 * prfdata_os_random(). If the i-th number is smaller than the k-th in one series, it is so in every
 * series. No number is in two series. */
void os_memory_set_process_id(uint32_t process_id);
void os_memory_set_boot(uint64_t value);
void os_memory_set_random(uint32_t series);

/* Puts a file of `size` zero bytes into the folder, in an allocation of exactly that size, and
 * replaces a file with the same name. `is_owned` says whether some other process owns it. Returns
 * its bytes, which stay valid until the file is removed and all views are closed. */
uint8_t *os_memory_put_file(const char *name, uint64_t size, bool is_owned);

/* Returns the bytes and the size of a file, or NULL if it does not exist or is empty. */
uint8_t *os_memory_file(const char *name, uint64_t *size);

void os_memory_remove_file(const char *name);

/* Sets whether some other process owns the file. */
void os_memory_set_owned(const char *name, bool is_owned);

/* Sets whether the file may be opened for reading. */
void os_memory_deny(const char *name, bool is_denied);

/*
 * Calls `hook` before every guarded read, with the view's bytes. If it returns false, the view
 * faults and the read does not happen. NULL: no hook.
 */
typedef bool os_memory_hook(void *context, uint8_t *bytes, uint64_t size);
void os_memory_set_hook(os_memory_hook *hook, void *context);

/* Remember the state of all files, and restore it, with the same views. A process that ends at the
 * remembered moment leaves the files in this state. Files that were made later vanish, and deleted
 * files return. A process that owns a file when the state is restored still owns it. */
void os_memory_freeze(void);
void os_memory_thaw(void);

#endif
