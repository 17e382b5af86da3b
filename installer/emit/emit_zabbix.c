/* SPDX-License-Identifier: MIT */
/*
 * Writes a Zabbix template in YAML, in the format of 6.0, which later versions read ("Template
 * export and import", "Windows-specific item keys" of Zabbix' manual). Items read through PDH;
 * instances are discovered.
 *
 * perf_counter_en["path",60] is the mean of the values that PDH computes for each of the last 60
 * seconds; a second without any operation counts as 0. Without ",60" it is the value of the last
 * second (collect_perfstat() and compute_average_value() in src/zabbix_agent/perfstat.c of Zabbix
 * 6.0). The mean of 60 seconds is correct for values that are divided by time, and incorrect for
 * values that are divided by operations. So averages and sampled fractions are calculated. If
 * counters of a distribution show the rates of a sum and a count, these rates are divided.
 * Otherwise raw values of WMI are used. The agent's key wmi.getall gets all raw values of an object
 * at one moment, as JSON. A class Win32_PerfRawData_<service>_<object> has a property for each
 * counter, and one with _Base for the counter's base. Frequency_PerfTime is the frequency of the
 * clock of PERF_AVERAGE_TIMER ("Win32_PerfRawData class" and "Base Counter Types" of WMI's
 * documentation). names/wmi_name.h has the rules for names.
 *
 * A name has at most 255 characters. Discovery refuses an item whose name, including the instance,
 * is longer (lld_items_validate() in src/zabbix_server/lld/lld_item.c). Keys (2,048), units and
 * tags (255) and descriptions have room for the longest map (create/src/schema.tmpl). Portable.
 */
#include "emit/emit.h"
#include "emit/emit_item.h"

#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include <prfdata/perf_types.h>

#include "base/fnv.h"
#include "base/utf8.h"
#include "names/wmi_name.h"

typedef struct zabbix_object {
    prfdata_quoted_text *text;
    const char *indent;
    const char *instance; /* in a path: "({#INSTANCE})", "(_Total)" or "" */
    bool is_overall;
} zabbix_object;

enum {
    ZABBIX_NAME_CHARS = 255,
    ZABBIX_TITLE_CHARS =
        64, /* the fewest characters for both titles, however long the names of instances are */
    ZABBIX_MARK_CHARS = 9 /* "~" and a hash */
};

/*
 * Put a line "uuid: ...". Zabbix uses the UUID to recognise objects from an earlier import, so the
 * UUID must not change. It is a hash of the object's identity, in the form of a random UUID (RFC
 * 9562, version 4).
 */
static void put_uuid(prfdata_quoted_text *text, const char *service, const char *symbol,
                     const char *role)
{
    const char *const words[] = {service, symbol, role};
    uint64_t hash[2] = {PRFDATA_FNV_START, ~PRFDATA_FNV_START};

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        hash[0] = prfdata_fnv_add(hash[0], words[i], strlen(words[i]) + 1);
        hash[1] = prfdata_fnv_add(hash[1], words[i], strlen(words[i]) + 1);
    }
    hash[0] = (hash[0] & ~0xF000ull) | 0x4000;
    hash[1] = (hash[1] & ~(3ull << 62)) | 2ull << 62;
    prfdata_quoted_text_format(text, "uuid: %08x%08x%08x%08x\n", (unsigned)(hash[0] >> 32),
                               (unsigned)hash[0], (unsigned)(hash[1] >> 32), (unsigned)hash[1]);
}

/* In the parameter of a key a quote is written \"; a backslash needs no escape. */
static void put_key_text(prfdata_quoted_text *key, const wchar_t *wide)
{
    prfdata_quoted_text plain = {0};

    prfdata_quoted_text_put_wide(&plain, wide);
    prfdata_quoted_text_put_replaced(key, prfdata_quoted_text_get(&plain), "\"", "\\\"");
    key->has_failed |= plain.has_failed;
    prfdata_quoted_text_free(&plain);
}

/*
 * Returns whether PDH divides the value by operations. If so, the mean over seconds is not a mean
 * over operations.
 */
