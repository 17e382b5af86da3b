/* SPDX-License-Identifier: MIT */
/*
 * Writes a C++ header with a struct for each object of a map. The members of a struct are handles
 * of <prfdata/prfdata.hpp>. The class of a handle follows from the counter's type and options, so
 * that a wrong operation does not compile. The structs leave out bases, which belong to their
 * counters. They also leave out counters that no program counts: statistics of distributions, the
 * service's health, and counters without data. Comments name these counters. Portable.
 *
 * A member's name is the counter's symbol in lower case, without the words at its beginning that
 * the object's symbol also has: "jobs" for QUEUES_JOBS of QUEUES. If the name is a keyword or a
 * macro, or is already in use, an underscore is appended. If that does not help, the counter's id
 * follows the underscore.
 */
#include "emit/emit.h"
#include "emit/emit_item.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <prfdata/perf_types.h>

#include "names/ascii.h"
#include "names/c_word.h"

/* A symbol, an underscore and an id. */
enum { CPP_NAME_BYTES = PRFDATA_MAX_SYMBOL_CHARS + 16 };

typedef char cpp_name[CPP_NAME_BYTES];

/* The names that are in use, either of all structs or of the members of one struct. */
typedef struct cpp_scope {
    cpp_name *names;
    size_t count;
} cpp_scope;

/* The words that the header itself uses, and lower-case names of macros in system headers. */
static const char *const used_words[] = {
    "prfdata",   "std",    "object_id", "of",   "min",    "max",      "near",   "far",    "small",
    "errno",     "linux",  "unix",      "i386", "assert", "stdin",    "stdout", "stderr", "environ",
    "interface", "pascal", "cdecl",     "huge", "signal", "offsetof", "setjmp",
};

static bool is_used_name(const cpp_scope *scope, const char *name)
{
    for (size_t i = 0; i < sizeof used_words / sizeof used_words[0]; i++) {
        if (strcmp(used_words[i], name) == 0)
            return true;
    }
    for (size_t i = 0; i < scope->count; i++) {
        if (strcmp(scope->names[i], name) == 0)
            return true;
    }
    return prfdata_c_word_is_keyword(name) || prfdata_c_word_is_reserved(name);
}

static void put_lower(cpp_name name, const char *symbol)
{
    size_t i = 0;

    for (; i < PRFDATA_MAX_SYMBOL_CHARS && symbol[i]; i++)
        name[i] = (char)prfdata_ascii_lower(symbol[i]);
    name[i] = 0;
}

/*
 * Return the symbol without the words at its beginning that the object's symbol also has. If the
 * rest does not begin with a letter, return the whole symbol.
 */
static const char *symbol_in_object(const char *symbol, const char *object)
{
    size_t rest = 0;

    for (size_t i = 0; symbol[i] && (object[i] == 0 || prfdata_ascii_lower(symbol[i]) ==
                                                           prfdata_ascii_lower(object[i]));
         i++) {
        if (symbol[i] == '_')
            rest = i + 1;
        if (object[i] == 0)
            break;
    }
    return prfdata_ascii_is_letter((unsigned char)symbol[rest]) ? symbol + rest : symbol;
}

static const char *give_name(cpp_scope *scope, const char *symbol, uint32_t id)
{
    char *name = scope->names[scope->count];
    size_t length;

    put_lower(name, symbol);
    length = strlen(name);
    if (is_used_name(scope, name) && name[length - 1] != '_')
        memcpy(name + length, "_", 2);
    if (is_used_name(scope, name))
        (void)snprintf(name + length, CPP_NAME_BYTES - length, "%s%u",
                       name[length - 1] == '_' ? "" : "_", (unsigned)id);
    scope->count++;
    return name;
}

static bool is_fraction_of_now(const prfdata_model_counter *counter)
{
    return (counter->entry->type == PERF_RAW_FRACTION ||
            counter->entry->type == PERF_LARGE_RAW_FRACTION) &&
           counter->merging != PRFDATA_MERGING_ACCUMULATE;
}

/* Return the class of a counter's handle; NULL if no program counts it. */
static const char *cpp_class(const prfdata_model_counter *counter)
{
    if (counter->is_base || counter->shows || counter->health ||
        counter->cell_index == PRFDATA_NONE)
        return NULL;
    if (counter->entry->type == PERF_ELAPSED_TIME)
        return "elapsed";
    if (counter->entry->type == PERF_AVERAGE_BULK)
        return "average";
    if (counter->ticks != PRFDATA_TICKS_NONE)
        return "timer";
    if (counter->has_base)
        return is_fraction_of_now(counter) ? "fraction" : "counted_fraction";
    return counter->merging == PRFDATA_MERGING_ACCUMULATE ? "counter" : "gauge";
}

/*
 * The line ends with a quotation mark, because a backslash at its end would continue the comment.
 */
static void put_cpp_comment(prfdata_quoted_text *text, const char *indent, const wchar_t *name,
                            const wchar_t *help)
{
    prfdata_quoted_text_format(text, "%s// ", indent);
    prfdata_emit_item_put_title(text, name);
    prfdata_quoted_text_put(text, ": ");
    prfdata_emit_item_put_title(text, help);
    prfdata_quoted_text_put(text, "\n");
}

/*
 * Put the declaration of one member at the end of `text`, and its initializer at the end of
 * `resolving`.
 */
static void put_member(prfdata_quoted_text *text, prfdata_quoted_text *resolving,
                       const char *class_name, const char *name, uint32_t id)
{
    prfdata_quoted_text_format(text, "    prfdata::%s %s;\n", class_name, name);
    prfdata_quoted_text_format(resolving, "%s%s(of.resolve<prfdata::%s>(%uu))",
                               resolving->used > 0 ? ",\n          " : "        : ", name,
                               class_name, (unsigned)id);
}

