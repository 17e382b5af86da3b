/* SPDX-License-Identifier: MIT */
/* Asks what loadperf does with .ini files. Each file is loaded for the service PrfDataKitLoad and
 * unloaded again. The kit reads the title list, because the returned status says little. */
#include "loadperf.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include "probe.h"

#define LOAD_PERFORMANCE KIT_SERVICES L"\\" LOAD_SERVICE L"\\Performance"
#define USUAL_SYMBOLS    "#define KIT_OBJECT 0\r\n#define KIT_COUNTER 2\r\n"

typedef enum load_form {
    FORM_BYTES, /* exactly these bytes */
    FORM_ANSI,  /* converted from UTF-8 to the system's code page */
    FORM_UTF16,
    FORM_UTF16_MARK
} load_form;

/* A case: an .ini file, its symbol file, and the title that is expected at First Counter +
 * offset. */
typedef struct load_case {
    kit_question_id question;
    load_form form;
    const char *mark; /* bytes before the text */
    const char *object;
    const char *symbols; /* NULL: there is no such file */
    DWORD offset;
    const char *title;
} load_case;

#define GROESSE                                                                                    \
    "Gr\xC3\xB6\xC3\x9F"                                                                           \
    "e"
#define HEX_SYMBOLS       "#define KIT_OBJECT 0x0\r\n#define KIT_COUNTER 0x2\r\n"
#define COMMENTED_SYMBOLS "#define KIT_OBJECT 0 /* first */\r\n#define KIT_COUNTER 2 // second\r\n"
#define GAP_SYMBOLS       "#define KIT_OBJECT 0\r\n#define KIT_COUNTER 6\r\n"

