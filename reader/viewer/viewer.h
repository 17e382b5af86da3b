/* SPDX-License-Identifier: MIT */
/*
 * Holds everything that prfview shows of one source, without its window: the tree, the table of an
 * object, the chart, recent samples, the sample that is shown, the subject of the details, and the
 * objects that the source must be asked for. The user's actions are functions here; one observer is
 * told about the changes. prfview supplies the window, its language and the samples. Use it from
 * one thread at a time.
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
#define PRFDATA_VIEWER_DECODED     8u /* number of decoded samples that are kept for repeated use */
/* The largest number of names: an object, the lines of a chart, the paths of the command line. */
#define PRFDATA_VIEWER_NAMES (1u + 2u * PRFDATA_CHART_SERIES)

/* Bits that say what has changed. */
enum {
    PRFDATA_VIEWER_LEAVES = 1,  /* reported before the columns, and perhaps the tree, are replaced;
                                   all other bits are reported after the change */
    PRFDATA_VIEWER_TREE = 2,    /* the tree was replaced, or shows other nodes */
    PRFDATA_VIEWER_OBJECT = 4,  /* the table shows another object */
    PRFDATA_VIEWER_COLUMNS = 8, /* the columns of the table */
    PRFDATA_VIEWER_TABLE = 16,
    PRFDATA_VIEWER_ROW = 32, /* another row has the focus */
    PRFDATA_VIEWER_CHART = 64,
    PRFDATA_VIEWER_LINES = 128, /* lines were added to the chart */
    PRFDATA_VIEWER_DETAILS = 256,
    PRFDATA_VIEWER_WANTED = 512 /* the set of wanted objects may have changed */
};

/* Messages for the user. */
typedef enum prfdata_viewer_saying {
    PRFDATA_VIEWER_FULL_CHART,
    PRFDATA_VIEWER_NOT_FOUND,     /* something that was asked for by name was not found */
    PRFDATA_VIEWER_OTHER_COMPUTER /* the path names a computer that is not shown */
} prfdata_viewer_saying;

typedef struct prfdata_viewer_observer {
    void *context;
    void (*changed)(void *context, unsigned what);
    void (*said)(void *context, prfdata_viewer_saying saying, prfdata_text about);
    /* Called if an object that did not answer is wanted again. */
    void (*asks_again)(void *context, uint32_t title);
} prfdata_viewer_observer;

/* The texts of the tree, and a function that says why an object is not there. */
typedef struct prfdata_viewer_words {
    prfdata_text groups[PRFDATA_TREE_GROUPS];
    prfdata_text absent;
    bool (*explain)(prfdata_text object, prfdata_output *output); /* NULL: no reasons are known */
} prfdata_viewer_words;

/* The subject of the details: a structure of the block, or a counter with its inputs. */
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
    uint32_t used;          /* value of prfdata_viewer.clock at the last use */
} prfdata_viewer_decoded;

/* The sort order of an object. Names are noted, because titles may have other indexes in the next
 * source. */
typedef struct prfdata_viewer_order {
    prfdata_text object; /* owned; empty: nothing is noted */
    bool is_by_label;    /* false: by `counter`, which is owned */
    prfdata_text counter;
    bool is_descending;
} prfdata_viewer_order;

/* A path with a *, whose lines are added and removed with the instances. */
typedef struct prfdata_viewer_pattern {
    uint32_t id;           /* above 0 */
    prfdata_text path;     /* owned */
    uint32_t hidden_count; /* number of its instances that have no line */
    int64_t ranked_ms;     /* end of the visible span when its lines were last chosen */
    bool is_early;         /* its lines were chosen before rates had values */
} prfdata_viewer_pattern;

