/* SPDX-License-Identifier: MIT */
/* Asks about the installation of the product: which places its default check accepts, what a second
 * installation changes, which files and titles loadperf and Windows keep, what regions killed
 * programs leave, and what many regions cost. No publisher runs unless a question starts one. */
#include "kit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include <aclapi.h>
#include <sddl.h>

#include <prfdata/install.h>

#include "loadperf.h"
#include "product.h"

#define PERFORMANCE_KEY KIT_SERVICES L"\\" PRODUCT_SERVICE L"\\Performance"

/* The access list of the kit's folder, and two lists that have one more entry. The entry of
 * DOMAIN_ACCESS has the SID of a domain's administrators. The entry of OPEN_ACCESS lets users
 * change files. */
#define GUARDED_ACCESS L"O:BAD:P(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)(A;OICI;0x1200a9;;;AU)"
#define DOMAIN_ACCESS  GUARDED_ACCESS L"(A;OICI;FA;;;S-1-5-21-1-2-3-512)"
#define OPEN_ACCESS    GUARDED_ACCESS L"(A;OICI;0x1301bf;;;BU)"

enum { DUMP_CHARS = 1 << 16, KILLED = 20 };

/* ---- Places ---- */

typedef struct place {
    wchar_t folder[MAX_PATH];
    wchar_t dll[MAX_PATH + 32];
} place;

static bool make_place(place *p, const wchar_t *note, const wchar_t *access, const wchar_t *source)
{
    swprintf(p->dll, MAX_PATH + 32, L"%ls\\PrfDataKitPrf.dll", p->folder);
    return kit_make_folder(note, p->folder, access) == ERROR_SUCCESS &&
           (!source || CopyFileW(source, p->dll, FALSE));
}

/* Installs with the default check, and uninstalls again. */
static void ask_place(kit *k, kit_question_id question, const wchar_t *note, const place *p,
                      bool is_made)
{
    char said[300] = "", ignored[300];
    uint32_t status;

    if (!is_made) {
        kit_answer(&k->answers, question, KIT_FAILED, "the folder could not be made: error %lu",
                   (unsigned long)GetLastError());
    } else {
        status = kit_install_dll(p->dll, PRFDATA_PROTECTION_REQUIRED, NULL, said, sizeof said);
        if (k->is_wine && question == KIT_Q_protect_domain)
            kit_answer(&k->answers, question, KIT_NOT_HERE,
                       "Wine keeps no such list; status %u; %s", (unsigned)status, said);
        kit_answer_if(&k->answers, question, status == ERROR_SUCCESS, "status %u; %s",
                      (unsigned)status, said);
        if (status == ERROR_SUCCESS)
            kit_uninstall_product(ignored, sizeof ignored);
    }
    kit_remove_folder(note);
}

static void ask_programs(kit *k)
{
    wchar_t programs[MAX_PATH - 32];
    DWORD length = GetEnvironmentVariableW(L"ProgramFiles", programs, MAX_PATH - 32);
    place p;

    if (length == 0 || length >= MAX_PATH - 32) {
        kit_answer(&k->answers, KIT_Q_protect_programs, KIT_FAILED, "no ProgramFiles");
        return;
    }
    swprintf(p.folder, MAX_PATH, L"%ls\\PrfDataKit", programs);
    if (k->is_wine) /* Wine makes access lists from Unix permissions, so it protects no folder */
        kit_answer_missing(k, KIT_Q_protect_programs, "Wine has no protected folder");
    else
        ask_place(k, KIT_Q_protect_programs, L"Programs", &p,
                  make_place(&p, L"Programs", NULL, k->product));
}

static void ask_user_folder(kit *k)
{
    wchar_t profile[MAX_PATH - 32];
    DWORD length = GetEnvironmentVariableW(L"USERPROFILE", profile, MAX_PATH - 32);
    bool is_made;
    place p;

    if (k->is_wine || length == 0 || length >= MAX_PATH - 32) {
        kit_answer_missing(k, KIT_Q_protect_user, "there is one account, which owns everything");
        return;
    }
    swprintf(p.folder, MAX_PATH, L"%ls\\PrfDataKit", profile);
    is_made = make_place(&p, L"Profile", NULL, k->product);
    ask_place(k, KIT_Q_protect_user, L"Profile", &p, is_made);
}

static void ask_domain_folder(kit *k)
{
    place p;

    swprintf(p.folder, MAX_PATH, L"%ls\\domain", k->data);
    ask_place(k, KIT_Q_protect_domain, L"Domain", &p,
              make_place(&p, L"Domain", DOMAIN_ACCESS, k->product));
}

