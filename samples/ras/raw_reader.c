/* SPDX-License-Identifier: MIT */
/*
 * Reads titles from the registry and samples from HKEY_PERFORMANCE_DATA or a provider DLL, and
 * walks through a reply.
 */
#include "raw_reader.h"

#include <stdlib.h>
#include <string.h>

#define TITLES_KEY  L"SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\Perflib\\009"
#define SERVICE_KEY L"SYSTEM\\CurrentControlSet\\Services\\"

enum { FIRST_BYTES = 64 * 1024, MOST_BYTES = 256 * 1024 * 1024, MOST_NAME_CHARS = 255 };

/* Read a value into new memory with room for two more characters, for NULs. */
static DWORD read_registry_value(HKEY key, const wchar_t *name, BYTE **bytes, DWORD *size)
{
    for (DWORD capacity = FIRST_BYTES; capacity <= MOST_BYTES; capacity *= 2) {
        DWORD status;

        *bytes = malloc(capacity + 2 * sizeof(wchar_t));
        if (!*bytes)
            return ERROR_NOT_ENOUGH_MEMORY;
        *size = capacity; /* set here, because it is undefined after ERROR_MORE_DATA */
        status = (DWORD)RegQueryValueExW(key, name, NULL, NULL, *bytes, size);
        if (status == ERROR_SUCCESS)
            return ERROR_SUCCESS;
        free(*bytes);
        if (status != ERROR_MORE_DATA)
            return status;
    }
    return ERROR_MORE_DATA;
}

DWORD raw_titles_read(raw_titles *titles)
{
    BYTE *bytes;
    DWORD size;
    HKEY key;
    DWORD status = (DWORD)RegOpenKeyExW(HKEY_LOCAL_MACHINE, TITLES_KEY, 0, KEY_QUERY_VALUE, &key);

    if (status != ERROR_SUCCESS)
        return status;
    status = read_registry_value(key, L"Counter", &bytes, &size);
    RegCloseKey(key);
    if (status != ERROR_SUCCESS)
        return status;
    titles->list = (wchar_t *)(void *)bytes;
    titles->list[size / sizeof(wchar_t)] = 0;
    titles->list[size / sizeof(wchar_t) + 1] = 0;
    return ERROR_SUCCESS;
}

void raw_titles_free(raw_titles *titles)
{
    free(titles->list);
    titles->list = NULL;
}

static DWORD read_registry_number(const wchar_t *key, const wchar_t *name, DWORD *number)
{
    DWORD size = sizeof *number;

    return (DWORD)RegGetValueW(HKEY_LOCAL_MACHINE, key, name, RRF_RT_REG_DWORD, NULL, number,
                               &size);
}

static DWORD performance_key(const wchar_t *service, wchar_t *key, size_t capacity)
{
    if (wcslen(service) + sizeof SERVICE_KEY L"\\Performance" / sizeof *key > capacity)
        return ERROR_INVALID_NAME;
    wcscpy(key, SERVICE_KEY);
    wcscat(key, service);
    wcscat(key, L"\\Performance");
    return ERROR_SUCCESS;
}

DWORD raw_titles_of_service(const wchar_t *service, DWORD *first, DWORD *last)
{
    wchar_t key[320];
    DWORD status = performance_key(service, key, sizeof key / sizeof *key);

    if (status == ERROR_SUCCESS)
        status = read_registry_number(key, L"First Counter", first);
    if (status == ERROR_SUCCESS)
        status = read_registry_number(key, L"Last Counter", last);
    return status;
}

static const wchar_t *next_title_text(const wchar_t *text)
{
    return text + wcslen(text) + 1;
}

DWORD raw_titles_index(const raw_titles *titles, const wchar_t *name, DWORD first, DWORD last)
{
    for (const wchar_t *at = titles->list; *at; at = next_title_text(next_title_text(at))) {
        DWORD index = wcstoul(at, NULL, 10);

        if (!*next_title_text(at))
            break;
        if (index >= first && index <= last && wcscmp(next_title_text(at), name) == 0)
            return index;
    }
    return 0;
}

const wchar_t *raw_titles_name(const raw_titles *titles, DWORD index)
{
    for (const wchar_t *at = titles->list; *at; at = next_title_text(next_title_text(at))) {
        if (!*next_title_text(at))
            break;
        if (wcstoul(at, NULL, 10) == index)
            return next_title_text(at);
    }
    return NULL;
}

/* A range of bytes in a reply. */
typedef struct part {
    const BYTE *bytes;
    DWORD size;
} part;

/* Find the part after the first `offset` bytes. Returns FALSE if there are fewer. */
static BOOL skip_part(part whole, DWORD offset, part *rest)
{
    if (offset > whole.size)
        return FALSE;
    rest->bytes = whole.bytes + offset;
    rest->size = whole.size - offset;
    return TRUE;
}

/* Find the part of the first `size` bytes. Returns FALSE if there are fewer. */
static BOOL cut_part(part whole, DWORD size, part *first)
{
    if (size > whole.size)
        return FALSE;
    first->bytes = whole.bytes;
    first->size = size;
    return TRUE;
}

