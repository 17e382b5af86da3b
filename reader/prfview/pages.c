/* SPDX-License-Identifier: MIT */
/* The pages beside the table: the chart, percentiles, details. Their panes fill them. */
#include "prfview/pages.h"

#include "prfview/arrangement.h"

void prfdata_pages_show(prfdata_app *app, prfdata_app_page page)
{
    const bool is_details = page == PRFDATA_APP_DETAILS;

    app->page = page;
    app->plot.shows_histogram = page == PRFDATA_APP_HISTOGRAM;
    SendMessageW(app->parts[PRFDATA_APP_TABS], TCM_SETCURSEL, (WPARAM)page, 0);
    ShowWindow(app->parts[PRFDATA_APP_PLOT], is_details ? SW_HIDE : SW_SHOWNA);
    ShowWindow(app->parts[PRFDATA_APP_LEGEND], is_details ? SW_HIDE : SW_SHOWNA);
    ShowWindow(app->parts[PRFDATA_APP_BYTES], is_details ? SW_SHOWNA : SW_HIDE);
    prfdata_arrangement_update(app);
    prfdata_viewer_report(&app->viewer, PRFDATA_VIEWER_DETAILS | PRFDATA_VIEWER_CHART);
}
