/* SPDX-License-Identifier: MIT */
/*
 * Reads a service's region files as a source, even if perflib or the titles are damaged. Every bit
 * of a region file may be invalid, and only the parser of the provider is tested and fuzzed for
 * this. So this file includes provider/collect/provider.h; no other file of reader/ does.
 */
#include "source/source.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/map.h>

#include "base/fnv.h"
#include "block/data_block.h"
#include "collect/provider.h"
#include "map/maps.h"
#include "names/names.h"
#include "source/retry.h"
#include "system/os.h"
#include "text/output.h"
#ifdef _WIN32
#include "source/registration.h"
#endif

/*
 * The first title indexes if none are installed. They cannot collide with other indexes, because a
 * reply has only objects of this service.
 */
#define FIRST_COUNTER 2u
#define FIRST_HELP    3u
#define EVENT_LEVEL   1 /* report only errors and warnings (events.h) */

typedef struct regions_source {
    prfdata_source source;
    prfdata_text name;
    char service[PRFDATA_MAX_SERVICE_CHARS + 1];
    prfdata_provider *provider;
    /* The model of the titles. Until renew_regions(), the provider may have newer titles. */
    prfdata_model *model;
    bool has_loaded; /* the titles have been loaded before */
    bool has_titles; /* titles are installed, and the provider itself checks for changes */
    uint32_t first_counter;
    uint32_t first_help;
    uint64_t maps_hash; /* hash of the value Maps from which `model` was made */
    uint32_t capacity;  /* capacity of the next buffer, in bytes (retry.h) */
} regions_source;

/* ---- Problems that the provider finds ---- */

static const struct {
    prfdata_event_id id;
    bool is_damage;
    const char *text; /* the message, printed after the event's detail */
} notes[] = {
    {PRFDATA_EVENT_FOLDER_CLOSED, false, "the regions folder can no longer be opened"},
    {PRFDATA_EVENT_REGION_DENIED, false,
     "this region is left out, because access to it is denied, or a program keeps it locked"},
    {PRFDATA_EVENT_REGION_UNUSABLE, false,
     "this region is left out, because it is too large for the installed map, or not a plain file"},
    {PRFDATA_EVENT_REGION_MAP, false,
     "this region is left out, because its program publishes another version of the map"},
    {PRFDATA_EVENT_REGION_VERSION, false,
     "this region is left out, because it has a later format; read it with a later prfread"},
    {PRFDATA_EVENT_REGION_DAMAGED, true, "this region is left out, because it is damaged"},
    {PRFDATA_EVENT_REGION_FAULTED, true, "this region is left out, because reading it failed"},
    {PRFDATA_EVENT_TOO_MANY_REGIONS, false,
     "there are more regions than a reader reads; the "
     "others are left out"},
    {PRFDATA_EVENT_TOO_LARGE, false, "this object has more instances than a reply holds"},
    {PRFDATA_EVENT_PUBLISHER_FULL, false,
     "the program of this region had more instances than it has room for, or longer names"},
};

static void report_note(regions_source *self, size_t note, const prfdata_event *event)
{
    uint16_t chars[PRFDATA_EVENT_DETAIL_CHARS * 2];
    prfdata_text detail = {chars, 0};
    prfdata_output text = {0};

    detail.count =
        prfdata_names_utf16_from_wide(event->detail, chars, sizeof chars / sizeof chars[0]);
    if (detail.count > 0 && detail.count <= sizeof chars / sizeof chars[0]) {
        prfdata_output_put_text(&text, detail);
        prfdata_output_put_string(&text, ": ");
    }
    prfdata_output_put_string(&text, notes[note].text);
    if (event->code != 0)
        prfdata_output_format(&text, " (error %u)", (unsigned)event->code);
    prfdata_output_put(&text, "", 1);
    if (!text.failed)
        prfdata_messages_put(self->source.messages,
                             &(prfdata_message){.severity = PRFDATA_SEVERITY_WARNING,
                                                .subject = self->name,
                                                .problem = notes[note].text,
                                                .text = text.bytes});
    prfdata_output_free(&text);
}

static void report_event(void *context, const char *service, const prfdata_event *event)
{
    regions_source *self = context;

    (void)service;
    for (size_t i = 0; i < sizeof notes / sizeof notes[0]; i++) {
        if (notes[i].id != event->id)
            continue;
        report_note(self, i, event);
        self->source.is_damaged = self->source.is_damaged || notes[i].is_damage;
    }
}