static void ask_data_folder(kit *k)
{
    char said[300] = "", ignored[300];
    uint32_t status;
    place p;

    swprintf(p.folder, MAX_PATH, L"%ls\\open", k->data);
    if (!make_place(&p, L"Open", OPEN_ACCESS, NULL)) {
        kit_answer(&k->answers, KIT_Q_protect_data, KIT_FAILED, "no folder: error %lu",
                   (unsigned long)GetLastError());
    } else {
        status = kit_install_dll(k->product, PRFDATA_PROTECTION_WARN, p.folder, said, sizeof said);
        if (k->is_wine)
            kit_answer(&k->answers, KIT_Q_protect_data, KIT_NOT_HERE,
                       "Wine keeps no such list; status %u; %s", (unsigned)status, said);
        kit_answer_if(&k->answers, KIT_Q_protect_data, status == ERROR_SUCCESS, "status %u; %s",
                      (unsigned)status, said);
        if (status == ERROR_SUCCESS)
            kit_uninstall_product(ignored, sizeof ignored);
    }
    kit_remove_folder(L"Open");
}

static void ask_places(kit *k)
{
    char said[300] = "", ignored[300];
    uint32_t status;

    ask_programs(k);
    ask_user_folder(k);
    ask_domain_folder(k);
    ask_data_folder(k);
    status = kit_install_dll(k->product, PRFDATA_PROTECTION_REQUIRED, NULL, said, sizeof said);
    kit_answer_if(&k->answers, KIT_Q_protect_guarded, status == ERROR_SUCCESS, "status %u; %s",
                  (unsigned)status, said);
    if (status == ERROR_SUCCESS)
        kit_uninstall_product(ignored, sizeof ignored);
}

/* ---- A second installation ---- */

/* Dumps the values of a key and of the keys below it: name, type, and a sum of the bytes. */
static void dump_key(HKEY root, const wchar_t *path, wchar_t *text, size_t *used)
{
    wchar_t name[256], below[MAX_PATH * 2];
    DWORD chars = 256, type, bytes;
    static BYTE data[70000];
    HKEY key;

    if (RegOpenKeyExW(root, path, 0, KEY_READ, &key) != ERROR_SUCCESS)
        return;
    for (DWORD i = 0; bytes = sizeof data, chars = 256,
               RegEnumValueW(key, i, name, &chars, NULL, &type, data, &bytes) !=
                          ERROR_NO_MORE_ITEMS;
         i++) {
        unsigned long sum = bytes;

        for (DWORD at = 0; at < bytes && at < sizeof data; at++)
            sum = sum * 31 + data[at];
        if (*used + 400 < DUMP_CHARS)
            *used += (size_t)swprintf(text + *used, DUMP_CHARS - *used, L"%ls %ls %lu %lx\n", path,
                                      name, (unsigned long)type, sum);
    }
    for (DWORD i = 0;
         chars = 256, RegEnumKeyExW(key, i, name, &chars, NULL, NULL, NULL, NULL) == ERROR_SUCCESS;
         i++) {
        swprintf(below, MAX_PATH * 2, L"%.250ls\\%ls", path, name);
        dump_key(root, below, text, used);
    }
    RegCloseKey(key);
}

/* Returns lines that a second installation must not change. Owner: the caller. */
static wchar_t *take_state(void)
{
    wchar_t *state = calloc(DUMP_CHARS, sizeof *state), *snapshot = kit_take_snapshot(), *all;
    wchar_t folder[MAX_PATH];
    size_t used = 0, chars;

    if (state) {
        dump_key(HKEY_LOCAL_MACHINE, KIT_SERVICES L"\\" PRODUCT_SERVICE, state, &used);
        dump_key(HKEY_LOCAL_MACHINE,
                 KIT_SERVICES L"\\EventLog\\Application\\PrfData " PRODUCT_SERVICE, state, &used);
        if (kit_regions_folder(folder))
            swprintf(state + used, DUMP_CHARS - used, L"regions %ls\n", folder);
    }
    chars = (state ? wcslen(state) : 0) + (snapshot ? wcslen(snapshot) : 0) + 1;
    all = calloc(chars, sizeof *all);
    if (all && state && snapshot) {
        wcscpy(all, state);
        wcscat(all, snapshot);
    }
    free(state);
    free(snapshot);
    return all;
}

static void hear_wrong(void *context, prfdata_step step, const wchar_t *text)
{
    char *wrong = context;
    const size_t used = strlen(wrong);

    if (step == PRFDATA_STEP_FAILED && used + 2 < 700)
        snprintf(wrong + used, 700 - used, "%ls; ", text);
}

