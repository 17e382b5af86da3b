/* SPDX-License-Identifier: MIT */
/*
 * Plays the attacker of docs/security-and-limits.md, "What an elevated command checks". Each row
 * plants something in a place that an elevated command reads; then every command runs. Nothing
 * outside of PrfData's places may change, whatever the commands answer. Most rows plant a link by a
 * Linux command, so they are skipped on real Windows. Windows only.
 */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "support/golden.h"
#include "support/installer/install_scene.h"
#include "support/linux_shell.h"
#include "titles/service_key.h"
#include "windows/directory.h"

#define REGION OF_BOOT L"0123456789abcdef.region"

static wchar_t victim[MAX_PATH]; /* a folder that PrfData did not make */

/* ---- What must not change ---- */

static const wchar_t *const victims[] = {L"secret.txt", REGION, WSERVICE L".ini", WSERVICE L".h",
                                         WSERVICE L".ini.new"};
enum { VICTIMS = sizeof victims / sizeof victims[0] };

static void make_victim(void)
{
    wchar_t inner[MAX_PATH];

    path_in(inner, victim, WSERVICE);
    assert_true(CreateDirectoryW(victim, NULL));
    assert_true(CreateDirectoryW(inner, NULL));
    for (size_t i = 0; i < VICTIMS; i++) {
        write_file_in(victim, victims[i]);
        write_file_in(inner, victims[i]);
    }
}

static size_t count_files_of(const wchar_t *folder)
{
    WIN32_FIND_DATAW found;
    wchar_t pattern[MAX_PATH];
    HANDLE search;
    size_t count = 0;

    path_in(pattern, folder, L"*");
    search = FindFirstFileW(pattern, &found);
    assert_true(search != INVALID_HANDLE_VALUE);
    do
        count++;
    while (FindNextFileW(search, &found));
    FindClose(search);
    return count;
}

static bool is_folder_whole(const wchar_t *folder, size_t folders)
{
    for (size_t i = 0; i < VICTIMS; i++) {
        if (!file_is(folder, victims[i], "x", 1))
            return false;
    }
    return count_files_of(folder) == VICTIMS + 2 + folders; /* "." and ".." */
}

static bool is_victim_whole(void)
{
    wchar_t inner[MAX_PATH];

    path_in(inner, victim, WSERVICE);
    return is_folder_whole(victim, 1) && is_folder_whole(inner, 0);
}

/* ---- What the attacker plants ---- */

static bool shell(const char *script)
{
    return linux_shell_run(script, data, victim);
}

static bool plant_data_link(void)
{
    return shell("ln -s \"$2\" \"$1\"");
}

static bool plant_data_file(void)
{
    write_file(data, "mine", 4);
    return true;
}

static bool plant_data_owner(void)
{
    return shell("mkdir \"$1\" && chown 65534 \"$1\"");
}

static bool plant_regions(const wchar_t *script_path, const char *script)
{
    return linux_shell_run(script, script_path, victim);
}

static bool plant_regions_link(void)
{
    return shell("mkdir \"$1\"") && plant_regions(regions, "ln -s \"$2\" \"$1\"");
}

static bool plant_regions_file(void)
{
    return shell("mkdir \"$1\"") && plant_regions(regions, "echo mine >\"$1\"");
}

static bool plant_regions_owner(void)
{
    return shell("mkdir \"$1\"") && plant_regions(regions, "mkdir \"$1\" && chown 65534 \"$1\"");
}

/*
 * An account that publishes adds files to the folder of an installation. Wine follows symbolic
 * links to files in every call, so these rows use second names (hard links), which do the same
 * harm.
 */
static bool plant_in_regions(const char *script)
{
    wchar_t path[MAX_PATH], goal[MAX_PATH];

    assert_done(install());
    path_in(path, regions, REGION);
    path_in(goal, victim, REGION);
    return linux_shell_run(script, path, goal);
}

static bool plant_region_second_name(void)
{
    return plant_in_regions("ln \"$2\" \"$1\"");
}