/* ---- The source ---- */

typedef struct regions_question {
    prfdata_provider *provider;
    const uint16_t *query;
    void **block;
    size_t *size;
} regions_question;

static uint32_t ask_regions(void *context, uint32_t capacity)
{
    const regions_question *q = context;
    void *buffer = malloc(capacity);
    void *end = buffer;
    uint32_t bytes = capacity;
    uint32_t objects = 0;
    uint32_t status;

    if (!buffer)
        return ERROR_NOT_ENOUGH_MEMORY;
    status = prfdata_provider_collect(q->provider, q->query, &end, &bytes, &objects);
    if (status == ERROR_SUCCESS)
        status = prfdata_data_block_make(buffer, bytes, objects, q->block, q->size);
    free(buffer);
    return status;
}

static uint32_t take_regions_sample(prfdata_source *source, const uint16_t *query, void **bytes,
                                    size_t *size)
{
    regions_source *self = (regions_source *)source;
    regions_question q = {self->provider, query, bytes, size};
    const prfdata_retry_calls retry = {ask_regions, NULL, &q};

    return prfdata_retry_ask(&retry, &self->capacity);
}

static uint32_t renew_regions(regions_source *self);
static void release_regions(regions_source *self);

static uint32_t load_model_titles(prfdata_source *source, prfdata_titles *titles)
{
    regions_source *self = (regions_source *)source;
    uint32_t status = self->has_loaded ? renew_regions(self) : ERROR_SUCCESS;

    self->has_loaded = true;
    if (status == ERROR_SUCCESS)
        status =
            prfdata_name_table_append_model(&titles->english, self->model, self->first_counter);
    return status == ERROR_SUCCESS ? prfdata_name_table_settle(&titles->english) : status;
}

static uint64_t regions_titles_stamp(prfdata_source *source)
{
    uint64_t stamp = 0;

    (void)prfdata_os_settings_stamp(((regions_source *)source)->service, &stamp);
    return stamp;
}

static uint32_t load_model_helps(prfdata_source *source, prfdata_titles *titles)
{
    const regions_source *self = (const regions_source *)source;
    uint32_t status =
        prfdata_metric_table_append_model(&titles->metrics, self->model, self->first_counter);

    prfdata_metric_table_settle(&titles->metrics);
    if (status == ERROR_SUCCESS)
        status =
            prfdata_name_table_append_model_helps(&titles->helps, self->model, self->first_help);
    return status == ERROR_SUCCESS ? prfdata_name_table_settle(&titles->helps) : status;
}

/* Finds the titles of this source's service, which has all objects. */
static uint32_t find_regions_service(prfdata_source *source, prfdata_text service,
                                     prfdata_source_titles *titles)
{
    if (!prfdata_text_equal(((regions_source *)source)->name, service))
        return ERROR_FILE_NOT_FOUND;
    *titles = (prfdata_source_titles){1, UINT32_MAX};
    return ERROR_SUCCESS;
}

static void close_regions(prfdata_source *source)
{
    regions_source *self = (regions_source *)source;

    release_regions(self);
    free(self);
}

/* ---- Opening ---- */

/* Copy the name of a service; false: it is not a valid service name. */
static bool copy_service_name(prfdata_text text, char *name)
{
    if (text.count == 0 || text.count > PRFDATA_MAX_SERVICE_CHARS)
        return false;
    for (size_t i = 0; i < text.count; i++) {
        if (text.chars[i] < ' ' || text.chars[i] > '~' || text.chars[i] == '\\' ||
            text.chars[i] == '/')
            return false;
        name[i] = (char)text.chars[i];
    }
    name[text.count] = 0;
    return true;
}

static const char *missing_map_text(prfdata_text service)
{
#ifdef _WIN32
    if (!prfdata_registration_exists(service))
        return "no service of this name has counters. Install them, or look for the name in its "
               "map's PRFDATA_MAP_END";
#else
    (void)service;
#endif
    return "the service has no value Maps, because its counters belong to another product or an "
           "older installer. Install them again, or try -dll";
}

