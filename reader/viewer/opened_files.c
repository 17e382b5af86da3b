/* SPDX-License-Identifier: MIT */
/* Adds up the damage of several files. */
#include "viewer/opened_files.h"

#include <string.h>

/* Add the number of damaged samples in a file. The file and offset are kept only for the first
 * damaged sample of all files. */
static void add_damaged(size_t *count, size_t *first, prfdata_text *file, size_t more,
                        size_t offset, prfdata_text path)
{
    if (*count == 0 && more > 0) {
        *first = offset;
        (void)prfdata_text_copy(path, file);
    }
    *count += more;
}

void prfdata_opened_files_add(prfdata_opened_files *files, prfdata_text path,
                              const prfdata_recording *recording,
                              const prfdata_timeline_damage *damage)
{
    prfdata_timeline_damage *all = &files->damage;

    files->count++;
    all->samples += damage->samples;
    add_damaged(&all->left_out, &all->first_left_out, &files->left_out_file, damage->left_out,
                damage->first_left_out, path);
    add_damaged(&all->in_part, &all->first_in_part, &files->in_part_file, damage->in_part,
                damage->first_in_part, path);
    if (!recording->mistake || files->mistake)
        return;
    files->mistake = recording->mistake;
    files->mistake_offset = recording->mistake_offset;
    (void)prfdata_text_copy(path, &files->mistake_file);
}

void prfdata_opened_files_free(prfdata_opened_files *files)
{
    prfdata_text_free(&files->left_out_file);
    prfdata_text_free(&files->in_part_file);
    prfdata_text_free(&files->mistake_file);
    memset(files, 0, sizeof *files);
}
