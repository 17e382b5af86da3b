/* SPDX-License-Identifier: MIT */
/* Tests broken installations. The test really damages each installation. -Status must report the
 * damage, and the command that it prints must fix it, so the test runs this command exactly as
 * printed. Under Wine lodctr does nothing, so -Repair runs instead. Damage for which there is no
 * command is fixed by the test. Windows only. */
#include "support/test.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include <windows.h>
#include <direct.h>

#include <prfdata/install.h>
#include <prfdata/version.h>

#include "map/maps.h"
#include "region/region.h"
#include "support/installer/places.h"
#include "support/installer/title_indexes.h"
#include "support/linux_shell.h"
#include "support/process.h"
#include "support/program_run.h"
#include "system/os_name.h"
#include "titles/service_key.h"
#include "titles/title_database.h"
#include "titles/title_text.h"
#include "windows/directory.h"
#include "windows/wine.h"

#define SERVICE   "PrfDataTestThings"
#define WSERVICE  L"PrfDataTestThings"
#define SERVICES  L"SYSTEM\\CurrentControlSet\\Services\\"
#define KEY       SERVICES WSERVICE
#define PERFKEY   KEY L"\\Performance"
#define SOURCE    SERVICES L"EventLog\\Application\\PrfData " WSERVICE
#define PERFLIB   L"SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\Perflib"
#define NEIGHBOUR SERVICES L"PrfDataTestNeighbour"
#define INSTALLER "test-installer"

extern const prfdata_map things_map;

static wchar_t folder[MAX_PATH];  /* the folder of the data */
static wchar_t regions[MAX_PATH]; /* the folder of the regions, below `folder` */
static wchar_t program[MAX_PATH]; /* the folder of this program */

/* ---- The registry ---- */

static HKEY open_key(const wchar_t *path)
{
    HKEY key;

    assert_int_equal(
        RegCreateKeyExW(HKEY_LOCAL_MACHINE, path, 0, NULL, 0, KEY_ALL_ACCESS, NULL, &key, NULL), 0);
    return key;
}

static void set_value(const wchar_t *path, const wchar_t *name, DWORD type, const void *data,
                      size_t size)
{
    HKEY key = open_key(path);

    assert_int_equal(RegSetValueExW(key, name, 0, type, data, (DWORD)size), 0);
    RegCloseKey(key);
}

static void set_text(const wchar_t *path, const wchar_t *name, const wchar_t *text)
{
    set_value(path, name, REG_SZ, text, (wcslen(text) + 1) * sizeof *text);
}

static void set_number(const wchar_t *path, const wchar_t *name, DWORD number)
{
    set_value(path, name, REG_DWORD, &number, sizeof number);
}

static void delete_value(const wchar_t *path, const wchar_t *name)
{
    HKEY key = open_key(path);
    const LSTATUS status = RegDeleteValueW(key, name);

    assert_true(status == ERROR_SUCCESS || status == ERROR_FILE_NOT_FOUND);
    RegCloseKey(key);
}

static DWORD number_of(const wchar_t *path, const wchar_t *name)
{
    DWORD number = 0, size = sizeof number;
    const LSTATUS status =
        RegGetValueW(HKEY_LOCAL_MACHINE, path, name, RRF_RT_REG_DWORD, NULL, &number, &size);

    assert_true(status == ERROR_SUCCESS || status == ERROR_FILE_NOT_FOUND);
    return number;
}

static void add_to_number(const wchar_t *name, DWORD difference)
{
    set_number(PERFKEY, name, number_of(PERFKEY, name) + difference);
}

/* Gets the path of the registered DLL. Returns false if an earlier damage has removed the
 * registration or the file. */
static bool registered_dll(wchar_t *path)
{
    DWORD size = MAX_PATH * sizeof *path;

    return RegGetValueW(HKEY_LOCAL_MACHINE, PERFKEY, L"Library", RRF_RT_REG_SZ, NULL, path,
                        &size) == 0 &&
           GetFileAttributesW(path) != INVALID_FILE_ATTRIBUTES;
}

/* ---- Files ---- */

static unsigned char *read_file(const wchar_t *path, DWORD *size)
{
    HANDLE file = CreateFileW(path, GENERIC_READ, FILE_SHARE_READ, NULL, OPEN_EXISTING, 0, NULL);
    unsigned char *bytes;

    assert_true(file != INVALID_HANDLE_VALUE);
    *size = GetFileSize(file, NULL);
    bytes = malloc(*size);
    assert_non_null(bytes);
    assert_true(ReadFile(file, bytes, *size, size, NULL));
    CloseHandle(file);
    return bytes;
}

static size_t count_regions(void)
{
    wchar_t pattern[MAX_PATH];
    WIN32_FIND_DATAW found;
    HANDLE search;
    size_t count = 0;

    path_in(pattern, regions, L"*.region");
    search = FindFirstFileW(pattern, &found);
    if (search == INVALID_HANDLE_VALUE)
        return 0;
    do
        count++;
    while (FindNextFileW(search, &found));
    FindClose(search);
    return count;
}

static void region_path(wchar_t *path, uint64_t boot, uint64_t number)
{
    prfdata_os_name name;

    prfdata_os_name_make(&name, boot, number);
    assert_true(swprintf(path, MAX_PATH, L"%ls\\%hs", regions, name.text) > 0);
}

/* ---- Running the installer ---- */

static void run_installer(program_run *run, const char *arguments)
{
    char command[256];

    assert_true(snprintf(command, sizeof command, "%s %s", arguments, SERVICE) > 0);
    program_run_make(run, INSTALLER, command);
}

static void expect(int exit_code, const char *arguments, const char *said)
{
    const char *const parts[] = {said};
    program_run run;

    run_installer(&run, arguments);
    program_run_check(&run, exit_code, parts, 1);
    program_run_free(&run);
}

/* ---- A program that publishes: this one, as another process ---- */

static prfdata_test_process *publisher;
static prfdata_test_process *other_publisher;
static HANDLE locked; /* a file that nobody else can open */

typedef struct made_region {
    prfdata_model *model;
    prfdata_region_layout *layout;
    prfdata_os_directory *directory;
    prfdata_os_region view;
} made_region;

/* Version 1 of things_map. It has one more counter, which comes before the only counter of the
 * current version. */
static const prfdata_map *earlier_map(void)
{
    static prfdata_map map;
    static prfdata_map_entry entries[3];

    map = things_map;
    entries[0] = things_map.entries[0];
    entries[1] = things_map.entries[1];
    entries[1].id = 3;
    entries[1].symbol = "THINGS_OLD";
    entries[1].name = L"Old";
    entries[2] = things_map.entries[1];
    map.entries = entries;
    map.entry_count = 3;
    return &map;
}

/* Make a valid region of the map. This process is its owner. */
static void make_region(made_region *made, const prfdata_map *map, uint64_t number)
{
    prfdata_os_name name;

    memset(made, 0, sizeof *made);
    made->view.owner = -1;
    prfdata_os_name_make(&name, prfdata_os_boot(), number);
    if (prfdata_model_make(map, &made->model) != ERROR_SUCCESS ||
        prfdata_region_layout_make(made->model, NULL, &made->layout) != ERROR_SUCCESS ||
        prfdata_os_directory_open(SERVICE, &made->directory) != ERROR_SUCCESS ||
        prfdata_os_region_create(made->directory, &name, made->layout->total_bytes, &made->view) !=
            ERROR_SUCCESS)
        exit(2);
    prfdata_region_format(made->view.bytes, made->model, made->layout, prfdata_os_boot(),
                          prfdata_os_process_id());
}

static void close_region(made_region *made)
{
    prfdata_os_region_close(&made->view);
    prfdata_os_directory_close(made->directory);
    free(made->layout);
    prfdata_model_free(made->model);
}

static void damage_region(prfdata_region_header *header, const char *how)
{
    if (strcmp(how, "unknown") == 0)
        header->map_hash ^= 1;
    else if (strcmp(how, "format") == 0)
        header->major++;
    else if (strcmp(how, "damaged") == 0)
        header->object_count = 77;
    else if (strcmp(how, "unfinished") == 0)
        header->state = PRFDATA_REGION_BUILDING;
    else if (strcmp(how, "dropped") == 0)
        header->dropped = 5;
    else if (strcmp(how, "closed") == 0)
        header->state = PRFDATA_REGION_CLOSED;
}

/* Publish in the child process. */
static int publish(const char *how)
{
    made_region made;
    char line[8];

    if (strcmp(how, "earlier") == 0)
        make_region(&made, earlier_map(), 9);
    else
        make_region(&made, &things_map, 7);
    damage_region((prfdata_region_header *)(void *)made.view.bytes, how);
    prfdata_test_process_say("published");
    while (prfdata_test_process_hear(line, sizeof line))
        ;
    return 0;
}

static void start_publisher(const char *how)
{
    const char *arguments[] = {how, NULL};

    publisher = prfdata_test_process_start(arguments);
    prfdata_test_process_expect(publisher, "published");
}

static void stop_publisher(void)
{
    if (publisher)
        prfdata_test_process_kill(publisher);
    publisher = NULL;
    if (other_publisher)
        prfdata_test_process_kill(other_publisher);
    other_publisher = NULL;
}

/* ---- Ways to break an installation: the registry ---- */

static void break_library_missing(void)
{
    delete_value(PERFKEY, L"Library");
}

static void break_dll_missing(void)
{
    set_text(PERFKEY, L"Library", L"C:\\nowhere\\x.dll");
}

static void break_open(void)
{
    set_text(PERFKEY, L"Open", L"OtherOpen");
}

static void break_collect(void)
{
    delete_value(PERFKEY, L"Collect");
}

static void break_close(void)
{
    set_number(PERFKEY, L"Close", 1); /* a number instead of a string */
}