/* A failure is reported. */
static uint32_t read_service_maps(const regions_source *self, const char *service, void **maps,
                                  size_t *size)
{
    const uint32_t status =
        prfdata_os_setting_bytes(service, "Maps", PRFDATA_MAX_MAPS_BYTES, maps, size);

    if (status == ERROR_FILE_NOT_FOUND)
        prfdata_messages_add(self->source.messages, PRFDATA_SEVERITY_ERROR, self->name, "%s",
                             missing_map_text(self->name));
    else if (status == ERROR_INVALID_DATA)
        prfdata_messages_add(
            self->source.messages, PRFDATA_SEVERITY_ERROR, self->name,
            "its value Maps is not a binary value, or is too large. Install the counters again");
    else if (status == ERROR_ACCESS_DENIED)
        prfdata_messages_add(self->source.messages, PRFDATA_SEVERITY_ERROR, self->name,
                             "this account cannot read its Performance key. Run as an "
                             "administrator, or install the counters again");
    else if (status != ERROR_SUCCESS)
        prfdata_messages_add_system(self->source.messages, self->name, status,
                                    "cannot read its value Maps");
    return status;
}

static void report_wrong_map(const regions_source *self, uint32_t status)
{
    if (status == ERROR_INVALID_DATA)
        prfdata_messages_add(self->source.messages, PRFDATA_SEVERITY_ERROR, self->name,
                             "its value Maps is damaged. Install the counters again");
    else if (status == ERROR_INVALID_NAME)
        prfdata_messages_add(self->source.messages, PRFDATA_SEVERITY_ERROR, self->name,
                             "its value Maps belongs to another service. Install the counters "
                             "again");
    else if (status == ERROR_REVISION_MISMATCH)
        prfdata_messages_add(
            self->source.messages, PRFDATA_SEVERITY_ERROR, self->name,
            "its value Maps has a format that this prfread does not know. Use the prfread of "
            "the installed version");
    else
        prfdata_messages_add_system(self->source.messages, self->name, status,
                                    "cannot read its Maps");
}

/* Check that the folder exists, because without it a reply would look as if no program ran. A
 * failure is reported. */
static uint32_t check_regions_folder(const regions_source *self, const char *service)
{
    prfdata_os_directory *directory;
    const uint32_t status = prfdata_os_directory_open(service, &directory);

    if (status == ERROR_SUCCESS)
        prfdata_os_directory_close(directory);
    else if (status == ERROR_FILE_NOT_FOUND || status == ERROR_PATH_NOT_FOUND)
        prfdata_messages_add(self->source.messages, PRFDATA_SEVERITY_ERROR, self->name,
                             "its regions folder is missing, or its value Regions, which "
                             "names it. Install the counters again");
    else if (status == ERROR_INVALID_DATA)
        prfdata_messages_add(self->source.messages, PRFDATA_SEVERITY_ERROR, self->name,
                             "its value Regions is not the full path of a real folder. "
                             "Install the counters again");
    else if (status == ERROR_ACCESS_DENIED)
        prfdata_messages_add(self->source.messages, PRFDATA_SEVERITY_ERROR, self->name,
                             "this account cannot open its regions folder. Install the "
                             "counters again, or read as another account");
    else
        prfdata_messages_add_system(self->source.messages, self->name, status,
                                    "cannot open its regions folder");
    return status;
}

/* Read the installed indexes, if there are any and they are valid. */
static void read_first_titles(regions_source *self)
{
    self->has_titles =
        !prfdata_os_setting_number(self->service, "First Counter", &self->first_counter) &&
        !prfdata_os_setting_number(self->service, "First Help", &self->first_help) &&
        prfdata_model_titles_fit(self->model, self->first_counter, self->first_help);
    if (!self->has_titles) {
        self->first_counter = FIRST_COUNTER;
        self->first_help = FIRST_HELP;
    }
}

/* Open the map and the titles of a value Maps, with a new `provider` that shows them. */
static uint32_t open_by_maps(regions_source *self, const void *maps, size_t maps_bytes)
{
    uint32_t status = prfdata_maps_current(maps, maps_bytes, &self->model);

    if (status != ERROR_SUCCESS)
        return status;
    self->maps_hash = prfdata_fnv_add(PRFDATA_FNV_START, maps, maps_bytes);
    read_first_titles(self);
    status = prfdata_provider_open_maps(self->service, maps, maps_bytes, self->first_counter,
                                        self->first_help, &self->provider);
    if (status != ERROR_SUCCESS || !self->has_titles)
        return status;
    /* This provider only checked the maps. The next one notices changes of the installation. */
    prfdata_provider_close(self->provider);
    self->provider = NULL;
    return prfdata_provider_open(self->service, &self->provider);
}

