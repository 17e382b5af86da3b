/* SPDX-License-Identifier: MIT */
/* Read and judge the name of an instance. */
#ifndef PRFDATA_READER_JUDGE_NAME_H
#define PRFDATA_READER_JUDGE_NAME_H

#include "judge/judged.h"

/*
 * Read the name into i->name and judge it.
 *
 * i      Its definition was read, and ByteLength fits.
 * chars  Room for as many chars as the definition has bytes; i->name borrows them.
 */
void prfdata_judge_name_read(prfdata_judged *j, const prfdata_judged_object *o,
                             prfdata_judged_instance *i, uint16_t *chars);

#endif