static bool is_per_operation(const prfdata_emit_item *item)
{
    return item->shape == PRFDATA_EMIT_AVERAGE ||
           item->counter->entry->type == PERF_SAMPLE_FRACTION;
}

static bool is_per_second(const prfdata_emit_item *item)
{
    return item->shape == PRFDATA_EMIT_RATE || item->shape == PRFDATA_EMIT_CHANGE;
}

static bool is_of_interval(const prfdata_emit_item *item)
{
    return is_per_second(item) || item->shape == PRFDATA_EMIT_PERCENT ||
           item->shape == PRFDATA_EMIT_LENGTH;
}

/* Append `["\Object(Instance)\Counter"` to the name of a key. */
static void append_path(prfdata_quoted_text *key, const zabbix_object *z,
                        const prfdata_emit_item *item)
{
    prfdata_quoted_text_put(key, "[\"\\");
    put_key_text(key, item->object->entry->name);
    prfdata_quoted_text_format(key, "%s\\", z->instance);
    put_key_text(key, item->counter->entry->name);
    prfdata_quoted_text_put(key, "\"");
}

/*
 * Append `name["\Object(Instance)\Counter",60]` if the item covers an interval. Otherwise, append
 * `name["\Object(Instance)\Counter"]`.
 */
static void append_key(prfdata_quoted_text *key, const zabbix_object *z, const char *name,
                       const prfdata_emit_item *item)
{
    prfdata_quoted_text_put(key, name);
    append_path(key, z, item);
    prfdata_quoted_text_put(key, is_of_interval(item) ? ",60]" : "]");
}

static void put_quoted_key(const zabbix_object *z, prfdata_quoted_text *key)
{
    prfdata_quoted_text_put_quoted(z->text, prfdata_quoted_text_get(key));
    z->text->has_failed |= key->has_failed;
    prfdata_quoted_text_free(key);
}

/*
 * Returns whether the title contains a built-in macro of the host. Zabbix replaces such a macro in
 * every key, and nothing escapes it ("Macros supported by location"). The macros of discoveries
 * have a #, which no title has.
 */
static bool has_zabbix_macro(const wchar_t *title)
{
    static const wchar_t *const macros[] = {L"{HOST.", L"{HOSTNAME}", L"{IPADDRESS}"};

    for (size_t i = 0; i < sizeof macros / sizeof macros[0]; i++) {
        if (wcsstr(title, macros[i]))
            return true;
    }
    return false;
}

/* Find the counter that shows, per second, the sum or the number of the values of `mean`. */
static bool find_rate(const prfdata_emit_item *mean, uint32_t option, prfdata_emit_item *rate)
{
    const prfdata_model_object *object = mean->object;

    for (uint32_t i = 0; i < object->counter_count; i++) {
        const prfdata_model_counter *counter = &object->counters[i];

        if (counter->shows && counter->shows->id == mean->counter->shows->id &&
            counter->shows->option == option &&
            (option == PRFDATA_OPTION_SUM || counter->shows->highest == UINT64_MAX) &&
            !has_zabbix_macro(counter->entry->name) &&
            prfdata_emit_item_make(mean->model, object, counter, rate) && is_per_second(rate))
            return true;
    }
    return false;
}

typedef struct zabbix_mean {
    prfdata_emit_item sum;
    prfdata_emit_item count;
} zabbix_mean;

/*
 * Find the counters of the sum and of the count from which the item can be calculated. Returns
 * false if one of them is missing.
 */
static bool find_mean(const prfdata_emit_item *item, zabbix_mean *mean)
{
    return item->counter->shows && find_rate(item, PRFDATA_OPTION_SUM, &mean->sum) &&
           find_rate(item, PRFDATA_OPTION_AT_MOST, &mean->count);
}

static bool is_from_raw(const prfdata_emit_item *item)
{
    zabbix_mean mean;

    return is_per_operation(item) && !find_mean(item, &mean);
}

/* Return the reason why the template cannot have the item; NULL if it can. */
static const char *zabbix_obstacle(const prfdata_emit_item *item)
{
    if (has_zabbix_macro(item->object->entry->name) || has_zabbix_macro(item->counter->entry->name))
        return "Zabbix replaces the macro in the title of the counter or of its object; choose a "
               "title without a macro";
    return NULL;
}

