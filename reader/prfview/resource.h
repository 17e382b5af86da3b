/* SPDX-License-Identifier: MIT */
/*
 * Numbers of resources. A command's number is that of its text in menus, too. Included by the
 * resource compiler: macros only.
 */
#ifndef PRFDATA_READER_RESOURCE_H
#define PRFDATA_READER_RESOURCE_H

#define IDI_PRFVIEW 1

/* Commands */
#define IDC_OPEN           100
#define IDC_SAVE_SAMPLE    101
#define IDC_SAVE_RECORDING 102
#define IDC_EXPORT_TABLE   103
#define IDC_EXPORT_CHART   104
#define IDC_EXPORT_PICTURE 105
#define IDC_OPEN_WORKSPACE 106
#define IDC_SAVE_WORKSPACE 107
#define IDC_LIVE           108
#define IDC_EXIT           109
#define IDC_COPY           120
#define IDC_COPY_PATH      121
#define IDC_COPY_COMMAND   122
#define IDC_SEARCH         123
#define IDC_CLEAR_SEARCH   124
#define IDC_REFRESH        140
#define IDC_PAUSE          141
#define IDC_RAW            142
#define IDC_HIDE_IDLE      143
#define IDC_MARK_CHANGES   144
#define IDC_READ_ALL       145
#define IDC_NEXT_PANE      146
#define IDC_PREVIOUS_PANE  147
#define IDC_SHOW_CHART     148
#define IDC_SHOW_HISTOGRAM 149
#define IDC_SHOW_DETAILS   150
#define IDC_ALL_COLUMNS    151
#define IDC_HIDE_COLUMN    152
#define IDC_ADD            160
#define IDC_REMOVE         161
#define IDC_REMOVE_ALL     162
#define IDC_HIDE_LINE      163
#define IDC_OWN_CHART      164
#define IDC_ZOOM_IN        165
#define IDC_ZOOM_OUT       166
#define IDC_BACK           167
#define IDC_FORWARD        168
#define IDC_NEWEST         169
#define IDC_BANDS          170
#define IDC_KEYS           180
#define IDC_RIGHTS         181
#define IDC_ELEVATE        182
#define IDC_ABOUT          183
#define IDC_INTERVAL       200 /* and the ones after it, one for each interval */
#define IDC_INTERVAL_COUNT 8
#define IDC_FIRST_PART     1000 /* and the ones after it: the parts of the window */

/* Menus */
#define IDS_MENU_FILE     300
#define IDS_MENU_EDIT     301
#define IDS_MENU_VIEW     302
#define IDS_MENU_CHART    303
#define IDS_MENU_HELP     304
#define IDS_MENU_INTERVAL 305

/* Texts */
#define IDS_TITLE            320
#define IDS_SEARCH_CUE       321
#define IDS_SEARCH_LABEL     322
#define IDS_INTERVAL_LABEL   323
#define IDS_INTERVAL_ENTRY   324
#define IDS_PAUSE_BUTTON     325
#define IDS_CONTINUE_BUTTON  326
#define IDS_REFRESH_BUTTON   327
#define IDS_TREE_LABEL       328
#define IDS_TABLE_LABEL      329
#define IDS_TABLE_HEADING    330
#define IDS_TABLE_NONE       331
#define IDS_TABLE_WAITING    332
#define IDS_TABLE_GONE       333
#define IDS_CHART_LABEL      334
#define IDS_LEGEND_LABEL     335
#define IDS_DETAILS_LABEL    336
#define IDS_GROUP_SERVICES   337
#define IDS_GROUP_COMMON     338
#define IDS_GROUP_OTHERS     339
#define IDS_GROUP_FILE       340
#define IDS_ALL_INSTANCES    341
#define IDS_GONE             342
#define IDS_ABSENT           343
#define IDS_COLUMN_INSTANCE  344
#define IDS_COLUMN_COUNTER   345
#define IDS_COLUMN_VALUE     346
#define IDS_LEGEND_LAST      347
#define IDS_LEGEND_LEAST     348
#define IDS_LEGEND_MEAN      349
#define IDS_LEGEND_MOST      350
#define IDS_LEGEND_HERE      351
#define IDS_CHART_EMPTY      352
#define IDS_HISTOGRAM_EMPTY  353
#define IDS_HISTOGRAM_TITLE  354
#define IDS_DETAILS_EMPTY    355
#define IDS_TAB_CHART        356
#define IDS_TAB_HISTOGRAM    357
#define IDS_TAB_DETAILS      358
#define IDS_STATUS_LIVE      359
#define IDS_STATUS_PAST      360
#define IDS_STATUS_PAUSED    361
#define IDS_STATUS_WAITING   362
#define IDS_STATUS_READ      363
#define IDS_STATUS_SEARCH    364
#define IDS_STATUS_FILE      365
#define IDS_HUNG             366
#define IDS_DENIED           367
#define IDS_FAILED           368
#define IDS_FULL_CHART       369
#define IDS_NOT_FOUND        370
#define IDS_SAVED            371
#define IDS_FILTER_SAMPLES   372
#define IDS_FILTER_CSV       373
#define IDS_FILTER_PNG       374
#define IDS_FILTER_WORKSPACE 375
#define IDS_KEYS_TEXT        376
#define IDS_RIGHTS_USER      377
#define IDS_RIGHTS_ADMIN     378
#define IDS_ABOUT_TEXT       379
#define IDS_USAGE            380
#define IDS_BAD_ARGUMENT     381
#define IDS_COLUMN_HELP      382
#define IDS_LEGEND_NAME      383
#define IDS_READING          385
#define IDS_SKIPPED          386

#endif
