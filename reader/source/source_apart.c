/* SPDX-License-Identifier: MIT */
/*
 * Asks the system in another process (child.h). One question asks for everything. If it gets no
 * answer, each provider is asked once on its own. A provider that crashes or does not answer is
 * left out of further questions. A third process asks this provider again from time to time, and no
 * sample waits for that. Windows only.
 *
 * If the sample has a deadline, each question may use a part of the time that is left, and the last
 * question all of it. So a provider that hangs leaves time for the others. Providers for which too
 * little time is left are missing only in this sample.
 */
#include "source/source.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/error.h>

#include "block/data_block.h"
#include "source/child.h"
#include "source/provider_groups.h"
#include "source/workers.h"
#include "system/os.h"

#define MOST_TOGETHER 2000u /* most titles in one question */
/* Least time for a question; with less time left, no more questions are asked. */
#define LEAST_MS 50u

typedef struct apart_source {
    prfdata_source source;
    prfdata_source *here;  /* the same system, read in this process */
    prfdata_source *child; /* gives the samples; NULL: `here` gives them */
    prfdata_source *probe; /* asks providers that are left out */
    uint32_t limit_ms;
    uint32_t again_ms;
    uint16_t *query;                /* query that the groups were made for; NULL: no groups */
    prfdata_provider_groups groups; /* empty: no provider is left out */
    prfdata_titles titles;          /* titles that the groups were made with */
    bool is_parted;    /* each group is asked on its own, because one question for all would fail */
    uint32_t given_ms; /* time for the answer to the last question; 0: it was not asked */
    uint32_t missed;   /* number of groups that had too little time to answer */
    prfdata_provider_group *probed; /* group that `probe` is being asked for; NULL: none */
} apart_source;

static bool is_fault(uint32_t status)
{
    return status == ERROR_TIMEOUT || status == ERROR_BROKEN_PIPE;
}

/* ---- Providers that are left out ---- */

static void end_probe(apart_source *self)
{
    if (self->probed)
        prfdata_child_rest(self->probe);
    self->probed = NULL;
}

static void forget_groups(apart_source *self)
{
    end_probe(self);
    prfdata_provider_groups_free(&self->groups);
    prfdata_titles_free(&self->titles);
    free(self->query);
    self->query = NULL;
    self->is_parted = false;
}

static uint16_t *copy_query(const uint16_t *query)
{
    const size_t bytes = (prfdata_text_from_chars(query).count + 1) * sizeof *query;
    uint16_t *copy = malloc(bytes);

    if (copy)
        memcpy(copy, query, bytes);
    return copy;
}

/* Make groups for the query. Groups that were left out of another query stay left out. */
static bool part_query(apart_source *self, const uint16_t *query)
{
    prfdata_provider_groups former = self->groups;
    bool is_done;

    end_probe(self);
    memset(&self->groups, 0, sizeof self->groups);
    prfdata_titles_free(&self->titles);
    free(self->query);
    self->query = copy_query(query);
    /* A failure does not matter, because groups work without names. */
    (void)prfdata_source_load_titles(self->here, &self->titles);
    is_done =
        self->query && prfdata_provider_groups_make(query, &self->titles.english, &self->groups);
    prfdata_provider_groups_keep_failures(&self->groups, &former);
    prfdata_provider_groups_free(&former);
    if (!is_done)
        forget_groups(self);
    return is_done;
}

static uint32_t enough_ms(const apart_source *self)
{
    return self->limit_ms / 5 < PRFDATA_WORKERS_PATIENCE_MS ? self->limit_ms / 5
                                                            : PRFDATA_WORKERS_PATIENCE_MS;
}

/*
 * Returns whether a provider was given enough time to answer. A caller with a short deadline must
 * not cause a provider to be left out for other callers. The real waiting time does not count,
 * because on a busy computer the reader may notice the end of the given time much later.
 */
static bool had_time(const apart_source *self)
{
    return self->given_ms >= enough_ms(self);
}

/* Leave out a group whose provider crashed or did not answer. If it had too little time to answer,
 * it is missing only in this sample. */
static void leave_out(apart_source *self, prfdata_provider_group *group, uint32_t status)
{
    wchar_t module[MAX_PATH] = L"";

    if (status == ERROR_BROKEN_PIPE) {
        prfdata_child_fault(self->child, module);
    } else if (!had_time(self)) {
        self->missed++;
        group->is_late = self->given_ms > 0;
        return;
    }
    group->failure = status;
    group->again_ms = prfdata_os_milliseconds() + self->again_ms;
    prfdata_provider_groups_say(group, &self->titles.english,
                                self->source.deadline_ms > 0 ? self->given_ms : self->limit_ms,
                                module);
}