void prfdata_emit_cpp_obstacle(prfdata_quoted_text *reason, const prfdata_model *model,
                               const prfdata_model_object *object,
                               const prfdata_model_counter *counter)
{
    (void)model;
    (void)object;
    if (counter->is_base || cpp_class(counter))
        return;
    if (counter->shows)
        prfdata_quoted_text_format(
            reason, "readers get the counter from recorded values; record them in distribution_%u",
            (unsigned)counter->shows->id);
    else
        prfdata_quoted_text_put(reason, counter->health
                                            ? "the provider fills in the counter; do not count it"
                                            : "the counter has no data; there is nothing to count");
}

static void put_cpp_members(prfdata_quoted_text *text, prfdata_quoted_text *resolving,
                            const prfdata_model_object *object, cpp_scope *scope)
{
    for (uint32_t i = 0; i < object->counter_count; i++) {
        const prfdata_map_entry *entry = object->counters[i].entry;
        const char *class_name = cpp_class(&object->counters[i]);

        if (!class_name)
            continue;
        put_cpp_comment(text, "    ", entry->name, entry->help);
        put_member(
            text, resolving, class_name,
            give_name(scope, symbol_in_object(entry->symbol, object->entry->symbol), entry->id),
            entry->id);
    }
    for (uint32_t i = 0; i < object->distribution_count; i++) {
        const uint32_t id = object->distributions[i].entry->id;
        cpp_name symbol; /* maps contain no names of distributions */

        (void)snprintf(symbol, sizeof symbol, "distribution_%u", (unsigned)id);
        put_member(text, resolving, "distribution", give_name(scope, symbol, id), id);
    }
}

static void put_struct(prfdata_quoted_text *text, const prfdata_model_object *object,
                       cpp_scope *structs, cpp_scope *members)
{
    prfdata_quoted_text resolving = {0};
    prfdata_quoted_text lines = {0};
    const char *name = give_name(structs, object->entry->symbol, object->entry->id);
    const char *owner = object->has_instances ? "instance" : "publisher";

    memcpy(members->names[0], name, sizeof(cpp_name)); /* no member may have its class's name */
    members->count = 1;
    put_cpp_members(&lines, &resolving, object, members);
    if (resolving.used > 0) {
        prfdata_quoted_text_put(text, "\n");
        put_cpp_comment(text, "", object->entry->name, object->entry->help);
        prfdata_quoted_text_format(text,
                                   "struct %s {\n    enum : std::uint32_t { object_id = %uu };\n\n",
                                   name, (unsigned)object->entry->id);
        prfdata_quoted_text_put(text, prfdata_quoted_text_get(&lines));
        prfdata_quoted_text_format(text,
                                   "\n    // Counts where no reader sees it.\n"
                                   "    %s() noexcept = default;\n\n"
                                   "    explicit %s(const prfdata::%s &of) noexcept\n",
                                   name, name, owner);
        prfdata_quoted_text_put(text, prfdata_quoted_text_get(&resolving));
        prfdata_quoted_text_put(text, "\n    {\n    }\n};\n");
    }
    text->has_failed |= lines.has_failed | resolving.has_failed;
    prfdata_quoted_text_free(&lines);
    prfdata_quoted_text_free(&resolving);
}

static void put_structs(prfdata_quoted_text *text, const prfdata_model *model)
{
    /*
     * A struct has members for the counters and distributions of its object. No member may have the
     * name of the struct, so that name takes one more place.
     */
    enum { MOST_MEMBERS = 1 + PRFDATA_MAX_COUNTERS + PRFDATA_MAX_DISTRIBUTIONS };
    cpp_scope structs = {calloc(model->object_count, sizeof(cpp_name)), 0};
    cpp_scope members = {calloc(MOST_MEMBERS, sizeof(cpp_name)), 0};

    text->has_failed |= !structs.names || !members.names;
    for (uint32_t i = 0; i < model->object_count && !text->has_failed; i++)
        put_struct(text, &model->objects[i], &structs, &members);
    free(structs.names);
    free(members.names);
}

/*
 * Put the words of the service's name, and then "counters". If the name begins with a digit, put
 * "service" before it.
 */
static void put_namespace(prfdata_quoted_text *text, const prfdata_model *model)
{
    if (prfdata_ascii_is_digit((unsigned char)model->map->service[0]))
        prfdata_quoted_text_put(text, "service");
    prfdata_emit_item_put_words(text, model->map->service, "");
    prfdata_quoted_text_put(text, "_counters");
}

static void put_cpp_header(prfdata_quoted_text *text, const prfdata_model *model)
{
    prfdata_quoted_text_put(text, "#ifndef prfdata_emitted_");
    put_namespace(text, model);
    prfdata_quoted_text_put(text, "\n#define prfdata_emitted_");
    put_namespace(text, model);
    prfdata_quoted_text_put(text, "\n\n#include <cstdint>\n\n#include <prfdata/prfdata.hpp>\n\n"
                                  "namespace ");
    put_namespace(text, model);
    prfdata_quoted_text_put(text, "\n{\n");
    put_structs(text, model);
    prfdata_quoted_text_put(text, "\n}\n\n#endif\n");
}

void prfdata_emit_cpp(prfdata_quoted_text *text, const prfdata_model *const *models, size_t count,
                      const char *program)
{
    prfdata_emit_put_origin(text, "// ", program, "Cpp", "\n");
    prfdata_emit_put_left_out(text, models, count, "// ", prfdata_emit_cpp_obstacle);
    for (size_t i = 0; i < count; i++)
        put_cpp_header(text, models[i]);
}