static bool is_zabbix_item(const prfdata_emit_item *item, bool is_overall)
{
    return (!is_overall || item->has_overall) && !zabbix_obstacle(item);
}

static bool is_part_of_mean(const prfdata_emit_item *item)
{
    for (uint32_t i = 0; i < item->object->counter_count; i++) {
        prfdata_emit_item other;
        zabbix_mean mean;

        if (prfdata_emit_item_make(item->model, item->object, &item->object->counters[i], &other) &&
            is_per_operation(&other) && find_mean(&other, &mean) &&
            (mean.sum.counter == item->counter || mean.count.counter == item->counter))
            return true;
    }
    return false;
}

static void append_mean_formula(prfdata_quoted_text *formula, const zabbix_object *z,
                                const zabbix_mean *mean)
{
    prfdata_quoted_text_put(formula, "last(//");
    append_key(formula, z, "perf_counter_en", &mean->sum);
    prfdata_quoted_text_put(formula, ")/last(//");
    append_key(formula, z, "perf_counter_en", &mean->count);
    prfdata_quoted_text_put(formula, ")");
}

static void append_property(prfdata_quoted_text *text, const wchar_t *title)
{
    char name[PRFDATA_WMI_NAME_BYTES];

    prfdata_wmi_name_write(title, name);
    prfdata_quoted_text_put(text, name);
}

static void append_class(prfdata_quoted_text *text, const prfdata_emit_item *item)
{
    wchar_t service[PRFDATA_MAX_SERVICE_CHARS + 1] = L"";

    for (size_t i = 0; i < PRFDATA_MAX_SERVICE_CHARS && item->model->map->service[i]; i++)
        service[i] = (wchar_t)(unsigned char)item->model->map->service[i];
    prfdata_quoted_text_put(text, "Win32_PerfRawData_");
    append_property(text, service);
    prfdata_quoted_text_put(text, "_");
    append_property(text, item->object->entry->name);
}

static void put_raw_key(prfdata_quoted_text *text, const prfdata_emit_item *item)
{
    prfdata_quoted_text key = {0};

    prfdata_quoted_text_put(&key, "wmi.getall[root\\cimv2,\"select * from ");
    append_class(&key, item);
    prfdata_quoted_text_put(&key, "\"]");
    prfdata_quoted_text_put_quoted(text, prfdata_quoted_text_get(&key));
    text->has_failed |= key.has_failed;
    prfdata_quoted_text_free(&key);
}

/* Append the key of a value of `kind`: prfdata.raw, prfdata.base or prfdata.frequency. */
static void append_raw_key(prfdata_quoted_text *key, const zabbix_object *z, const char *kind,
                           const prfdata_emit_item *item)
{
    prfdata_quoted_text_format(key, "prfdata.%s", kind);
    append_path(key, z, item);
    prfdata_quoted_text_put(key, "]");
}

static void append_raw_growth(prfdata_quoted_text *formula, const zabbix_object *z,
                              const char *kind, const prfdata_emit_item *item)
{
    prfdata_quoted_text_put(formula, "(last(//");
    append_raw_key(formula, z, kind, item);
    prfdata_quoted_text_put(formula, ")-last(//");
    append_raw_key(formula, z, kind, item);
    prfdata_quoted_text_put(formula, ",#2))");
}

/* A ratio is shown in percent. A time is divided by the frequency of its clock. */
static void append_raw_formula(prfdata_quoted_text *formula, const zabbix_object *z,
                               const prfdata_emit_item *item)
{
    if (item->shape == PRFDATA_EMIT_PERCENT)
        prfdata_quoted_text_put(formula, "100*");
    append_raw_growth(formula, z, "raw", item);
    prfdata_quoted_text_put(formula, "/");
    append_raw_growth(formula, z, "base", item);
    if (item->counter->entry->type == PERF_AVERAGE_TIMER) {
        prfdata_quoted_text_put(formula, "/last(//");
        append_raw_key(formula, z, "frequency", item);
        prfdata_quoted_text_put(formula, ")");
    }
}