/* Report all providers that are left out, again with each sample, because a live view shows only
 * the newest messages. */
static void report_left_out(apart_source *self)
{
    prfdata_provider_group *group = prfdata_provider_groups_failed(&self->groups, 0);

    for (; group; group = prfdata_provider_groups_failed(
                      &self->groups, (size_t)(group - self->groups.items) + 1)) {
        self->source.failure = group->failure;
        self->source.left_out++;
        if (group->said.count > 0)
            prfdata_messages_put(self->source.messages, &group->said.items[0]);
    }
    if (self->missed == 0)
        return;
    self->source.failure = ERROR_TIMEOUT;
    self->source.left_out += self->missed;
    prfdata_messages_add(self->source.messages, PRFDATA_SEVERITY_WARNING, prfdata_no_subject,
                         "the time for the sample was over before all providers had answered; a "
                         "longer -limit, or scrape_timeout of Prometheus, gives them more");
}

static void take_back(apart_source *self, prfdata_provider_group *group)
{
    group->failure = ERROR_SUCCESS;
    prfdata_provider_groups_say(group, &self->titles.english, self->limit_ms, L"");
    if (group->said.count > 0)
        prfdata_messages_put(self->source.messages, &group->said.items[0]);
}

/* Return the limit for a new process, which has to load the providers first. */
static uint32_t first_limit_ms(uint32_t limit_ms)
{
    return limit_ms > PRFDATA_WORKERS_FIRST_MS ? limit_ms : PRFDATA_WORKERS_FIRST_MS;
}

/* If the provider that `probe` asks has answered, do not leave it out any longer. */
static void look_at_probe(apart_source *self)
{
    void *bytes = NULL;
    size_t size = 0;
    uint32_t status;

    if (!self->probed || !prfdata_child_is_answered(self->probe))
        return;
    status = prfdata_child_end(self->probe, &bytes, &size);
    free(bytes);
    self->probed->again_ms = prfdata_os_milliseconds() + self->again_ms;
    if (status == ERROR_SUCCESS)
        take_back(self, self->probed);
    end_probe(self);
}

static void begin_probe(apart_source *self)
{
    prfdata_provider_group *group = prfdata_provider_groups_failed(&self->groups, 0);
    const uint64_t now_ms = prfdata_os_milliseconds();
    /*
     * If samples have a deadline, a question of a sample gets about half of the limit. The probe
     * gets as much, because a provider that needs longer would be left out again.
     */
    const uint32_t limit_ms = self->source.deadline_ms > 0 ? self->limit_ms / 2 : self->limit_ms;
    uint16_t *query;

    while (group && group->again_ms > now_ms)
        group =
            prfdata_provider_groups_failed(&self->groups, (size_t)(group - self->groups.items) + 1);
    if (self->probed || !group)
        return;
    query = prfdata_title_set_query(&group->titles);
    group->again_ms = now_ms + self->again_ms;
    prfdata_child_set_limit(self->probe, limit_ms, first_limit_ms(limit_ms));
    if (query && prfdata_child_begin(self->probe, query) == ERROR_SUCCESS)
        self->probed = group;
    free(query);
}

/* ---- Samples ---- */

/* Return how long the sample may still take; UINT64_MAX: no limit. */
static uint64_t time_left_ms(const apart_source *self)
{
    const uint64_t now_ms = prfdata_os_milliseconds();

    if (self->source.deadline_ms == 0)
        return UINT64_MAX;
    return self->source.deadline_ms > now_ms ? self->source.deadline_ms - now_ms : 0;
}

/* count  Number of questions for which there must be time, this one included. */
static uint32_t ask(apart_source *self, const uint16_t *query, size_t count, void **bytes,
                    size_t *size)
{
    const uint64_t began_ms = prfdata_os_milliseconds();
    const uint64_t left_ms = time_left_ms(self);
    uint32_t status;

    if (left_ms < LEAST_MS) {
        self->given_ms = 0;
        return ERROR_TIMEOUT;
    }
    self->child->deadline_ms =
        left_ms == UINT64_MAX
            ? 0
            : began_ms + prfdata_provider_groups_time(left_ms, count, enough_ms(self));
    status = prfdata_source_take(self->child, query, bytes, size);
    self->given_ms = prfdata_child_given_ms(self->child);
    return status;
}

static uint32_t take_set(apart_source *self, const prfdata_title_set *titles, size_t count,
                         void **bytes, size_t *size)
{
    uint16_t *query = prfdata_title_set_query(titles);
    const uint32_t status = query ? ask(self, query, count, bytes, size) : ERROR_NOT_ENOUGH_MEMORY;

    free(query);
    return status;
}

