/* SPDX-License-Identifier: MIT */
/* Reads any bytes as what the installer finds on a computer: records of the event log, a DLL, the
 * two title files, and a list of titles. A second, simpler reading must find the same, and
 * everything that is found must lie in the bytes.
 *
 * Input: one byte says what the following bytes are. */
#include <string.h>
#include <wchar.h>

#include "base/bytes.h"
#include "diagnosis/event_record.h"
#include "fuzz.h"
#include "titles/title_list.h"
#include "titles/title_text.h"
#include "windows/pe_file.h"

static unsigned unit(const unsigned char *bytes, size_t at)
{
    return (unsigned)(bytes[at] | bytes[at + 1] << 8);
}

static uint32_t word(const unsigned char *bytes, size_t at)
{
    return unit(bytes, at) | (uint32_t)unit(bytes, at + 2) << 16;
}

/* ---- Event records ---- */

enum { RECORD_BYTES = 56 };

/* Returns the offset after the text at `at`; 0: no NUL ends it. */
static size_t after_text(const unsigned char *bytes, size_t size, size_t at)
{
    while (at + 2 <= size && unit(bytes, at) != 0)
        at += 2;
    return at + 2 <= size ? at + 2 : 0;
}

/* Returns the length of the whole record at the beginning; 0: there is none. */
static size_t record_size(const unsigned char *bytes, size_t size)
{
    size_t length, at;

    if (size < RECORD_BYTES || memcmp(bytes + 4, "LfLe", 4) != 0)
        return 0;
    length = word(bytes, 0);
    if (length < RECORD_BYTES || length > size || after_text(bytes, length, RECORD_BYTES) == 0)
        return 0;
    at = word(bytes, 36);
    for (unsigned i = 0; i < unit(bytes, 26) && i < PRFDATA_EVENT_RECORD_STRINGS; i++) {
        at = at >= RECORD_BYTES && at < length ? after_text(bytes, length, at) : 0;
        if (at == 0)
            return 0;
    }
    return length;
}

static void check_record(const prfdata_event_record *record)
{
    static wchar_t whole[4096];

    FUZZ_CHECK(wcslen(record->source) < PRFDATA_EVENT_RECORD_CHARS);
    FUZZ_CHECK(record->string_count <= PRFDATA_EVENT_RECORD_STRINGS);
    prfdata_event_record_text(record, whole, 4096);
    for (size_t capacity = 1; capacity < 40; capacity++) {
        wchar_t *text = fuzz_memory(capacity * sizeof *text);

        prfdata_event_record_text(record, text, capacity);
        FUZZ_CHECK(wcslen(text) < capacity && wcsncmp(text, whole, wcslen(text)) == 0);
        free(text);
    }
}

static void check_records(const unsigned char *bytes, size_t size)
{
    static prfdata_event_history history;
    static prfdata_event_record record;
    uint32_t wanted = 0, noted = 0;
    size_t at = 0, length;

    memset(&history, 0, sizeof history);
    history.service = L"Service";
    history.library = L"C:\\p.dll";
    prfdata_event_history_note_all(&history, bytes, size);
    while ((length = record_size(bytes + at, size - at)) > 0) {
        FUZZ_CHECK(prfdata_event_record_read(bytes + at, size - at, &record));
        FUZZ_CHECK(record.record_bytes == length);
        check_record(&record);
        wanted += prfdata_event_history_wants(&history, &record);
        at += length;
    }
    FUZZ_CHECK(!prfdata_event_record_read(bytes + at, size - at, &record));
    for (size_t i = 0; i < history.count; i++)
        noted += history.entries[i].count;
    FUZZ_CHECK(noted == wanted || history.count == PRFDATA_EVENT_HISTORY_ENTRIES);
}

/* ---- DLLs ---- */