static const load_case cases[] = {
    {KIT_Q_load_utf8, FORM_BYTES, "", GROESSE, USUAL_SYMBOLS, 0, GROESSE},
    {KIT_Q_load_utf8_mark, FORM_BYTES, "\xEF\xBB\xBF", GROESSE, USUAL_SYMBOLS, 0, GROESSE},
    {KIT_Q_load_ansi, FORM_ANSI, "", GROESSE, USUAL_SYMBOLS, 0, GROESSE},
    {KIT_Q_load_utf16, FORM_UTF16, "", GROESSE, USUAL_SYMBOLS, 0, GROESSE},
    {KIT_Q_load_utf16_mark, FORM_UTF16_MARK, "", GROESSE, USUAL_SYMBOLS, 0, GROESSE},
    {KIT_Q_load_hex, FORM_BYTES, "", "Kit", HEX_SYMBOLS, 2, "Loaded"},
    {KIT_Q_load_comment, FORM_BYTES, "", "Kit", COMMENTED_SYMBOLS, 2, "Loaded"},
    {KIT_Q_load_gap, FORM_BYTES, "", "Kit", GAP_SYMBOLS, 6, "Loaded"},
    {KIT_Q_load_title_quotes, FORM_UTF16_MARK, "", "\"Kit\"", USUAL_SYMBOLS, 0, "\"Kit\""},
    {KIT_Q_load_title_inner_quotes, FORM_UTF16_MARK, "", "The \"kit\" counts", USUAL_SYMBOLS, 0,
     "The \"kit\" counts"},
    {KIT_Q_load_title_semicolon, FORM_UTF16_MARK, "", "Kit; 100 % = all", USUAL_SYMBOLS, 0,
     "Kit; 100 % = all"},
    {KIT_Q_load_title_blanks, FORM_UTF16_MARK, "", "  Kit  ", USUAL_SYMBOLS, 0, "Kit"},
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

/* Encodes the text in this form. Returns the number of bytes, or 0 if that is not possible. */
static size_t encode(load_form form, const char *text, char *bytes, size_t capacity)
{
    enum { WIDE_CHARS = 4000 };
    static wchar_t wide[WIDE_CHARS];
    size_t used = 0;
    int chars;

    if (form == FORM_BYTES)
        return (size_t)snprintf(bytes, capacity, "%s", text);
    if (form == FORM_UTF16_MARK)
        wide[used++] = 0xFEFF;
    chars = MultiByteToWideChar(CP_UTF8, 0, text, -1, wide + used, (int)(WIDE_CHARS - used));
    if (chars == 0)
        return 0;
    used += (size_t)chars - 1;
    if (form == FORM_ANSI)
        return (size_t)WideCharToMultiByte(CP_ACP, 0, wide, (int)used, bytes, (int)capacity, NULL,
                                           NULL);
    if (used * sizeof *wide > capacity)
        return 0;
    memcpy(bytes, wide, used * sizeof *wide);
    return used * sizeof *wide;
}

/* Writes a file. If `text` is NULL, the file must not exist. */
static bool write_file(const kit *k, const wchar_t *name, load_form form, const char *mark,
                       const char *text)
{
    static char bytes[8000];
    wchar_t path[2 * MAX_PATH];
    size_t length;
    FILE *file;

    swprintf(path, 2 * MAX_PATH, L"%ls\\%ls", k->data, name);
    DeleteFileW(path);
    if (!text)
        return true;
    length = encode(form, text, bytes, sizeof bytes);
    file = length > 0 ? _wfopen(path, L"wb") : NULL;
    if (!file)
        return false;
    fwrite(mark, 1, strlen(mark), file);
    fwrite(bytes, 1, length, file);
    return fclose(file) == 0;
}

#define INI_HEAD(symbol_file)                                                                      \
    "[info]\r\ndrivername=PrfDataKitLoad\r\nsymbolfile=" symbol_file "\r\n"
#define INI_OBJECTS "[objects]\r\nKIT_OBJECT_009_NAME=\r\n"
#define INI_ENGLISH "[languages]\r\n009=English\r\n"
#define INI_COUNTER                                                                                \
    "KIT_OBJECT_009_HELP=A test.\r\nKIT_COUNTER_009_NAME=Loaded\r\nKIT_COUNTER_009_HELP=A "        \
    "test.\r\n"

static bool write_case(const kit *k, load_form form, const char *mark, const char *object,
                       const char *symbols)
{
    char ini[1000];

    snprintf(ini, sizeof ini,
             INI_HEAD("load.h") INI_ENGLISH INI_OBJECTS
             "[text]\r\nKIT_OBJECT_009_NAME=%s\r\n" INI_COUNTER,
             object);
    return write_file(k, L"load it.ini", form, mark, ini) &&
           write_file(k, L"load.h", FORM_BYTES, "", symbols);
}

static bool write_usual(const kit *k, const char *symbols)
{
    return write_case(k, FORM_BYTES, "", "Kit", symbols);
}

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

/* Unloads whatever was loaded, which also removes the numbers from the key. */
static void unload_file(void)
{
    if (first_number() != 0)
        kit_unload_titles(LOAD_SERVICE);
}

static void ask_case(kit *k, const load_case *c)
{
    char title[300] = "";
    DWORD status, first;

    if (!write_case(k, c->form, c->mark, c->object, c->symbols)) {
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

static void ask_status(kit *k, kit_question_id question, bool is_quoted)
{
    DWORD status = load_file(k, is_quoted);

    kit_answer(&k->answers, question, KIT_TEXT, "%lu; First Counter %lu", (unsigned long)status,
               (unsigned long)first_number());
}

static void ask_statuses(kit *k)
{
    static const char twice[] = "#define KIT_OBJECT 0\r\n#define KIT_COUNTER 0\r\n";

    write_usual(k, USUAL_SYMBOLS);
    ask_status(k, KIT_Q_load_quotes, true);
    ask_status(k, KIT_Q_load_again, true);
    unload_file();
    ask_status(k, KIT_Q_load_bare, false);
    unload_file();
    write_usual(k, twice);
    ask_status(k, KIT_Q_load_duplicate, true);
    unload_file();
    write_usual(k, NULL);
    ask_status(k, KIT_Q_load_no_symbols, true);
    unload_file();
    write_file(k, L"load it.ini", FORM_BYTES, "", NULL);
    ask_status(k, KIT_Q_load_no_file, true);
    unload_file();
}

/* ---- Files that differ in more than a title ---- */

/* Asks what a file results in: the status, and the titles in a language. */
static void ask_file(kit *k, kit_question_id question, const char *ini, const wchar_t *list)
{
    char object[300] = "none", counter[300] = "none";
    DWORD status, first;

    if (!write_file(k, L"load it.ini", FORM_UTF16_MARK, "", ini) ||
        !write_file(k, L"load.h", FORM_BYTES, "", USUAL_SYMBOLS)) {
        kit_answer(&k->answers, question, KIT_FAILED, "the files were not written");
        return;
    }
    status = load_file(k, true);
    first = first_number();
    if (first != 0) {
        kit_find_title(list, first, object, sizeof object);
        kit_find_title(list, first + 2, counter, sizeof counter);
    }
    kit_answer(&k->answers, question, KIT_TEXT,
               "status %lu, First Counter %lu, titles in %ls: %.100s; %.100s",
               (unsigned long)status, (unsigned long)first, list, object, counter);
    unload_file();
}

static void ask_files(kit *k)
{
    char ini[2500], help[1101];

    ask_file(k, KIT_Q_load_no_objects,
             INI_HEAD("load.h") INI_ENGLISH "[text]\r\nKIT_OBJECT_009_NAME=Kit\r\n" INI_COUNTER,
             L"Counter 009");
    ask_file(k, KIT_Q_load_no_help,
             INI_HEAD("load.h") INI_ENGLISH INI_OBJECTS
             "[text]\r\nKIT_OBJECT_009_NAME=Kit\r\nKIT_COUNTER_009_NAME=Loaded\r\n",
             L"Counter 009");
    ask_file(k, KIT_Q_load_lines,
             "\n[info]\ndrivername=PrfDataKitLoad\nsymbolfile=load.h\n[languages]\n009=English\n"
             "[objects]\nKIT_OBJECT_009_NAME=\n[text]\nKIT_OBJECT_009_NAME=Kit\n"
             "KIT_OBJECT_009_HELP=A test.\nKIT_COUNTER_009_NAME=Loaded\n"
             "KIT_COUNTER_009_HELP=A test.\n",
             L"Counter 009");
    memset(help, 'x', sizeof help - 1);
    help[sizeof help - 1] = 0;
    snprintf(ini, sizeof ini,
             INI_HEAD("load.h") INI_ENGLISH INI_OBJECTS
             "[text]\r\nKIT_OBJECT_009_NAME=Kit\r\nKIT_OBJECT_009_HELP=%s\r\n"
             "KIT_COUNTER_009_NAME=Loaded\r\nKIT_COUNTER_009_HELP=A test.\r\n",
             help);
    ask_file(k, KIT_Q_load_long_help, ini, L"Counter 009");
    snprintf(
        ini, sizeof ini,
        "[info]\r\ndrivername=PrfDataKitLoad\r\nsymbolfile=%ls\\load.h\r\n" INI_ENGLISH INI_OBJECTS
        "[text]\r\nKIT_OBJECT_009_NAME=Kit\r\n" INI_COUNTER,
        k->data);
    ask_file(k, KIT_Q_load_symbol_path, ini, L"Counter 009");
    ask_file(
        k, KIT_Q_load_other_language,
        INI_HEAD("load.h") "[languages]\r\n009=English\r\n007=Deutsch\r\n" INI_OBJECTS
                           "[text]\r\nKIT_OBJECT_009_NAME=Kit\r\nKIT_OBJECT_007_NAME=Deutsch\r\n"
                           "KIT_OBJECT_007_HELP=Test.\r\nKIT_COUNTER_007_NAME=Geladen\r\n"
                           "KIT_COUNTER_007_HELP=Test.\r\n" INI_COUNTER,
        L"Counter 007");
    ask_file(
        k, KIT_Q_load_only_other_language,
        INI_HEAD("load.h") "[languages]\r\n007=Deutsch\r\n" INI_OBJECTS
                           "[text]\r\nKIT_OBJECT_007_NAME=Deutsch\r\nKIT_OBJECT_007_HELP=Test.\r\n"
                           "KIT_COUNTER_007_NAME=Geladen\r\nKIT_COUNTER_007_HELP=Test.\r\n",
        L"Counter 009");
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

    write_usual(k, USUAL_SYMBOLS);
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

static volatile LONG titles_are_read; /* number of reads so far; negative: stop */

static DWORD WINAPI read_titles(void *context)
{
    char title[100];

    (void)context;
    while (InterlockedIncrement(&titles_are_read) > 0)
        kit_find_title(L"Counter 009", 2, title, sizeof title);
    return 0;
}

static void ask_unload_while_read(kit *k)
{
    HANDLE thread;
    DWORD status, id;
    LONG times;

    write_usual(k, USUAL_SYMBOLS);
    load_file(k, true);
    thread = CreateThread(NULL, 0, read_titles, NULL, 0, &id);
    Sleep(200);
    status = kit_unload_titles(LOAD_SERVICE);
    times = InterlockedExchange(&titles_are_read, LONG_MIN / 2);
    if (thread) {
        WaitForSingleObject(thread, 30000);
        CloseHandle(thread);
    }
    if (times < 2)
        kit_answer(&k->answers, KIT_Q_unload_while_read, KIT_FAILED, "no titles were read");
    else
        kit_answer_if(&k->answers, KIT_Q_unload_while_read, status != ERROR_SUCCESS,
                      "status %lu; titles were read %ld times", (unsigned long)status, times);
    unload_file();
}

/* Returns words that say whether PowerShell finds an English title. `folder` is the system folder
 * of one bitness. */
static const char *seen_by(kit *k, const wchar_t *folder, const wchar_t *title)
{
    enum { SEEN = 3, NOT_SEEN = 4 };
    char output[400];

    switch (kit_run(k, 60, output, sizeof output,
                    L"\"%ls\\WindowsPowerShell\\v1.0\\powershell.exe\" -NoProfile -NonInteractive "
                    L"-Command \"if ([Microsoft.Win32.Registry]::PerformanceData.GetValue('Counter "
                    L"009') -contains '%ls') { exit %d } else { exit %d }\"",
                    folder, title, SEEN, NOT_SEEN)) {
    case SEEN:
        return "yes";
    case NOT_SEEN:
        return "no";
    default:
        return "not known";
    }
}

/* Asks which readers see titles that the 32-bit or the 64-bit loadperf has loaded. */
static void ask_bitness(kit *k)
{
    wchar_t native[MAX_PATH], other[MAX_PATH];
    const char *seen[4];
    char output[400];

    if (sizeof(void *) == 4 || !GetSystemWow64DirectoryW(other, MAX_PATH) ||
        !GetSystemDirectoryW(native, MAX_PATH)) {
        kit_answer_missing(k, KIT_Q_load_bitness, "only the 64-bit kit asks");
        return;
    }
    write_case(k, FORM_BYTES, "", "Kit of 32 bits", USUAL_SYMBOLS);
    kit_run(k, 60, output, sizeof output, L"\"%ls\\lodctr.exe\" \"%ls\\load it.ini\"", other,
            k->data);
    seen[0] = seen_by(k, other, L"Kit of 32 bits");
    seen[1] = seen_by(k, native, L"Kit of 32 bits");
    kit_run(k, 60, output, sizeof output, L"\"%ls\\unlodctr.exe\" " LOAD_SERVICE, other);
    unload_file();
    write_case(k, FORM_BYTES, "", "Kit of 64 bits", USUAL_SYMBOLS);
    load_file(k, true);
    seen[2] = seen_by(k, other, L"Kit of 64 bits");
    seen[3] = seen_by(k, native, L"Kit of 64 bits");
    unload_file();
    kit_answer(&k->answers, KIT_Q_load_bitness, KIT_TEXT,
               "loaded by 32 bits: 32-bit readers %s, 64-bit readers %s; loaded by 64 bits: 32-bit "
               "readers %s, 64-bit readers %s",
               seen[0], seen[1], seen[2], seen[3]);
}

void kit_ask_loadperf(kit *k)
{
    DWORD status = make_load_service(k);

    if (status == ERROR_SUCCESS && write_usual(k, USUAL_SYMBOLS))
        status = load_file(k, true);
    if (first_number() == 0) {
        for (int i = KIT_Q_load_again; i <= KIT_Q_load_only_other_language; i++) {
            if (i > KIT_Q_load_values && i < KIT_Q_load_ansi)
                continue;
            kit_answer_missing(k, (kit_question_id)i,
                               "loadperf returned %lu for a valid .ini file and loaded nothing",
                               (unsigned long)status);
        }
        kit_answer_missing(k, KIT_Q_unload_while_read, "loadperf loads nothing");
        kit_answer_missing(k, KIT_Q_load_bitness, "loadperf loads nothing");
        return;
    }
    unload_file();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        ask_case(k, &cases[i]);
    ask_files(k);
    ask_statuses(k);
    ask_bitness(k);
    ask_unload_while_read(k);
    ask_values(k);
}

/* ---- The product's own titles, while it is installed ---- */

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

/* Unloads the titles of the provider, so call it after all other questions that need them. */
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