/*
 * Put the formula; `mean` is NULL for a formula of raw values. If no operation was counted, the
 * formula divides by 0; put_preprocessing() makes Zabbix discard that result.
 */
static void put_formula(const zabbix_object *z, const prfdata_emit_item *item,
                        const zabbix_mean *mean)
{
    prfdata_quoted_text formula = {0};

    if (mean)
        append_mean_formula(&formula, z, mean);
    else
        append_raw_formula(&formula, z, item);
    prfdata_quoted_text_format(z->text, "%s  type: CALCULATED\n%s  params: ", z->indent, z->indent);
    put_quoted_key(z, &formula);
    prfdata_quoted_text_put(z->text, "\n");
}

/* Return the number of bytes of the first `chars` characters; of all if there are fewer. */
static size_t first_bytes(const char *text, size_t chars)
{
    size_t bytes = 0;

    while (text[bytes] && chars-- > 0) {
        bytes++;
        while (prfdata_utf8_continues(text[bytes]))
            bytes++;
    }
    return bytes;
}

/*
 * Append a title. If the title has more than `room` characters, append its beginning, and a hash of
 * the whole title.
 */
static void put_within(prfdata_quoted_text *name, const char *title, size_t room)
{
    const uint64_t hash = prfdata_fnv_add(PRFDATA_FNV_START, title, strlen(title));

    if (prfdata_utf8_count(title) <= room) {
        prfdata_quoted_text_put(name, title);
        return;
    }
    prfdata_quoted_text_put_bytes(name, title, first_bytes(title, room - ZABBIX_MARK_CHARS));
    prfdata_quoted_text_format(name, "~%08x", (unsigned)(hash ^ hash >> 32));
}

/* Return how many characters of a name are reserved for the instance. They are enough for the
 * macro, and for the longest name of an instance in parentheses. */
static size_t zabbix_instance_chars(const zabbix_object *z, const prfdata_emit_item *item)
{
    const prfdata_model_object *object = item->object;
    const size_t written = strlen(z->instance);
    size_t longest = object->name_chars + strlen("()");

    if (!object->has_instances || z->is_overall)
        return written;
    if (object->parent_index != PRFDATA_NONE) /* PDH calls the instance "parent/name" */
        longest += item->model->objects[object->parent_index].name_chars + 1;
    return longest > written ? longest : written;
}

/* Return how many characters of a name are left for the titles of the object and the counter. */
static size_t zabbix_title_room(const zabbix_object *z, const prfdata_emit_item *item)
{
    const size_t other = zabbix_instance_chars(z, item) + strlen(" : ");

    return other + ZABBIX_TITLE_CHARS < ZABBIX_NAME_CHARS ? ZABBIX_NAME_CHARS - other
                                                          : ZABBIX_TITLE_CHARS;
}

/*
 * Put "Object ({#INSTANCE}): Counter" and `end`, in quotes. The name depends only on the two titles
 * and on the longest name of an instance. So it stays the same if another version of the map adds
 * or removes counters.
 */
static void put_item_name(const zabbix_object *z, const prfdata_emit_item *item, const char *end)
{
    const size_t room = zabbix_title_room(z, item) - strlen(end);
    prfdata_quoted_text object = {0};
    prfdata_quoted_text counter = {0};
    prfdata_quoted_text name = {0};
    size_t object_chars;

    prfdata_quoted_text_put_wide(&object, item->object->entry->name);
    prfdata_quoted_text_put_wide(&counter, item->counter->entry->name);
    object_chars = prfdata_utf8_count(prfdata_quoted_text_get(&object));
    if (object_chars + prfdata_utf8_count(prfdata_quoted_text_get(&counter)) > room &&
        object_chars > room / 2)
        object_chars = room / 2;
    put_within(&name, prfdata_quoted_text_get(&object), object_chars);
    prfdata_quoted_text_put(&name, z->instance[0] ? " " : "");
    prfdata_quoted_text_format(&name, "%s: ", z->instance);
    put_within(&name, prfdata_quoted_text_get(&counter), room - object_chars);
    prfdata_quoted_text_put(&name, end);
    prfdata_quoted_text_put_quoted(z->text, prfdata_quoted_text_get(&name));
    z->text->has_failed |= object.has_failed | counter.has_failed | name.has_failed;
    prfdata_quoted_text_free(&object);
    prfdata_quoted_text_free(&counter);
    prfdata_quoted_text_free(&name);
}

