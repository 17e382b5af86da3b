/* SPDX-License-Identifier: MIT */
/*
 * What prfview shows of one source, without its window: the tree, the table of an object, the
 * chart, the samples of a while, at which of them one looks, what the details are of, and which
 * objects the source is to be asked for. What the user does are functions here; one observer hears
 * what has changed. The window, its language and where samples come from are prfview's. One thread
 * at a time.
 */
#ifndef PRFDATA_READER_VIEWER_H
#define PRFDATA_READER_VIEWER_H

#include "view/chart.h"
#include "view/details.h"
#include "view/table.h"
#include "view/tree.h"
#include "viewer/line_notes.h"
#include "viewer/timeline.h"

#define PRFDATA_VIEWER_WANTED_MOST 200u /* objects */
#define PRFDATA_VIEWER_DECODED     8u   /* samples that are looked at again and again */
/* An object, and as many lines as a chart and the command line have. */
#define PRFDATA_VIEWER_NAMES (1u + 2u * PRFDATA_CHART_SERIES)

/* Bits: what has changed. */
enum {
    PRFDATA_VIEWER_LEAVES = 1,  /* not yet: the tree and the columns are about to go */
    PRFDATA_VIEWER_TREE = 2,    /* it is another one, or shows other nodes */
    PRFDATA_VIEWER_OBJECT = 4,  /* the table shows another one */
    PRFDATA_VIEWER_COLUMNS = 8, /* of the table */
    PRFDATA_VIEWER_TABLE = 16,
    PRFDATA_VIEWER_ROW = 32, /* another row has the focus */
    PRFDATA_VIEWER_CHART = 64,
    PRFDATA_VIEWER_LINES = 128, /* the chart has more of them */
    PRFDATA_VIEWER_DETAILS = 256,
    PRFDATA_VIEWER_WANTED = 512 /* perhaps */
};

/* What the user should read. */
typedef enum prfdata_viewer_saying {
    PRFDATA_VIEWER_FULL_CHART,
    PRFDATA_VIEWER_NOT_FOUND,     /* something that was asked for by name */
    PRFDATA_VIEWER_OTHER_COMPUTER /* the same: it is of a computer that is not shown */
} prfdata_viewer_saying;

typedef struct prfdata_viewer_observer {
    void *context;
    void (*changed)(void *context, unsigned what);
    void (*said)(void *context, prfdata_viewer_saying saying, prfdata_text about);
    void (*asks_again)(void *context, uint32_t title); /* for an object that did not answer */
} prfdata_viewer_observer;

/* What the user reads in the tree, and who knows why an object is not there. */
typedef struct prfdata_viewer_words {
    prfdata_text groups[PRFDATA_TREE_GROUPS];
    prfdata_text absent;
    bool (*explain)(prfdata_text object, prfdata_output *output); /* NULL: nobody */
} prfdata_viewer_words;

/* What the details are of: a structure of the block, or a counter and all that it needs. */
typedef enum prfdata_viewer_subject {
    PRFDATA_VIEWER_NOTHING,
    PRFDATA_VIEWER_BLOCK,
    PRFDATA_VIEWER_OBJECT_TYPE,
    PRFDATA_VIEWER_INSTANCE,
    PRFDATA_VIEWER_COUNTER
} prfdata_viewer_subject;

typedef struct prfdata_viewer_decoded {
    int64_t time_ms;
    prfdata_sample *sample; /* NULL: none */
    uint32_t used;          /* when, by the viewer's clock */
} prfdata_viewer_decoded;

/* By what an object was sorted, in names: titles may have others of a next source. */
typedef struct prfdata_viewer_order {
    prfdata_text object; /* owned; empty: nothing is noted */
    bool is_by_label;    /* else by the counter of this name; owned */
    prfdata_text counter;
    bool is_descending;
} prfdata_viewer_order;

/* A path with a * whose lines follow it. */
typedef struct prfdata_viewer_pattern {
    uint32_t id;           /* above 0 */
    prfdata_text path;     /* owned */
    uint32_t hidden_count; /* instances that it has and that have no line */
    int64_t ranked_ms;     /* the chart's end when lines were chosen last */
    bool is_early;         /* they were chosen when rates had no values yet */
} prfdata_viewer_pattern;

