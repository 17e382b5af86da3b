/* SPDX-License-Identifier: MIT */
/* Asks about the product on this system. The product is installed, two processes publish, Windows'
 * readers read, and the product is upgraded and uninstalled. prfdata-kit.exe is both publisher and
 * installer. */
#include "kit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include <sddl.h>

#include <prfdata/install.h>

#include "csv.h"
#include "product.h"
#include "windows/file_handle.h"
#include "windows/file_users.h"

enum { MOST_REGIONS = 16, FOLLOWS_TRIES = 20 };

typedef struct region_list {
    wchar_t paths[MOST_REGIONS][MAX_PATH];
    size_t count;
} region_list;

/* The last message about something that failed or could not be removed. */
typedef struct install_said {
    char failed[300];
} install_said;

static void hear_step(void *context, prfdata_step step, const wchar_t *text)
{
    install_said *said = context;

    if (step == PRFDATA_STEP_FAILED || step == PRFDATA_STEP_LEFT)
        snprintf(said->failed, sizeof said->failed, "%ls", text);
}

static uint32_t install_map(const kit *k, const prfdata_map *map, const wchar_t *writers,
                            install_said *said)
{
    prfdata_install_options options = {.provider_path = k->product,
                                       .protection = PRFDATA_PROTECTION_WARN,
                                       .writers = writers,
                                       .step = hear_step,
                                       .context = said};

    if (sizeof(void *) == 4)
        options.arch = PRFDATA_ARCH_X86; /* the DLL is for 32 bits, even on a 64-bit Windows */
    memset(said, 0, sizeof *said);
    return prfdata_install(map, &options);
}

uint32_t kit_uninstall_product(char *said, size_t capacity)
{
    install_said heard = {""};
    prfdata_install_options options = {.any = true, .step = hear_step, .context = &heard};
    uint32_t status = prfdata_uninstall(&kit_map_1, &options);

    /* WMI may still have the DLL loaded after reading. Then end WMI's host and try once more. */
    if (status == ERROR_SHARING_VIOLATION && kit_end_hosts() > 0) {
        memset(&heard, 0, sizeof heard);
        status = prfdata_uninstall(&kit_map_1, &options);
    }

    snprintf(said, capacity, "%s", heard.failed);
    return status == ERROR_FILE_NOT_FOUND ? ERROR_SUCCESS : status;
}

bool kit_install_product(kit *k, const wchar_t *writers)
{
    install_said said;

    return install_map(k, &kit_map_1, writers, &said) == ERROR_SUCCESS;
}

uint32_t kit_install_dll(const wchar_t *dll, prfdata_install_protection protection,
                         const wchar_t *data, char *text, size_t capacity)
{
    install_said said = {""};
    prfdata_install_options options = {.provider_path = dll,
                                       .protection = protection,
                                       .data_path = data,
                                       .step = hear_step,
                                       .context = &said};
    uint32_t status;

    if (sizeof(void *) == 4)
        options.arch = PRFDATA_ARCH_X86;
    status = prfdata_install(&kit_map_1, &options);
    snprintf(text, capacity, "%s", said.failed);
    return status;
}

/* ---- Regions ---- */

bool kit_regions_folder(wchar_t folder[MAX_PATH])
{
    DWORD bytes = MAX_PATH * sizeof *folder;

    return RegGetValueW(HKEY_LOCAL_MACHINE, KIT_SERVICES L"\\" PRODUCT_SERVICE L"\\Performance",
                        L"Regions", RRF_RT_REG_SZ, NULL, folder, &bytes) == ERROR_SUCCESS;
}

