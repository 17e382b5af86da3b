/* SPDX-License-Identifier: MIT */
/* The order of the live view's rows. */
#ifndef PRFDATA_READER_TOP_ORDER_H
#define PRFDATA_READER_TOP_ORDER_H

#include "top/top_view.h"

/*
 * Choose and sort what is shown, and keep the selection with its row.
 * Returns ERROR_SUCCESS, or ERROR_NOT_ENOUGH_MEMORY: the rows keep their order.
 */
uint32_t prfdata_top_order_arrange(prfdata_top_view *view);

#endif
