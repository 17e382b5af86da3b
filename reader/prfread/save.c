/* SPDX-License-Identifier: MIT */
#include "prfread/save.h"

#include <prfdata/error.h>

#include "prfread/inspect.h"
#include "block/saved_block.h"
#include "source/say.h"

/* A failure was told. */
static void write_file(prfdata_session *s, const prfdata_output *output)
{
    const prfdata_text path = s->options.save_file;
    uint32_t status = ERROR_NOT_ENOUGH_MEMORY;

    if (!output->failed)
        status =
            prfdata_console_write_file(path, s->options.overwrite, output->bytes, output->used);
    if (status == ERROR_SUCCESS)
        return;
    if (status == ERROR_FILE_EXISTS)
        prfdata_say_error(path, "the file exists; -y overwrites it");
    else
        prfdata_say_system_error(path, "cannot write the file", status);
    s->system_failed = true;
}

void prfdata_save_run(prfdata_session *s)
{
    prfdata_sample *sample = prfdata_inspect_take(s);
    prfdata_output output;

    if (!sample)
        return;
    prfdata_output_init(&output);
    (void)prfdata_source_load_helps(s->source, &s->titles); /* without them it is right, too */
    prfdata_saved_block_put(&output, sample, &s->titles);
    if (s->wanted == 0 || s->not_found < s->wanted)
        write_file(s, &output);
    prfdata_output_free(&output);
    prfdata_sample_free(sample);
}