static void break_metadata(void)
{
    set_number(PERFKEY, L"Collect Supports Metadata", 0);
}

static void break_validation_code(void)
{
    set_value(PERFKEY, L"Library Validation Code", REG_BINARY, "12345678", 8);
}

static void break_export(void)
{
    set_value(KEY L"\\Linkage", L"Export", REG_MULTI_SZ, L"Other\0", 7 * sizeof(wchar_t));
}

static void delete_key(const wchar_t *path)
{
    const LSTATUS status = RegDeleteKeyW(HKEY_LOCAL_MACHINE, path);

    assert_true(status == ERROR_SUCCESS || status == ERROR_FILE_NOT_FOUND);
}

static void break_linkage(void)
{
    delete_key(KEY L"\\Linkage");
}

static void break_map_missing(void)
{
    delete_value(PERFKEY, L"Maps");
}

static void break_map_damaged(void)
{
    set_value(PERFKEY, L"Maps", REG_BINARY, "damaged", 7);
}

/* Write a number of maps that is too large. Each map can still be decoded. */
static void break_map_count(void)
{
    enum { MAP_COUNT_AT = 12 }; /* map-bytes.md, "The value Maps" */
    static unsigned char bytes[65536];
    DWORD size = sizeof bytes;

    if (RegGetValueW(HKEY_LOCAL_MACHINE, PERFKEY, L"Maps", RRF_RT_REG_BINARY, NULL, bytes, &size) !=
            0 ||
        size <= MAP_COUNT_AT)
        return;
    bytes[MAP_COUNT_AT] = 7;
    set_value(PERFKEY, L"Maps", REG_BINARY, bytes, size);
}

/* Register the map of another service, as if a script had copied that service's key. */
static void break_map_foreign(void)
{
    prfdata_map other = things_map;
    prfdata_model *model = NULL;
    uint32_t dropped;
    void *bytes = NULL;
    size_t size = 0;

    other.service = "Other";
    assert_int_equal(prfdata_model_make(&other, &model), ERROR_SUCCESS);
    assert_int_equal(prfdata_maps_update(model, NULL, 0, NULL, &bytes, &size, &dropped),
                     ERROR_SUCCESS);
    set_value(PERFKEY, L"Maps", REG_BINARY, bytes, size);
    free(bytes);
    prfdata_model_free(model);
}

static void break_map_type(void)
{
    set_text(PERFKEY, L"Maps", L"text");
}

static void break_disabled(void)
{
    set_number(PERFKEY, L"Disable Performance Counters", 1);
}

static void break_disabled_for_32_bits(void)
{
    set_number(PERFKEY, L"Disable Performance Counters", 2);
}

static void break_all_disabled(void)
{
    set_number(PERFLIB, L"Disable Performance Counters", 1);
}

static void clean_all_disabled(void)
{
    delete_value(PERFLIB, L"Disable Performance Counters");
}

static void break_publish(void)
{
    set_number(PERFKEY, L"Publish", 0);
}

static void break_marker(void)
{
    delete_value(PERFKEY, PRFDATA_SERVICE_KEY_MARKER);
}

static void clean_marker(void)
{
    set_number(PERFKEY, PRFDATA_SERVICE_KEY_MARKER,
               PRFDATA_CREATED_PERFORMANCE | PRFDATA_CREATED_SERVICE);
}

static void break_source(void)
{
    delete_key(SOURCE);
}

static void break_source_file(void)
{
    set_text(SOURCE, L"EventMessageFile", L"C:\\nowhere.dll");
}

/* ---- Titles ---- */

static void break_titles_missing(void)
{
    delete_value(PERFKEY, L"First Counter");
    delete_value(PERFKEY, L"Last Counter");
    delete_value(PERFKEY, L"First Help");
    delete_value(PERFKEY, L"Last Help");
}

static void break_titles_wrong(void)
{
    add_to_number(L"Last Counter", 2);
}

static void break_titles_unpaired(void)
{
    add_to_number(L"First Help", 2);
    add_to_number(L"Last Help", 2);
}

static DWORD first_counter; /* First Counter of the loaded titles */

/* Set the end of the title database back to `end`. If the service NEIGHBOUR has titles, do nothing,
 * because only `lodctr /R` could then repair the numbers. */
static void end_titles_at(DWORD end)
{
    if (number_of(NEIGHBOUR L"\\Performance", L"Last Counter") == 0 &&
        number_of(PERFLIB, L"Last Counter") > end && first_counter > 0)
        set_number(PERFLIB, L"Last Counter", end);
}

static void break_titles_beyond_end(void)
{
    end_titles_at(first_counter - 2);
}

static void break_titles_end_inside(void)
{
    end_titles_at(first_counter);
}

static void break_titles_shared(void)
{
    DWORD last = number_of(PERFKEY, L"Last Counter");

    if (last < first_counter)
        return;
    set_number(NEIGHBOUR L"\\Performance", L"First Counter", last);
    set_number(NEIGHBOUR L"\\Performance", L"Last Counter", last + 2);
    set_number(PERFLIB, L"Last Counter", last + 2);
}

static void clean_titles_shared(void)
{
    RegDeleteTreeW(HKEY_LOCAL_MACHINE, NEIGHBOUR);
    RegDeleteKeyW(HKEY_LOCAL_MACHINE, NEIGHBOUR);
}

static void break_object_list(void)
{
    set_text(PERFKEY, L"Object List", L"2 4");
}

/* Under Wine, the lists of a language are in its key. On Windows they cannot be broken like
 * this. */
static void break_language(void)
{
    static const wchar_t list[] = L"2\0System\0";

    set_value(PERFLIB L"\\007", L"Counter", REG_MULTI_SZ, list, sizeof list);
    set_value(PERFLIB L"\\007", L"Help", REG_MULTI_SZ, list, sizeof list);
}

static void clean_language(void)
{
    assert_int_equal(RegDeleteKeyW(HKEY_LOCAL_MACHINE, PERFLIB L"\\007"), 0);
}

static void break_ini(void)
{
    wchar_t path[MAX_PATH];

    path_in(path, folder, WSERVICE L".ini");
    (void)DeleteFileW(path);
}

static void break_header(void)
{
    wchar_t path[MAX_PATH];

    path_in(path, folder, WSERVICE L".h");
    (void)DeleteFileW(path);
}

static void cut_title_file(const wchar_t *name, DWORD most)
{
    wchar_t path[MAX_PATH];
    unsigned char *bytes;
    DWORD size;

    path_in(path, folder, name);
    if (GetFileAttributesW(path) == INVALID_FILE_ATTRIBUTES)
        return; /* the file is broken already */
    bytes = read_file(path, &size);
    write_file(path, bytes, size < most ? size : most);
    free(bytes);
}

static void break_ini_empty(void)
{
    cut_title_file(WSERVICE L".ini", 0);
}

static void break_ini_cut(void)
{
    cut_title_file(WSERVICE L".ini", 200);
}

static void break_header_empty(void)
{
    cut_title_file(WSERVICE L".h", 0);
}

/* Change one byte of the last title. Only the content of the file shows this damage. */
static void break_ini_byte(void)
{
    wchar_t path[MAX_PATH];
    unsigned char *bytes;
    DWORD size;

    path_in(path, folder, WSERVICE L".ini");
    if (GetFileAttributesW(path) == INVALID_FILE_ATTRIBUTES)
        return;
    bytes = read_file(path, &size);
    if (size > 10)
        bytes[size - 10] ^= 1;
    write_file(path, bytes, size);
    free(bytes);
}

/* Write a complete header in which the offsets of the object and of its counter are exchanged. */
static void break_header_offset(void)
{
    static const char wrong[] = "#define THINGS 2\r\n#define THINGS_COUNT 0\r\n";
    wchar_t path[MAX_PATH];

    path_in(path, folder, WSERVICE L".h");
    write_file(path, wrong, sizeof wrong - 1);
}

/* ---- The DLL ---- */

/* Register a changed copy of the DLL. The name of the copy has no hash of its content. */
static void register_changed_dll(void (*change)(unsigned char *bytes, DWORD size))
{
    wchar_t path[MAX_PATH];
    unsigned char *bytes;
    DWORD size;

    if (!registered_dll(path))
        return;
    bytes = read_file(path, &size);
    change(bytes, size);
    path_in(path, folder, L"changed.dll");
    write_file(path, bytes, size);
    free(bytes);
    set_text(PERFKEY, L"Library", path);
    set_text(SOURCE, L"EventMessageFile", path);
}

static void clean_changed_dll(void)
{
    wchar_t path[MAX_PATH];

    path_in(path, folder, L"changed.dll");
    DeleteFileW(path);
}

static void change_machine(unsigned char *bytes, DWORD size)
{
    uint32_t head;

    memcpy(&head, bytes + 0x3C, sizeof head);
    assert_true(head + 6 < size);
    bytes[head + 4] = 0xC4; /* IMAGE_FILE_MACHINE_ARMNT */
    bytes[head + 5] = 0x01;
}

static void change_import(unsigned char *bytes, DWORD size)
{
    for (DWORD i = 0; i + 12 < size; i++) {
        if (memcmp(bytes + i, "KERNEL32.dll", 12) == 0) {
            bytes[i + 6] = '7';
            return;
        }
    }
}

static void change_signature(unsigned char *bytes, DWORD size)
{
    (void)size;
    bytes[0] = 'X';
}

static void change_exports(unsigned char *bytes, DWORD size)
{
    for (DWORD i = 0; i + 15 < size; i++) {
        if (memcmp(bytes + i, "PrfDataCollect", 15) == 0)
            bytes[i] = 'Q';
    }
}

static void break_dll_machine(void)
{
    register_changed_dll(change_machine);
}

static void break_dll_import(void)
{
    register_changed_dll(change_import);
}

