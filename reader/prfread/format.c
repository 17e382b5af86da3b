/* SPDX-License-Identifier: MIT */
/* Holds the table of output formats, and finds a format by its name. */
#include "prfread/format.h"

#define ADDRESS_OF_FORMAT(symbol, name) &prfdata_format_##symbol,

static const prfdata_format *const formats[] = {PRFDATA_FORMATS(ADDRESS_OF_FORMAT)};

const prfdata_format *prfdata_format_at(size_t position)
{
    return position < sizeof formats / sizeof formats[0] ? formats[position] : NULL;
}

const prfdata_format *prfdata_format_find(prfdata_text name)
{
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        if (prfdata_text_equal_ascii(name, formats[i]->name))
            return formats[i];
    }
    return NULL;
}