typedef struct prfdata_viewer {
    prfdata_viewer_observer observer;
    prfdata_tree_observer tree_observer; /* copied to each new tree */
    prfdata_viewer_words words;          /* its texts are owned */

    prfdata_titles titles; /* `english` and `local` are borrowed unless owns_titles is set; all
                              other members are owned */
    bool owns_titles;
    bool has_titles; /* false: the tree is empty, even without groups */
    bool is_live;
    bool is_remote; /* live, from another computer */
    uint16_t computer_chars[256];
    prfdata_text computer;

    prfdata_tree tree;
    prfdata_table table;
    prfdata_chart chart;
    prfdata_timeline timeline;
    prfdata_viewer_decoded decoded[PRFDATA_VIEWER_DECODED];
    uint32_t clock;  /* counts the uses of decoded samples */
    bool looks_back; /* the shown sample is not the newest */
    int64_t shown_ms;

    bool is_paused;  /* samples are shown only on request */
    uint32_t wished; /* one bit for each worker whose next sample is shown even during a pause */
    bool is_stale;   /* the source has newer titles than those that are shown */
    bool leaves_gap; /* all lines break before the next sample, because some time was not watched,
                        or because the counter of a line no longer exists */
    uint32_t interval_ms;     /* time between live samples; see prfdata_viewer_set_interval() */
    uint32_t usual_ms;        /* largest interval_ms since the newest sample came */
    int64_t came_ms;          /* when the newest sample came, shown or not; 0: none came */
    prfdata_title_set failed; /* objects that did not answer since the last sample; 0 in the set:
                                 all objects */
    prfdata_line_notes line_notes; /* looks of lines, by path */
    bool adds_totals;              /* when the user adds all instances, also add _Total */
    prfdata_viewer_pattern patterns[PRFDATA_CHART_SERIES];
    uint32_t pattern_count;
    uint32_t pattern_ids; /* how many ids patterns have got so far; the next id is one more */
    uint32_t most_lines;  /* how many lines each pattern may have; 0: as many as have room */
    /* How many times a line has got a pane of its own. The pane's number is made from this count,
     * so that no other line is in the pane. */
    uint32_t own_panes;

    prfdata_text wanted; /* English name of the object that the user chose last; the object is
                            shown again when it exists again; owned; empty: none */
    prfdata_viewer_order order; /* order of the table, applied when the table shows the same object
                                   again */

    prfdata_thresholds thresholds; /* thresholds of counters of any source */
    prfdata_number_style style;

    prfdata_text search; /* filter for tree and table, of this source and the next; owned */

    uint32_t column;  /* table column to which actions apply */
    prfdata_text row; /* row to select as soon as the table has it; owned; empty: none */
    prfdata_viewer_subject subject;
    prfdata_chart_key about; /* subject of the details; its label is owned */

    prfdata_text names[PRFDATA_VIEWER_NAMES]; /* paths and objects that the user asked for and that
                                                 are not shown yet; owned; never empty */
    size_t name_count;
    uint32_t name_samples[PRFDATA_VIEWER_NAMES]; /* number of samples that were asked for the name's
                                                    object and do not contain the name */
} prfdata_viewer;

/* Begin without a source. timeline_bytes limits the recent samples that are kept. */
void prfdata_viewer_init(prfdata_viewer *viewer, const prfdata_viewer_observer *observer,
                         size_t timeline_bytes);

void prfdata_viewer_free(prfdata_viewer *viewer);

/* ---- The source ---- */

/* Set the computer of the coming source; copied. prfdata_viewer_end() forgets it. */
void prfdata_viewer_set_computer(prfdata_viewer *viewer, prfdata_text computer);

/*
 * Begin to show a source. viewer->titles, owns_titles, is_live and computer must be set.
 *
 * words    Copied.
 * objects  The objects of PrfData's services; NULL: the source is a file.
 */
void prfdata_viewer_begin(prfdata_viewer *viewer, const prfdata_viewer_words *words,
                          const prfdata_name_table *objects);

/*
 * Continue with a live source that was begun again because it has other titles
 * (prfdata_viewer_note_stale()). Everything that is shown continues, with its past, under the
 * current titles.
 *
 * words, objects  As for prfdata_viewer_begin().
 * titles          As for prfdata_viewer_borrow_titles().
 */
void prfdata_viewer_renew(prfdata_viewer *viewer, const prfdata_viewer_words *words,
                          const prfdata_name_table *objects, const prfdata_titles *titles);

