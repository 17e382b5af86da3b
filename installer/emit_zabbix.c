/* SPDX-License-Identifier: MIT */
/*
 * A Zabbix template in YAML, in the format of 6.0, which later versions read ("Template export and
 * import", "Windows-specific item keys" of Zabbix' manual). Items read through PDH; instances are
 * discovered. Portable.
 */
#include "installer/emit.h"
#include "installer/emit_item.h"

#include <string.h>

#include "core/fnv.h"

typedef struct zabbix_object {
    prfdata_emit_text *text;
    const char *indent;   /* of an item */
    const char *instance; /* in a path: "({#INSTANCE})", "(_Total)" or "" */
    bool is_overall;
} zabbix_object;

/*
 * Put a line "uuid: ...". Zabbix recognises what it imported before by it, so it is made of what
 * the thing is, in the form of a random one (RFC 9562, version 4).
 */
static void put_uuid(prfdata_emit_text *text, const char *service, const char *symbol,
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
    prfdata_emit_text_format(text, "uuid: %08x%08x%08x%08x\n", (unsigned)(hash[0] >> 32),
                             (unsigned)hash[0], (unsigned)(hash[1] >> 32), (unsigned)hash[1]);
}

/* In the parameter of a key a quote is written \"; a backslash is itself. */
static void put_key_text(prfdata_emit_text *key, const wchar_t *wide)
{
    prfdata_emit_text plain = {0};

    prfdata_emit_text_put_wide(&plain, wide);
    prfdata_emit_text_put_replaced(key, prfdata_emit_text_get(&plain), "\"", "\\\"");
    key->has_failed |= plain.has_failed;
    prfdata_emit_text_free(&plain);
}

/* Put perf_counter_en["\Object(Instance)\Counter",60]: the last is the mean of 60 seconds. */
static void put_counter_key(const zabbix_object *z, const prfdata_emit_item *item)
{
    const bool is_mean = item->shape == PRFDATA_EMIT_RATE || item->shape == PRFDATA_EMIT_PERCENT ||
                         item->shape == PRFDATA_EMIT_AVERAGE || item->shape == PRFDATA_EMIT_LENGTH;
    prfdata_emit_text key = {0};

    prfdata_emit_text_put(&key, "perf_counter_en[\"\\");
    put_key_text(&key, item->object->entry->name);
    prfdata_emit_text_format(&key, "%s\\", z->instance);
    put_key_text(&key, item->counter->entry->name);
    prfdata_emit_text_put(&key, is_mean ? "\",60]" : "\"]");
    prfdata_emit_text_put_quoted(z->text, prfdata_emit_text_get(&key));
    z->text->has_failed |= key.has_failed;
    prfdata_emit_text_free(&key);
}

/* Put "Object ({#INSTANCE}): Counter", in quotes. */
static void put_item_name(const zabbix_object *z, const prfdata_emit_item *item)
{
    prfdata_emit_text name = {0};

    prfdata_emit_text_put_wide(&name, item->object->entry->name);
    prfdata_emit_text_put(&name, z->instance[0] ? " " : "");
    prfdata_emit_text_format(&name, "%s: ", z->instance);
    prfdata_emit_text_put_wide(&name, item->counter->entry->name);
    prfdata_emit_text_put_quoted(z->text, prfdata_emit_text_get(&name));
    z->text->has_failed |= name.has_failed;
    prfdata_emit_text_free(&name);
}

static bool is_level_in_percent(const prfdata_emit_item *item)
{
    return item->shape != PRFDATA_EMIT_PERCENT && strcmp(item->declared_unit, "percent") == 0;
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
    const bool is_rate = item->shape == PRFDATA_EMIT_RATE;

    if (item->shape == PRFDATA_EMIT_PERCENT || is_level_in_percent(item))
        return "%";
    if (item->shape == PRFDATA_EMIT_AGE)
        return "s";
    if (item->shape == PRFDATA_EMIT_LENGTH)
        return "";
    if (is_rate && strcmp(item->metric.unit, "bytes") == 0)
        return "Bps";
    for (size_t i = 0; !is_rate && i < sizeof units / sizeof units[0]; i++) {
        if (strcmp(item->metric.unit, units[i][0]) == 0)
            return units[i][1];
    }
    return "";
}

/* Values that the map declares in another unit are multiplied to the base unit. */
static void put_multiplier(const zabbix_object *z, const prfdata_emit_item *item)
{
    const double factor = item->metric.factor;

    if ((factor >= 1 && factor <= 1) || item->shape == PRFDATA_EMIT_PERCENT ||
        is_level_in_percent(item))
        return;
    prfdata_emit_text_format(z->text,
                             "%s  preprocessing:\n%s    - type: MULTIPLIER\n%s      parameters:\n"
                             "%s        - \"%.9g\"\n",
                             z->indent, z->indent, z->indent, z->indent, factor);
}