typedef struct prfdata_viewer {
    prfdata_viewer_observer observer;
    prfdata_tree_observer tree_observer; /* of each tree */
    prfdata_viewer_words words;          /* its texts are owned */

    prfdata_titles titles; /* names borrowed from the live source, or owned with a file;
                              what is beside them is owned */
    bool owns_titles;
    bool has_titles; /* else the tree is empty, even of groups */
    bool is_live;
    bool is_remote; /* live, but of another computer than that of the window */
    uint16_t computer_chars[256];
    prfdata_text computer; /* in these */

    prfdata_tree tree;
    prfdata_table table;
    prfdata_chart chart;
    prfdata_timeline timeline;
    prfdata_viewer_decoded decoded[PRFDATA_VIEWER_DECODED];
    uint32_t clock;  /* of the decoded samples */
    bool looks_back; /* at a sample that is not the newest */
    int64_t shown_ms;

    bool is_paused;           /* samples are shown only when the user wants one */
    uint32_t wished;          /* askers whose next sample the user wants during a pause; bits */
    bool is_stale;            /* the source has other titles than those that are shown */
    bool leaves_gap;          /* before the next sample: time passed that nobody watched */
    prfdata_title_set failed; /* objects that did not answer since the last sample; with 0: all */
    prfdata_line_notes line_notes; /* of lines that come back, or are saved */
    bool adds_totals;              /* of all instances: _Total, too */
    prfdata_viewer_pattern patterns[PRFDATA_CHART_SERIES];
    uint32_t pattern_count;
    uint32_t pattern_ids; /* that were given so far */
    uint32_t most_lines;  /* of a pattern; 0: as many as the chart has */
    uint32_t own_panes;   /* that lines were given so far: none gets the pane of another */

    prfdata_text wanted; /* the object that the user chose last, by its English name: shown again
                            when it is there again; owned; empty: none */
    prfdata_viewer_order order; /* of the table, for when it shows the same object again */

    prfdata_text search; /* what tree and table are to show, of this source and the next; owned */

    uint32_t column;  /* of the table: that of the cell which actions are about */
    prfdata_text row; /* to be selected when the table has it; owned; empty: none */
    prfdata_viewer_subject subject;
    prfdata_chart_key about; /* what the details are of; its label is owned */

    prfdata_text names[PRFDATA_VIEWER_NAMES]; /* asked for, and not shown yet; owned, not empty */
    size_t name_count;
    uint32_t name_samples[PRFDATA_VIEWER_NAMES]; /* that were asked for its object since then */
} prfdata_viewer;

/* Begin with no source. timeline_bytes: how much of the past is kept. */
void prfdata_viewer_init(prfdata_viewer *viewer, const prfdata_viewer_observer *observer,
                         size_t timeline_bytes);

void prfdata_viewer_free(prfdata_viewer *viewer);

/* ---- The source ---- */

/* Set whose source it will be; copied. prfdata_viewer_end() forgets it. */
void prfdata_viewer_set_computer(prfdata_viewer *viewer, prfdata_text computer);

/*
 * Begin to show a source: viewer->titles, owns_titles, is_live and computer are set.
 *
 * words    Copied.
 * objects  Of PrfData's services; NULL: a file's.
 */
void prfdata_viewer_begin(prfdata_viewer *viewer, const prfdata_viewer_words *words,
                          const prfdata_name_table *objects);

/*
 * The live source has other titles (prfdata_viewer_note_stale()) and was begun again: all that is
 * shown, and its past, goes on under the titles of now.
 *
 * words, objects  As for prfdata_viewer_begin().
 * titles          As for prfdata_viewer_borrow_titles().
 */
void prfdata_viewer_renew(prfdata_viewer *viewer, const prfdata_viewer_words *words,
                          const prfdata_name_table *objects, const prfdata_titles *titles);

/* Titles for viewer->titles that borrow names from the live source; ids are copied, and the
 * viewer's to release. */
prfdata_titles prfdata_viewer_borrow_titles(const prfdata_titles *titles);

/* Forget the source and everything that borrows from it. What was shown is asked for by name, and
 * sorted in the same way. */
void prfdata_viewer_end(prfdata_viewer *viewer);

/*
 * Get the objects that are shown: those that the source is to be asked for.
 * Returns how many.
 */