static void ask_status(kit *k)
{
    char wrong[700] = "";
    const prfdata_install_options options = {.step = hear_wrong, .context = wrong};
    const uint32_t status = prfdata_install_status(&kit_map_1, &options);

    kit_answer_if(&k->answers, KIT_Q_status_after, status == ERROR_SUCCESS, "status %u; %s",
                  (unsigned)status, wrong);
}

static uint32_t install(const kit *k, char *said, size_t capacity)
{
    return kit_install_dll(k->product, PRFDATA_PROTECTION_WARN, NULL, said, capacity);
}

static void ask_again(kit *k)
{
    wchar_t *before = take_state(), *after;
    char said[300] = "", lines[700] = "no state";
    const uint32_t status = install(k, said, sizeof said);

    after = take_state();
    if (before && after)
        kit_compare_snapshots(before, after, lines, sizeof lines);
    kit_answer_if(&k->answers, KIT_Q_install_again, status == ERROR_SUCCESS && lines[0] == 0,
                  "status %u; %s; %s", (unsigned)status, lines[0] ? lines : "as before", said);
    ask_status(k);
    free(before);
    free(after);
}

/* ---- An upgrade while the DLL is loaded ---- */

static unsigned count_pending(void)
{
    enum { BYTES = 1 << 20 };
    wchar_t *texts = calloc(1, BYTES + 4);
    DWORD bytes = BYTES;
    unsigned count = 0;

    if (texts &&
        RegGetValueW(HKEY_LOCAL_MACHINE, L"SYSTEM\\CurrentControlSet\\Control\\Session Manager",
                     L"PendingFileRenameOperations", RRF_RT_REG_MULTI_SZ, NULL, texts,
                     &bytes) == ERROR_SUCCESS) {
        for (size_t at = 0; at < bytes / sizeof *texts; at += wcslen(texts + at) + 1)
            count += wcsstr(texts + at, L"PrfDataKit") != NULL;
    }
    free(texts);
    return count;
}

/* Copies the DLL and adds a byte at the end of the copy. No loader reads this byte. */
static bool make_next_dll(const kit *k, wchar_t path[MAX_PATH + 32])
{
    HANDLE file;
    DWORD written = 0;

    swprintf(path, MAX_PATH + 32, L"%ls\\PrfDataKitNext.dll", k->data);
    if (!CopyFileW(k->product, path, FALSE))
        return false;
    file = CreateFileW(path, FILE_APPEND_DATA, 0, NULL, OPEN_EXISTING, 0, NULL);
    if (file == INVALID_HANDLE_VALUE)
        return false;
    WriteFile(file, "\n", 1, &written, NULL);
    CloseHandle(file);
    return written == 1;
}

static void ask_pending(kit *k)
{
    wchar_t registered[MAX_PATH], next[MAX_PATH + 32];
    DWORD bytes = sizeof registered;
    const unsigned before = count_pending();
    HMODULE module = NULL;
    char said[300] = "";
    uint32_t status;

    if (RegGetValueW(HKEY_LOCAL_MACHINE, PERFORMANCE_KEY, L"Library", RRF_RT_REG_SZ, NULL,
                     registered, &bytes) == ERROR_SUCCESS)
        module = LoadLibraryW(registered);
    if (!module || !make_next_dll(k, next)) {
        kit_answer(&k->answers, KIT_Q_pending, KIT_FAILED, "no DLL is loaded, or no other made");
    } else {
        status = kit_install_dll(next, PRFDATA_PROTECTION_WARN, NULL, said, sizeof said);
        if (status == ERROR_SUCCESS)
            kit_answer_if(&k->answers, KIT_Q_pending, count_pending() > before,
                          "%u of PendingFileRenameOperations name the kit, before %u; %s",
                          count_pending(), before, said);
        else
            kit_answer(&k->answers, KIT_Q_pending, KIT_FAILED, "status %u; %s", (unsigned)status,
                       said);
    }
    if (module)
        FreeLibrary(module);
}

/* ---- Files that loadperf keeps ---- */

