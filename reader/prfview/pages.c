/* SPDX-License-Identifier: MIT */
/* Shows one of the pages below the table: the chart, the histogram or the details. */
#include "prfview/pages.h"

#include "panes/window_state.h"
#include "prfview/arrangement.h"

void prfdata_pages_show(prfdata_app *app, prfdata_app_page page)
{
    const bool is_details = page == PRFDATA_APP_DETAILS;

    app->page = page;
    app->plot.shows_histogram = page == PRFDATA_APP_HISTOGRAM;
    SendMessageW(app->parts[PRFDATA_APP_TABS], TCM_SETCURSEL, (WPARAM)page, 0);
    if (is_details)
        prfdata_window_state_show(app->parts[PRFDATA_APP_BYTES], true, NULL);
    prfdata_window_state_show(app->parts[PRFDATA_APP_PLOT], !is_details,
                              app->parts[PRFDATA_APP_BYTES]);
    prfdata_window_state_show(app->parts[PRFDATA_APP_LEGEND], !is_details,
                              app->parts[PRFDATA_APP_BYTES]);
    if (!is_details)
        prfdata_window_state_show(app->parts[PRFDATA_APP_BYTES], false,
                                  app->parts[PRFDATA_APP_PLOT]);
    prfdata_arrangement_update(app);
    prfdata_viewer_report(&app->viewer, PRFDATA_VIEWER_DETAILS | PRFDATA_VIEWER_CHART);
}