size_t prfdata_viewer_wanted(const prfdata_viewer *viewer,
                             uint32_t titles[PRFDATA_VIEWER_WANTED_MOST]);

/* ---- Samples ---- */

/*
 * Take a sample, which becomes the viewer's.
 *
 * asked    The objects that it should have; empty: all. Others are as they were.
 * late_ms  How long the provider of these took if it is slow, else 0.
 */
void prfdata_viewer_take(prfdata_viewer *viewer, prfdata_sample *sample,
                         const prfdata_title_set *asked, uint32_t late_ms);

/*
 * Get the note of a sample that comes next, for a recording.
 * note  {0} before; release with prfdata_recording_note_free().
 */
void prfdata_viewer_note_of(const prfdata_viewer *viewer, const prfdata_title_set *asked,
                            prfdata_recording_note *note);

/* An object did not answer, or, with 0, none did: lines break before the next sample. */
void prfdata_viewer_note_failed(prfdata_viewer *viewer, uint32_t title);

/* Objects that nobody asked for until now: the tree gets those of a sample. */
void prfdata_viewer_note_objects(prfdata_viewer *viewer, const prfdata_sample *sample,
                                 const prfdata_title_set *asked);

/* Begin again with the samples that the timeline has: those of a file. */
void prfdata_viewer_take_timeline(prfdata_viewer *viewer);

/* How many objects the tree has. */
uint32_t prfdata_viewer_object_count(const prfdata_viewer *viewer);

/* An object is late: nothing is known yet (PRFDATA_NODE_AWAITED), or it takes so long. */
void prfdata_viewer_note_late(prfdata_viewer *viewer, uint32_t title, uint32_t late_ms);

/* The source has other titles: until prfdata_viewer_renew() no sample is taken, for an index may be
 * another counter's now. */
void prfdata_viewer_note_stale(prfdata_viewer *viewer);

/* Whether the user looks at something that would go with the past. */
bool prfdata_viewer_is_held(const prfdata_viewer *viewer);

/* Look at the sample of a time, or at the newest from now on. */
void prfdata_viewer_look_at(prfdata_viewer *viewer, int64_t time_ms);
void prfdata_viewer_look_at_newest(prfdata_viewer *viewer);

/* The newest samples, up to the one that is looked at, that were asked for an object; NULL: none.
 * Borrowed until other samples are looked at. */
void prfdata_viewer_pair(prfdata_viewer *viewer, uint32_t title, const prfdata_sample **older,
                         const prfdata_sample **newer);

/* The sample that is looked at, or NULL. */
const prfdata_sample *prfdata_viewer_shown(prfdata_viewer *viewer);

/* ---- What the user does ---- */

/* Show an object in the table. */
void prfdata_viewer_choose_object(prfdata_viewer *viewer, uint32_t title);

/* Select a node of the tree, or none: the table and the details follow. */
void prfdata_viewer_select(prfdata_viewer *viewer, prfdata_node *node);

/* Open a node; what it needs of the source comes with the next sample. */
void prfdata_viewer_open(prfdata_viewer *viewer, prfdata_node *node);
void prfdata_viewer_close(prfdata_viewer *viewer, prfdata_node *node);

/* What tree and table are to show, of each source and object: what holds the text; empty: all.
 * Returns how many nodes do. */
uint32_t prfdata_viewer_search(prfdata_viewer *viewer, prfdata_text text);

/* Sort and choose the rows again, after what is shown of them was changed in viewer->table. */
void prfdata_viewer_arrange(prfdata_viewer *viewer);

/* Show the numbers of the provider, which have no unit that is computed, or values. */
void prfdata_viewer_show_raw(prfdata_viewer *viewer, bool is_raw);

/* Sort by a column, or the other way round. PRFDATA_TABLE_LABEL: by label. */
void prfdata_viewer_sort(prfdata_viewer *viewer, uint32_t column);

/* Say what the details are of. */
void prfdata_viewer_describe(prfdata_viewer *viewer, prfdata_viewer_subject subject,
                             const prfdata_chart_key *about);

/* The user has chosen a cell of the table: no other row is to be selected when it comes. */
void prfdata_viewer_choose_cell(prfdata_viewer *viewer, uint32_t counter, prfdata_text label);