/* Return titles for viewer->titles that borrow names from the live source. The ids of the titles
 * are copied; the viewer releases the copies. */
prfdata_titles prfdata_viewer_borrow_titles(const prfdata_titles *titles);

/*
 * Forget the source and everything that borrows from it. The names of the lines and of the object
 * that the user chose are kept for the next source, and so is the order of the table.
 */
void prfdata_viewer_end(prfdata_viewer *viewer);

/*
 * Get the objects that the source must be asked for: those of the table and of lines, and the open
 * objects of the tree, but at most PRFDATA_VIEWER_WANTED_MOST.
 * Returns how many.
 */
size_t prfdata_viewer_wanted(const prfdata_viewer *viewer,
                             uint32_t titles[PRFDATA_VIEWER_WANTED_MOST]);

/* ---- Samples ---- */

/*
 * Take a sample; the viewer takes ownership.
 *
 * asked    The objects that the sample was asked for; empty: all. Other objects stay unchanged.
 * late_ms  Response time of the provider of these objects if it is slow, otherwise 0.
 */
void prfdata_viewer_take(prfdata_viewer *viewer, prfdata_sample *sample,
                         const prfdata_title_set *asked, uint32_t late_ms);

void prfdata_viewer_set_interval(prfdata_viewer *viewer, uint32_t interval_ms);

/*
 * Note that a live sample came. Call this before the sample is recorded, taken or passed. If
 * nothing was asked for in the time before it (prfdata_pace_is_hole()), all lines break there.
 * late_ms  As for prfdata_viewer_take(): the provider was asked this long ago.
 */
void prfdata_viewer_note_came(prfdata_viewer *viewer, const prfdata_sample *sample,
                              uint32_t late_ms);

/*
 * Get the note of the next sample, for a recording.
 *
 * asked  The objects that the next sample was asked for; empty: all.
 * note   {0} before; release with prfdata_recording_note_free().
 */
void prfdata_viewer_note_of(const prfdata_viewer *viewer, const prfdata_title_set *asked,
                            prfdata_recording_note *note);

/*
 * Note that an object did not answer or, if the title is 0, that no object did. The lines of these
 * objects break before the next sample.
 */
void prfdata_viewer_note_failed(prfdata_viewer *viewer, uint32_t title);

/* Update the tree, but nothing else, for a sample that is not shown. */
void prfdata_viewer_note_objects(prfdata_viewer *viewer, const prfdata_sample *sample,
                                 const prfdata_title_set *asked);

/* Show the samples of the timeline, which are those of files: all in the chart, the newest in the
 * table. */
void prfdata_viewer_take_timeline(prfdata_viewer *viewer);

uint32_t prfdata_viewer_object_count(const prfdata_viewer *viewer);

/* Note the response time of an object's provider. late_ms: 0 if the provider is not slow;
 * PRFDATA_NODE_AWAITED if it has not answered yet. */
void prfdata_viewer_note_late(prfdata_viewer *viewer, uint32_t title, uint32_t late_ms);

/* Note that the source has other titles. Until prfdata_viewer_renew() no sample is taken, because
 * an index may now belong to another counter. */
void prfdata_viewer_note_stale(prfdata_viewer *viewer);

/* Returns whether the user has paused, or looks at a sample that is not the newest. Then the past
 * must not be forgotten. */
bool prfdata_viewer_is_held(const prfdata_viewer *viewer);

/* Show the last sample that is not after a time, or the oldest one. If this is the newest sample,
 * each new one is shown from now on. */
void prfdata_viewer_look_at(prfdata_viewer *viewer, int64_t time_ms);
/* Show the newest sample, and from now on each new one. */
void prfdata_viewer_look_at_newest(prfdata_viewer *viewer);

/* Get the two newest samples, up to the shown one, that were asked for an object; NULL: none.
 * Borrowed until other samples are shown. */
void prfdata_viewer_pair(prfdata_viewer *viewer, uint32_t title, const prfdata_sample **older,
                         const prfdata_sample **newer);