static bool is_level_in_percent(const prfdata_emit_item *item)
{
    return item->shape != PRFDATA_EMIT_PERCENT && strcmp(item->value_unit, "percent") == 0;
}

static const char *zabbix_unit(const prfdata_emit_item *item)
{
    static const char *const units[][2] = {
        {"bytes", "B"},  {"seconds", "s"},
        {"volts", "V"},  {"amperes", "A"},
        {"watts", "W"},  {"joules", "J"},
        {"hertz", "Hz"}, {"meters", "m"},
        {"grams", "g"},  {"celsius", "\xC2\xB0\x43"},
    };

    if (item->shape == PRFDATA_EMIT_PERCENT || is_level_in_percent(item))
        return "%";
    if (item->shape == PRFDATA_EMIT_AGE)
        return "s";
    if (item->shape == PRFDATA_EMIT_LENGTH)
        return "";
    if (is_per_second(item) && strcmp(item->metric.unit, "bytes") == 0)
        return "Bps";
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (strcmp(item->metric.unit, units[i][0]) == 0)
            return units[i][1];
    }
    return "";
}

static void put_unit(const zabbix_object *z, const prfdata_emit_item *item)
{
    const char *unit = zabbix_unit(item);
    const char *end = is_per_second(item) && strcmp(unit, "Bps") != 0 ? "/s" : "";

    if (unit[0] || end[0])
        prfdata_quoted_text_format(z->text, "%s  units: \"%s%s\"\n", z->indent, unit, end);
}

/*
 * Return the factor that converts a value to the item's unit. The sum in `mean` is converted
 * already.
 */
static double zabbix_factor(const prfdata_emit_item *item, const zabbix_mean *mean)
{
    if (item->shape == PRFDATA_EMIT_PERCENT || is_level_in_percent(item))
        return 1;
    return mean ? item->metric.factor / mean->sum.metric.factor : item->metric.factor;
}

/*
 * Put the steps that change or discard values. A calculation without a result is discarded, and so
 * is a negative mean of raw values. Such a mean occurs after a raw value of 4 bytes has begun again
 * at 0. Values are converted to the unit of the item.
 *
 * mean  The parts of a distribution from which the item is calculated; NULL if there are none.
 */
static void put_preprocessing(const zabbix_object *z, const prfdata_emit_item *item,
                              const zabbix_mean *mean)
{
    const double factor = zabbix_factor(item, mean);
    const bool is_scaled = factor < 1 || factor > 1;
    const bool is_raw = is_from_raw(item);
    const char *in = z->indent;

    if (mean || is_raw || is_scaled)
        prfdata_quoted_text_format(z->text, "%s  preprocessing:\n", in);
    if (mean || is_raw)
        prfdata_quoted_text_format(z->text,
                                   "%s    - type: CHECK_NOT_SUPPORTED\n%s      parameters:\n"
                                   "%s        - \"\"\n%s      error_handler: DISCARD_VALUE\n",
                                   in, in, in, in);
    if (is_raw)
        prfdata_quoted_text_format(z->text,
                                   "%s    - type: IN_RANGE\n%s      parameters:\n"
                                   "%s        - \"0\"\n%s        - \"\"\n"
                                   "%s      error_handler: DISCARD_VALUE\n",
                                   in, in, in, in, in);
    if (is_scaled)
        prfdata_quoted_text_format(z->text,
                                   "%s    - type: MULTIPLIER\n%s      parameters:\n"
                                   "%s        - \"%.9g\"\n",
                                   in, in, in, factor);
}

/*
 * Put the source of an item's values. Values from which another item is calculated are read in
 * second 0 of each minute, so that they belong together. That item is calculated in second 10.
 */