static bool plant_region_folder(void)
{
    return plant_in_regions("mkdir \"$1\" && cp \"$2\" \"$1\"");
}

static bool plant_region_pipe(void)
{
    return plant_in_regions("mkfifo \"$1\"");
}

static bool plant_region_rubbish(void)
{
    return plant_in_regions("head -c 100000 /dev/urandom >\"$1\"");
}

static bool plant_title(const wchar_t *name, const char *script)
{
    wchar_t path[MAX_PATH], goal[MAX_PATH];

    path_in(path, data, name);
    path_in(goal, victim, name);
    return shell("mkdir \"$1\"") && linux_shell_run(script, path, goal);
}

static bool plant_title_second_name(void)
{
    return plant_title(WSERVICE L".ini", "ln \"$2\" \"$1\"");
}

static bool plant_header_second_name(void)
{
    return plant_title(WSERVICE L".h", "ln \"$2\" \"$1\"");
}

static bool plant_new_title_second_name(void)
{
    return plant_title(WSERVICE L".ini.new", "ln \"$2\" \"$1\"");
}

static bool plant_other_key(void)
{
    set_text(PERFKEY, L"Library", L"other.dll");
    return true;
}

/* Write a value for every name that the installer reads, with a wrong type and an absurd size. */
static bool plant_values(void)
{
    static const wchar_t *const names[] = {
        L"Maps",         L"Regions",     L"Writers",    L"Arch",        L"Installer",
        L"Library",      L"Open",        L"Collect",    L"Close",       L"First Counter",
        L"Last Counter", L"First Help",  L"Last Help",  L"Object List", L"Publish",
        L"Resets",       L"Regions MiB", L"PerfIniFile"};
    static BYTE rubbish[70000];
    HKEY key;

    assert_done(install());
    memset(rubbish, 0x41, sizeof rubbish);
    key = make_key(PERFKEY, 0);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        RegSetValueExW(key, names[i], 0, i % 2 ? REG_SZ : REG_BINARY, rubbish,
                       i % 3 ? sizeof rubbish : 3);
    RegCloseKey(key);
    return true;
}

/* The value Regions names a folder that PrfData did not make, with files that look like regions. */
static bool plant_regions_value(void)
{
    assert_done(install());
    set_text(PERFKEY, L"Regions", victim);
    return true;
}

static HANDLE held_mutex;

/* Any program may create the installer's mutex before the installer does. */
static bool plant_mutex(void)
{
    held_mutex = CreateMutexW(NULL, FALSE, L"Global\\PrfDataInstall");
    CloseHandle(CreateEventW(NULL, FALSE, FALSE, NULL));
    return held_mutex != NULL;
}

/* Make a folder next to the regions folder. It may look like a regions folder that was renamed. */
static bool plant_next_folder(void)
{
    assert_done(install());
    return plant_regions(regions, "rmdir \"$1\" && mkdir \"$1.old\" && chown 65534 \"$1.old\" && "
                                  "cp \"$2\"/*.region \"$1.old\"");
}

/*
 * `what` is the first column of the table in docs/security-and-limits.md. `first` is the answer of
 * the first -Install after planting, or ANY if every answer is right.
 */
enum { ANY = 0xFFFF };
static const struct {
    const char *what;
    bool (*plant)(void);
    uint32_t first;
} rows[] = {
    {"the values below `Services\\<service>\\Performance`", plant_other_key, ERROR_ALREADY_EXISTS},
    {"the values below `Services\\<service>\\Performance`", plant_values, ANY},
    {"the values below `Services\\<service>\\Performance`", plant_regions_value, ERROR_SUCCESS},
    {"`<ProgramData>\\PrfData`", plant_data_link, ERROR_DIRECTORY},
    {"`<ProgramData>\\PrfData`", plant_data_file, ERROR_DIRECTORY},
    {"`<ProgramData>\\PrfData`", plant_data_owner, ERROR_INVALID_OWNER},
    {"`<ProgramData>\\PrfData\\<service>`", plant_regions_link, ERROR_DIRECTORY},
    {"`<ProgramData>\\PrfData\\<service>`", plant_regions_file, ERROR_DIRECTORY},
    {"`<ProgramData>\\PrfData\\<service>`", plant_regions_owner, ERROR_INVALID_OWNER},
    {"another folder in which a program seems to publish", plant_next_folder, ERROR_SUCCESS},
    {"region files", plant_region_second_name, ERROR_SUCCESS},
    {"region files", plant_region_folder, ERROR_SUCCESS},
    {"region files", plant_region_pipe, ERROR_SUCCESS},
    {"region files", plant_region_rubbish, ERROR_SUCCESS},
    {"the title files", plant_title_second_name, ERROR_FILE_EXISTS},
    {"the title files", plant_header_second_name, ERROR_FILE_EXISTS},
    {"the title files", plant_new_title_second_name, ERROR_SUCCESS},
    {"the mutex `Global\\PrfDataInstall`", plant_mutex, ANY},
};