/* Put the details; nothing if they are of nothing. */
void prfdata_viewer_put_details(prfdata_viewer *viewer, prfdata_output *output,
                                const char *const *words, prfdata_number_style style);

/* Add a counter to the chart, of all instances if its label is *, but those that are the total of
 * the others, unless there is nothing else. */
void prfdata_viewer_add_line(prfdata_viewer *viewer, const prfdata_chart_key *key);

/* Add the chosen column's counter of all selected rows. */
void prfdata_viewer_add_selected(prfdata_viewer *viewer);

/* The user wants a sample now, also of objects that did not answer. Returns false: it could not be
 * shown, because the source has other titles and is begun again. */
bool prfdata_viewer_refresh(prfdata_viewer *viewer);

/* Pause, or go on; what comes after a pause begins each line again. */
void prfdata_viewer_pause(prfdata_viewer *viewer, bool is_paused);

/*
 * Whether the next sample of an asker is to be taken: during a pause only one that the user wants,
 * by a refresh or because another object is shown. A recording has all of them.
 * asker  Below 32.
 */
bool prfdata_viewer_takes_next(prfdata_viewer *viewer, uint32_t asker);

/* The user wants a sample of each asker, also during a pause. */
void prfdata_viewer_wish(prfdata_viewer *viewer);

/* A sample came that is not shown: what failed before it needs no other gap than the pause's. */
void prfdata_viewer_pass_sample(prfdata_viewer *viewer);

/* Why an object that is shown does not answer; empty: all do. Borrowed until the tree changes. */
prfdata_text prfdata_viewer_silence(const prfdata_viewer *viewer);

/*
 * Whether a value of this age has to say so: it is older than two intervals, as those of slow
 * providers are. The intervals of a file are not known.
 */
bool prfdata_viewer_is_old(const prfdata_viewer *viewer, int64_t age_ms, uint32_t interval_ms);

/* ---- What the user does with the chart; a line that is not there does no harm ---- */

/* Note how the lines look, in viewer->line_notes;
 * those that are as they were added need no note. */
void prfdata_viewer_note_lines(prfdata_viewer *viewer);

/*
 * The rows of the legend: the lines, then what was asked for by path and has none. A row without
 * values says why.
 */
typedef enum prfdata_viewer_absence {
    PRFDATA_VIEWER_PRESENT,
    PRFDATA_VIEWER_AWAITED,     /* no sample of its object has come yet */
    PRFDATA_VIEWER_SILENT,      /* its object did not answer */
    PRFDATA_VIEWER_UNKNOWN,     /* nothing has this name */
    PRFDATA_VIEWER_NO_OBJECT,   /* it is not there now */
    PRFDATA_VIEWER_NO_COUNTER,  /* the object is, without it */
    PRFDATA_VIEWER_NO_INSTANCE, /* the same */
    PRFDATA_VIEWER_ABSENCES
} prfdata_viewer_absence;

uint32_t prfdata_viewer_row_count(const prfdata_viewer *viewer);
prfdata_text prfdata_viewer_row_path(const prfdata_viewer *viewer, uint32_t row);

/* Why a row has no values; note: what is known of its object beside that; borrowed, or empty. */
prfdata_viewer_absence prfdata_viewer_row_absence(const prfdata_viewer *viewer, uint32_t row,
                                                  prfdata_text *note);

/* Remove a line, or what waits to be one; or all, and what was noted of them. */
void prfdata_viewer_remove_line(prfdata_viewer *viewer, uint32_t position);
void prfdata_viewer_remove_lines(prfdata_viewer *viewer);

void prfdata_viewer_hide_line(prfdata_viewer *viewer, uint32_t position, bool is_hidden);

/* Draw this line, and no other, thick, and describe it; PRFDATA_CHART_SERIES: none. */
void prfdata_viewer_choose_line(prfdata_viewer *viewer, uint32_t position);

/* Give a line a pane and a scale of its own, or bring it back to where it was added. */
void prfdata_viewer_toggle_own_pane(prfdata_viewer *viewer, uint32_t position);

/* Give the pane of a line a logarithmic scale, or one from 0. */
void prfdata_viewer_toggle_log(prfdata_viewer *viewer, uint32_t position);

/* Whether it is logarithmic. */
bool prfdata_viewer_is_log(const prfdata_viewer *viewer, uint32_t position);