static void list_regions(region_list *list)
{
    wchar_t folder[MAX_PATH], pattern[MAX_PATH + 16];
    WIN32_FIND_DATAW found;
    HANDLE search;

    list->count = 0;
    if (!kit_regions_folder(folder))
        return;
    swprintf(pattern, MAX_PATH + 16, L"%ls\\*.region", folder);
    search = FindFirstFileW(pattern, &found);
    if (search == INVALID_HANDLE_VALUE)
        return;
    do {
        if (list->count < MOST_REGIONS && wcslen(folder) + wcslen(found.cFileName) + 2 < MAX_PATH)
            swprintf(list->paths[list->count++], MAX_PATH, L"%ls\\%ls", folder, found.cFileName);
    } while (FindNextFileW(search, &found));
    FindClose(search);
}

/* Returns how many regions can be opened with this access and this sharing. `error` gets the error
 * of the last region that cannot be opened. */
static unsigned count_open(const region_list *list, DWORD access, DWORD sharing, DWORD *error)
{
    unsigned opened = 0;

    *error = ERROR_SUCCESS;
    for (size_t i = 0; i < list->count; i++) {
        HANDLE file = CreateFileW(list->paths[i], access, sharing, NULL, OPEN_EXISTING, 0, NULL);

        if (file == INVALID_HANDLE_VALUE) {
            *error = GetLastError();
            continue;
        }
        opened++;
        CloseHandle(file);
    }
    return opened;
}

/* Maps a view like a reader. The view stays when the handles are closed. */
static const void *map_view(const wchar_t *path)
{
    HANDLE section = NULL, file;
    const void *view = NULL;

    file = CreateFileW(path, GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                       NULL, OPEN_EXISTING, 0, NULL);
    if (file != INVALID_HANDLE_VALUE) {
        section = CreateFileMappingW(file, NULL, PAGE_READONLY, 0, 0, NULL);
        CloseHandle(file);
    }
    if (section) {
        view = MapViewOfFile(section, FILE_MAP_READ, 0, 0, 0);
        CloseHandle(section);
    }
    return view;
}

static void unmap_views(const void **views, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (views[i])
            UnmapViewOfFile(views[i]);
    }
}

/* Reads our counter in a separate process. Returns -1 if there is none. */
static long long taken_orders(kit *k)
{
    kit_reading reading;

    if (!kit_read(k, &reading, L"-service " PRODUCT_SERVICE) || !reading.has_object)
        return -1;
    return (long long)reading.value;
}

static HANDLE start_publisher(kit *k, const wchar_t *version, unsigned count)
{
    char line[100];
    HANDLE process =
        kit_start(k, line, sizeof line, L"\"%ls\" -Publish %ls %u", k->program, version, count);

    if (process && strncmp(line, "published 0", 11) == 0)
        return process;
    kit_kill(process);
    return NULL;
}

static void ask_sharing(kit *k, const region_list *regions)
{
    unsigned opened;
    DWORD error;

    opened = count_open(regions, GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE,
                        &error);
    kit_answer_if(&k->answers, KIT_Q_share_write, opened == 0 && error == ERROR_SHARING_VIOLATION,
                  "%u of %u opened, error %lu", opened, (unsigned)regions->count,
                  (unsigned long)error);
    opened = count_open(regions, GENERIC_READ, FILE_SHARE_READ, &error);
    kit_answer_if(&k->answers, KIT_Q_share_probe, opened == 0 && error == ERROR_SHARING_VIOLATION,
                  "%u of %u opened, error %lu", opened, (unsigned)regions->count,
                  (unsigned long)error);
}

/* Asks about the region and the counts after one of two publishers was killed. */
static void ask_killed(kit *k, const region_list *regions, const void **views)
{
    const DWORD access = GENERIC_READ | GENERIC_WRITE;
    long long taken;
    unsigned opened;
    DWORD error;

    opened = count_open(regions, access, FILE_SHARE_READ, &error);
    kit_answer_if(&k->answers, KIT_Q_share_killed, opened == 1,
                  "%u of %u opened, 1 publisher of 2 was killed", opened, (unsigned)regions->count);
    for (size_t i = 0; i < regions->count; i++)
        views[i] = map_view(regions->paths[i]);
    opened = count_open(regions, access, FILE_SHARE_READ, &error);
    if (!views[0] || !views[1])
        kit_answer(&k->answers, KIT_Q_share_view, KIT_FAILED, "a region could not be mapped");
    else
        kit_answer_if(&k->answers, KIT_Q_share_view, opened == 1, "%u of %u opened", opened,
                      (unsigned)regions->count);
    taken = taken_orders(k);
    kit_answer_if(&k->answers, KIT_Q_counts_stay, taken == 12, "5 + 7 counted, a reader sees %lld",
                  taken);
}