static void break_dll_signature(void)
{
    register_changed_dll(change_signature);
}

static void break_dll_exports(void)
{
    register_changed_dll(change_exports);
}

/* Write another provider into the registered copy, whose name contains a hash of the former
 * content. */
static void break_dll_changed(void)
{
    wchar_t path[MAX_PATH], other[MAX_PATH];

    path_in(other, program, L"empty-provider.dll");
    if (registered_dll(path) && wcsstr(path, WSERVICE L"Prf-"))
        assert_true(CopyFileW(other, path, FALSE));
}

static void break_reader_nothing(void)
{
    wchar_t path[MAX_PATH];

    path_in(path, program, L"empty-provider.dll");
    set_text(PERFKEY, L"Library", path);
    set_text(SOURCE, L"EventMessageFile", path);
}

static void break_reader_crash(void)
{
    wchar_t path[MAX_PATH];

    path_in(path, program, L"crash-provider.dll");
    set_text(PERFKEY, L"Library", path);
    set_text(SOURCE, L"EventMessageFile", path);
}

static void clean_by_installing(void)
{
    expect(0, "-Install", "");
}

/* ---- The folder ---- */

static void break_folder_unnamed(void)
{
    delete_value(PERFKEY, L"Regions");
}

/* Programs publish in the default folder, because the folder in the registry does not exist. */
static void break_folder_elsewhere(void)
{
    if (!publisher)
        start_publisher("fine");
    set_text(PERFKEY, L"Regions", L"C:\\ProgramData\\Elsewhere\\" WSERVICE);
}

static void break_folder_foreign(void)
{
    set_text(PERFKEY, L"Regions", L"C:\\windows");
}

#define SECOND_FOLDER L"C:\\ProgramData\\PrfData second"

/* One program publishes in the default folder. Another one starts and uses the folder that is in
 * the registry now. */
static void break_folder_two(void)
{
    start_publisher("fine");
    other_publisher = publisher;
    assert_true(CreateDirectoryW(SECOND_FOLDER, NULL));
    assert_true(CreateDirectoryW(SECOND_FOLDER L"\\" WSERVICE, NULL));
    set_text(PERFKEY, L"Regions", SECOND_FOLDER L"\\" WSERVICE);
    start_publisher("fine");
}

static void fix_folder_two(void)
{
    wchar_t file[MAX_PATH];
    prfdata_os_name name;

    prfdata_test_process_kill(publisher);
    publisher = other_publisher;
    other_publisher = NULL;
    set_text(PERFKEY, L"Regions", regions);
    prfdata_os_name_make(&name, prfdata_os_boot(), 7);
    assert_true(swprintf(file, MAX_PATH, SECOND_FOLDER L"\\" WSERVICE L"\\%hs", name.text) > 0);
    assert_true(DeleteFileW(file));
    assert_true(RemoveDirectoryW(SECOND_FOLDER L"\\" WSERVICE));
    assert_true(RemoveDirectoryW(SECOND_FOLDER));
}

/* Write the name of a folder that cannot exist. */
static void break_folder_closed(void)
{
    set_text(PERFKEY, L"Regions", L"C:\\ProgramData\\Prf|Data\\" WSERVICE);
}

static void clean_locked_file(void)
{
    CloseHandle(locked);
}

static void break_folder_locked(void)
{
    locked = CreateFileW(regions, GENERIC_READ, 0, NULL, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS,
                         NULL);
    assert_true(locked != INVALID_HANDLE_VALUE);
}

static void break_installer(void)
{
    delete_value(PERFKEY, L"Installer");
}

static void break_writers(void)
{
    delete_value(PERFKEY, L"Writers");
}

static void fix_writers(void)
{
    set_text(PERFKEY, L"Writers", L"Services");
}

static void break_first_counter(void)
{
    set_number(PERFKEY, L"First Counter", 2);
}

static void break_folder_missing(void)
{
    assert_true(RemoveDirectoryW(regions));
}

static void break_folder_file(void)
{
    break_folder_missing();
    write_file(regions, "mine", 4);
}

static void clean_moved_folder(void)
{
    wchar_t path[MAX_PATH];

    assert_true(swprintf(path, MAX_PATH, L"%ls.old", regions) > 0);
    if (!DeleteFileW(path))
        RemoveDirectoryW(path);
}

/* Replace the folder by a link to a folder that looks valid. */
static void break_folder_link(void)
{
    wchar_t goal[MAX_PATH];

    assert_true(swprintf(goal, MAX_PATH, L"%ls.goal", regions) > 0);
    assert_true(MoveFileW(regions, goal));
    if (!linux_shell_run("ln -s \"$1.goal\" \"$1\"", regions, NULL))
        assert_true(CreateSymbolicLinkW(regions, goal, SYMBOLIC_LINK_FLAG_DIRECTORY));
}

/* In Wine `ren` renames the target of a link, in Windows the link itself. */
static void fix_folder_link(void)
{
    wchar_t moved[MAX_PATH];

    assert_true(swprintf(moved, MAX_PATH, L"%ls.old", regions) > 0);
    if (!linux_shell_run("mv -T \"$1\" \"$1.old\"", regions, NULL))
        assert_true(MoveFileW(regions, moved));
    expect(0, "-Install", "");
}

static void clean_folder_link(void)
{
    wchar_t goal[MAX_PATH];

    assert_true(swprintf(goal, MAX_PATH, L"%ls.goal", regions) > 0);
    /* In Wine RemoveDirectory removes the target of a link. */
    if (!linux_shell_run("rm -f \"$1.old\"", regions, NULL))
        clean_moved_folder();
    RemoveDirectoryW(goal);
}

/* Under Wine, the user that runs the tests may give files to other users. */
static void break_folder_owner(void)
{
    assert_true(linux_shell_run("chown 65534 \"$1\"", regions, NULL));
}

/* ---- The files in the folder ---- */

static void break_other_boot(void)
{
    wchar_t path[MAX_PATH];

    region_path(path, 0xB0B0B0B0B0B0B0B0u, 1);
    write_file(path, "x", 1);
}

static void break_unknown_map(void)
{
    made_region made;

    make_region(&made, &things_map, 8);
    damage_region((prfdata_region_header *)(void *)made.view.bytes, "unknown");
    close_region(&made);
}

static void break_too_many(void)
{
    for (uint64_t i = 0; i <= PRFDATA_MAX_REGIONS; i++) {
        wchar_t path[MAX_PATH];

        region_path(path, prfdata_os_boot(), 1000 + i);
        write_file(path, "x", 1);
    }
}

static void break_locked_file(void)
{
    wchar_t path[MAX_PATH];

    break_unknown_map();
    region_path(path, prfdata_os_boot(), 8);
    locked = CreateFileW(path, GENERIC_READ, 0, NULL, OPEN_EXISTING, 0, NULL);
    assert_true(locked != INVALID_HANDLE_VALUE);
}

/* ---- Programs ---- */

static void break_process_unknown(void)
{
    start_publisher("unknown");
}

static void break_process_format(void)
{
    start_publisher("format");
}

static void break_process_damaged(void)
{
    start_publisher("damaged");
}

static void break_process_unfinished(void)
{
    start_publisher("unfinished");
}

static void break_process_dropped(void)
{
    start_publisher("dropped");
}

static void break_process_closed(void)
{
    start_publisher("closed");
}

/* ---- The system ---- */

static SC_HANDLE perfhost;

static void change_to_x86(unsigned char *bytes, DWORD size)
{
    change_machine(bytes, size);
    for (DWORD i = 0x40; i + 1 < size; i++) {
        if (bytes[i] == 0xC4 && bytes[i + 1] == 0x01) {
            bytes[i] = 0x4C;
            return;
        }
    }
}

static void break_dll_arch(void)
{
    register_changed_dll(change_to_x86);
}

/* Make a disabled service PerfHost, which Wine lacks. In Windows it loads 32-bit providers. */
static void break_perfhost(void)
{
    SC_HANDLE manager = OpenSCManagerW(NULL, NULL, SC_MANAGER_ALL_ACCESS);

    assert_non_null(manager);
    perfhost = CreateServiceW(manager, L"PerfHost", L"PerfHost", SERVICE_ALL_ACCESS,
                              SERVICE_WIN32_OWN_PROCESS, SERVICE_DISABLED, SERVICE_ERROR_NORMAL,
                              L"C:\\no.exe", NULL, NULL, NULL, NULL, NULL);
    assert_non_null(perfhost);
    CloseServiceHandle(manager);
    break_dll_arch();
    set_text(PERFKEY, L"Arch", L"x86");
}

/* Do what `sc config PerfHost start= demand` does, because Wine's sc cannot. */
static void start_perfhost(void)
{
    assert_true(ChangeServiceConfigW(perfhost, SERVICE_NO_CHANGE, SERVICE_DEMAND_START,
                                     SERVICE_NO_CHANGE, NULL, NULL, NULL, NULL, NULL, NULL, NULL));
}

static void clean_perfhost(void)
{
    DeleteService(perfhost);
    CloseServiceHandle(perfhost);
    set_text(PERFKEY, L"Arch", L"native");
    clean_changed_dll();
}

static void stop_and_reset(void)
{
    stop_publisher();
    expect(0, "-Reset", "");
}

/* ---- The table ---- */

typedef enum fixing {
    AS_PRINTED, /* run the command that -Status prints, in the installer's folder */
    /* Run the command that -Status prints, or -Repair under Wine, where the program of the command
     * does nothing. */
    BY_REPAIR,
    /* Call `fix`, because there is no command, or because the command cannot work here. */
    BY_HAND
} fixing;