/* Give a line the next colour that no other of its pane has. */
void prfdata_viewer_change_colour(prfdata_viewer *viewer, uint32_t position);

/* Show percentages above 100 as 100, as PDH does by default, or as they are. */
void prfdata_viewer_cap(prfdata_viewer *viewer, bool is_capped);

/* Show percentiles as bands, or as lines. */
void prfdata_viewer_toggle_bands(prfdata_viewer *viewer);

/* Look at half, or twice, of the time; a chart that follows goes on to follow. */
void prfdata_viewer_zoom(prfdata_viewer *viewer, bool is_in);

/* Look at what was half of the shown time before (-1), or after (1). */
void prfdata_viewer_turn(prfdata_viewer *viewer, int by);

/* ---- What is asked for by name: a path or an object ---- */

/* Copied; used by prfdata_viewer_begin_names(). */
void prfdata_viewer_add_name(prfdata_viewer *viewer, prfdata_text name);
void prfdata_viewer_forget_names(prfdata_viewer *viewer);

/* Remove the lines of the chart, and ask for them and for the table's object by their names. */
void prfdata_viewer_name_shown(prfdata_viewer *viewer);

/* Want the objects of all names, and show one in the table: else that which the user chose last. */
void prfdata_viewer_begin_names(prfdata_viewer *viewer);

/* What was perhaps meant by a name that is not there: an object, or a counter of its object;
 * borrowed until other samples are looked at; empty: nothing is like it. */
prfdata_text prfdata_viewer_similar(prfdata_viewer *viewer, prfdata_text name);

/* The object of a name, which is a path or an object; 0: none has this name. */
uint32_t prfdata_viewer_object_of_name(const prfdata_viewer *viewer, prfdata_text name);

/* Whether as many samples came that a name is not in any. */
bool prfdata_viewer_is_name_missing(const prfdata_viewer *viewer, size_t at);

void prfdata_viewer_remove_name(prfdata_viewer *viewer, size_t at);

/* Look for names in a sample that was asked for some objects; NULL: a file's. Lines that it has are
 * added; what is not in the second one that was asked for it is reported, and goes on to wait. */
void prfdata_viewer_resolve_names(prfdata_viewer *viewer, const prfdata_sample *sample,
                                  const prfdata_title_set *asked);

/* ---- Patterns: paths with a *, whose lines follow the instances that there are ---- */

/* How many instances have no line, because not all have room: the highest of the visible span have.
 */
uint32_t prfdata_viewer_hidden_count(const prfdata_viewer *viewer);

/* Have at most so many lines of each pattern; 0: as many as the chart has. */
void prfdata_viewer_set_most_lines(prfdata_viewer *viewer, uint32_t most);

/* What is to be saved of the chart: patterns, then lines that are of none; empty: a pattern's line.
 */
uint32_t prfdata_viewer_path_count(const prfdata_viewer *viewer);
prfdata_text prfdata_viewer_path(const prfdata_viewer *viewer, uint32_t at);

/* ---- For the files of the viewer ---- */

bool prfdata_viewer_is_pattern(prfdata_text path);

/* Add a pattern, or find it. Returns its id; 0: no memory. */
uint32_t prfdata_viewer_add_pattern(prfdata_viewer *viewer, prfdata_text path);

/* Its lines stay, and follow nothing; id 0: nothing happens. Or all. */
void prfdata_viewer_forget_pattern(prfdata_viewer *viewer, uint32_t id);
void prfdata_viewer_forget_patterns(prfdata_viewer *viewer);

/* Follow with a new sample; or choose the lines by the visible span. */
void prfdata_viewer_follow_patterns(prfdata_viewer *viewer, const prfdata_sample *sample,
                                    const prfdata_title_set *asked);
void prfdata_viewer_rank_patterns(prfdata_viewer *viewer);

/* Whether a path's instance, which may be a pattern, means one of an object: _Total is left out
 * unless it is named, or alone, or the user wants it. */
bool prfdata_viewer_means(const prfdata_viewer *viewer, prfdata_text instance,
                          const prfdata_sample_object *object,
                          const prfdata_sample_instance *found);

