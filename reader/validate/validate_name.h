/* SPDX-License-Identifier: MIT */
/* Reads and checks the name of an instance. */
#ifndef PRFDATA_READER_VALIDATE_NAME_H
#define PRFDATA_READER_VALIDATE_NAME_H

#include "validate/validated.h"

/*
 * Read the name into i->name and check it.
 *
 * i      The instance. Its definition was read, and ByteLength fits.
 * chars  Room for as many chars as the definition has bytes; i->name borrows them.
 */
void prfdata_validate_name_read(prfdata_validated *j, const prfdata_validated_object *o,
                                prfdata_validated_instance *i, uint16_t *chars);

#endif