static void put_zabbix_source(const zabbix_object *z, const prfdata_emit_item *item,
                              const zabbix_mean *mean)
{
    const bool is_calculated = is_per_operation(item);
    prfdata_quoted_text key = {0};

    if (is_calculated)
        put_formula(z, item, mean);
    prfdata_quoted_text_format(z->text, "%s  key: ", z->indent);
    append_key(&key, z, is_calculated ? "prfdata.mean" : "perf_counter_en", item);
    put_quoted_key(z, &key);
    prfdata_quoted_text_put(z->text, "\n");
    if (is_calculated || is_part_of_mean(item))
        prfdata_quoted_text_format(z->text, "%s  delay: 0;s%s\n", z->indent,
                                   is_calculated ? "10" : "0");
}

static void put_component(const zabbix_object *z, const prfdata_emit_item *item)
{
    prfdata_quoted_text_format(z->text,
                               "%s  tags:\n%s    - tag: component\n%s      value: ", z->indent,
                               z->indent, z->indent);
    prfdata_emit_item_put_title(z->text, item->object->entry->name);
    prfdata_quoted_text_put(z->text, "\n");
}

/*
 * Put the step that takes a property from the raw values. The property's name is made from `title`,
 * and ends with `end`.
 */
static void put_json_path(const zabbix_object *z, const wchar_t *title, const char *end)
{
    prfdata_quoted_text path = {0};

    if (z->instance[0]) {
        /* The name of the instance stands here without the parentheses of a PDH path. */
        prfdata_quoted_text_put(&path, "$[?(@.Name == \"");
        prfdata_quoted_text_put_bytes(&path, z->instance + 1, strlen(z->instance) - 2);
        prfdata_quoted_text_put(&path, "\")].");
    } else {
        prfdata_quoted_text_put(&path, "$[0].");
    }
    append_property(&path, title);
    prfdata_quoted_text_put(&path, end);
    prfdata_quoted_text_put(&path, z->instance[0] ? ".first()" : "");
    prfdata_quoted_text_format(z->text,
                               "%s  preprocessing:\n%s    - type: JSONPATH\n"
                               "%s      parameters:\n%s        - ",
                               z->indent, z->indent, z->indent, z->indent);
    prfdata_quoted_text_put_quoted(z->text, prfdata_quoted_text_get(&path));
    prfdata_quoted_text_put(z->text, "\n");
    z->text->has_failed |= path.has_failed;
    prfdata_quoted_text_free(&path);
}

/* Put an item that takes one raw value from the item with all raw values of the object. */
static void put_raw_item(const zabbix_object *z, const prfdata_emit_item *item, const char *kind,
                         const wchar_t *title, const char *end)
{
    prfdata_quoted_text *text = z->text;
    prfdata_quoted_text key = {0};
    char role[64], name_end[32];

    (void)snprintf(role, sizeof role, "%s %s", z->instance, kind);
    (void)snprintf(name_end, sizeof name_end, ", %s", kind);
    prfdata_quoted_text_format(text, "%s- ", z->indent);
    put_uuid(text, item->model->map->service, item->counter->entry->symbol, role);
    prfdata_quoted_text_format(text, "%s  name: ", z->indent);
    put_item_name(z, item, name_end);
    prfdata_quoted_text_format(text, "\n%s  type: DEPENDENT\n%s  key: ", z->indent, z->indent);
    append_raw_key(&key, z, kind, item);
    put_quoted_key(z, &key);
    prfdata_quoted_text_format(text, "\n%s  delay: \"0\"\n%s  value_type: FLOAT\n", z->indent,
                               z->indent);
    put_json_path(z, title, end);
    prfdata_quoted_text_format(text, "%s  master_item:\n%s    key: ", z->indent, z->indent);
    put_raw_key(text, item);
    prfdata_quoted_text_put(text, "\n");
    put_component(z, item);
}

static void put_raw_items(const zabbix_object *z, const prfdata_emit_item *item)
{
    put_raw_item(z, item, "raw", item->counter->entry->name, "");
    put_raw_item(z, item, "base", item->counter->entry->name, "_Base");
    if (item->counter->entry->type == PERF_AVERAGE_TIMER)
        put_raw_item(z, item, "frequency", L"", "Frequency_PerfTime");
}