static const struct breakage {
    const char *sentence; /* the message after "Wrong: " or "Note: "; a star stands for any text */
    void (*make)(void);
    fixing how;
    void (*fix)(void);
    void (*clean)(void); /* removes things that PrfData did not make; NULL: nothing */
    bool only_wine;
} breakages[] = {
    {"no DLL is registered", break_library_missing, AS_PRINTED, NULL, NULL, false},
    {"the DLL is missing: C:\\nowhere\\x.dll", break_dll_missing, AS_PRINTED, NULL, NULL, false},
    {"the registered file is not a DLL: ", break_dll_signature, AS_PRINTED, NULL, clean_changed_dll,
     false},
    {"the DLL does not export PrfDataCollect", break_dll_exports, AS_PRINTED, NULL,
     clean_changed_dll, false},
    {"the DLL is for ?: no reader of this system can load it", break_dll_machine, AS_PRINTED, NULL,
     clean_changed_dll, false},
    {"the DLL is for x86, but -Arch native was installed", break_dll_arch, AS_PRINTED, NULL,
     clean_changed_dll, false},
    {"the DLL cannot be loaded: *(126)", break_dll_import, AS_PRINTED, NULL, clean_changed_dll,
     false},
    {"the DLL is not the one that was installed: ", break_dll_changed, AS_PRINTED, NULL, NULL,
     false},
    {"the value Open is \"OtherOpen\", not \"PrfDataOpen\"", break_open, AS_PRINTED, NULL, NULL,
     false},
    {"the value Collect is \"\", not \"PrfDataCollect\"", break_collect, AS_PRINTED, NULL, NULL,
     false},
    {"the value Close is \"\", not \"PrfDataClose\"", break_close, AS_PRINTED, NULL, NULL, false},
    {"the value \"Collect Supports Metadata\" is not 1", break_metadata, AS_PRINTED, NULL, NULL,
     false},
    {"the key has a Library Validation Code", break_validation_code, AS_PRINTED, NULL, NULL, false},
    {"Linkage\\Export does not name the service", break_export, AS_PRINTED, NULL, NULL, false},
    {"Linkage\\Export does not name the service", break_linkage, AS_PRINTED, NULL, NULL, false},
    {"no map is registered", break_map_missing, AS_PRINTED, NULL, NULL, false},
    {"the registered map is damaged: ", break_map_damaged, AS_PRINTED, NULL, NULL, false},
    {"the registered map is damaged: ", break_map_count, AS_PRINTED, NULL, NULL, false},
    {"the registered map is damaged: ", break_map_type, AS_PRINTED, NULL, NULL, false},
    {"the registered map belongs to the service Other", break_map_foreign, AS_PRINTED, NULL, NULL,
     false},
    {"the titles are not loaded", break_titles_missing, AS_PRINTED, NULL, NULL, false},
    {"the loaded titles do not match the registered map", break_titles_wrong, AS_PRINTED, NULL,
     NULL, false},
    {"First Help is *; the explanation of title ", break_titles_unpaired, AS_PRINTED, NULL, NULL,
     false},
    {"the titles of the service end at *, beyond the end of the system's title database (",
     break_titles_beyond_end, AS_PRINTED, NULL, NULL, false},
    {"the titles of the service end at *, beyond the end of the system's title database (",
     break_titles_end_inside, AS_PRINTED, NULL, NULL, false},
    {"the titles * belong to the service PrfDataTestNeighbour as well", break_titles_shared,
     AS_PRINTED, NULL, clean_titles_shared, true},
    {"the value \"Object List\" lacks the object ", break_object_list, AS_PRINTED, NULL, NULL,
     false},
    {"the language 007 (German) lacks titles of the counters", break_language, BY_HAND,
     clean_language, NULL, true},
    {"the title file C:\\ProgramData\\PrfData\\PrfDataTestThings.ini is missing", break_ini,
     AS_PRINTED, NULL, NULL, false},
    {"the title file C:\\ProgramData\\PrfData\\PrfDataTestThings.h is missing", break_header,
     AS_PRINTED, NULL, NULL, false},
    {"the title file C:\\ProgramData\\PrfData\\PrfDataTestThings.ini does not match",
     break_ini_empty, AS_PRINTED, NULL, NULL, false},
    {"the title file C:\\ProgramData\\PrfData\\PrfDataTestThings.ini does not match", break_ini_cut,
     AS_PRINTED, NULL, NULL, false},
    {"the title file C:\\ProgramData\\PrfData\\PrfDataTestThings.ini does not match",
     break_ini_byte, AS_PRINTED, NULL, NULL, false},
    {"the title file C:\\ProgramData\\PrfData\\PrfDataTestThings.h does not match",
     break_header_empty, AS_PRINTED, NULL, NULL, false},
    {"the title file C:\\ProgramData\\PrfData\\PrfDataTestThings.h does not match",
     break_header_offset, AS_PRINTED, NULL, NULL, false},
    {"the event source PrfData PrfDataTestThings is not registered for the DLL", break_source,
     AS_PRINTED, NULL, NULL, false},
    {"the event source PrfData PrfDataTestThings is not registered for the DLL", break_source_file,
     AS_PRINTED, NULL, NULL, false},
    {"disabled (1: all readers)", break_disabled, BY_REPAIR, NULL, NULL, false},
    {"disabled (2: 32-bit readers)", break_disabled_for_32_bits, BY_REPAIR, NULL, NULL, false},
    {"Windows is set to collect no performance counters at all", break_all_disabled, AS_PRINTED,
     NULL, clean_all_disabled, false},
    {"registered by another installer", break_marker, BY_HAND, clean_marker, NULL, false},
    {"no regions folder is registered", break_folder_unnamed, AS_PRINTED, NULL, NULL, false},
    {"the value Regions names C:\\ProgramData\\Elsewhere\\PrfDataTestThings, but programs publish "
     "in ",
     break_folder_elsewhere, AS_PRINTED, NULL, stop_publisher, false},
    {"the value Regions names C:\\windows, which is not a folder of this service",
     break_folder_foreign, AS_PRINTED, NULL, NULL, false},
    {"the regions folder cannot be opened: ", break_folder_closed, AS_PRINTED, NULL, NULL, false},
    {"the default regions folder cannot be opened: ", break_folder_locked, BY_HAND,
     clean_locked_file, NULL, false},
    {"programs publish in C:\\ProgramData\\PrfData second\\PrfDataTestThings, as the value Regions "
     "says, and also in ",
     break_folder_two, BY_HAND, fix_folder_two, stop_publisher, false},
    {"the value Installer is missing", break_installer, AS_PRINTED, NULL, NULL, false},
    {"the value Writers is missing", break_writers, BY_HAND, fix_writers, NULL, false},
    {"the loaded titles do not match the registered map", break_first_counter, AS_PRINTED, NULL,
     NULL, false},
    {"the regions folder does not exist: ", break_folder_missing, AS_PRINTED, NULL, NULL, false},
    {"the regions folder is a file or a link: ", break_folder_file, AS_PRINTED, NULL,
     clean_moved_folder, false},
    {"the regions folder is a file or a link: ", break_folder_link, BY_HAND, fix_folder_link,
     clean_folder_link, false},
    {"the regions folder belongs neither to Administrators nor to SYSTEM: ", break_folder_owner,
     AS_PRINTED, NULL, clean_moved_folder, true},
    {"publishing is switched off", break_publish, AS_PRINTED, NULL, NULL, false},
    {"1 region files are left from before the last restart", break_other_boot, AS_PRINTED, NULL,
     NULL, false},
    {"1 region files of ended programs have a map that is not registered", break_unknown_map,
     AS_PRINTED, NULL, NULL, false},
    {"more than 1024 region files were created since the last restart, most of them by ",
     break_too_many, AS_PRINTED, NULL, NULL, false},
    {"1 region files cannot be read, for example *: ", break_locked_file, BY_HAND,
     clean_locked_file, NULL, false},
    {"a program that says it is process * is not shown: its map is not registered",
     break_process_unknown, BY_HAND, stop_and_reset, NULL, false},
    {"a program that says it is process * is not shown: its region has another format",
     break_process_format, BY_HAND, stop_and_reset, NULL, false},
    {"a program that says it is process * is not shown: its region is damaged",
     break_process_damaged, AS_PRINTED, NULL, stop_publisher, false},
    {"a program is not shown: it has not finished its region", break_process_unfinished, AS_PRINTED,
     NULL, stop_publisher, false},
    {"a program that says it is process * had no room for some instances since it published: 5",
     break_process_dropped, BY_HAND, stop_publisher, NULL, false},
    {"a program that says it is process * has closed its counters", break_process_closed, BY_HAND,
     stop_publisher, NULL, false},
    {"the service Performance Counter DLL Host is disabled", break_perfhost, BY_HAND,
     start_perfhost, clean_perfhost, true},
    {"a reader gets a reply without the object Test Things", break_reader_nothing, BY_HAND,
     clean_by_installing, NULL, false},
    {"a reader gets an error: *(0xC0000005)", break_reader_crash, BY_HAND, clean_by_installing,
     NULL, false},
};

/* Returns whether the line begins with the part of `sentence` before its star, and contains the
 * part after the star. */
static bool is_sentence(const char *line, const char *sentence)
{
    size_t chars = strcspn(sentence, "*");
    const char *end = strchr(line, '\n');
    const char *rest = sentence[chars] ? strstr(line + chars, sentence + chars + 1) : line;

    return strncmp(line, sentence, chars) == 0 && end && rest && rest < end;
}

static const char *find_line(const char *said, const char *sentence, bool *is_wrong)
{
    static const char *const heads[] = {"\n    Wrong: ", "\n    Note: "};

    for (int i = 0; i < 2; i++) {
        for (const char *at = strstr(said, heads[i]); at; at = strstr(at + 1, heads[i])) {
            const char *line = at + strlen(heads[i]);

            if (is_sentence(line, sentence)) {
                *is_wrong = i == 0;
                return line;
            }
        }
    }
    return NULL;
}

