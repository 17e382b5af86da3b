/* SPDX-License-Identifier: MIT */
/* Writes a file as prfread -f PROM -o FILE -y does, with one counter that grows with each sample.
 * tests/scripts/66-textfile.sh uses this program on Linux, where prfread has no live source.
 *
 *     textfile_writer FILE SAMPLES INTERVAL_MS
 *
 * The messages and the exit code are those of prfread. */
#include <stdlib.h>
#include <string.h>

#include <prfdata/error.h>

#include "os/stop.h"
#include "prfread/exposition.h"
#include "prfread/format.h"
#include "prfread/printer.h"
#include "support/reader/ascii_text.h"
#include "support/reader/wire.h"

static uint32_t take_written(prfdata_source *source, const uint16_t *query, void **bytes,
                             size_t *size)
{
    static uint64_t value;
    size_t object;
    wire w;

    (void)source;
    (void)query;
    wire_begin(&w, 1);
    object = wire_object(&w, 100, 1, -1, 0);
    wire_counter(&w, 102, 0x10410500, 8, 8);
    wire_value64(&w, value++);
    wire_object_end(&w, object);
    wire_end(&w);
    *bytes = malloc(w.used);
    if (!*bytes)
        return ERROR_NOT_ENOUGH_MEMORY;
    memcpy(*bytes, w.bytes, w.used);
    *size = w.used;
    return ERROR_SUCCESS;
}

static const prfdata_source_kind written_kind = {.take = take_written};

int main(int argc, char **argv)
{
    static prfdata_source source = {.kind = &written_kind};
    static uint16_t chars[2][400];
    uint16_t title[16];
    prfdata_text name;
    prfdata_printer printer;
    prfdata_task task;
    int exit_code;

    if (argc != 4 || strlen(argv[1]) >= 400)
        return 2;
    memset(&task, 0, sizeof task);
    prfdata_stop_catch();
    prfdata_printer_init(&printer, NULL);
    prfdata_options_init(&task.options, &name);
    task.session.messages = &printer.messages;
    task.session.source = &source;
    task.options.format = &prfdata_format_prom;
    task.options.overwrite = true;
    task.options.file = ascii_text(argv[1], chars[0]);
    task.options.sample_count = (uint32_t)strtoul(argv[2], NULL, 10);
    task.options.interval_ms = (uint32_t)strtoul(argv[3], NULL, 10);
    name = ascii_text("\\Jobs\\*", chars[1]);
    task.options.name_count = 1;
    if (prfdata_name_table_add(&task.session.titles.english, 100, ascii_text("Jobs", title)) ||
        prfdata_name_table_add(&task.session.titles.english, 102, ascii_text("Done/sec", title)))
        return 4;
    exit_code = (int)prfdata_task_exit_code(&task, prfdata_exposition_print(&task));
    prfdata_titles_free(&task.session.titles);
    prfdata_printer_free(&printer);
    return exit_code;
}