static void put_zabbix_item(void *context, const prfdata_emit_item *item)
{
    const zabbix_object *z = context;
    prfdata_emit_text *text = z->text;

    if (z->is_overall && !item->has_overall)
        return;
    prfdata_emit_text_format(text, "%s- ", z->indent);
    put_uuid(text, item->model->map->service, item->counter->entry->symbol, z->instance);
    prfdata_emit_text_format(text, "%s  name: ", z->indent);
    put_item_name(z, item);
    prfdata_emit_text_format(text, "\n%s  key: ", z->indent);
    put_counter_key(z, item);
    prfdata_emit_text_format(text, "\n%s  value_type: FLOAT\n", z->indent);
    if (zabbix_unit(item)[0])
        prfdata_emit_text_format(text, "%s  units: \"%s\"\n", z->indent, zabbix_unit(item));
    prfdata_emit_text_format(text, "%s  description: ", z->indent);
    prfdata_emit_item_put_title(text, item->counter->entry->help);
    prfdata_emit_text_put(text, "\n");
    put_multiplier(z, item);
    prfdata_emit_text_format(text, "%s  tags:\n%s    - tag: component\n%s      value: ", z->indent,
                             z->indent, z->indent);
    prfdata_emit_item_put_title(text, item->object->entry->name);
    prfdata_emit_text_put(text, "\n");
}

static bool has_plain_items(const prfdata_model *model, const prfdata_model_object *object)
{
    return !object->has_instances || prfdata_emit_item_any_overall(model, object);
}

static void put_plain_items(prfdata_emit_text *text, const prfdata_model *model)
{
    bool has_begun = false;

    for (uint32_t i = 0; i < model->object_count; i++) {
        const prfdata_model_object *object = &model->objects[i];
        zabbix_object z = {text, "        ", object->has_instances ? "(_Total)" : "",
                           object->has_instances};

        if (!has_plain_items(model, object))
            continue;
        prfdata_emit_text_put(text, has_begun ? "" : "      items:\n");
        has_begun = true;
        prfdata_emit_item_walk(model, object, put_zabbix_item, &z);
    }
}

static void put_discovery_rule(prfdata_emit_text *text, const prfdata_model *model,
                               const prfdata_model_object *object)
{
    zabbix_object z = {text, "            ", "({#INSTANCE})", false};
    prfdata_emit_text key = {0};

    prfdata_emit_text_put(text, "        - ");
    put_uuid(text, model->map->service, object->entry->symbol, "discovery");
    prfdata_emit_text_put(text, "          name: ");
    prfdata_emit_item_put_title(text, object->entry->name);
    prfdata_emit_text_put(&key, "perf_instance_en.discovery[\"");
    put_key_text(&key, object->entry->name);
    prfdata_emit_text_put(&key, "\"]");
    prfdata_emit_text_put(text, "\n          key: ");
    prfdata_emit_text_put_quoted(text, prfdata_emit_text_get(&key));
    text->has_failed |= key.has_failed;
    prfdata_emit_text_free(&key);
    prfdata_emit_text_put(text, "\n          delay: 5m\n"
                                "          filter:\n"
                                "            conditions:\n"
                                "              - macro: \"{#INSTANCE}\"\n"
                                "                value: \"^_Total$\"\n"
                                "                operator: NOT_MATCHES_REGEX\n"
                                "                formulaid: A\n"
                                "          item_prototypes:\n");
    prfdata_emit_item_walk(model, object, put_zabbix_item, &z);
}

static void put_discovery_rules(prfdata_emit_text *text, const prfdata_model *model)
{
    bool has_begun = false;

    for (uint32_t i = 0; i < model->object_count; i++) {
        if (!model->objects[i].has_instances)
            continue;
        prfdata_emit_text_put(text, has_begun ? "" : "      discovery_rules:\n");
        has_begun = true;
        put_discovery_rule(text, model, &model->objects[i]);
    }
}

static void put_template(prfdata_emit_text *text, const prfdata_model *model)
{
    const char *service = model->map->service;

    prfdata_emit_text_put(text, "    - ");
    put_uuid(text, service, "", "template");
    prfdata_emit_text_format(text, "      template: \"%s by PrfData\"\n", service);
    prfdata_emit_text_format(text, "      name: \"%s by PrfData\"\n", service);
    prfdata_emit_text_put(text, "      groups:\n        - name: Templates/PrfData\n");
    put_plain_items(text, model);
    put_discovery_rules(text, model);
}

void prfdata_emit_zabbix(prfdata_emit_text *text, const prfdata_model *const *models, size_t count,
                         const char *program)
{
    prfdata_emit_put_origin(text, "# ", program, "Zabbix", "\n");
    prfdata_emit_text_put(text, "zabbix_export:\n  version: \"6.0\"\n  groups:\n    - ");
    put_uuid(text, "PrfData", "", "group");
    prfdata_emit_text_put(text, "      name: Templates/PrfData\n  templates:\n");
    for (size_t i = 0; i < count; i++)
        put_template(text, models[i]);
}