/* Asks whether a reader follows an upgrade. This process is the reader. */
static void ask_follows(kit *k)
{
    kit_reading reading;

    memset(&reading, 0, sizeof reading);
    for (int i = 0; i < FOLLOWS_TRIES && reading.counters < 2; i++) {
        kit_read_here(PRODUCT_SERVICE, &reading);
        if (reading.counters < 2)
            Sleep(500);
    }
    kit_answer_if(&k->answers, KIT_Q_reader_follows, reading.counters == 2 && reading.value == 112,
                  "%ld counters, %llu orders; version 2 has 2, 112 were taken", reading.counters,
                  reading.value);
}

/* Reads a path with typeperf. Returns -1 if there is no value. */
static double read_by_typeperf(kit *k, const wchar_t *program, const char *path)
{
    enum { OUTPUT = 1 << 14 };
    static char output[OUTPUT];
    double value = -1;

    if (kit_run(k, 60, output, OUTPUT, L"\"%ls\" \"%hs\" -sc 1", program, path) == -1 ||
        !kit_csv_last(output, path, &value))
        return -1;
    return value;
}

/* Asks about titles with gaps. Versions 1 and 2 were installed, and 1112 orders were taken. */
static void ask_holes(kit *k)
{
    wchar_t program[MAX_PATH];
    install_said said;
    uint32_t status;
    HANDLE publisher;
    double taken, sent;

    if (!kit_find_tool(L"typeperf.exe", program) || k->is_wine) {
        kit_answer_missing(k, KIT_Q_holes, "typeperf.exe is not there");
        return;
    }
    status = install_map(k, &kit_map_3, NULL, &said);
    publisher = start_publisher(k, L"3", 10000);
    taken = read_by_typeperf(k, program, PRODUCT_PATH);
    sent = read_by_typeperf(k, program, SENT_PATH);
    kit_answer_if(&k->answers, KIT_Q_holes,
                  status == ERROR_SUCCESS && taken == 11112 && sent == 10000,
                  "status %u, %g of 11112 orders taken, %g of 10000 sent; %s", (unsigned)status,
                  taken, sent, said.failed);
    kit_kill(publisher);
}

static void ask_versions(kit *k)
{
    install_said said;
    kit_reading before;
    HANDLE publisher;
    uint32_t status;
    long long taken;

    kit_read_here(PRODUCT_SERVICE, &before);
    if (before.value != 112) {
        kit_answer_rest(&k->answers, KIT_Q_upgrade, KIT_Q_reader_follows, KIT_FAILED,
                        "before the upgrade this reader does not see 112 orders");
        return;
    }
    status = install_map(k, &kit_map_2, NULL, &said);
    ask_follows(k);
    publisher = start_publisher(k, L"2", 1000);
    taken = taken_orders(k);
    kit_answer_if(&k->answers, KIT_Q_upgrade, status == ERROR_SUCCESS && taken == 1112,
                  "status %u, %lld of 1112 orders; %s", (unsigned)status, taken, said.failed);
    status = install_map(k, &kit_map_1, NULL, &said);
    taken = taken_orders(k);
    kit_answer_if(&k->answers, KIT_Q_downgrade, status == ERROR_SUCCESS && taken == 1112,
                  "status %u, %lld of 1112 orders; %s", (unsigned)status, taken, said.failed);
    RegCloseKey(HKEY_PERFORMANCE_DATA);
    ask_holes(k);
    kit_kill(publisher);
}