/* Return the shown sample, or NULL. */
const prfdata_sample *prfdata_viewer_shown(prfdata_viewer *viewer);

/* ---- Actions of the user ---- */

/* Show an object in the table, because the user chose it. The next source then shows it too. */
void prfdata_viewer_choose_object(prfdata_viewer *viewer, uint32_t title);

/* Select a node of the tree. The table and the details follow. NULL: nothing changes. */
void prfdata_viewer_select(prfdata_viewer *viewer, prfdata_node *node);

/* Open a node. If no kept sample has its content, the content comes with the next sample. */
void prfdata_viewer_open(prfdata_viewer *viewer, prfdata_node *node);
void prfdata_viewer_close(prfdata_viewer *viewer, prfdata_node *node);

/*
 * Filter the tree and the table, for every source and object, by a text that names must contain. In
 * the text, * stands for any characters; if it is empty, everything is shown. A condition at the
 * end of the text, such as ">500", applies only to the values of the table's chosen column. Returns
 * how many nodes match.
 */
uint32_t prfdata_viewer_search(prfdata_viewer *viewer, prfdata_text text);

/* Choose and sort the rows again, after settings in viewer->table were changed. */
void prfdata_viewer_arrange(prfdata_viewer *viewer);

/* Show values, or the raw numbers of the provider, which do not have the unit of the computed
 * values. */
void prfdata_viewer_show_raw(prfdata_viewer *viewer, bool is_raw);

/*
 * Sort by a column. If the table is sorted by it already, reverse the direction.
 * PRFDATA_TABLE_LABEL: by label.
 */
void prfdata_viewer_sort(prfdata_viewer *viewer, uint32_t column);

void prfdata_viewer_describe(prfdata_viewer *viewer, prfdata_viewer_subject subject,
                             const prfdata_chart_key *about);

/*
 * Note that the user has chosen a cell of the table. The details show it. A row that was to be
 * selected when it appears (viewer->row) is forgotten.
 */
void prfdata_viewer_choose_cell(prfdata_viewer *viewer, uint32_t counter, prfdata_text label);

/* Put the details; nothing if they have no subject. */
void prfdata_viewer_put_details(prfdata_viewer *viewer, prfdata_output *output,
                                prfdata_number_style style);

/*
 * Add a counter to the chart. If key->label is *, add all instances, but leave out a total unless
 * viewer->adds_totals is set or the total is the only instance.
 */
void prfdata_viewer_add_line(prfdata_viewer *viewer, const prfdata_chart_key *key);

/* Add lines for the selected rows: for the chosen column's counter or, if the object has no
 * instances, for the rows' counters. */
void prfdata_viewer_add_selected(prfdata_viewer *viewer);

/*
 * Note that the user wants a sample now. Objects that did not answer are asked again. Returns
 * false, and notes nothing, if the source has other titles (prfdata_viewer_note_stale()).
 */
bool prfdata_viewer_refresh(prfdata_viewer *viewer);

/* Pause or continue. After a pause, there is a gap in each line. */
void prfdata_viewer_pause(prfdata_viewer *viewer, bool is_paused);

/*
 * Returns whether to take a sample that has come from a worker. During a pause, returns true only
 * for the worker's first sample after prfdata_viewer_wish(). Call this once for each sample,
 * because the call ends the wish.
 * worker  Below 32.
 */
bool prfdata_viewer_takes_next(prfdata_viewer *viewer, uint32_t worker);

/* Note that the user wants one sample of each worker, even during a pause. */
void prfdata_viewer_wish(prfdata_viewer *viewer);

/*
 * Note that a sample came but is not shown, because of a pause. Failures before this sample need no
 * gap, because the pause makes one.
 */
void prfdata_viewer_pass_sample(prfdata_viewer *viewer);

/*
 * Return why one of the wanted objects does not answer; empty: all answer. Borrowed until the tree
 * changes.
 */
prfdata_text prfdata_viewer_silence(const prfdata_viewer *viewer);

/*
 * Returns whether a live value is older than two intervals, so that its age is shown. Values of
 * slow providers may be so old. False for a file.
 */
