/* SPDX-License-Identifier: MIT */
/*
 * What loadperf makes of .ini files. Each is loaded for a service of its own and unloaded again;
 * what became of it is read from the title list, not believed from the returned status.
 */
#include "loadperf.h"

#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include "probe.h"

#define LOAD_PERFORMANCE KIT_SERVICES L"\\" LOAD_SERVICE L"\\Performance"
#define USUAL_SYMBOLS    "#define KIT_OBJECT 0\r\n#define KIT_COUNTER 2\r\n"

/* A pair of files, and the title that they must give at First Counter plus the offset. */
typedef struct load_case {
    kit_question_id question;
    const char *mark; /* before the first byte */
    const char *object;
    const char *symbols; /* NULL: no such file */
    DWORD offset;
    const char *title;
} load_case;

static const load_case cases[] = {
    {KIT_Q_load_utf8, "",
     "Gr\xC3\xB6\xC3\x9F"
     "e",
     USUAL_SYMBOLS, 0,
     "Gr\xC3\xB6\xC3\x9F"
     "e"},
    {KIT_Q_load_utf8_mark, "\xEF\xBB\xBF",
     "Gr\xC3\xB6\xC3\x9F"
     "e",
     USUAL_SYMBOLS, 0,
     "Gr\xC3\xB6\xC3\x9F"
     "e"},
    {KIT_Q_load_hex, "", "Kit", "#define KIT_OBJECT 0x0\r\n#define KIT_COUNTER 0x2\r\n", 2,
     "Loaded"},
    {KIT_Q_load_comment, "", "Kit",
     "#define KIT_OBJECT 0 /* first */\r\n"
     "#define KIT_COUNTER 2 // second\r\n",
     2, "Loaded"},
    {KIT_Q_load_gap, "", "Kit", "#define KIT_OBJECT 0\r\n#define KIT_COUNTER 6\r\n", 6, "Loaded"},
};

static DWORD make_load_service(const kit *k)
{
    HKEY key;
    LONG status = RegCreateKeyExW(HKEY_LOCAL_MACHINE, LOAD_PERFORMANCE, 0, NULL, 0, KEY_SET_VALUE,
                                  NULL, &key, NULL);

    if (status != ERROR_SUCCESS)
        return (DWORD)status;
    status = RegSetValueExW(key, L"Library", 0, REG_SZ, (const BYTE *)k->probe,
                            (DWORD)((wcslen(k->probe) + 1) * sizeof *k->probe));
    RegCloseKey(key);
    return (DWORD)status;
}

static bool write_bytes(const kit *k, const wchar_t *name, const char *mark, const char *text)
{
    wchar_t path[2 * MAX_PATH];
    FILE *file;

    swprintf(path, 2 * MAX_PATH, L"%ls\\%ls", k->data, name);
    DeleteFileW(path);
    if (!text)
        return true;
    file = _wfopen(path, L"wb");
    if (!file)
        return false;
    fprintf(file, "%s%s", mark, text);
    return fclose(file) == 0;
}

static bool write_case(const kit *k, const char *mark, const char *object, const char *symbols)
{
    char ini[1000];

    snprintf(ini, sizeof ini,
             "[info]\r\ndrivername=PrfDataKitLoad\r\nsymbolfile=load.h\r\n[languages]\r\n"
             "009=English\r\n[objects]\r\nKIT_OBJECT_009_NAME=\r\n[text]\r\n"
             "KIT_OBJECT_009_NAME=%s\r\nKIT_OBJECT_009_HELP=A test.\r\n"
             "KIT_COUNTER_009_NAME=Loaded\r\nKIT_COUNTER_009_HELP=A test.\r\n",
             object);
    return write_bytes(k, L"load it.ini", mark, ini) && write_bytes(k, L"load.h", "", symbols);
}

/* Load "load it.ini", in quotes or not. */
static DWORD load_file(const kit *k, bool is_quoted)
{
    wchar_t command[2 * MAX_PATH];

    swprintf(command, 2 * MAX_PATH,
             is_quoted ? L"kit \"%ls\\load it.ini\"" : L"kit %ls\\load it.ini", k->data);
    return kit_load_titles(command);
}

static DWORD first_number(void)
{
    return kit_service_number(LOAD_SERVICE, L"First Counter");
}

/* Whatever was loaded; the key's numbers go with it. */
static void unload_file(void)
{
    if (first_number() != 0)
        kit_unload_titles(LOAD_SERVICE);
}

static void ask_case(kit *k, const load_case *c)
{
    char title[300] = "";
    DWORD status, first;

    if (!write_case(k, c->mark, c->object, c->symbols)) {
        kit_answer(&k->answers, c->question, KIT_FAILED, "the files were not written");
        return;
    }
    status = load_file(k, true);
    first = first_number();
    if (first != 0)
        kit_find_title(L"Counter 009", first + c->offset, title, sizeof title);
    kit_answer_if(&k->answers, c->question, strcmp(title, c->title) == 0,
                  "status %lu, First Counter %lu, title %lu is '%s'", (unsigned long)status,
                  (unsigned long)first, (unsigned long)(first + c->offset), title);
    unload_file();
}

/* The status of a load, and whether it gave numbers. */
static void ask_status(kit *k, kit_question_id question, bool is_quoted)
{
    DWORD status = load_file(k, is_quoted);

    kit_answer(&k->answers, question, KIT_TEXT, "%lu; First Counter %lu", (unsigned long)status,
               (unsigned long)first_number());
}