static bool has_bytes(const unsigned char *bytes, size_t size, const char *text, size_t length)
{
    for (size_t at = 0; at + length <= size; at++)
        if (!memcmp(bytes + at, text, length))
            return true;
    return false;
}

static void check_dll(const unsigned char *bytes, size_t size)
{
    static const char *const names[] = {"PrfDataOpen", "Open", "C", ""};
    prfdata_pe_file file;

    if (prfdata_pe_file_open(&file, bytes, size) != ERROR_SUCCESS)
        return;
    FUZZ_CHECK(size >= 0x40 && bytes[0] == 'M' && bytes[1] == 'Z');
    FUZZ_CHECK(file.machine == unit(bytes, word(bytes, 0x3C) + 4));
    FUZZ_CHECK(file.sections_offset + 40ull * file.section_count <= size);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        FUZZ_CHECK(!prfdata_pe_file_exports(&file, names[i]) ||
                   has_bytes(bytes, size, names[i], strlen(names[i]) + 1));
}

/* ---- Title files ---- */

/* The header that belongs to an .ini. */
typedef struct made_header {
    unsigned char *bytes;
    size_t size;
} made_header;

static void put_text(made_header *header, const char *text)
{
    memcpy(header->bytes + header->size, text, strlen(text));
    header->size += strlen(text);
}

/* Adds "#define " and the key without its end _009_NAME to the header. Returns false if the key has
 * another end. */
static bool take_symbol(const unsigned char *key, size_t chars, made_header *header)
{
    static const char end[] = "_009_NAME";
    const size_t end_chars = sizeof end - 1;

    if (chars < end_chars)
        return false;
    for (size_t i = 0; i < end_chars; i++)
        if (unit(key, 2 * (chars - end_chars + i)) != (unsigned char)end[i])
            return false;
    put_text(header, "#define ");
    for (size_t i = 0; i < chars - end_chars; i++)
        header->bytes[header->size++] = key[2 * i];
    return true;
}

static size_t chars_until(const unsigned char *bytes, size_t chars, unsigned end)
{
    size_t at = 0;

    while (at < chars && unit(bytes, 2 * at) != end)
        at++;
    return at;
}

static bool is_ascii(const unsigned char *bytes, size_t chars, const char *text)
{
    for (size_t i = 0; i < chars; i++)
        if (unit(bytes, 2 * i) != (unsigned char)text[i])
            return false;
    return true;
}

static made_header make_header(const unsigned char *ini, size_t size)
{
    made_header header = {fuzz_memory(16 * size + 64), 0};
    size_t left = size / 2;
    unsigned offset = 0;
    bool is_text = false;

    while (left > 0) {
        const size_t line = chars_until(ini, left, '\r');
        const size_t key = chars_until(ini, line, '=');
        char number[16];

        if (is_text && key < line && take_symbol(ini, key, &header)) {
            snprintf(number, sizeof number, " %u\r\n", offset);
            put_text(&header, number);
            offset += 2;
        }
        if (left < line + 2 || !is_ascii(ini + 2 * line, 2, "\r\n"))
            break;
        is_text = is_text || (line == 6 && is_ascii(ini, 6, "[text]"));
        ini += 2 * (line + 2);
        left -= line + 2;
    }
    return header;
}

static void check_languages(const unsigned char *ini, size_t size)
{
    prfdata_title_languages languages;

    memset(&languages, 0xEE, sizeof languages);
    prfdata_title_text_languages(ini, size, &languages);
    FUZZ_CHECK(languages.count <= PRFDATA_MAX_TITLE_LANGUAGES);
    for (size_t i = 0; i < languages.count; i++) {
        FUZZ_CHECK(strlen(languages.ids[i]) == 3 && strcmp(languages.ids[i], "009") != 0);
        FUZZ_CHECK(i == 0 || strcmp(languages.ids[i - 1], languages.ids[i]) < 0);
    }
}