/* Copy the command after "Fix: " in the second line below `line`. If that line has no command,
 * `command` becomes "". */
static void copy_command(const char *line, char *command, size_t capacity)
{
    static const char head[] = "        Fix: ";
    const char *why = strchr(line, '\n');
    const char *fix = why ? strchr(why + 1, '\n') : NULL;
    size_t chars;

    command[0] = 0;
    if (!fix || strncmp(fix + 1, head, sizeof head - 1) != 0)
        return;
    fix += sizeof head;
    chars = strcspn(fix, "\r\n");
    assert_true(chars < capacity);
    memcpy(command, fix, chars);
    command[chars] = 0;
}

static void run_printed_command(const struct breakage *breakage, const char *command)
{
    char path[MAX_PATH];
    char line[1024 + MAX_PATH + 20];
    char *said;
    int exit_code;

    program_run_temporary_path("said", path);
    assert_true(snprintf(line, sizeof line, "%s >%s 2>&1", command, path) > 0);
    exit_code = system(line); /* NOLINT(cert-env33-c): the command is for a command processor */
    said = program_run_read_file(path);
    (void)DeleteFileA(path);
    if (exit_code != 0)
        fail_msg("%s: %s ended with %d: %s", breakage->sentence, command, exit_code, said);
    free(said);
}

static void mend_installation(const struct breakage *breakage, const char *command)
{
    if (breakage->how == BY_HAND) {
        breakage->fix();
        return;
    }
    if (!command[0])
        fail_msg("%s: no command", breakage->sentence);
    if (breakage->how == BY_REPAIR && prfdata_wine_is_here())
        command = INSTALLER " -Repair " SERVICE;
    run_printed_command(breakage, command);
}

static void expect_found(const struct breakage *breakage, char *command, size_t capacity)
{
    bool is_wrong = false;
    const char *line;
    program_run run;

    run_installer(&run, "-Status");
    line = find_line(run.out, breakage->sentence, &is_wrong);
    if (!line)
        program_run_fail(&run, breakage->sentence);
    if (run.exit_code != (is_wrong ? 6 : 0))
        program_run_fail(&run, "the right exit code");
    copy_command(line, command, capacity);
    program_run_free(&run);
}

static void expect_content(const struct breakage *breakage)
{
    char wanted[256];
    bool is_wrong;
    program_run run;

    run_installer(&run, "-Status");
    snprintf(wanted, sizeof wanted, "contentment after \"%s\"", breakage->sentence);
    if (run.exit_code != 0 || find_line(run.out, breakage->sentence, &is_wrong))
        program_run_fail(&run, wanted);
    program_run_free(&run);
}

/* Returns whether the registered DLL is built for the same processor as this program. Only then
 * does -Status try to load it. */
static bool is_own_bitness(void)
{
    BOOL is_wow64 = FALSE;

    return IsWow64Process(GetCurrentProcess(), &is_wow64) && !is_wow64;
}

/* Returns whether the breakage can be tested only if -Status can load the registered DLL. Either
 * only loading shows the damage, or the header says x86 although the code is for another
 * processor. */
static bool needs_loading(const struct breakage *breakage)
{
    return breakage->make == break_dll_import || breakage->make == break_reader_nothing ||
           breakage->make == break_reader_crash || breakage->make == break_dll_arch ||
           breakage->make == break_perfhost;
}

static void test_doctor_every_broken_installation_is_found_and_mended(void **state)
{
    char command[1024];

    (void)state;
    expect(0, "-Install -AllowUserWritableDll", "");
    expect(0, "-Status", "Performance Counters (Enabled)");
    for (size_t i = 0; i < sizeof breakages / sizeof breakages[0]; i++) {
        const struct breakage *breakage = &breakages[i];
        size_t files;

        if ((breakage->only_wine && !prfdata_wine_is_here()) ||
            (needs_loading(breakage) && !is_own_bitness()))
            continue;
        first_counter = number_of(PERFKEY, L"First Counter");
        breakage->make();
        files = count_regions();
        expect_found(breakage, command, sizeof command);
        assert_int_equal(count_regions(), files); /* trying the DLL left no region */
        mend_installation(breakage, command);
        expect_content(breakage);
        if (breakage->clean)
            breakage->clean();
        stop_publisher();
        expect(0, "-Install", "");
        if (count_regions() > 0)
            expect(0, "-Reset", "");
    }
}

/* ---- Every test ---- */

#define DATA_FOLDER    L"C:\\ProgramData\\PrfData"
#define RENAMED_FOLDER L"C:\\ProgramData\\PrfData\\" WSERVICE L".old"

/* Remove what a failed test left, because the next test must begin without it. */
static void clean_folders(void)
{
    static const wchar_t *const paths[] = {RENAMED_FOLDER, SECOND_FOLDER};

    for (size_t i = 0; i < 2; i++)
        if (GetFileAttributesW(paths[i]) != INVALID_FILE_ATTRIBUTES)
            (void)linux_shell_run("rm -r \"$1\"", paths[i], NULL);
}

static int set_up(void **state)
{
    program_run run;

    (void)state;
    GetModuleFileNameW(NULL, program, MAX_PATH);
    *wcsrchr(program, L'\\') = 0;
    assert_int_equal(_wchdir(program), 0);
    assert_int_equal(prfdata_directory_program_data(folder), ERROR_SUCCESS);
    wcscat(folder, L"\\PrfData");
    path_in(regions, folder, WSERVICE);
    clean_folders();
    run_installer(&run, "-Uninstall -Any");
    program_run_free(&run);
    return 0;
}

static int tear_down(void **state)
{
    stop_publisher();
    if (prfdata_wine_is_here())
        clean_titles_shared();
    clean_changed_dll();
    return set_up(state);
}

/* ---- Other messages of -Status ---- */

static void test_doctor_shows_who_publishes(void **state)
{
    char line[MAX_PATH + 64];
    program_run run;

    (void)state;
    expect(0, "-Install -AllowUserWritableDll", "");
    start_publisher("right");
    run_installer(&run, "-Status");
    assert_int_equal(run.exit_code, 0);
    assert_true(snprintf(line, sizeof line, ", %ls\\test_doctor.exe, ", program) > 0);
    if (!strstr(run.out, line))
        program_run_fail(&run, line);
    if (!strstr(run.out, ": shown, map present, objects 1, instances 0, dropped 0, bytes "))
        program_run_fail(&run, "the process");
    program_run_free(&run);
    prfdata_test_process_kill(publisher);
    publisher = NULL;
    run_installer(&run, "-Status");
    if (run.exit_code != 0 || !strstr(run.out, "    Ended Programs: 1 regions of this boot, ") ||
        !strstr(run.out, ": 0 of programs that run, 1 of ended ones"))
        program_run_fail(&run, "the ended program");
    program_run_free(&run);
}

static void test_doctor_tries_for_real(void **state)
{
    program_run run;

    (void)state;
    expect(0, "-Install -AllowUserWritableDll", "");
    run_installer(&run, "-Status");
    if (!strstr(run.out, " can publish\r\n") ||
        (is_own_bitness() && (!strstr(run.out, "    DLL Load: succeeds\r\n") ||
                              !strstr(run.out, " bits gets the object \"Test Things\"\r\n"))))
        program_run_fail(&run, "what was tried");
    program_run_free(&run);
}

static void test_doctor_prints_json(void **state)
{
    program_run run;

    (void)state;
    expect(5, "-Status -f JSON",
           "{\"service\":\"" SERVICE "\",\"prfdata\":\"" PRFDATA_VERSION
           "\",\"state\":\"not-installed\"");
    expect(0, "-Install -AllowUserWritableDll", "");
    break_open();
    run_installer(&run, "-Status -f json");
    if (run.exit_code != 6 || strchr(run.out, '\n') != run.out + strlen(run.out) - 1 ||
        !strstr(run.out, "\"id\":\"procedure-wrong\",\"severity\":\"wrong\"") ||
        !strstr(run.out, "\"command\":\"" INSTALLER " -Install " SERVICE "\",\"repair\":true"))
        program_run_fail(&run, "the finding");
    program_run_free(&run);
}

static void test_doctor_repair_runs_what_is_safe_and_names_the_rest(void **state)
{
    program_run run;

    (void)state;
    expect(5, "-Repair", "Not installed: -Repair fixes what -Install created");
    expect(0, "-Install -AllowUserWritableDll", "");
    break_open();
    break_ini();
    break_object_list();
    break_validation_code();
    break_disabled();
    break_other_boot();
    run_installer(&run, "-Repair");
    if (run.exit_code != 0 || !strstr(run.out, SERVICE ": Titles corrected\r\n") ||
        strstr(run.out, " -Repair ") || strstr(run.out, "unchanged") ||
        strstr(run.out, "nothing to change") ||
        !strstr(run.out, SERVICE ": Run: lodctr /E:" SERVICE "\r\n") ||
        !strstr(run.out, SERVICE ": Run: reg delete ") ||
        !strstr(run.out, SERVICE ": Nothing is wrong now\r\n"))
        program_run_fail(&run, "the repairs");
    program_run_free(&run);
    assert_int_equal(count_regions(), 0);
    start_publisher("unknown");
    break_open();
    run_installer(&run, "-Repair");
    if (run.exit_code != 6 ||
        !strstr(run.out, SERVICE ": Run: " INSTALLER " -Install " SERVICE "\r\n") ||
        !strstr(run.out, SERVICE ": Still wrong: a program that says it is process ") ||
        run.err[0] || !strstr(run.out, "the program keeps counting") || strstr(run.out, "taskkill"))
        program_run_fail(&run, "what remains");
    program_run_free(&run);
}

/* ---- Two damages at once that -Repair may fix ---- */