static void ask_languages(kit *k)
{
    char seen[800] = "";
    wchar_t name[64];
    DWORD chars = 64;
    size_t used = 0;
    HKEY key;

    if (RegOpenKeyExW(HKEY_LOCAL_MACHINE, KIT_PERFLIB, 0, KEY_READ, &key) != ERROR_SUCCESS) {
        kit_answer_missing(k, KIT_Q_languages, "Perflib has no key");
        return;
    }
    for (DWORD i = 0;
         chars = 64, RegEnumKeyExW(key, i, name, &chars, NULL, NULL, NULL, NULL) == ERROR_SUCCESS;
         i++) {
        wchar_t list[80];

        if (wcsspn(name, L"0123456789ABCDEFabcdef") != wcslen(name) || used + 60 > sizeof seen)
            continue;
        swprintf(list, 80, L"Counter %ls", name);
        used += (size_t)snprintf(seen + used, sizeof seen - used, "%ls %s, ", name,
                                 kit_find_index(list, L"PrfData Kit Orders") ? "ours" : "no");
    }
    RegCloseKey(key);
    if (used > 0)
        kit_answer(&k->answers, KIT_Q_languages, KIT_TEXT, "%s", seen);
    else
        kit_answer_missing(k, KIT_Q_languages, "Perflib has no languages");
}

static void list_files(const wchar_t *folder, int depth, char *text, size_t capacity)
{
    wchar_t path[2 * MAX_PATH];
    WIN32_FIND_DATAW found;
    HANDLE search;

    swprintf(path, 2 * MAX_PATH, L"%ls\\*", folder);
    search = FindFirstFileW(path, &found);
    if (search == INVALID_HANDLE_VALUE)
        return;
    do {
        const size_t used = strlen(text);

        if (found.cFileName[0] == L'.')
            continue;
        swprintf(path, 2 * MAX_PATH, L"%ls\\%ls", folder, found.cFileName);
        if (!(found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY))
            snprintf(text + used, capacity - used, "%ls %lu; ", path,
                     (unsigned long)found.nFileSizeLow);
        else if (depth > 0)
            list_files(path, depth - 1, text, capacity);
    } while (FindNextFileW(search, &found));
    FindClose(search);
}

static void add_value(const wchar_t *name, char *text, size_t capacity)
{
    wchar_t value[MAX_PATH];
    DWORD bytes = sizeof value;
    const size_t used = strlen(text);

    if (RegGetValueW(HKEY_LOCAL_MACHINE, PERFORMANCE_KEY, name,
                     RRF_RT_REG_SZ | RRF_RT_REG_EXPAND_SZ, NULL, value, &bytes) == ERROR_SUCCESS)
        snprintf(text + used, capacity - used, "%ls '%ls'; ", name, value);
}

/* Writes to `kept` what loadperf keeps of an .ini file: values of the key, and copies of files. */
static void look_at_copies(char *kept, size_t capacity)
{
    wchar_t folder[MAX_PATH] = L"";

    kept[0] = 0;
    add_value(L"PerfIniFile", kept, capacity);
    add_value(L"InstallType", kept, capacity);
    ExpandEnvironmentStringsW(L"%SystemRoot%\\INF\\" PRODUCT_SERVICE, folder, MAX_PATH);
    list_files(folder, 2, kept, capacity);
}

static void ask_copies(kit *k, const char *loaded)
{
    char left[400];

    look_at_copies(left, sizeof left);
    kit_answer(&k->answers, KIT_Q_ini_copies, KIT_TEXT, "loaded: %s unloaded: %s",
               loaded[0] ? loaded : "nothing;", left[0] ? left : "nothing");
}

/* ---- Regions ---- */

static bool publish_once(kit *k)
{
    char line[100];
    HANDLE process = kit_start(k, line, sizeof line, L"\"%ls\" -Publish 1 5", k->program);

    if (!process)
        return false;
    kit_kill(process);
    return strncmp(line, "published 0", 11) == 0;
}

/* Counts the regions; `first` gets the path of one. */
static unsigned count_regions(wchar_t first[2 * MAX_PATH])
{
    wchar_t folder[MAX_PATH], pattern[MAX_PATH + 16];
    WIN32_FIND_DATAW found;
    unsigned count = 0;
    HANDLE search;

    if (!kit_regions_folder(folder))
        return 0;
    swprintf(pattern, MAX_PATH + 16, L"%ls\\*.region", folder);
    search = FindFirstFileW(pattern, &found);
    if (search == INVALID_HANDLE_VALUE)
        return 0;
    do {
        if (count++ == 0)
            swprintf(first, 2 * MAX_PATH, L"%ls\\%ls", folder, found.cFileName);
    } while (FindNextFileW(search, &found));
    FindClose(search);
    return count;
}

static void ask_killed(kit *k)
{
    wchar_t first[2 * MAX_PATH];
    const int most = k->is_wine ? 4 : KILLED; /* Wine starts programs slowly, so fewer are killed */
    unsigned count;
    int started = 0;

    for (int i = 0; i < most; i++)
        started += publish_once(k);
    count = count_regions(first);
    if (started < most)
        kit_answer(&k->answers, KIT_Q_killed_files, KIT_FAILED, "%d of %d started", started, most);
    else
        kit_answer_if(&k->answers, KIT_Q_killed_files, count == 1, "%u after %d", count, most);
}