static void ask_take_over(kit *k)
{
    region_list regions;
    HANDLE publisher;
    long long taken;
    size_t files;

    list_regions(&regions); /* other accounts may have made regions meanwhile */
    files = regions.count;
    publisher = start_publisher(k, L"1", 100);
    list_regions(&regions);
    taken = taken_orders(k);
    if (!publisher) {
        kit_answer(&k->answers, KIT_Q_take_over, KIT_FAILED, "the third publisher did not start");
        return;
    }
    kit_answer_if(&k->answers, KIT_Q_take_over, regions.count == files && taken == 112,
                  "%u files before, %u after, %lld of 112 orders", (unsigned)files,
                  (unsigned)regions.count, taken);
    if (taken == 112)
        ask_versions(k);
    kit_kill(publisher);
}

/* Asks whether Windows names the process that publishes in a region. -Status relies on this. */
static void ask_holder(kit *k, const region_list *regions, HANDLE one, HANDLE two)
{
    uint32_t holder = 0;
    const bool is_named = prfdata_file_users_check(regions->paths[0], &holder);

    kit_answer_if(&k->answers, KIT_Q_region_holder,
                  is_named && (holder == GetProcessId(one) || holder == GetProcessId(two)),
                  "it names %lu; %lu and %lu publish", (unsigned long)holder,
                  (unsigned long)GetProcessId(one), (unsigned long)GetProcessId(two));
}

static void ask_regions(kit *k)
{
    HANDLE one = start_publisher(k, L"1", 5), two = start_publisher(k, L"1", 7);
    const void *views[MOST_REGIONS] = {NULL};
    region_list regions;

    list_regions(&regions);
    if (!one || !two || regions.count == 0) {
        kit_answer(&k->answers, KIT_Q_second_start, KIT_FAILED, "two publishers did not start");
        kit_answer(&k->answers, KIT_Q_region_holder, KIT_FAILED, "two publishers did not start");
    } else {
        ask_holder(k, &regions, one, two);
        kit_answer_if(&k->answers, KIT_Q_second_start, regions.count == 2,
                      "2 publishers, %u regions", (unsigned)regions.count);
        ask_sharing(k, &regions);
        kit_ask_readers(k, 12);
        kit_ask_accounts(k);
        kit_kill(two);
        two = NULL;
        ask_killed(k, &regions, views);
        ask_take_over(k);
        unmap_views(views, regions.count);
    }
    kit_kill(two);
    kit_kill(one);
}

/* ---- Files in use ---- */

static void ask_region_deleted(kit *k)
{
    wchar_t path[MAX_PATH + 16];
    const void *view;
    DWORD error;

    swprintf(path, MAX_PATH + 16, L"%ls\\mapped.bin", k->data);
    if (!CopyFileW(k->probe, path, FALSE) || (view = map_view(path)) == NULL) {
        kit_answer(&k->answers, KIT_Q_region_delete, KIT_FAILED, "no file could be mapped");
        return;
    }
    error = DeleteFileW(path) ? ERROR_SUCCESS : GetLastError();
    kit_answer_if(&k->answers, KIT_Q_region_delete, error == ERROR_SUCCESS, "error %lu",
                  (unsigned long)error);
    UnmapViewOfFile(view);
    DeleteFileW(path);
}

static bool set_access(const wchar_t *path, const wchar_t *list)
{
    PSECURITY_DESCRIPTOR access = NULL;
    bool is_set;

    if (!ConvertStringSecurityDescriptorToSecurityDescriptorW(list, SDDL_REVISION_1, &access, NULL))
        return false;
    is_set = SetFileSecurityW(path, DACL_SECURITY_INFORMATION | PROTECTED_DACL_SECURITY_INFORMATION,
                              access);
    LocalFree(access);
    return is_set;
}

/* Asks whether a file can be deleted if its access list allows nothing. -Uninstall and -Reset must
 * delete such regions. They rely on the folder, which lets administrators delete its files. */
