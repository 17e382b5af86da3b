/* SPDX-License-Identifier: MIT */
/* Calls the functions of a source's kind, and provides defaults for those that the kind
 * leaves out. */
#include "source/source.h"

#include <prfdata/error.h>

#include "os/system.h"

uint32_t prfdata_source_take(prfdata_source *source, const uint16_t *query, void **bytes,
                             size_t *size)
{
    return source->kind->take(source, query, bytes, size);
}

uint32_t prfdata_source_load_titles(prfdata_source *source, prfdata_titles *titles)
{
    const uint32_t status = source->kind->load_titles(source, titles);

    prfdata_titles_index_names(titles);
    return status;
}

uint64_t prfdata_source_titles_stamp(prfdata_source *source)
{
    return source->kind->titles_stamp ? source->kind->titles_stamp(source) : 0;
}

uint32_t prfdata_source_load_helps(prfdata_source *source, prfdata_titles *titles)
{
    return source->kind->load_helps ? source->kind->load_helps(source, titles) : ERROR_SUCCESS;
}

uint32_t prfdata_source_load_objects(prfdata_source *source, prfdata_name_table *objects,
                                     bool *is_all)
{
    *is_all = !source->kind->load_objects;
    return *is_all ? ERROR_SUCCESS : source->kind->load_objects(source, objects);
}

uint32_t prfdata_source_load_ids(prfdata_source *source, prfdata_titles *titles)
{
    return source->kind->load_ids ? source->kind->load_ids(source, titles) : ERROR_SUCCESS;
}

uint32_t prfdata_source_find_service(prfdata_source *source, prfdata_text service,
                                     prfdata_source_titles *titles)
{
    return source->kind->find_service ? source->kind->find_service(source, service, titles)
                                      : ERROR_NOT_SUPPORTED;
}

bool prfdata_source_explain_absence(prfdata_source *source, prfdata_text object,
                                    prfdata_output *output)
{
    return source && source->kind->explain_absence &&
           source->kind->explain_absence(source, object, output);
}

size_t prfdata_source_computer(prfdata_source *source, uint16_t *chars, size_t capacity)
{
    return source->kind->computer ? source->kind->computer(source, chars, capacity)
                                  : prfdata_system_computer(chars, capacity);
}

void prfdata_source_close(prfdata_source *source)
{
    if (source)
        source->kind->close(source);
}

bool prfdata_source_dll_may_be_file(prfdata_text name)
{
    const size_t extension = 4;

    for (size_t i = 0; i < name.count; i++) {
        if (name.chars[i] == '\\' || name.chars[i] == '/' || name.chars[i] == ':')
            return true;
    }
    return name.count > extension &&
           prfdata_text_equal_ascii(prfdata_text_part(name, name.count - extension, name.count),
                                    ".dll");
}