static void (*const mendable[])(void) = {
    break_library_missing,
    break_dll_missing,
    break_dll_signature,
    break_dll_exports,
    break_dll_machine,
    break_dll_arch,
    break_dll_import,
    break_dll_changed,
    break_open,
    break_collect,
    break_close,
    break_metadata,
    break_validation_code,
    break_export,
    break_linkage,
    break_map_missing,
    break_map_damaged,
    break_map_count,
    break_map_type,
    break_map_foreign,
    break_titles_missing,
    break_titles_wrong,
    break_titles_unpaired,
    break_titles_beyond_end,
    break_titles_end_inside,
    break_titles_shared,
    break_first_counter,
    break_object_list,
    break_ini,
    break_header,
    break_ini_empty,
    break_ini_cut,
    break_ini_byte,
    break_header_empty,
    break_header_offset,
    break_source,
    break_source_file,
    break_disabled,
    break_disabled_for_32_bits,
    break_folder_unnamed,
    break_folder_elsewhere,
    break_installer,
    break_other_boot,
};

enum { MENDABLE = sizeof mendable / sizeof mendable[0] };

static uint64_t seed = 20240229;
static unsigned rounds = MENDABLE;
/* The damage of the first round; each round begins with the next damage. */
static unsigned first_damage;

static unsigned next_random(void)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(seed >> 33);
}

/* Wait until the copies that were replaced are gone. Under Wine a removed file keeps its name until
 * the last program has closed it, and Wine may close the file after that program has ended. */
static void wait_for_replaced_copies(void)
{
    wchar_t pattern[MAX_PATH];
    WIN32_FIND_DATAW found;

    path_in(pattern, program, WSERVICE L"Prf-*.old");
    for (int waits = 0; waits < 500; waits++) {
        HANDLE search = FindFirstFileW(pattern, &found);

        if (search == INVALID_HANDLE_VALUE)
            return;
        FindClose(search);
        Sleep(20);
    }
}

static void install_both_versions(void)
{
    const prfdata_install_options warned = {.protection = PRFDATA_PROTECTION_WARN};

    assert_int_equal(prfdata_install(earlier_map(), &warned), ERROR_SUCCESS);
    expect(0, "-Install -AllowUserWritableDll", "");
    wait_for_replaced_copies();
}

/* Returns whether the registered value has a map with this hash that can be decoded, even if the
 * value is damaged. */
static bool is_map_decodable(uint64_t hash)
{
    static unsigned char bytes[65536];
    DWORD size = sizeof bytes;
    prfdata_maps maps;

    if (RegGetValueW(HKEY_LOCAL_MACHINE, PERFKEY, L"Maps", RRF_RT_REG_BINARY, NULL, bytes, &size) !=
        0)
        return false;
    prfdata_maps_salvage(bytes, size, &maps);
    return prfdata_maps_have(&maps, hash);
}

static uint64_t hash_of(const prfdata_map *map)
{
    prfdata_model *model = NULL;
    uint64_t hash;

    assert_int_equal(prfdata_model_make(map, &model), ERROR_SUCCESS);
    hash = model->hash;
    prfdata_model_free(model);
    return hash;
}

static bool is_version_shown(const char *said, const char *version)
{
    char words[64];

    assert_true(snprintf(words, sizeof words, ": shown, map %s,", version) > 0);
    return strstr(said, words) != NULL;
}

/* The keys in which -Repair writes values, and the keys' names in the lines that it prints. */
static const struct {
    const wchar_t *path;
    const char *shown;
} value_keys[] = {
    {PERFKEY, ""}, {KEY L"\\Linkage", "Linkage\\"}, {SOURCE, "PrfData " SERVICE "\\"}};

enum { VALUE_KEYS = sizeof value_keys / sizeof value_keys[0], MOST_FILES = 32 };

/* For a region, `bytes` is NULL, because a program may change the region at any time. */
typedef struct installed_file {
    wchar_t path[MAX_PATH];
    unsigned char *bytes;
    DWORD size;
} installed_file;

typedef struct installed_state {
    prfdata_value_list values[VALUE_KEYS];
    installed_file files[MOST_FILES]; /* the files of this service in all folders */
    size_t file_count;
} installed_state;

static void save_files(installed_state *state, const wchar_t *place, const wchar_t *names,
                       bool are_regions)
{
    wchar_t pattern[MAX_PATH];
    WIN32_FIND_DATAW found;
    HANDLE search;

    path_in(pattern, place, names);
    search = FindFirstFileW(pattern, &found);
    if (search == INVALID_HANDLE_VALUE)
        return;
    do {
        installed_file *file = &state->files[state->file_count];

        if (found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY)
            continue;
        assert_true(state->file_count < MOST_FILES);
        path_in(file->path, place, found.cFileName);
        file->bytes = are_regions ? NULL : read_file(file->path, &file->size);
        state->file_count++;
    } while (FindNextFileW(search, &found));
    FindClose(search);
}

static void save_state(installed_state *state)
{
    memset(state, 0, sizeof *state);
    for (size_t i = 0; i < VALUE_KEYS; i++) {
        HKEY key;

        if (RegOpenKeyExW(HKEY_LOCAL_MACHINE, value_keys[i].path, 0, KEY_READ, &key) != 0)
            continue;
        assert_int_equal(prfdata_service_key_save_values(key, &state->values[i]), ERROR_SUCCESS);
        RegCloseKey(key);
    }
    save_files(state, folder, WSERVICE L"*", false);
    save_files(state, program, WSERVICE L"Prf-*", false);
    save_files(state, regions, L"*", true);
}

static void free_state(installed_state *state)
{
    for (size_t i = 0; i < VALUE_KEYS; i++)
        prfdata_service_key_free_values(&state->values[i]);
    for (size_t i = 0; i < state->file_count; i++)
        free(state->files[i].bytes);
}

static const installed_file *find_file(const installed_state *state, const wchar_t *path)
{
    for (size_t i = 0; i < state->file_count; i++)
        if (wcscmp(state->files[i].path, path) == 0)
            return &state->files[i];
    return NULL;
}

static bool is_same_file_doctor(const installed_file *file, const installed_file *other)
{
    if (!file || !other)
        return file == other;
    return file->size == other->size &&
           (file->size == 0 || memcmp(file->bytes, other->bytes, file->size) == 0);
}

static size_t count_words(const char *text, const char *words)
{
    size_t count = 0;

    for (const char *at = text; (at = strstr(at, words)) != NULL; at++)
        count++;
    return count;
}

/* ---- Lines about values ---- */

/* Show a value as -Repair does: a text in quotation marks, a number, or the size of anything
 * else. */
static void show_expected(const prfdata_value *value, char *shown, size_t capacity)
{
    DWORD number = 0;
    wchar_t text[256] = L"";

    if (!value) {
        snprintf(shown, capacity, "absent");
    } else if (value->type == REG_DWORD) {
        memcpy(&number, value->data, sizeof number);
        snprintf(shown, capacity, "%lu", (unsigned long)number);
    } else if (value->type == REG_BINARY) {
        snprintf(shown, capacity, "%lu bytes of type 3", (unsigned long)value->size);
    } else {
        memcpy(text, value->data, value->size < sizeof text ? value->size : sizeof text - 2);
        snprintf(shown, capacity, "\"%ls\"", text);
    }
}

/* Expect the line about a change from `value` to `now`. NULL stands for an absent value. */
static void expect_change(const char *key, const wchar_t *name, const prfdata_value *value,
                          const prfdata_value *now, const program_run *run)
{
    char was[512], is[512], line[1280];

    show_expected(value, was, sizeof was);
    show_expected(now, is, sizeof is);
    snprintf(line, sizeof line, SERVICE ": Value %s%ls: was %s, is %s%s\r\n", key, name, was, is,
             strcmp(was, is) == 0 ? " with another content or type" : "");
    if (!strstr(run->out, line))
        program_run_fail(run, line);
}

static bool is_same_value_doctor(const prfdata_value *value, const prfdata_value *other)
{
    return value && other && value->type == other->type && value->size == other->size &&
           memcmp(value->data, other->data, value->size) == 0;
}

/* Expect a line for each value of the key that has changed. Returns the number of such values. */
static size_t expect_changes_of(const char *key, const prfdata_value_list *before,
                                const prfdata_value_list *after, const program_run *run)
{
    size_t count = 0;

    for (size_t i = 0; i < before->count; i++) {
        const prfdata_value *value = &before->values[i];
        const prfdata_value *now = prfdata_service_key_find(after, value->name);

        if (is_same_value_doctor(value, now))
            continue;
        expect_change(key, value->name, value, now, run);
        count++;
    }
    for (size_t i = 0; i < after->count; i++) {
        const prfdata_value *now = &after->values[i];

        if (prfdata_service_key_find(before, now->name))
            continue;
        expect_change(key, now->name, NULL, now, run);
        count++;
    }
    return count;
}

static void expect_values(const installed_state *before, const installed_state *after,
                          const program_run *run)
{
    size_t changed = 0;

    for (size_t i = 0; i < VALUE_KEYS; i++)
        changed +=
            expect_changes_of(value_keys[i].shown, &before->values[i], &after->values[i], run);
    if (count_words(run->out, ": Value ") != changed)
        program_run_fail(run, "a line for each change, and for nothing else");
}

/* ---- Lines about files ---- */

/* Return how many lines say that a replaced copy was removed. There is such a line only if another
 * program had the copy open, so the number does not depend on what was repaired. */
static size_t count_replaced_copies(const char *said)
{
    size_t count = 0;

    for (const char *at = said; (at = strstr(at, "DLL removed: ")) != NULL; at++)
        count += strncmp(at + strcspn(at, "\r") - 4, ".old", 4) == 0;
    return count;
}