static uint32_t add_group_answer(apart_source *self, prfdata_provider_group *group, size_t count,
                                 prfdata_data_blocks *blocks)
{
    void *part = NULL;
    size_t size = 0;
    uint32_t status = take_set(self, &group->titles, count, &part, &size);

    group->is_asked = true;
    if (is_fault(status)) {
        leave_out(self, group, status);
        return ERROR_SUCCESS;
    }
    group->is_late = false;
    return status == ERROR_SUCCESS ? prfdata_data_blocks_add(blocks, part, size) : status;
}

/* Count the groups that are not left out. */
static size_t count_asked(const apart_source *self)
{
    size_t count = 0;

    for (size_t i = 0; i < self->groups.count; i++)
        count += self->groups.items[i].failure == ERROR_SUCCESS;
    return count;
}

/* Ask for each group on its own, and decide whether to continue to do so. */
static uint32_t take_parts(apart_source *self, void **bytes, size_t *size)
{
    const uint64_t since_ms = prfdata_os_milliseconds();
    size_t left = count_asked(self);
    prfdata_provider_group *group;
    uint32_t status = ERROR_SUCCESS;
    uint64_t waited_ms = 0; /* total time spent on groups without an answer */
    const uint32_t missed = self->missed;
    prfdata_data_blocks blocks = {0};
    prfdata_title_set rest = {0};

    self->is_parted = true;
    for (size_t i = 0; i < self->groups.count; i++)
        self->groups.items[i].is_asked = false;
    while (status == ERROR_SUCCESS && (group = prfdata_provider_groups_next(&self->groups))) {
        const uint64_t began_ms = prfdata_os_milliseconds();

        status = add_group_answer(self, group, left--, &blocks);
        if (group->failure != ERROR_SUCCESS)
            waited_ms += prfdata_os_milliseconds() - began_ms;
    }
    if (status == ERROR_SUCCESS && prfdata_provider_groups_rest(&self->groups, &rest))
        self->is_parted = rest.count > MOST_TOGETHER || self->missed > missed ||
                          prfdata_os_milliseconds() - since_ms - waited_ms > self->limit_ms / 4 * 3;
    prfdata_title_set_free(&rest);
    if (status == ERROR_SUCCESS)
        *bytes = prfdata_data_blocks_take(&blocks, size);
    prfdata_data_blocks_free(&blocks);
    return status;
}

/* Ask for all groups that are not left out, in one question. If that fails, or the groups have
 * too many titles for one question, ask for each group on its own. */
static uint32_t take_rest(apart_source *self, void **bytes, size_t *size)
{
    prfdata_title_set rest = {0};
    uint32_t status = ERROR_NOT_ENOUGH_MEMORY;

    if (prfdata_provider_groups_rest(&self->groups, &rest)) {
        if (rest.count == 0)
            status = ERROR_SUCCESS;
        else if (rest.count <= MOST_TOGETHER)
            status = take_set(self, &rest, count_asked(self) == 1 ? 1 : 2, bytes, size);
        else
            status = ERROR_TIMEOUT;
    }
    prfdata_title_set_free(&rest);
    return is_fault(status) ? take_parts(self, bytes, size) : status;
}

static uint32_t take_grouped(apart_source *self, void **bytes, size_t *size)
{
    uint32_t status;

    look_at_probe(self);
    status = self->is_parted ? take_parts(self, bytes, size) : take_rest(self, bytes, size);
    begin_probe(self);
    report_left_out(self);
    if (status == ERROR_SUCCESS && !*bytes)
        return self->source.failure;
    if (self->missed == 0 && !prfdata_provider_groups_failed(&self->groups, 0) && !self->is_parted)
        forget_groups(self);
    return status;
}

/* After a question for everything had no answer, make groups and ask for each group on its own. */
static uint32_t find_fault(apart_source *self, const uint16_t *query, uint32_t status, void **bytes,
                           size_t *size)
{
    if (!part_query(self, query))
        return ERROR_NOT_ENOUGH_MEMORY;
    if (self->groups.count == 0) {
        /* The registry names no titles, so no provider can be asked on its own. */
        forget_groups(self);
        return status;
    }
    if (self->groups.count > 1)
        self->is_parted = true;
    else if (status == ERROR_BROKEN_PIPE || had_time(self))
        leave_out(self, &self->groups.items[0], status);
    /* If the only provider is not left out, it is asked again in the time that is left. */
    return take_grouped(self, bytes, size);
}

/*
 * Take samples in this process from now on, because no other can be started. Unprotected samples
 * are better than none.
 */