static void release_regions(regions_source *self)
{
    prfdata_provider_close(self->provider);
    prfdata_model_free(self->model);
    self->provider = NULL;
    self->model = NULL;
}

/* Replace everything with `made`, which has the current installation. The old provider stays if it
 * notices changes of the installation. */
static void go_on_with(regions_source *self, regions_source *made)
{
    if (self->has_titles) {
        prfdata_provider *kept = self->provider;

        self->provider = made->provider;
        made->provider = kept;
    }
    release_regions(self);
    self->provider = made->provider;
    self->model = made->model;
    self->has_titles = made->has_titles;
    self->first_counter = made->first_counter;
    self->first_help = made->first_help;
    self->maps_hash = made->maps_hash;
    prfdata_provider_set_event_writer(self->provider, EVENT_LEVEL, report_event, self);
}

/*
 * Returns whether the installation is unchanged. A new provider would then only report the same
 * problems again.
 */
static bool is_same_installation(const regions_source *a, const regions_source *b)
{
    return a->maps_hash == b->maps_hash && a->has_titles == b->has_titles &&
           a->first_counter == b->first_counter && a->first_help == b->first_help;
}

/*
 * Read the current installation. While values are missing, for instance in the middle of an
 * installation, nothing changes.
 */
static uint32_t renew_regions(regions_source *self)
{
    regions_source made = {.name = self->name};
    size_t maps_bytes = 0;
    void *maps = NULL;
    uint32_t status =
        prfdata_os_setting_bytes(self->service, "Maps", PRFDATA_MAX_MAPS_BYTES, &maps, &maps_bytes);

    if (status != ERROR_SUCCESS)
        return status;
    memcpy(made.service, self->service, sizeof made.service);
    status = open_by_maps(&made, maps, maps_bytes);
    free(maps);
    if (status == ERROR_SUCCESS && self->has_titles && !made.has_titles)
        status = ERROR_NOT_READY;
    if (status == ERROR_SUCCESS && !is_same_installation(self, &made))
        go_on_with(self, &made);
    else
        release_regions(&made);
    return status;
}

static uint32_t open_regions_provider(regions_source *self)
{
    uint32_t status;
    size_t maps_bytes = 0;
    void *maps = NULL;

    status = read_service_maps(self, self->service, &maps, &maps_bytes);
    if (status != ERROR_SUCCESS)
        return status;
    status = open_by_maps(self, maps, maps_bytes);
    free(maps);
    if (status != ERROR_SUCCESS) {
        report_wrong_map(self, status);
        return status;
    }
    status = check_regions_folder(self, self->service);
    if (status == ERROR_SUCCESS)
        prfdata_provider_set_event_writer(self->provider, EVENT_LEVEL, report_event, self);
    return status;
}

uint32_t prfdata_source_open_regions(prfdata_text service, prfdata_messages *messages,
                                     prfdata_source **source)
{
    static const prfdata_source_kind kind = {.take = take_regions_sample,
                                             .load_titles = load_model_titles,
                                             .load_helps = load_model_helps,
                                             .find_service = find_regions_service,
                                             .titles_stamp = regions_titles_stamp,
                                             .close = close_regions};
    char name[PRFDATA_MAX_SERVICE_CHARS + 1];
    regions_source *made;
    uint32_t status;

    if (!copy_service_name(service, name)) {
        prfdata_messages_add(messages, PRFDATA_SEVERITY_ERROR, service,
                             "cannot be a service's name");
        return ERROR_FILE_NOT_FOUND;
    }
    made = calloc(1, sizeof *made);
    if (!made) {
        prfdata_messages_add_system(messages, service, ERROR_NOT_ENOUGH_MEMORY,
                                    "cannot read regions");
        return ERROR_NOT_ENOUGH_MEMORY;
    }
    made->source.kind = &kind;
    made->source.messages = messages;
    made->name = service;
    memcpy(made->service, name, sizeof made->service);
    made->capacity = PRFDATA_RETRY_FIRST_CAPACITY;
    status = open_regions_provider(made);
    if (status != ERROR_SUCCESS) {
        close_regions(&made->source);
        return status;
    }
    *source = &made->source;
    return ERROR_SUCCESS;
}