/* Copy the structure at the beginning, because in a reply it may lie at any address. */
static BOOL copy_part(part from, void *structure, DWORD size)
{
    if (size > from.size)
        return FALSE;
    memcpy(structure, from.bytes, size);
    return TRUE;
}

DWORD raw_sample_query(const wchar_t *query, raw_sample *sample)
{
    PERF_DATA_BLOCK header;
    part reply, objects;
    BYTE *bytes;
    DWORD status = read_registry_value(HKEY_PERFORMANCE_DATA, query, &bytes, &reply.size);

    if (status != ERROR_SUCCESS)
        return status;
    reply.bytes = bytes;
    if (!copy_part(reply, &header, sizeof header) ||
        !cut_part(reply, header.TotalByteLength, &reply) ||
        !skip_part(reply, header.HeaderLength, &objects)) {
        free(bytes);
        return ERROR_INVALID_DATA;
    }
    sample->bytes = bytes;
    sample->objects_offset = header.HeaderLength;
    sample->objects_bytes = objects.size;
    sample->object_count = header.NumObjectTypes;
    sample->ticks = header.PerfTime.QuadPart;
    sample->ticks_per_second = header.PerfFreq.QuadPart;
    return ERROR_SUCCESS;
}

static FARPROC find_function(HMODULE module, const wchar_t *key, const wchar_t *value)
{
    wchar_t wide[256];
    char name[256];
    DWORD size = sizeof wide;

    if (RegGetValueW(HKEY_LOCAL_MACHINE, key, value, RRF_RT_REG_SZ, NULL, wide, &size) != 0 ||
        !WideCharToMultiByte(CP_ACP, 0, wide, -1, name, sizeof name, NULL, NULL))
        return NULL;
    return GetProcAddress(module, name);
}

DWORD raw_dll_open(const wchar_t *path, const wchar_t *service, raw_dll *dll)
{
    wchar_t key[320];
    DWORD status = performance_key(service, key, sizeof key / sizeof *key);

    if (status != ERROR_SUCCESS)
        return status;
    dll->module = LoadLibraryW(path);
    if (!dll->module)
        return GetLastError();
    dll->open = (raw_open)(void (*)(void))find_function(dll->module, key, L"Open");
    dll->collect = (raw_collect)(void (*)(void))find_function(dll->module, key, L"Collect");
    dll->close = (raw_close)(void (*)(void))find_function(dll->module, key, L"Close");
    status = dll->open && dll->collect && dll->close ? dll->open(NULL) : ERROR_PROC_NOT_FOUND;
    if (status != ERROR_SUCCESS)
        FreeLibrary(dll->module);
    return status;
}

void raw_dll_close(raw_dll *dll)
{
    dll->close();
    FreeLibrary(dll->module);
}

/*
 * Call the DLL once. Keep its reply, and the time before the call. (The system would put this time
 * into the PERF_DATA_BLOCK, but a provider's reply has no such block.)
 */
static DWORD collect_once(const raw_dll *dll, DWORD capacity, raw_sample *sample)
{
    raw_sample taken = {.bytes = malloc(capacity), .objects_bytes = capacity};
    wchar_t query[] = L"Global";
    void *end = taken.bytes;
    LARGE_INTEGER now, frequency;
    DWORD status;

    if (!taken.bytes)
        return ERROR_NOT_ENOUGH_MEMORY;
    QueryPerformanceFrequency(&frequency);
    QueryPerformanceCounter(&now);
    taken.ticks = now.QuadPart;
    taken.ticks_per_second = frequency.QuadPart;
    status = dll->collect(query, &end, &taken.objects_bytes, &taken.object_count);
    if (status == ERROR_SUCCESS && taken.objects_bytes > capacity)
        status = ERROR_INVALID_DATA;
    if (status == ERROR_SUCCESS)
        *sample = taken;
    else
        free(taken.bytes);
    return status;
}

DWORD raw_sample_collect(const raw_dll *dll, raw_sample *sample)
{
    DWORD status = ERROR_MORE_DATA;

    for (DWORD capacity = FIRST_BYTES; status == ERROR_MORE_DATA && capacity <= MOST_BYTES;
         capacity *= 2)
        status = collect_once(dll, capacity, sample);
    return status;
}

void raw_sample_free(raw_sample *sample)
{
    free(sample->bytes);
    sample->bytes = NULL;
}

typedef struct walk {
    void (*each)(void *context, const raw_value *value);
    void *context;
} walk;

/* Visit the counters of an object, with the values in one PERF_COUNTER_BLOCK. */
static BOOL walk_values(const walk *to, const PERF_OBJECT_TYPE *object, part definitions,
                        part block, const wchar_t *instance)
{
    for (DWORD i = 0; i < object->NumCounters; i++) {
        PERF_COUNTER_DEFINITION counter;
        raw_value found = {.object = object->ObjectNameTitleIndex, .instance = instance};
        part value;

        if (!copy_part(definitions, &counter, sizeof counter) ||
            counter.ByteLength < sizeof counter ||
            !skip_part(definitions, counter.ByteLength, &definitions))
            return FALSE;
        if (counter.CounterSize != sizeof found.value || counter.CounterType & PERF_DISPLAY_NOSHOW)
            continue; /* not 4 bytes, or a counter that readers do not show, such as a base */
        if (!skip_part(block, counter.CounterOffset, &value) ||
            !copy_part(value, &found.value, sizeof found.value))
            return FALSE;
        found.counter = counter.CounterNameTitleIndex;
        found.type = counter.CounterType;
        to->each(to->context, &found);
    }
    return TRUE;
}