bool prfdata_viewer_is_old(const prfdata_viewer *viewer, int64_t age_ms);

/* ---- Actions of the user on the chart; a line that does not exist is ignored ---- */

/*
 * Note in viewer->line_notes how each line looks. A line that looks as it did when it was added has
 * no note.
 */
void prfdata_viewer_note_lines(prfdata_viewer *viewer);

/*
 * Why a row of the legend has no values. The rows are the lines, and then the names that the user
 * asked for and that have no line.
 */
typedef enum prfdata_viewer_absence {
    PRFDATA_VIEWER_PRESENT,
    PRFDATA_VIEWER_AWAITED,     /* not known yet */
    PRFDATA_VIEWER_SILENT,      /* its object did not answer */
    PRFDATA_VIEWER_UNKNOWN,     /* nothing has this name */
    PRFDATA_VIEWER_NO_OBJECT,   /* the object is not there now */
    PRFDATA_VIEWER_NO_COUNTER,  /* the object has no such counter */
    PRFDATA_VIEWER_NO_INSTANCE, /* the object has no such instance now */
    PRFDATA_VIEWER_ABSENCES
} prfdata_viewer_absence;

uint32_t prfdata_viewer_row_count(const prfdata_viewer *viewer);
prfdata_text prfdata_viewer_row_path(const prfdata_viewer *viewer, uint32_t row);

/* Return why a row has no values. note: more facts about its object; borrowed, or empty. */
prfdata_viewer_absence prfdata_viewer_row_absence(const prfdata_viewer *viewer, uint32_t row,
                                                  prfdata_text *note);

/* Remove a line with its note, or a name that waits to become a line. If the line belongs to a
 * pattern, the pattern is forgotten. */
void prfdata_viewer_remove_line(prfdata_viewer *viewer, uint32_t position);
/* Remove all lines with their notes, and all names that wait to become lines. */
void prfdata_viewer_remove_lines(prfdata_viewer *viewer);

void prfdata_viewer_hide_line(prfdata_viewer *viewer, uint32_t position, bool is_hidden);

/* Draw only this line thick, and show its details. PRFDATA_CHART_SERIES: no line. */
void prfdata_viewer_choose_line(prfdata_viewer *viewer, uint32_t position);

/* Give a line a pane and a scale of its own, or return it to the pane to which it was added. */
void prfdata_viewer_toggle_own_pane(prfdata_viewer *viewer, uint32_t position);

/* Give the pane of a line a logarithmic scale or, if it has one, a scale that includes 0. */
void prfdata_viewer_toggle_log(prfdata_viewer *viewer, uint32_t position);

/* Returns whether the scale of a line's pane is logarithmic. */
bool prfdata_viewer_is_log(const prfdata_viewer *viewer, uint32_t position);

/* Give a line the next colour that no other line of its pane has. */
void prfdata_viewer_change_colour(prfdata_viewer *viewer, uint32_t position);

/* Show percentages above 100 as 100, as PDH does by default, or uncapped. */
void prfdata_viewer_cap(prfdata_viewer *viewer, bool is_capped);

/* Show percentiles as bands, or as lines. */
void prfdata_viewer_toggle_bands(prfdata_viewer *viewer);

/* Halve or double the visible time; a chart that follows continues to follow. */
void prfdata_viewer_zoom(prfdata_viewer *viewer, bool is_in);

void prfdata_viewer_show_all(prfdata_viewer *viewer);

/* Make the visible time longer (a factor above 1) or shorter; at_ms keeps its place. */
void prfdata_viewer_zoom_at(prfdata_viewer *viewer, double factor, int64_t at_ms);

/* Move the visible part by a number of its lengths, to the past (below 0) or the future. */
void prfdata_viewer_turn(prfdata_viewer *viewer, double spans);

/* Note that the user has moved the visible part of the chart, and choose the lines of all patterns
 * again, by the values in that part. */
void prfdata_viewer_note_span(prfdata_viewer *viewer);

/* ---- Thresholds ---- */

