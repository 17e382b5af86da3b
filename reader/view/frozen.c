/* SPDX-License-Identifier: MIT */
/* Computes the place of a first column that does not scroll. */
#include "view/frozen.h"

/* Return the width that the first column keeps, however far the table is scrolled. */
static int32_t least_frozen_width(const prfdata_frozen *frozen)
{
    const int32_t most = frozen->window / 2;

    return frozen->column < most ? frozen->column : most;
}

int32_t prfdata_frozen_width(const prfdata_frozen *frozen)
{
    const int32_t least = least_frozen_width(frozen);
    /* The part of the column that was not scrolled out of the window. */
    const int32_t rest = frozen->column - frozen->scroll;

    if (frozen->scroll <= 0)
        return 0;
    return rest > least ? rest : least;
}

bool prfdata_frozen_covers(const prfdata_frozen *frozen, int32_t x)
{
    return x < prfdata_frozen_width(frozen);
}

int32_t prfdata_frozen_reveal(const prfdata_frozen *frozen, int32_t left, int32_t right)
{
    /* Distance until the cell would be covered. */
    const int32_t room = left - least_frozen_width(frozen);
    int32_t by = right > frozen->window ? right - frozen->window : 0;

    if (by > room)
        by = room;
    return by < -frozen->scroll ? -frozen->scroll : by;
}