static void ask_statuses(kit *k)
{
    static const char twice[] = "#define KIT_OBJECT 0\r\n#define KIT_COUNTER 0\r\n";

    write_case(k, "", "Kit", USUAL_SYMBOLS);
    ask_status(k, KIT_Q_load_quotes, true);
    ask_status(k, KIT_Q_load_again, true);
    unload_file();
    ask_status(k, KIT_Q_load_bare, false);
    unload_file();
    write_case(k, "", "Kit", twice);
    ask_status(k, KIT_Q_load_duplicate, true);
    unload_file();
    write_case(k, "", "Kit", NULL);
    ask_status(k, KIT_Q_load_no_symbols, true);
    unload_file();
    write_bytes(k, L"load it.ini", "", NULL);
    ask_status(k, KIT_Q_load_no_file, true);
    unload_file();
}

static size_t note_type(char *text, size_t used, size_t capacity, const wchar_t *path,
                        const wchar_t *name)
{
    DWORD type = 0, bytes = 0;
    int length;

    if (RegGetValueW(HKEY_LOCAL_MACHINE, path, name, RRF_RT_ANY | RRF_NOEXPAND, &type, NULL,
                     &bytes) != ERROR_SUCCESS)
        length = snprintf(text + used, capacity - used, "%ls absent, ", name);
    else
        length = snprintf(text + used, capacity - used, "%ls type %lu of %lu bytes, ", name,
                          (unsigned long)type, (unsigned long)bytes);
    return length > 0 ? used + (size_t)length : used;
}

static void ask_values(kit *k)
{
    kit_reading reading;
    char text[400];
    size_t used = 0;

    write_case(k, "", "Kit", USUAL_SYMBOLS);
    load_file(k, true);
    used = note_type(text, used, sizeof text, LOAD_PERFORMANCE, L"PerfIniFile");
    used = note_type(text, used, sizeof text, LOAD_PERFORMANCE, L"InstallType");
    used = note_type(text, used, sizeof text, KIT_PERFLIB, L"Updating");
    unload_file();
    kit_set_answer(k, L"open_fails", 0);
    kit_read(k, &reading, L"");
    note_type(text, used, sizeof text, PROBE_PERFORMANCE, L"1008");
    kit_delete_value(L"1008");
    kit_delete_value(L"Disable Performance Counters");
    kit_answer(&k->answers, KIT_Q_load_values, KIT_TEXT, "%s", text);
}

void kit_ask_loadperf(kit *k)
{
    DWORD status = make_load_service(k);

    if (status == ERROR_SUCCESS && write_case(k, "", "Kit", USUAL_SYMBOLS))
        status = load_file(k, true);
    if (first_number() == 0) {
        for (int i = KIT_Q_load_again; i <= KIT_Q_load_values; i++)
            kit_answer_missing(k, (kit_question_id)i,
                               "loadperf returned %lu for a right .ini file and loaded nothing",
                               (unsigned long)status);
        return;
    }
    unload_file();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        ask_case(k, &cases[i]);
    ask_statuses(k);
    ask_values(k);
}

/* ---- The product's own titles, while it is installed ---- */

/* What the list says at an index is the text. */
static bool has_title(const wchar_t *kind, const wchar_t *language, DWORD index, const char *text)
{
    wchar_t list[32];
    char found[1000];

    swprintf(list, 32, L"%ls %.3ls", kind, language);
    return kit_find_title(list, index, found, sizeof found) && strcmp(found, text) == 0;
}

void kit_ask_titles(kit *k, const char *object, const char *help)
{
    DWORD first = kit_service_number(L"PrfDataKit", L"First Counter");
    DWORD first_help = kit_service_number(L"PrfDataKit", L"First Help");
    unsigned languages = 0, right = 0;
    wchar_t language[16];
    DWORD chars = 16;
    HKEY key;

    if (k->is_wine) {
        kit_answer_rest(&k->answers, KIT_Q_load, KIT_Q_load_names, KIT_NOT_HERE,
                        "Wine's loadperf does nothing");
        return;
    }
    kit_answer_if(&k->answers, KIT_Q_load, first != 0 && first_help == first + 1,
                  "First Counter %lu, First Help %lu", (unsigned long)first,
                  (unsigned long)first_help);
    if (RegOpenKeyExW(HKEY_LOCAL_MACHINE, KIT_PERFLIB, 0, KEY_READ, &key) != ERROR_SUCCESS)
        return;
    for (DWORD i = 0;
         RegEnumKeyExW(key, i, language, &chars, NULL, NULL, NULL, NULL) != ERROR_NO_MORE_ITEMS;
         i++, chars = 16) {
        if (wcslen(language) != 3 || wcsspn(language, L"0123456789abcdefABCDEF") != 3)
            continue;
        languages++;
        right += has_title(L"Counter", language, first, object) &&
                 has_title(L"Explain", language, first_help + 2, help);
    }
    RegCloseKey(key);
    kit_answer_if(&k->answers, KIT_Q_load_names, languages > 0 && right == languages,
                  "%u of %u languages have both texts", right, languages);
}

/* Last of the questions that need the provider's titles. */
void kit_ask_unload(kit *k)
{
    char line[200];
    HANDLE reader;
    DWORD status;

    kit_set_answer(k, L"right", 0);
    reader = kit_start(k, line, sizeof line, L"\"%ls\" -Read -hold", k->program);
    if (!reader) {
        kit_answer(&k->answers, KIT_Q_unload_in_use, KIT_FAILED, "the reader did not start");
        return;
    }
    status = kit_unload_titles(PROBE_SERVICE);
    kit_answer_if(&k->answers, KIT_Q_unload_in_use, status != ERROR_SUCCESS, "status %lu",
                  (unsigned long)status);
    kit_kill(reader);
}