/*
 * Set the threshold of a counter, for all of its instances: the chart shows it as a line, the table
 * by coloured cells.
 *
 * text  A condition such as ">500", in the unit of the counter's values; empty: none.
 *
 * Returns false, and changes nothing, if the text is neither a condition nor empty.
 */
bool prfdata_viewer_set_threshold(prfdata_viewer *viewer, uint32_t object, uint32_t counter,
                                  prfdata_text text);

/* Put the threshold of a counter as the user would type it; nothing if it has none. */
void prfdata_viewer_put_threshold(prfdata_viewer *viewer, uint32_t object, uint32_t counter,
                                  prfdata_output *output);

/* Returns whether a counter is shown in hexadecimal; false if no sample has it. */
bool prfdata_viewer_is_hex(prfdata_viewer *viewer, uint32_t object, uint32_t counter);

/* Write all thresholds to a workspace, or replace all thresholds by those of a workspace. The lines
 * of the workspace are "threshold = <condition> \Object\Counter". */
void prfdata_viewer_put_thresholds(const prfdata_viewer *viewer, prfdata_workspace *workspace);
void prfdata_viewer_read_thresholds(prfdata_viewer *viewer, const prfdata_workspace *workspace);

/* ---- Names: paths and objects that were asked for ---- */

/* Add a name for prfdata_viewer_begin_names(); copied. */
void prfdata_viewer_add_name(prfdata_viewer *viewer, prfdata_text name);
void prfdata_viewer_forget_names(prfdata_viewer *viewer);

/* Note how the lines look, remove lines and patterns, and add their paths to the names that are
 * asked for. The observer is not told. */
void prfdata_viewer_name_shown(prfdata_viewer *viewer);

/*
 * Let the next samples include the objects of all names. If a name is that of an object, and not a
 * path, show the object in the table. If the table then shows no object, show the first of these
 * that exists: the object that the user chose last, the object of a name, an object of the tree.
 * Names of another computer are reported and forgotten. For a file, also add the lines of the
 * names.
 */
void prfdata_viewer_begin_names(prfdata_viewer *viewer);

/* Return the existing name that is most similar to `name`. If `name` is a path whose object exists,
 * return the name of a counter, otherwise of an object. Borrowed until other samples are shown;
 * empty: none. */
prfdata_text prfdata_viewer_similar(prfdata_viewer *viewer, prfdata_text name);

/* Return the object of a name, which is a path or an object; 0: there is none. */
uint32_t prfdata_viewer_object_of_name(const prfdata_viewer *viewer, prfdata_text name);

/* Returns whether a name counts as missing, because enough samples did not contain it. */
bool prfdata_viewer_is_name_missing(const prfdata_viewer *viewer, size_t at);

void prfdata_viewer_remove_name(prfdata_viewer *viewer, size_t at);

/*
 * Look for names in a sample, and add the lines of the names that are found. If two samples were
 * asked for a name's object and do not contain the name, report the name. It continues to wait. For
 * a file, `asked` is NULL: search all samples, and at once report the names that no sample
 * contains.
 */
void prfdata_viewer_resolve_names(prfdata_viewer *viewer, const prfdata_sample *sample,
                                  const prfdata_title_set *asked);

/* ---- Patterns: paths with a *, whose lines follow the instances ---- */

/*
 * Return how many instances that match patterns have no line, because there is no room or because
 * of viewer->most_lines. The instances with the highest values in the visible span have lines.
 */
uint32_t prfdata_viewer_hidden_count(const prfdata_viewer *viewer);

/* Limit the number of lines of each pattern; 0: as many as have room in the chart. */
void prfdata_viewer_set_most_lines(prfdata_viewer *viewer, uint32_t most);

/* Get the paths with which the chart can be shown again: those of the patterns, then those of the
 * lines. A line that belongs to a pattern has an empty path here. */
uint32_t prfdata_viewer_path_count(const prfdata_viewer *viewer);
prfdata_text prfdata_viewer_path(const prfdata_viewer *viewer, uint32_t at);

/* ---- Only for the files of the viewer ---- */