/* Take a PERF_COUNTER_BLOCK off the beginning of `at`; its first field is its length. */
static BOOL take_block(part *at, part *block)
{
    PERF_COUNTER_BLOCK header;

    return copy_part(*at, &header, sizeof header) && header.ByteLength >= sizeof header &&
           cut_part(*at, header.ByteLength, block) && skip_part(*at, header.ByteLength, at);
}

/* Take a PERF_INSTANCE_DEFINITION off the beginning of `at`. Its name need not end with NUL. */
static BOOL take_instance(part *at, wchar_t name[MOST_NAME_CHARS + 1])
{
    PERF_INSTANCE_DEFINITION instance;
    part text;

    if (!copy_part(*at, &instance, sizeof instance) || instance.ByteLength < sizeof instance ||
        !cut_part(*at, instance.ByteLength, &text) || !skip_part(*at, instance.ByteLength, at))
        return FALSE;
    if (!skip_part(text, instance.NameOffset, &text) || !cut_part(text, instance.NameLength, &text))
        return FALSE;
    if (text.size > MOST_NAME_CHARS * sizeof *name)
        text.size = MOST_NAME_CHARS * sizeof *name;
    memset(name, 0, (MOST_NAME_CHARS + 1) * sizeof *name);
    memcpy(name, text.bytes, text.size);
    return TRUE;
}

static BOOL walk_object(const walk *to, const PERF_OBJECT_TYPE *object, part bytes)
{
    wchar_t name[MOST_NAME_CHARS + 1] = L"";
    part definitions, at, block;

    if (!skip_part(bytes, object->DefinitionLength, &at) ||
        !cut_part(bytes, object->DefinitionLength, &definitions) ||
        !skip_part(definitions, object->HeaderLength, &definitions))
        return FALSE;
    if (object->NumInstances == PERF_NO_INSTANCES)
        return take_block(&at, &block) && walk_values(to, object, definitions, block, name);
    for (LONG i = 0; i < object->NumInstances; i++)
        if (!take_instance(&at, name) || !take_block(&at, &block) ||
            !walk_values(to, object, definitions, block, name))
            return FALSE;
    return TRUE;
}

DWORD raw_sample_walk(const raw_sample *sample, void (*each)(void *context, const raw_value *value),
                      void *context)
{
    const walk to = {each, context};
    part at = {sample->bytes + sample->objects_offset, sample->objects_bytes};

    for (DWORD i = 0; i < sample->object_count; i++) {
        PERF_OBJECT_TYPE object;
        part bytes;

        if (!copy_part(at, &object, sizeof object) || object.TotalByteLength < sizeof object ||
            !cut_part(at, object.TotalByteLength, &bytes) || !walk_object(&to, &object, bytes))
            return ERROR_INVALID_DATA;
        skip_part(at, object.TotalByteLength, &at);
    }
    return ERROR_SUCCESS;
}

/* Returns whether the beginning of `at` has the fields of an object. */
static BOOL begins_with_object(part at)
{
    PERF_OBJECT_TYPE object;

    return copy_part(at, &object, sizeof object) && object.HeaderLength == sizeof object &&
           object.DefinitionLength > object.HeaderLength &&
           object.TotalByteLength >= object.DefinitionLength && object.ObjectNameTitleIndex != 0;
}

BOOL raw_sample_is_misplaced(const raw_sample *sample)
{
    const part said = {sample->bytes + sample->objects_offset, sample->objects_bytes};
    part later;

    return sample->object_count > 0 && !begins_with_object(said) &&
           skip_part(said, sizeof(PERF_DATA_BLOCK), &later) && begins_with_object(later);
}

typedef struct search {
    const raw_value *like;
    DWORD status;
    DWORD value;
} search;

static void compare_value(void *context, const raw_value *value)
{
    search *s = context;

    if (value->object != s->like->object || value->counter != s->like->counter ||
        wcscmp(value->instance, s->like->instance) != 0)
        return;
    s->status = ERROR_SUCCESS;
    s->value = value->value;
}

DWORD raw_sample_value(const raw_sample *sample, const raw_value *like, DWORD *value)
{
    search s = {.like = like, .status = ERROR_NOT_FOUND};

    raw_sample_walk(sample, compare_value, &s);
    if (s.status == ERROR_SUCCESS)
        *value = s.value;
    return s.status;
}

double raw_rate(const raw_sample *older, DWORD older_value, const raw_sample *newer,
                DWORD newer_value)
{
    DWORD difference = newer_value - older_value; /* modulo 2^32, like the counter */
    double seconds = (double)(newer->ticks - older->ticks) / (double)newer->ticks_per_second;

    return seconds > 0 ? difference / seconds : 0;
}