static void stay_here(apart_source *self, uint32_t status)
{
    prfdata_messages_put(
        self->source.messages,
        &(prfdata_message){.severity = PRFDATA_SEVERITY_WARNING,
                           .problem = "cannot start a process for providers",
                           .text = "cannot start a process for providers, so a provider that "
                                   "crashes or hangs also stops this program",
                           .system_error = status});
    prfdata_source_close(self->child);
    self->child = NULL;
}

static uint32_t take_apart_sample(prfdata_source *source, const uint16_t *query, void **bytes,
                                  size_t *size)
{
    apart_source *self = (apart_source *)source;
    uint32_t status = self->child ? prfdata_child_start(self->child) : ERROR_SUCCESS;
    void *made = NULL;

    self->missed = 0;
    source->left_out = 0;
    if (status != ERROR_SUCCESS)
        stay_here(self, status);
    if (!self->child)
        return prfdata_source_take(self->here, query, bytes, size);
    if (self->groups.count > 0 &&
        !prfdata_text_equal(prfdata_text_from_chars(query), prfdata_text_from_chars(self->query)) &&
        !part_query(self, query))
        return ERROR_NOT_ENOUGH_MEMORY;
    if (self->groups.count > 0) {
        status = take_grouped(self, &made, size);
    } else {
        status = ask(self, query, 2, &made, size);
        if (is_fault(status))
            status = find_fault(self, query, status, &made, size);
    }
    if (status == ERROR_SUCCESS)
        *bytes = made;
    else
        free(made);
    return status;
}

/* ---- Facts that are known without asking the process ---- */

static uint32_t load_apart_objects(prfdata_source *source, prfdata_name_table *objects)
{
    bool is_all; /* not used here */

    return prfdata_source_load_objects(((apart_source *)source)->here, objects, &is_all);
}

static bool has_group_object(const apart_source *self, const prfdata_provider_group *group,
                             prfdata_text object)
{
    for (size_t i = 0; i < group->titles.count; i++) {
        uint32_t index = 0;

        if (prfdata_text_equal(
                prfdata_name_table_name(&self->titles.english, group->titles.items[i]), object) ||
            (prfdata_text_number(object, &index) && index == group->titles.items[i]))
            return true;
    }
    return false;
}

static bool explain_apart_absence(prfdata_source *source, prfdata_text object,
                                  prfdata_output *output)
{
    const apart_source *self = (apart_source *)source;

    for (size_t i = 0; i < self->groups.count; i++) {
        const prfdata_provider_group *group = &self->groups.items[i];

        if (group->failure == ERROR_SUCCESS || !has_group_object(self, group, object))
            continue;
        prfdata_output_put_string(output, group->failure == ERROR_TIMEOUT
                                              ? "its provider does not answer"
                                              : "its provider crashed");
        return true;
    }
    return prfdata_source_explain_absence(self->here, object, output);
}

static void close_apart(prfdata_source *source)
{
    apart_source *self = (apart_source *)source;

    forget_groups(self);
    prfdata_source_close(self->child);
    prfdata_source_close(self->probe);
    prfdata_source_close(self->here);
    free(self);
}

uint32_t prfdata_source_open_apart(const prfdata_source_apart *how, prfdata_messages *messages,
                                   prfdata_source **source)
{
    static const prfdata_source_kind kind = {.take = take_apart_sample,
                                             .load_titles = prfdata_source_load_system_titles,
                                             .load_helps = prfdata_source_load_system_helps,
                                             .titles_stamp = prfdata_source_system_titles_stamp,
                                             .load_objects = load_apart_objects,
                                             .find_service = prfdata_source_find_system_service,
                                             .explain_absence = explain_apart_absence,
                                             .close = close_apart};
    apart_source *made = calloc(1, sizeof *made);

    if (!made)
        return ERROR_NOT_ENOUGH_MEMORY;
    made->source.kind = &kind;
    made->source.messages = messages;
    made->limit_ms = how->limit_ms;
    made->again_ms = how->again_ms;
    if (prfdata_source_open_system(messages, &made->here) != ERROR_SUCCESS ||
        prfdata_child_open_source(prfdata_no_subject, &made->child) != ERROR_SUCCESS ||
        prfdata_child_open_source(prfdata_no_subject, &made->probe) != ERROR_SUCCESS) {
        close_apart(&made->source);
        return ERROR_NOT_ENOUGH_MEMORY;
    }
    prfdata_child_set_limit(made->child, how->limit_ms, first_limit_ms(how->limit_ms));
    prfdata_child_set_program(made->child, how->program);
    prfdata_child_set_program(made->probe, how->program);
    *source = &made->source;
    return ERROR_SUCCESS;
}
