/* SPDX-License-Identifier: MIT */
/* Makes samples from the bytes that wire.h wrote. */
#ifndef PRFDATA_TESTS_WIRE_SAMPLE_H
#define PRFDATA_TESTS_WIRE_SAMPLE_H

#include <stdlib.h>
#include <string.h>

#include "block/sample.h"
#include "support/reader/wire.h"
#include "support/test.h"

/* Return the sample of the written bytes, in its own allocation. */
static inline prfdata_sample *wire_sample(const wire *w)
{
    prfdata_sample *sample = NULL;
    void *bytes = malloc(w->used);

    assert_non_null(bytes);
    memcpy(bytes, w->bytes, w->used);
    assert_int_equal(prfdata_sample_make(bytes, w->used, &sample), ERROR_SUCCESS);
    return sample;
}

#endif
