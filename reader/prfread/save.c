/* SPDX-License-Identifier: MIT */
/* Joins a sample and its titles in a file. The file's format is in block/saved_block.c. */
#include "prfread/save.h"

#include <prfdata/error.h>

#include "prfread/inspect.h"
#include "block/saved_block.h"

uint32_t prfdata_save_run(prfdata_task *task)
{
    prfdata_session *s = &task->session;
    prfdata_sample *sample = prfdata_inspect_take(task);
    prfdata_output output;

    if (!sample)
        return prfdata_task_status(task);
    prfdata_output_init(&output);
    (void)prfdata_source_load_helps(s->source, &s->titles); /* the block is useful without */
    prfdata_saved_block_put(&output, sample, &s->titles);
    if (task->wanted == 0 || task->not_found < task->wanted)
        (void)prfdata_task_write_file(task, task->options.save_file, task->options.overwrite,
                                      &output);
    prfdata_output_free(&output);
    prfdata_sample_free(sample);
    return prfdata_task_status(task);
}