/* Expect lines for exactly those files that were written or removed. */
static void expect_said_files(const installed_state *before, const installed_state *after,
                              const program_run *run)
{
    static const char *const verbs[] = {"Title file written: ", "DLL copied: ", "DLL removed: ",
                                        "Regions from before the last restart removed: "};
    size_t changed = 0, regions_gone = 0, said = 0;
    char line[2 * MAX_PATH];

    for (size_t i = 0; i < after->file_count; i++) {
        const installed_file *file = &after->files[i];

        if (is_same_file_doctor(find_file(before, file->path), file))
            continue;
        snprintf(line, sizeof line, ": %ls\r\n", file->path);
        if (!strstr(run->out, line))
            program_run_fail(run, line);
        changed++;
    }
    for (size_t i = 0; i < before->file_count; i++) {
        if (find_file(after, before->files[i].path))
            continue;
        printf("gone: %ls, attributes now %lx\n",
               before->files[i].path, /* cmocka shows the path if the test fails */
               (unsigned long)GetFileAttributesW(before->files[i].path));
        if (before->files[i].bytes)
            changed++;
        else
            regions_gone++;
    }
    if (regions_gone > 0)
        changed++; /* one line reports all regions together */
    for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; i++)
        said += count_words(run->out, verbs[i]);
    if (said - count_replaced_copies(run->out) != changed)
        program_run_fail(run, "a line for each file that was written, and for no other");
}

static const prfdata_value *maps_of(const installed_state *state)
{
    return prfdata_service_key_find(&state->values[0], L"Maps");
}

static void expect_bytes(const installed_state *state, const wchar_t *name, void *bytes,
                         size_t size)
{
    wchar_t path[MAX_PATH];
    const installed_file *file;

    path_in(path, folder, name);
    file = find_file(state, path);
    assert_non_null(file);
    assert_int_equal(file->size, size);
    assert_memory_equal(file->bytes, bytes, size);
    free(bytes);
}

static void expect_titles_of_map(const installed_state *state)
{
    const prfdata_value *maps = maps_of(state);
    prfdata_title_languages languages;
    prfdata_model *model = NULL;
    void *bytes = NULL;
    size_t size = 0;

    assert_non_null(maps);
    assert_int_equal(prfdata_maps_current(maps->data, maps->size, &model), ERROR_SUCCESS);
    prfdata_title_database_languages(&languages);
    assert_int_equal(prfdata_title_text_ini(model, &languages, &bytes, &size), ERROR_SUCCESS);
    expect_bytes(state, WSERVICE L".ini", bytes, size);
    assert_int_equal(prfdata_title_text_header(model, &bytes, &size), ERROR_SUCCESS);
    expect_bytes(state, WSERVICE L".h", bytes, size);
    prfdata_model_free(model);
}

/* Expect the same files as before the damage. A DLL must have the same bytes. Title files must have
 * the same bytes if the registered map has not changed. */
static void expect_files(const installed_state *wanted, const installed_state *after)
{
    const bool has_same_map = is_same_value_doctor(maps_of(wanted), maps_of(after));

    expect_titles_of_map(after);
    for (size_t i = 0; i < after->file_count; i++)
        if (!find_file(wanted, after->files[i].path))
            fail_msg("%ls was not there before", after->files[i].path);
    for (size_t i = 0; i < wanted->file_count; i++) {
        const installed_file *file = &wanted->files[i];
        const installed_file *now = find_file(after, file->path);
        const wchar_t *end = wcsrchr(file->path, L'.');

        if (!now)
            fail_msg("%ls is gone", file->path);
        else if ((has_same_map || wcscmp(end, L".dll") == 0) && !is_same_file_doctor(file, now))
            fail_msg("%ls is another one", file->path);
    }
}

/* `is_decodable` says whether the earlier map could still be decoded after the damage. */
static void repair_all(const installed_state *wanted, bool is_decodable)
{
    installed_state before, after;
    program_run run;

    save_state(&before);
    run_installer(&run, "-Repair");
    wait_for_replaced_copies();
    save_state(&after);
    expect_values(&before, &after, &run);
    expect_said_files(&before, &after, &run);
    expect_files(wanted, &after);
    free_state(&before);
    free_state(&after);
    if (strstr(run.out, "unchanged") || strstr(run.out, "nothing to change") ||
        strstr(run.out, INSTALLER " -Repair") || strstr(run.err, INSTALLER " -Repair"))
        program_run_fail(&run, "true lines only");
    if (run.exit_code != (is_decodable ? 0 : 6) ||
        (is_decodable && !strstr(run.out, SERVICE ": Nothing is wrong now\r\n")))
        program_run_fail(&run, "the repair");
    program_run_free(&run);
    run_installer(&run, "-Status");
    if (run.exit_code != (is_decodable ? 0 : 6) || !is_version_shown(run.out, "present") ||
        is_version_shown(run.out, "earlier") != is_decodable)
        program_run_fail(&run, "the programs that publish");
    program_run_free(&run);
}

static void break_and_repair(unsigned first, unsigned second)
{
    title_indexes before, now;
    installed_state wanted;
    bool is_decodable;

    save_state(&wanted);
    title_indexes_read(&before, PERFKEY);
    first_counter = number_of(PERFKEY, L"First Counter");
    mendable[first]();
    if (second != first)
        mendable[second]();
    is_decodable = is_map_decodable(hash_of(earlier_map()));
    repair_all(&wanted, is_decodable);
    title_indexes_read(&now, PERFKEY);
    title_indexes_assert_none_changed_hands(&before, &now);
    free_state(&wanted);
    if (!is_decodable) {
        install_both_versions();
        save_state(&wanted);
        repair_all(&wanted, true);
        free_state(&wanted);
    }
    clean_changed_dll();
}

/* After each repair, programs that publish are shown, even one of an earlier version if its map
 * could be decoded. No title gets the index of another one, and titles of other services stay. */
static void test_doctor_repair_of_any_two_loses_nothing(void **state)
{
    DWORD last;

    (void)state;
    install_both_versions();
    last = number_of(PERFKEY, L"First Counter") - 2; /* the last title before ours */
    start_publisher("fine");
    other_publisher = publisher;
    start_publisher("earlier");
    for (unsigned round = 0; round < rounds; round++) {
        const uint64_t seed_before = seed;
        const unsigned first = (first_damage + round) % MENDABLE;
        const unsigned second = next_random() % MENDABLE;

        print_message("-seed %llu 1 %u: and %u\n", (unsigned long long)seed_before, first, second);
        break_and_repair(first, second);
        assert_true(number_of(PERFLIB, L"Last Counter") >= last);
        assert_true(number_of(PERFKEY, L"First Counter") > last);
    }
}

static void test_doctor_repair_says_what_it_changed(void **state)
{
    char first[96], folder_line[2 * MAX_PATH];
    program_run run;
    DWORD right;

    (void)state;
    expect(0, "-Install -AllowUserWritableDll", "");
    right = number_of(PERFKEY, L"First Counter");
    break_open();
    break_metadata();
    add_to_number(L"First Counter", 4);
    snprintf(first, sizeof first, ": Value First Counter: was %lu, is %lu\r\n",
             (unsigned long)right + 4, (unsigned long)right);
    run_installer(&run, "-Repair");
    if (run.exit_code != 0 || !strstr(run.out, first) || !strstr(run.out, ": Value Open: was \"") ||
        !strstr(run.out, ": Value Collect Supports Metadata: was "))
        program_run_fail(&run, "the values");
    program_run_free(&run);
    break_linkage();
    break_source_file();
    run_installer(&run, "-Repair");
    if (run.exit_code != 0 ||
        !strstr(run.out, ": Value Linkage\\Export: was absent, is \"" SERVICE "\"\r\n") ||
        !strstr(run.out,
                ": Value PrfData " SERVICE "\\EventMessageFile: was \"C:\\nowhere.dll\", is \""))
        program_run_fail(&run, "Linkage and the event source");
    program_run_free(&run);
    delete_value(PERFKEY, L"Regions");
    snprintf(folder_line, sizeof folder_line, ": Value Regions: was absent, is \"%ls\"\r\n",
             regions);
    run_installer(&run, "-Repair");
    if (run.exit_code != 0 || !strstr(run.out, folder_line))
        program_run_fail(&run, folder_line);
    program_run_free(&run);
    run_installer(&run, "-Repair"); /* a second repair changes nothing */
    if (run.exit_code != 0 || strstr(run.out, ": Value "))
        program_run_fail(&run, "nothing");
    program_run_free(&run);
}

/* Another service uses only some of our titles. */
static void test_doctor_names_the_titles_that_are_shared(void **state)
{
    unsigned long last;
    char line[128];

    (void)state;
    if (!prfdata_wine_is_here())
        skip(); /* the numbers of Windows' title database must not be changed */
    expect(0, "-Install -AllowUserWritableDll", "");
    first_counter = number_of(PERFKEY, L"First Counter");
    last = number_of(PERFKEY, L"Last Counter");
    assert_true(last > first_counter);
    break_titles_shared();
    snprintf(line, sizeof line,
             "the titles %lu to %lu belong to the service PrfDataTestNeighbour as well", last,
             last);
    expect(6, "-Status", line);
}

static size_t count_commands(const char *text)
{
    size_t count = 0;

    for (const char *at = strstr(text, "Fix: "); at; at = strstr(at + 1, "Fix: "))
        count++;
    return count;
}

/*
 * The folder was renamed while a program ran. Expect that -Status recommends only -Repair. Expect
 * that -Repair renames the folder back, and that the program is shown again.
 */
