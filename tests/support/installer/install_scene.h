/* SPDX-License-Identifier: MIT */
/* Declares the scene that tests of the installer share: their own service and data folder, the
 * report of the last call, and short functions that examine files and keys. Windows only. */
#ifndef PRFDATA_TEST_INSTALL_SCENE_H
#define PRFDATA_TEST_INSTALL_SCENE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#include <windows.h>

#include <prfdata/install.h>

#include "map/maps.h"
#include "support/installer/places.h"
#include "support/sample_map.h"

/* A name that has every kind of character that is allowed in a service's name. */
#define SERVICE  "PrfData Test 1.0_a-b"
#define WSERVICE L"PrfData Test 1.0_a-b"

#define KEY     L"SYSTEM\\CurrentControlSet\\Services\\" WSERVICE
#define PERFKEY KEY L"\\Performance"

/* The key that remembers the numbers of titles after an uninstallation. */
#define REMEMBERED L"SOFTWARE\\PrfData Titles " WSERVICE
#define MAP_VALUE  L"Maps"
#define SOURCE     L"SYSTEM\\CurrentControlSet\\Services\\EventLog\\Application\\PrfData " WSERVICE
#define OF_BOOT    L"b0b0b0b0b0b0b0b0-" /* the beginning of the names of region files */
#define PERFLIB    L"SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\Perflib"

extern sample_map sample; /* the map that is installed */
extern wchar_t data[MAX_PATH];
extern wchar_t regions[MAX_PATH];
extern wchar_t provider[MAX_PATH];
extern prfdata_install_options options;

/* The report of the last call. */
extern size_t step_count[PRFDATA_STEP_UNDONE + 1];
extern wchar_t report[16384];

/* These call the installer with `sample.map` and `options`. Each begins with an empty report. */
uint32_t install(void);
uint32_t uninstall(void);
uint32_t repair(void);
uint32_t reset(void);
uint32_t status(void);
void forget_report(void);

void assert_reported(const wchar_t *text);
/* Fails and shows the report of the call, unless the call succeeded. */
void assert_done(uint32_t answer);

/* ---- Files ---- */

bool file_is(const wchar_t *folder, const wchar_t *name, const void *bytes, size_t size);
/* Remove a file or a link, or a folder with everything in it. The target of a link stays. */
void remove_tree(const wchar_t *folder);

void make_link(const wchar_t *link, const wchar_t *goal);
/* Remove the link, not its target. */
void remove_link(const wchar_t *link);

/* Count the files in the folder of `provider` whose names begin like those of the copies that
 * -Install makes of the DLL. Files that are not registered count, too. */
size_t count_dll_copies(void);
/* Return the registered Library. It must be a copy of the DLL, in the same folder and with the same
 * content. */
const wchar_t *registered_copy(const wchar_t *dll);

/* ---- The registry ---- */

HKEY make_key(const wchar_t *path, DWORD flags);
void set_text(const wchar_t *path, const wchar_t *name, const wchar_t *text);
void set_number(const wchar_t *path, const wchar_t *name, DWORD number);
void delete_value(const wchar_t *path, const wchar_t *name);
DWORD number_of(const wchar_t *path, const wchar_t *name);
bool text_is(const wchar_t *path, const wchar_t *name, const wchar_t *text);
/* Return everything in and below the service's key as text: the keys, and the name, type, size and
 * a hash of each value. The text is valid until the second call from now. */
const wchar_t *dump_service(void);
void assert_same_text(const wchar_t *a, const wchar_t *b);

/* ---- Every test ---- */

/* Set `sample`, `options` and the paths like set_up(), but remove nothing. */
int scene_init(void **state);
int set_up(void **state);
int tear_down(void **state);
void assert_nothing_left(void);
/* Return the model of the registered map, or NULL if there is none. The caller frees it. */
prfdata_model *registered_model(void);
/* Fails unless the registration is valid and matches `sample`. */
void assert_installed(void);
/* Fails unless the call returns `wanted`, reports a failed step, and changes nothing in or below
 * the service's key. */
void assert_unchanged_by(uint32_t call(void), uint32_t wanted);

#endif