/* ---- Costs ---- */

static double read_for(unsigned wait, kit_reading *reading)
{
    LARGE_INTEGER begin, end, frequency;

    Sleep(wait);
    QueryPerformanceFrequency(&frequency);
    QueryPerformanceCounter(&begin);
    kit_read_here(PRODUCT_SERVICE, reading);
    QueryPerformanceCounter(&end);
    return (double)(end.QuadPart - begin.QuadPart) * 1e3 / (double)frequency.QuadPart;
}

/* Adds copies of the region under other names until there are `count`. */
static unsigned add_copies(const wchar_t *first, unsigned from, unsigned count)
{
    wchar_t path[2 * MAX_PATH];
    wchar_t *end;

    swprintf(path, 2 * MAX_PATH, L"%ls", first);
    end = wcsrchr(path, L'.');
    if (!end || end - path < 8)
        return from;
    for (unsigned i = from; i < count; i++) {
        wchar_t digits[8];

        swprintf(digits, 8, L"%06x", i);
        memcpy(end - 6, digits, 6 * sizeof *digits);
        if (!CopyFileW(first, path, TRUE))
            return i;
    }
    return count;
}

static void add_others(const wchar_t *first, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        wchar_t path[2 * MAX_PATH];
        HANDLE file;

        swprintf(path, 2 * MAX_PATH, L"%ls.other%u", first, i);
        file = CreateFileW(path, GENERIC_WRITE, 0, NULL, CREATE_NEW, 0, NULL);
        if (file != INVALID_HANDLE_VALUE)
            CloseHandle(file);
    }
}

static void measure(const char *what, unsigned count, char *seen, size_t capacity)
{
    kit_reading reading;
    const double open = read_for(0, &reading), collect = read_for(0, &reading),
                 refresh = read_for(1500, &reading);
    const size_t used = strlen(seen);

    snprintf(seen + used, capacity - used, "%u %s: %.2f, %.2f, %.2f ms, sum %llu; ", count, what,
             open, refresh, collect, reading.value);
    RegCloseKey(HKEY_PERFORMANCE_DATA);
}

/* Measures the cost of many regions, and of many other files in their folder. Most regions
 * are copies of one region. No running program publishes in them. */
static void ask_costs(kit *k)
{
    static const unsigned counts[] = {1, 100, 1000};
    const unsigned others = k->is_wine ? 100 : 20000; /* Wine makes files slowly */
    wchar_t first[2 * MAX_PATH] = L"";
    unsigned count = count_regions(first);
    char seen[700] = "";

    if (count == 0 || k->is_stopped) {
        kit_answer(&k->answers, KIT_Q_costs, KIT_FAILED, "there is no region");
        return;
    }
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        count = add_copies(first, count, k->is_wine && counts[i] > 100 ? 100 : counts[i]);
        measure("regions", count, seen, sizeof seen);
    }
    add_others(first, others);
    measure("other files besides", others, seen, sizeof seen);
    kit_answer(&k->answers, KIT_Q_costs, KIT_TEXT, "Open, refresh, Collect: %s", seen);
}

/* Removes files that -Uninstall leaves in a folder because they are not its own. */
static void remove_others(const wchar_t *folder)
{
    wchar_t path[2 * MAX_PATH];
    WIN32_FIND_DATAW found;
    HANDLE search;

    swprintf(path, 2 * MAX_PATH, L"%ls\\*.other*", folder);
    search = FindFirstFileW(path, &found);
    if (search == INVALID_HANDLE_VALUE)
        return;
    do {
        swprintf(path, 2 * MAX_PATH, L"%ls\\%ls", folder, found.cFileName);
        DeleteFileW(path);
    } while (FindNextFileW(search, &found));
    FindClose(search);
}

void kit_ask_install(kit *k)
{
    char loaded[500], said[300] = "";
    wchar_t folder[MAX_PATH];
    uint32_t status;

    ask_places(k);
    status = install(k, said, sizeof said);
    if (status != ERROR_SUCCESS) {
        kit_answer_rest(&k->answers, KIT_Q_install_again, KIT_Q_costs, KIT_FAILED, said);
        return;
    }
    ask_again(k);
    ask_languages(k);
    ask_pending(k);
    ask_killed(k);
    ask_costs(k);
    look_at_copies(loaded, sizeof loaded);
    if (kit_regions_folder(folder))
        remove_others(folder);
    kit_uninstall_product(said, sizeof said);
    ask_copies(k, loaded);
}