static void check_title_files(const unsigned char *ini, size_t size)
{
    const bool is_own = prfdata_title_text_is_own_ini(ini, size);
    made_header header = make_header(ini, size);

    check_languages(ini, size);
    FUZZ_CHECK(!is_own || (size > 30 && unit(ini, 0) == 0xFEFF && unit(ini, 6) == '['));
    FUZZ_CHECK(prfdata_title_text_is_own_header(header.bytes, header.size, ini, size) == is_own);
    if (header.size > 0) {
        header.bytes[header.size / 2] ^= 1;
        FUZZ_CHECK(!prfdata_title_text_is_own_header(header.bytes, header.size, ini, size));
    }
    FUZZ_CHECK(!prfdata_title_text_is_own_header(header.bytes, header.size + 1, ini, size));
    free(header.bytes);
}

/* ---- Title lists ---- */

/* Returns the index in a text of at most seven digits; 0: the text is not an index. */
static uint32_t index_of(const uint16_t *chars, size_t count)
{
    uint32_t index = 0;

    for (size_t i = 0; i < count; i++) {
        if (count > 7 || chars[i] < '0' || chars[i] > '9')
            return 0;
        index = index * 10 + (uint32_t)(chars[i] - '0');
    }
    return index;
}

static size_t nul_at(const uint16_t *chars, size_t count, size_t at)
{
    while (at < count && chars[at] != 0)
        at++;
    return at;
}

/* Counts the pairs of index and text whose text is this one char, up to the first damaged place. If
 * `index` is not 0, counts only those with this index. */
static size_t count_pairs(const uint16_t *chars, size_t count, uint16_t text, uint32_t index)
{
    size_t found = 0;

    for (size_t at = 0;;) {
        const size_t number_end = nul_at(chars, count, at);
        const size_t text_end = number_end < count ? nul_at(chars, count, number_end + 1) : count;
        uint32_t is;

        if (number_end == at || text_end == count)
            return found;
        is = index_of(chars + at, number_end - at);
        found += is > 0 && (index == 0 || is == index) && text_end == number_end + 2 &&
                 chars[number_end + 1] == text;
        at = text_end + 1;
    }
}

static void check_list(const unsigned char *bytes, size_t size)
{
    enum { FIRST = 4, TEXTS = 3 };
    static const uint16_t letters[TEXTS] = {'a', 'b', 'a'};
    static const wchar_t *const wanted[TEXTS] = {L"a", L"b", L"a"};
    const wchar_t *texts[TEXTS];
    const size_t count = size / 2;
    uint16_t *chars = fuzz_memory(2 * count);
    size_t missing = 0, found = 0, at = 0;
    uint32_t index;

    for (size_t i = 0; i < count; i++)
        chars[i] = (uint16_t)unit(bytes, 2 * i);
    memcpy(texts, wanted, sizeof texts);
    for (size_t i = 0; i < TEXTS; i++)
        missing += count_pairs(chars, count, letters[i], (uint32_t)(FIRST + 2 * i)) == 0;
    FUZZ_CHECK(prfdata_title_list_match(chars, count, FIRST, texts, TEXTS) == missing);
    for (size_t i = 0; i < TEXTS; i++)
        missing -= texts[i] != NULL;
    FUZZ_CHECK(missing == 0);
    while (prfdata_title_list_find(chars, count, L"a", &at, &index)) {
        FUZZ_CHECK(at <= count && index > 0);
        found++;
    }
    FUZZ_CHECK(found == count_pairs(chars, count, 'a', 0));
    free(chars);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    unsigned char *exact;

    if (size == 0)
        return 0;
    exact = fuzz_copy(bytes + 1, size - 1);
    switch (bytes[0] % 4) {
    case 0:
        check_records(exact, size - 1);
        break;
    case 1:
        check_dll(exact, size - 1);
        break;
    case 2:
        check_title_files(exact, size - 1);
        break;
    default:
        check_list(exact, size - 1);
    }
    free(exact);
    return 0;
}