static void put_zabbix_item(void *context, const prfdata_emit_item *item)
{
    const zabbix_object *z = context;
    prfdata_quoted_text *text = z->text;
    zabbix_mean parts;
    const zabbix_mean *mean = is_per_operation(item) && find_mean(item, &parts) ? &parts : NULL;

    if (!is_zabbix_item(item, z->is_overall))
        return;
    if (is_from_raw(item))
        put_raw_items(z, item);
    prfdata_quoted_text_format(text, "%s- ", z->indent);
    put_uuid(text, item->model->map->service, item->counter->entry->symbol, z->instance);
    prfdata_quoted_text_format(text, "%s  name: ", z->indent);
    put_item_name(z, item, "");
    prfdata_quoted_text_put(text, "\n");
    put_zabbix_source(z, item, mean);
    prfdata_quoted_text_format(text, "%s  value_type: FLOAT\n", z->indent);
    put_unit(z, item);
    prfdata_quoted_text_format(text, "%s  description: ", z->indent);
    prfdata_emit_item_put_title(text, item->counter->entry->help);
    prfdata_quoted_text_put(text, "\n");
    put_preprocessing(z, item, mean);
    put_component(z, item);
}

static bool has_raw_items(const prfdata_model *model, const prfdata_model_object *object)
{
    prfdata_emit_item item;

    for (uint32_t i = 0; i < object->counter_count; i++) {
        if (prfdata_emit_item_make(model, object, &object->counters[i], &item) &&
            is_zabbix_item(&item, false) && is_from_raw(&item))
            return true;
    }
    return false;
}

/* Put the item that gets all raw values of an object. */
static void put_raw_master(prfdata_quoted_text *text, const prfdata_model *model,
                           const prfdata_model_object *object)
{
    const prfdata_emit_item item = {.model = model, .object = object};

    prfdata_quoted_text_put(text, "        - ");
    put_uuid(text, model->map->service, object->entry->symbol, "raw");
    prfdata_quoted_text_put(text, "          name: ");
    prfdata_emit_item_put_title(text, object->entry->name);
    prfdata_quoted_text_put(text, "\n          key: ");
    put_raw_key(text, &item);
    prfdata_quoted_text_put(text, "\n          delay: 0;s0\n          history: \"0\"\n"
                                  "          trends: \"0\"\n          value_type: TEXT\n"
                                  "          description: \"Raw values of WMI, from which means "
                                  "and ratios are calculated.\"\n");
}

static bool has_zabbix_items(const prfdata_model *model, const prfdata_model_object *object,
                             bool is_overall)
{
    prfdata_emit_item item;

    for (uint32_t i = 0; i < object->counter_count; i++) {
        if (prfdata_emit_item_make(model, object, &object->counters[i], &item) &&
            is_zabbix_item(&item, is_overall))
            return true;
    }
    return false;
}

static void put_plain_items(prfdata_quoted_text *text, const prfdata_model *model)
{
    bool has_begun = false;

    for (uint32_t i = 0; i < model->object_count; i++) {
        const prfdata_model_object *object = &model->objects[i];
        zabbix_object z = {text, "        ", object->has_instances ? "(_Total)" : "",
                           object->has_instances};

        if (!has_zabbix_items(model, object, z.is_overall) && !has_raw_items(model, object))
            continue;
        prfdata_quoted_text_put(text, has_begun ? "" : "      items:\n");
        has_begun = true;
        if (has_raw_items(model, object))
            put_raw_master(text, model, object);
        prfdata_emit_item_walk(model, object, put_zabbix_item, &z);
    }
}