static void ask_region_denied(kit *k)
{
    wchar_t path[MAX_PATH + 16];
    uint32_t status;
    HANDLE file;

    swprintf(path, MAX_PATH + 16, L"%ls\\denied.bin", k->data);
    if (k->is_wine) {
        kit_answer_missing(k, KIT_Q_region_denied, "a folder gives no rights to its files");
        return;
    }
    if (!CopyFileW(k->probe, path, FALSE) || !set_access(path, L"D:P")) {
        kit_answer(&k->answers, KIT_Q_region_denied, KIT_FAILED, "error %lu",
                   (unsigned long)GetLastError());
        return;
    }
    status = prfdata_file_handle_try_delete(path, &file);
    if (status == ERROR_SUCCESS) {
        status = prfdata_file_handle_remove_read_only(file);
        CloseHandle(file);
    }
    kit_answer_if(&k->answers, KIT_Q_region_denied, status == ERROR_SUCCESS, "error %lu",
                  (unsigned long)status);
    /* Delete the file, because otherwise the kit could not remove its folder. */
    if (status != ERROR_SUCCESS && set_access(path, L"D:P(A;;FA;;;BA)"))
        DeleteFileW(path);
}

static void ask_dll_in_use(kit *k)
{
    wchar_t path[MAX_PATH + 16], other[MAX_PATH + 16];
    HMODULE module;
    DWORD error;

    swprintf(path, MAX_PATH + 16, L"%ls\\used.dll", k->data);
    swprintf(other, MAX_PATH + 16, L"%ls\\renamed.dll", k->data);
    if (!CopyFileW(k->probe, path, FALSE) || (module = LoadLibraryW(path)) == NULL) {
        kit_answer_rest(&k->answers, KIT_Q_dll_delete, KIT_Q_dll_rename, KIT_FAILED,
                        "no DLL could be loaded");
        return;
    }
    error = MoveFileW(path, other) ? ERROR_SUCCESS : GetLastError();
    kit_answer_if(&k->answers, KIT_Q_dll_rename, error == ERROR_SUCCESS, "error %lu",
                  (unsigned long)error);
    error = DeleteFileW(error == ERROR_SUCCESS ? other : path) ? ERROR_SUCCESS : GetLastError();
    kit_answer_if(&k->answers, KIT_Q_dll_delete, error == ERROR_SUCCESS, "error %lu",
                  (unsigned long)error);
    FreeLibrary(module);
    DeleteFileW(path);
    DeleteFileW(other);
}

/* ---- From the installation to its end ---- */

static void ask_uninstalled(kit *k, const wchar_t *before)
{
    wchar_t *after;
    uint32_t status;
    char said[300], line[600] = "no snapshot";

    status = kit_uninstall_product(said, sizeof said);
    after = kit_take_snapshot();
    if (before && after)
        kit_compare_snapshots(before, after, line, sizeof line);
    kit_answer_if(&k->answers, KIT_Q_uninstalled, status == ERROR_SUCCESS && line[0] == 0,
                  "status %u; %s%s", (unsigned)status, line[0] ? line : "as before", said);
    free(after);
}

void kit_ask_product(kit *k)
{
    wchar_t *before = kit_take_snapshot();
    install_said said;
    uint32_t first, again;

    ask_region_deleted(k);
    ask_region_denied(k);
    ask_dll_in_use(k);
    first = install_map(k, &kit_map_1, NULL, &said);
    again = first == ERROR_SUCCESS ? install_map(k, &kit_map_1, NULL, &said) : first;
    kit_answer_if(&k->answers, KIT_Q_installed, first == ERROR_SUCCESS && again == ERROR_SUCCESS,
                  "status %u, then %u; %s", (unsigned)first, (unsigned)again, said.failed);
    if (first == ERROR_SUCCESS) {
        kit_ask_titles(k, "PrfData Kit Orders",
                       "Orders that were taken, \"rush\" orders included; 100 % of them.");
        ask_regions(k);
        ask_uninstalled(k, before);
    }
    free(before);
}