static void expect_moved_back(const wchar_t *moved)
{
    char line[3 * MAX_PATH];
    program_run status;

    snprintf(line, sizeof line, "Wrong: the regions folder %ls is now %ls, where process ", regions,
             moved);
    run_installer(&status, "-Status");
    if (status.exit_code != 6 || !strstr(status.out, line) || count_commands(status.out) != 1 ||
        !strstr(status.out, "Fix: " INSTALLER " -Repair " SERVICE "\r\n"))
        program_run_fail(&status, "the renamed folder");
    program_run_free(&status);
    expect(0, "-Repair", SERVICE ": Regions folder renamed back\r\n");
    assert_true(GetFileAttributesW(moved) == INVALID_FILE_ATTRIBUTES);
    assert_int_equal(count_regions(), 1);
    expect(0, "-Status", ": shown, map present");
}

/* The running program does not notice that its folder was renamed. Windows does not rename a folder
 * in which a file is open, so this test needs Wine on Linux. */
static void test_doctor_moves_a_renamed_folder_back(void **state)
{
    (void)state;
    expect(0, "-Install -AllowUserWritableDll", "");
    start_publisher("fine");
    if (!linux_shell_run("mv \"$1\" \"$2\"", regions, RENAMED_FOLDER))
        skip();
    expect_moved_back(RENAMED_FOLDER);
    assert_true(linux_shell_run("mv \"$1\" \"$2\"", DATA_FOLDER, SECOND_FOLDER));
    /* Any user may make a folder of this name in ProgramData. -Repair leaves it where it is. */
    assert_true(
        linux_shell_run("mkdir \"$1.empty\" && touch \"$1.empty/file\"", DATA_FOLDER, NULL));
    expect_moved_back(SECOND_FOLDER L"\\" WSERVICE);
    assert_true(linux_shell_run("rm \"$1.empty/file\" && rmdir \"$1.empty\"", DATA_FOLDER, NULL));
    /* -Install makes an empty folder of the old name. -Repair replaces it by the renamed folder. */
    assert_true(linux_shell_run("mv \"$1\" \"$2\"", regions, RENAMED_FOLDER));
    expect(0, "-Install -AllowUserWritableDll", "");
    expect_moved_back(RENAMED_FOLDER);
    assert_true(GetFileAttributesW(DATA_FOLDER L"\\" WSERVICE L".empty") ==
                INVALID_FILE_ATTRIBUTES);
    stop_publisher();
}

/* Another folder, which has a file, now has the old name of the renamed folder. So -Repair cannot
 * rename the folder back, and the program must be restarted. */
static void test_doctor_does_not_move_back_over_another_folder(void **state)
{
    char line[2 * MAX_PATH];
    wchar_t file[MAX_PATH];

    (void)state;
    expect(0, "-Install -AllowUserWritableDll", "");
    start_publisher("fine");
    if (!linux_shell_run("mv \"$1\" \"$2\"", regions, RENAMED_FOLDER))
        skip();
    expect(0, "-Install -AllowUserWritableDll", "");
    assert_true(swprintf(file, MAX_PATH, L"%ls\\file", regions) > 0);
    write_file(file, "", 0);
    snprintf(line, sizeof line, " publishes in %ls, which no reader opens", RENAMED_FOLDER);
    expect(6, "-Status", line);
    expect(6, "-Repair", line);
    assert_true(GetFileAttributesW(RENAMED_FOLDER) != INVALID_FILE_ATTRIBUTES);
    stop_publisher();
    expect(0, "-Status", "");
    assert_true(DeleteFileW(file));
    assert_true(linux_shell_run("rm -r \"$1\"", RENAMED_FOLDER, NULL));
}

/*
 * Any user may create a folder next to the regions folder, and put a region of a running program
 * there. Such a folder does not get the name of the regions folder.
 */
static void test_doctor_moves_no_folder_of_others(void **state)
{
    (void)state;
    expect(0, "-Install -AllowUserWritableDll", "");
    start_publisher("fine");
    if (!linux_shell_run("mv \"$1\" \"$2\" && chown 65534 \"$2\"", regions, RENAMED_FOLDER))
        skip();
    expect(6, "-Status", "the regions folder does not exist: ");
    expect(0, "-Repair", SERVICE ": Run: " INSTALLER " -Install " SERVICE "\r\n");
    assert_true(GetFileAttributesW(RENAMED_FOLDER) != INVALID_FILE_ATTRIBUTES);
    assert_int_equal(count_regions(), 0);
    stop_publisher();
    assert_true(linux_shell_run("rm -r \"$1\"", RENAMED_FOLDER, NULL));
}

#define ELSEWHERE L"C:\\ProgramData\\Elsewhere\\" WSERVICE

/* Expect that neither -Status nor -Repair believes that a program publishes in the default
 * folder. */
static void expect_usual_folder_is_not_believed(void)
{
    wchar_t named[MAX_PATH];
    DWORD size = sizeof named;
    program_run run;

    set_text(PERFKEY, L"Regions", ELSEWHERE);
    run_installer(&run, "-Status");
    if (strstr(run.out, "programs publish in") || strstr(run.err, "programs publish in"))
        program_run_fail(&run, "a folder that is not ours");
    program_run_free(&run);
    run_installer(&run, "-Repair");
    if (strstr(run.out, "Regions folder corrected"))
        program_run_fail(&run, "a folder that is not ours");
    program_run_free(&run);
    assert_int_equal(
        RegGetValueW(HKEY_LOCAL_MACHINE, PERFKEY, L"Regions", RRF_RT_REG_SZ, NULL, named, &size),
        ERROR_SUCCESS);
    assert_true(wcscmp(named, ELSEWHERE) == 0);
}

/* Every user may make folders in ProgramData, and keep a file in them open. */
static void test_doctor_repair_does_not_believe_a_folder_of_a_stranger(void **state)
{
    wchar_t path[MAX_PATH];
    HANDLE file;

    (void)state;
    expect(0, "-Install -AllowUserWritableDll", "");
    region_path(path, prfdata_os_boot(), 1);
    file = CreateFileW(path, GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ, NULL, CREATE_ALWAYS, 0,
                       NULL);
    assert_true(file != INVALID_HANDLE_VALUE);
    expect_usual_folder_is_not_believed();
    CloseHandle(file);
    assert_true(DeleteFileW(path));
    set_text(PERFKEY, L"Regions", regions);
    start_publisher("fine");
    if (linux_shell_run("chown 65534 \"$1\"", regions, NULL)) {
        expect_usual_folder_is_not_believed();
        assert_true(linux_shell_run("chown root \"$1\"", regions, NULL));
    }
    stop_publisher();
    assert_true(!prfdata_wine_is_here() ||
                linux_shell_run("rm -r \"$1\"", L"C:\\ProgramData\\Elsewhere", NULL));
}

/* The system has a language that never took our titles. This is no fault of the installation, so
 * -Repair neither loads titles again nor suggests a command. */
static void test_doctor_repair_tolerates_a_language_without_our_titles(void **state)
{
    program_run run;

    (void)state;
    if (!prfdata_wine_is_here())
        skip(); /* on Windows, titles cannot be broken like this */
    expect(0, "-Install -AllowUserWritableDll", "");
    break_language();
    run_installer(&run, "-Repair");
    clean_language();
    if (run.exit_code != 0 || !strstr(run.out, SERVICE ": Nothing is wrong now\r\n") ||
        strstr(run.out, "    " INSTALLER " -"))
        program_run_fail(&run, "a language that takes no titles");
    program_run_free(&run);
}

/* -TryLoad and -TryRead are commands for the helper process and not for people, so -? does not
 * show them. */
static void test_doctor_helper_answers_with_a_code_of_its_own(void **state)
{
    program_run run;

    (void)state;
    program_run_make(&run, INSTALLER, "-TryLoad C:\\nowhere.dll");
    assert_int_equal(run.exit_code, 0x20000000 | ERROR_MOD_NOT_FOUND);
    program_run_free(&run);
    program_run_make(&run, INSTALLER, "-TryLoad C:\\windows\\system32\\kernel32.dll");
    assert_int_equal(run.exit_code, 0x20000000 | ERROR_PROC_NOT_FOUND);
    program_run_free(&run);
    program_run_make(&run, INSTALLER, "-TryRead 9999998");
    assert_int_equal(run.exit_code, 0x20000000 | ERROR_NOT_FOUND);
    program_run_free(&run);
    program_run_make(&run, INSTALLER, "-?");
    assert_null(strstr(run.out, "-Try"));
    program_run_free(&run);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        TEST(test_doctor_shows_who_publishes),
        TEST(test_doctor_tries_for_real),
        TEST(test_doctor_prints_json),
        TEST(test_doctor_repair_runs_what_is_safe_and_names_the_rest),
        TEST(test_doctor_names_the_titles_that_are_shared),
        TEST(test_doctor_moves_a_renamed_folder_back),
        TEST(test_doctor_does_not_move_back_over_another_folder),
        TEST(test_doctor_moves_no_folder_of_others),
        TEST(test_doctor_repair_does_not_believe_a_folder_of_a_stranger),
        TEST(test_doctor_repair_says_what_it_changed),
        TEST(test_doctor_repair_tolerates_a_language_without_our_titles),
        TEST(test_doctor_helper_answers_with_a_code_of_its_own),
        TEST(test_doctor_every_broken_installation_is_found_and_mended),
    };
    const struct CMUnitTest by_chance[] = {
        TEST(test_doctor_repair_of_any_two_loses_nothing),
    };

    /* -seed is followed by the seed, the number of rounds, and perhaps the first damage. */
    if (argc > 3 && strcmp(argv[1], "-seed") == 0) {
        seed = strtoull(argv[2], NULL, 10);
        rounds = (unsigned)strtoul(argv[3], NULL, 10);
        first_damage = argc > 4 ? (unsigned)strtoul(argv[4], NULL, 10) : 0;
        return cmocka_run_group_tests_name("doctor by chance", by_chance, NULL, NULL);
    }
    if (argc > 1)
        return publish(argv[1]);
    return cmocka_run_group_tests_name("doctor", tests, NULL, NULL);
}
