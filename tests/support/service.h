/* SPDX-License-Identifier: MIT */
/* Installs a service for tests: its settings and its regions folder. On Windows the values are in
 * the registry (under Wine in the prefix of the tests), on Linux they are files under a temporary
 * root. A failure of the helper itself ends the test program. Texts and paths are UTF-8. */
#ifndef PRFDATA_TESTS_SERVICE_H
#define PRFDATA_TESTS_SERVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <prfdata/map.h>

typedef struct prfdata_test_service {
    char name[81];
    char folder[260];
    void *turn; /* Windows: the mutex of prfdata_test_service_make() */
} prfdata_test_service;

typedef struct prfdata_test_file {
    char name[64];
    uint64_t size;
} prfdata_test_file;

/* Install a service: an empty regions folder, and the values `Regions`, `Maps`, `First Counter` and
 * `First Help` (first_counter + 1). The call first removes what an interrupted run left. The
 * registry is shared, so the call waits while another process has this service installed.
 *
 * map            NULL: the value `Maps` is not written.
 * first_counter  0: neither `First Counter` nor `First Help` is written. */
void prfdata_test_service_make(prfdata_test_service *service, const char *name,
                               const prfdata_map *map, uint32_t first_counter);

/* Install only the settings. The folder and its files stay, because an uninstallation leaves files
 * that readers have mapped. The arguments are those of prfdata_test_service_make(). */
void prfdata_test_service_install(const prfdata_test_service *service, const prfdata_map *map,
                                  uint32_t first_counter);
void prfdata_test_service_uninstall(const prfdata_test_service *service);

/* Write the value `Maps` as an installation of another version of the map does. The registered maps
 * become earlier ones. */
void prfdata_test_service_upgrade(const prfdata_test_service *service, const prfdata_map *map);

/* In a child process: use the service that the parent has made. */
void prfdata_test_service_join(prfdata_test_service *service, const char *name);

/* Remove the settings, the folder and the files in it. */
void prfdata_test_service_remove(prfdata_test_service *service);

/* Do what prfdata_test_service_remove() does, in the teardown of a test. Returns 0. */
int prfdata_test_service_end(prfdata_test_service *service);

/* Write and delete values under the service's Performance key. */
void prfdata_test_service_set_number(const prfdata_test_service *service, const char *name,
                                     uint32_t value);
void prfdata_test_service_set_bytes(const prfdata_test_service *service, const char *name,
                                    const void *bytes, size_t size);
void prfdata_test_service_set_text(const prfdata_test_service *service, const char *name,
                                   const char *text);
void prfdata_test_service_delete_value(const prfdata_test_service *service, const char *name);

/* Return the name of a region of this boot. The text is valid until this function has been called
 * eight more times, by this thread or others. */
const char *prfdata_test_region_name(uint64_t number);

/* List the files in the folder, sorted by name. Stores at most `capacity`, and returns how many
 * there are. */
size_t prfdata_test_service_files(const prfdata_test_service *service, prfdata_test_file *files,
                                  size_t capacity);

void prfdata_test_service_path(const prfdata_test_service *service, const char *file_name,
                               char *path, size_t path_bytes);

/* Read the file, even while a process owns it. Returns NULL if there is none. Release the bytes
 * with free(). */
void *prfdata_test_service_read_file(const prfdata_test_service *service, const char *file_name,
                                     size_t *size);

/* These functions return false if the system refuses, for instance because a process owns the
 * file. */
bool prfdata_test_service_write_file(const prfdata_test_service *service, const char *file_name,
                                     const void *bytes, size_t size);
bool prfdata_test_service_copy_file(const prfdata_test_service *service, const char *from,
                                    const char *to);
bool prfdata_test_service_truncate_file(const prfdata_test_service *service, const char *file_name,
                                        uint64_t size);
bool prfdata_test_service_delete_file(const prfdata_test_service *service, const char *file_name);

#endif
