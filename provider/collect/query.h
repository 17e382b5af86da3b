/* SPDX-License-Identifier: MIT */
/*
 * Parses the query of a reader: the string that the reader gave to RegQueryValueEx and that perflib
 * passes on. The grammar is that of Microsoft's page "Using the Registry Functions to Consume
 * Counter Data". Words are compared whole, ignoring case.
 */
#ifndef PRFDATA_QUERY_H
#define PRFDATA_QUERY_H

#include "map/model.h"

/*
 * Parses a query.
 *
 *     Global                        every object that is not costly
 *     Costly                        every costly object
 *     <number> <number> ...         the objects with these title indexes; other words are skipped
 *     MetadataGlobal                the objects of Global, definitions only
 *     MetadataCostly                the objects of Costly, definitions only
 *     Foreign ..., anything else, empty or NULL: nothing
 *
 * The first word may begin with OLD_, which asks for version-1 providers.
 *
 * text      NUL-terminated UTF-16 of any length, or NULL.
 * wanted    Gets one flag per object of the model. The flags of the parents of wanted objects are
 *           set, too, unless only definitions are asked for.
 * metadata  Set to whether only definitions are asked for.
 *
 * Returns whether any object is wanted.
 */
bool prfdata_query_parse(const uint16_t *text, const prfdata_model *model, uint32_t first_counter,
                         bool *wanted, bool *metadata);

#endif