bool prfdata_viewer_is_pattern(prfdata_text path);

/* Find or add a pattern. Returns its id; 0: no memory, or too many patterns. */
uint32_t prfdata_viewer_add_pattern(prfdata_viewer *viewer, prfdata_text path);

/*
 * The first function forgets one pattern, the second one all patterns. The lines of a forgotten
 * pattern stay, but no longer follow the instances. If `id` is 0, nothing happens.
 */
void prfdata_viewer_forget_pattern(prfdata_viewer *viewer, uint32_t id);
void prfdata_viewer_forget_patterns(prfdata_viewer *viewer);

/* Make the lines of patterns follow a new sample. */
void prfdata_viewer_follow_patterns(prfdata_viewer *viewer, const prfdata_sample *sample,
                                    const prfdata_title_set *asked);
/* Choose the lines of all patterns again, by the visible span. */
void prfdata_viewer_rank_patterns(prfdata_viewer *viewer);

/*
 * Returns whether an instance that matches the instance of a path gets a line. _Total gets a line
 * only if the path names _Total, the object has no other instance, or adds_totals is set.
 */
bool prfdata_viewer_means(const prfdata_viewer *viewer, prfdata_text instance,
                          const prfdata_sample_object *object,
                          const prfdata_sample_instance *found);

void prfdata_viewer_report(const prfdata_viewer *viewer, unsigned what);
void prfdata_viewer_say(const prfdata_viewer *viewer, prfdata_viewer_saying saying,
                        prfdata_text about);

/* Show the values of the shown sample in the table. is_next: the sample follows the one that was
 * shown before. Returns the bits of what has changed. */
unsigned prfdata_viewer_update_table(prfdata_viewer *viewer, bool is_next);

/* Give all lines from a position on their values in the kept samples. */
void prfdata_viewer_fill_lines(prfdata_viewer *viewer, uint32_t first);

/* Put the path of a counter. If the object has instances, put the parentheses even if the label is
 * empty. */
void prfdata_viewer_put_path(prfdata_viewer *viewer, prfdata_output *output,
                             const prfdata_chart_key *key);

/*
 * Put the path of a node: \\Computer, \Object, \Object(Label) or \Object(Label)\Counter. A * stands
 * for all instances. The path of a branch stands for all instances of its parent. If the node is a
 * group, which has no path, put its name.
 */
void prfdata_viewer_put_node_path(prfdata_viewer *viewer, prfdata_output *output,
                                  prfdata_node *node);

/* Add a line for one instance, without its past. Returns whether the line was added. */
bool prfdata_viewer_add_one_line(prfdata_viewer *viewer, const prfdata_chart_key *key);

void prfdata_viewer_apply_threshold(prfdata_viewer *viewer, uint32_t position);

/* Give an added line the look that was noted for it. */
void prfdata_viewer_apply_note(prfdata_viewer *viewer, uint32_t position);

/*
 * Show the past of the lines from a position on, and tell the observer that there are more lines.
 */
void prfdata_viewer_show_lines(prfdata_viewer *viewer, uint32_t first);

void prfdata_viewer_forget_samples(prfdata_viewer *viewer);
/* Forget the decoded samples; the timeline keeps the bytes of all samples. */
void prfdata_viewer_forget_decoded(prfdata_viewer *viewer);

/* Returns whether the objects `asked`, which a sample was asked for, include the object `title`. An
 * empty set includes all objects, and every set includes the title 0. */
bool prfdata_viewer_is_asked(const prfdata_title_set *asked, uint32_t title);
/* If the object of a line failed before an entry of the timeline, break the line before the entry.
 * If the entry's sample lacks the object, break the line at the entry or, if nobody knows whether
 * the sample was asked for the object, draw the line dotted there. */
void prfdata_viewer_miss_line(prfdata_viewer *viewer, uint32_t position, size_t at);
/* Add the time of an entry to the chart; before it, if objects failed, add a break for their lines.
 * Returns what prfdata_chart_add_time() returns. */