static void put_discovery_rule(prfdata_quoted_text *text, const prfdata_model *model,
                               const prfdata_model_object *object)
{
    zabbix_object z = {text, "            ", "({#INSTANCE})", false};
    prfdata_quoted_text key = {0};

    prfdata_quoted_text_put(text, "        - ");
    put_uuid(text, model->map->service, object->entry->symbol, "discovery");
    prfdata_quoted_text_put(text, "          name: ");
    prfdata_emit_item_put_title(text, object->entry->name);
    prfdata_quoted_text_put(&key, "perf_instance_en.discovery[\"");
    put_key_text(&key, object->entry->name);
    prfdata_quoted_text_put(&key, "\"]");
    prfdata_quoted_text_put(text, "\n          key: ");
    prfdata_quoted_text_put_quoted(text, prfdata_quoted_text_get(&key));
    text->has_failed |= key.has_failed;
    prfdata_quoted_text_free(&key);
    prfdata_quoted_text_put(text, "\n          delay: 5m\n"
                                  "          filter:\n"
                                  "            conditions:\n"
                                  "              - macro: \"{#INSTANCE}\"\n"
                                  "                value: \"^_Total$\"\n"
                                  "                operator: NOT_MATCHES_REGEX\n"
                                  "                formulaid: A\n"
                                  "          item_prototypes:\n");
    prfdata_emit_item_walk(model, object, put_zabbix_item, &z);
}

static void put_discovery_rules(prfdata_quoted_text *text, const prfdata_model *model)
{
    bool has_begun = false;

    for (uint32_t i = 0; i < model->object_count; i++) {
        if (!model->objects[i].has_instances || !has_zabbix_items(model, &model->objects[i], false))
            continue;
        prfdata_quoted_text_put(text, has_begun ? "" : "      discovery_rules:\n");
        has_begun = true;
        put_discovery_rule(text, model, &model->objects[i]);
    }
}

static void put_template(prfdata_quoted_text *text, const prfdata_model *model)
{
    const char *service = model->map->service;

    prfdata_quoted_text_put(text, "    - ");
    put_uuid(text, service, "", "template");
    prfdata_quoted_text_format(text, "      template: \"%s by PrfData\"\n", service);
    prfdata_quoted_text_format(text, "      name: \"%s by PrfData\"\n", service);
    prfdata_quoted_text_put(text, "      groups:\n        - name: Templates/PrfData\n");
    put_plain_items(text, model);
    put_discovery_rules(text, model);
}

void prfdata_emit_zabbix_obstacle(prfdata_quoted_text *reason, const prfdata_model *model,
                                  const prfdata_model_object *object,
                                  const prfdata_model_counter *counter)
{
    const char *obstacle;
    prfdata_emit_item item;

    prfdata_emit_item_obstacle(reason, model, object, counter);
    if (!prfdata_emit_item_make(model, object, counter, &item))
        return;
    obstacle = zabbix_obstacle(&item);
    prfdata_quoted_text_put(reason, obstacle ? obstacle : "");
}

/* Put comments about macros that would change a key if somebody defined them. */
static void put_macro_comment(void *context, const prfdata_emit_item *item)
{
    if (zabbix_obstacle(item) ||
        (!wcsstr(item->object->entry->name, L"{$") && !wcsstr(item->counter->entry->name, L"{$")))
        return;
    prfdata_quoted_text_put(context, "# Read only while no macro of this name is defined: ");
    prfdata_emit_item_put_title(context, item->counter->entry->name);
    prfdata_quoted_text_put(context, "\n");
}

void prfdata_emit_zabbix(prfdata_quoted_text *text, const prfdata_model *const *models,
                         size_t count, const char *program)
{
    prfdata_emit_put_origin(text, "# ", program, "Zabbix", "\n");
    prfdata_emit_put_left_out(text, models, count, "# ", prfdata_emit_zabbix_obstacle);
    for (size_t m = 0; m < count; m++) {
        for (uint32_t i = 0; i < models[m]->object_count; i++)
            prfdata_emit_item_walk(models[m], &models[m]->objects[i], put_macro_comment, text);
    }
    prfdata_quoted_text_put(text, "zabbix_export:\n  version: \"6.0\"\n  groups:\n    - ");
    put_uuid(text, "PrfData", "", "group");
    prfdata_quoted_text_put(text, "      name: Templates/PrfData\n  templates:\n");
    for (size_t i = 0; i < count; i++)
        put_template(text, models[i]);
}