void prfdata_viewer_report(const prfdata_viewer *viewer, unsigned what);
void prfdata_viewer_say(const prfdata_viewer *viewer, prfdata_viewer_saying saying,
                        prfdata_text about);

/* Show in the table what the sample that is looked at has; is_next: it is the one after that which
 * was shown. Returns what has changed. */
unsigned prfdata_viewer_update_table(prfdata_viewer *viewer, bool is_next);

/* Give all lines from a position on their values of the samples that are kept. */
void prfdata_viewer_fill_lines(prfdata_viewer *viewer, uint32_t first);

/* Put the path of a counter; the instance may have no name. */
void prfdata_viewer_put_path(prfdata_viewer *viewer, prfdata_output *output,
                             const prfdata_chart_key *key);

/* Add a line of one instance without its past; whether it was added. */
bool prfdata_viewer_add_one_line(prfdata_viewer *viewer, const prfdata_chart_key *key);

/* Give a line that was added the look that is noted of it. */
void prfdata_viewer_apply_note(prfdata_viewer *viewer, uint32_t position);

/* Show the past of the lines from a position on, and say that there are more. */
void prfdata_viewer_show_lines(prfdata_viewer *viewer, uint32_t first);

/* Forget the samples; or only what of them is decoded. */
void prfdata_viewer_forget_samples(prfdata_viewer *viewer);
void prfdata_viewer_forget_decoded(prfdata_viewer *viewer);

/* viewer_decoded.c and viewer_table.c, for those beside them. */

bool prfdata_viewer_is_asked(const prfdata_title_set *asked, uint32_t title);
/* Show at a line that its object failed before an entry of the timeline, or is missing in it. */
void prfdata_viewer_miss_line(prfdata_viewer *viewer, uint32_t position, size_t at);
/* Add the time of an entry to the chart, and before it the break of what failed. */
uint32_t prfdata_viewer_chart_time(prfdata_viewer *viewer, size_t at);
void prfdata_viewer_keep_decoded(prfdata_viewer *viewer, int64_t time_ms, prfdata_sample *sample);
/* The sample of an entry; borrowed; NULL: no memory. */
const prfdata_sample *prfdata_viewer_decode_entry(prfdata_viewer *viewer, size_t at);
/* The last entry before one that was asked for an object; SIZE_MAX: none, or long before. */
size_t prfdata_viewer_entry_before(const prfdata_viewer *viewer, size_t at, uint32_t title);
/* When the samples were that prfdata_viewer_pair() gives; below 0: there is none. */
typedef struct prfdata_viewer_moments {
    int64_t older_ms;
    int64_t newer_ms;
} prfdata_viewer_moments;

prfdata_viewer_moments prfdata_viewer_pair_moments(const prfdata_viewer *viewer, uint32_t title);
/* The sample that the tree shows an object of: a live one is of now, wherever one looks; NULL:
 * none. Borrowed until other samples are looked at. */
const prfdata_sample *prfdata_viewer_now(prfdata_viewer *viewer, uint32_t title);
/* Show an object in the table for as long as nobody has chosen one. */
void prfdata_viewer_show_object(prfdata_viewer *viewer, uint32_t title);
/* The tree follows a sample; a search finds what is in it. */
void prfdata_viewer_update_tree(prfdata_viewer *viewer, const prfdata_sample *sample,
                                const prfdata_title_set *asked);
/* Say why an object that is gone is not there. */
void prfdata_viewer_explain_absence(prfdata_viewer *viewer, prfdata_node *node);
/* Filter the table where an instance matches: a counter's name must not empty it. */
void prfdata_viewer_filter_table(prfdata_viewer *viewer);
prfdata_text prfdata_viewer_english_name(const prfdata_viewer *viewer, uint32_t title);
/* Note how the table is sorted, before its titles go. */
void prfdata_viewer_note_order(prfdata_viewer *viewer);
void prfdata_viewer_forget_order(prfdata_viewer *viewer);
/* Release the titles, before others come. */
void prfdata_viewer_free_titles(prfdata_viewer *viewer);
/* The row that waits to be selected is there now, or the user has chosen another one. */
unsigned prfdata_viewer_select_waiting_row(prfdata_viewer *viewer);
/* Who looks at an object again wants to know whether it answers now. */
void prfdata_viewer_break_silence(prfdata_viewer *viewer, prfdata_node *object);

#endif