uint32_t prfdata_viewer_chart_time(prfdata_viewer *viewer, size_t at);
void prfdata_viewer_keep_decoded(prfdata_viewer *viewer, int64_t time_ms, prfdata_sample *sample);
/* Return the sample of an entry; borrowed; NULL: no memory, or its bytes can no longer be read. */
const prfdata_sample *prfdata_viewer_decode_entry(prfdata_viewer *viewer, size_t at);
/*
 * Return the last entry before `at` that was asked for an object; SIZE_MAX: there is none, the
 * object was silent in between, or prfdata_chart_is_apart() says that the entry is too old.
 */
size_t prfdata_viewer_entry_before(const prfdata_viewer *viewer, size_t at, uint32_t title);
/* The times of the samples that prfdata_viewer_pair() returns; below 0: there is none. */
typedef struct prfdata_viewer_moments {
    int64_t older_ms;
    int64_t newer_ms;
} prfdata_viewer_moments;

prfdata_viewer_moments prfdata_viewer_pair_moments(const prfdata_viewer *viewer, uint32_t title);
/* Return the sample from which the tree shows an object. For live data this is the newest sample
 * that was asked for the object, even if an earlier time is shown; for a file it is the last one up
 * to the shown time. NULL: none. Borrowed until other samples are shown. */
const prfdata_sample *prfdata_viewer_now(prfdata_viewer *viewer, uint32_t title);
/* Return an object as it was at the shown time; if it did not exist then, as it is now. NULL: no
 * sample has it. Borrowed until other samples are shown. */
const prfdata_sample_object *prfdata_viewer_object(prfdata_viewer *viewer, uint32_t title);
/* Return a counter of an object; NULL: it has none. `object` may be NULL. */
const prfdata_decode_counter *prfdata_viewer_find_counter(const prfdata_sample_object *object,
                                                          uint32_t counter);
/* Show an object in the table. The object that the user chose (`wanted`) stays the same. */
void prfdata_viewer_show_object(prfdata_viewer *viewer, uint32_t title);
/*
 * Update the tree for a sample. During a search, also add the instances of the sample, so that the
 * search finds them.
 */
void prfdata_viewer_update_tree(prfdata_viewer *viewer, const prfdata_sample *sample,
                                const prfdata_title_set *asked);
/* Set the reason why an object no longer exists. */
void prfdata_viewer_explain_absence(prfdata_viewer *viewer, prfdata_node *node);
/* Set the reasons of all missing objects that have none. */
void prfdata_viewer_explain_absences(prfdata_viewer *viewer);
/* Filter the table by the text and the condition of the search. If no instance matches the text,
 * ignore the text, because it may be the name of a counter. */
void prfdata_viewer_filter_table(prfdata_viewer *viewer);
/* Return the text of the search without its condition. Sets `condition`, unless that is NULL. */
prfdata_text prfdata_viewer_searched_text(const prfdata_viewer *viewer,
                                          prfdata_condition *condition);
/* If the user has chosen another column, apply the condition of the search to the column that is
 * chosen now. */
void prfdata_viewer_follow_condition(prfdata_viewer *viewer);
prfdata_text prfdata_viewer_english_name(const prfdata_viewer *viewer, uint32_t title);
/* Note the sort order of the table, before its titles are released. */
void prfdata_viewer_note_order(prfdata_viewer *viewer);
void prfdata_viewer_forget_order(prfdata_viewer *viewer);
/* The first function writes the sort order of the table to a workspace. The second one reads an
 * order from a workspace; this order is applied when its object is shown. */
void prfdata_viewer_put_order(prfdata_viewer *viewer, prfdata_workspace *workspace);
void prfdata_viewer_read_order(prfdata_viewer *viewer, const prfdata_workspace *workspace);
void prfdata_viewer_free_titles(prfdata_viewer *viewer);
/* Select the waiting row if it is there now. Returns what has changed. */
unsigned prfdata_viewer_select_waiting_row(prfdata_viewer *viewer);
/* Ask again for an object that did not answer, because the user looks at it again. */
void prfdata_viewer_break_silence(prfdata_viewer *viewer, prfdata_node *object);

#endif