/* ---- The commands ---- */

static int set_up_attack(void **state)
{
    const int status = set_up(state);

    assert_true(swprintf(victim, MAX_PATH, L"%ls victim", data) > 0);
    return status;
}

static void clear_attack(void)
{
    if (held_mutex)
        CloseHandle(held_mutex);
    held_mutex = NULL;
    if (!linux_shell_run("rm -rf \"$1\" \"$2\" \"$1\"*", data, victim)) {
        remove_tree(victim);
        remove_tree(data);
    }
}

static void attack(size_t row)
{
    static uint32_t (*const commands[])(void) = {install,   repair,  reset,    status,
                                                 uninstall, install, uninstall};
    void *state = NULL;

    set_up_attack(&state);
    make_victim();
    if (!rows[row].plant()) {
        clear_attack();
        print_message("row %d needs Wine\n", (int)row);
        return;
    }
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        const uint32_t answer = commands[i]();

        if (i == 0 && rows[row].first != ANY && answer != rows[row].first)
            fail_msg("row %d: -Install answers %lu\n%ls", (int)row, (unsigned long)answer, report);
        if (!is_victim_whole())
            fail_msg("row %d: command %d changed the victim\n%ls", (int)row, (int)i, report);
        if (rows[row].plant == plant_other_key)
            assert_true(text_is(PERFKEY, L"Library", L"other.dll"));
    }
    if (rows[row].plant == plant_other_key)
        RegDeleteTreeW(HKEY_LOCAL_MACHINE, KEY);
    tear_down(&state);
    clear_attack();
}

static void test_attacker_reaches_nothing_outside(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        attack(i);
}

/* Returns whether a row of the table names a test that plays the attacker elsewhere. */
static bool names_other_test(const char *row)
{
    static const char *const tests[] = {"`convert` |\n", "`protection` |\n", "`map_file` |\n"};
    const char *end = strchr(row + 1, '\n');

    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++) {
        const size_t bytes = strlen(tests[i]);

        if (end && (size_t)(end - row) > bytes && strncmp(end + 1 - bytes, tests[i], bytes) == 0)
            return true;
    }
    return false;
}

static void test_attacker_plays_each_row_of_the_page(void **state)
{
    char *page = golden_text("docs/security-and-limits.md");

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char row[256];

        snprintf(row, sizeof row, "\n| %s", rows[i].what);
        if (!strstr(page, row))
            fail_msg("the page has no row that begins with %s", rows[i].what);
    }
    for (char *at = strstr(page, "| what is read |"); (at = strchr(at, '\n')) && at[1] == '|';
         at++) {
        size_t attacks = 0;

        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
            attacks += strncmp(at + 3, rows[i].what, strlen(rows[i].what)) == 0;
        if (at[2] == ' ' && attacks == 0 && !names_other_test(at))
            fail_msg("no attack on %.80s", at + 3);
    }
    free(page);
}

#define TEST(function) cmocka_unit_test_setup(function, set_up_attack)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_attacker_reaches_nothing_outside),
        TEST(test_attacker_plays_each_row_of_the_page),
    };

    return cmocka_run_group_tests_name("attacker", tests, NULL, NULL);
}
