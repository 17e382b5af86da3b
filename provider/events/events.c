/* SPDX-License-Identifier: MIT */
/*
 * Keeps the events of a provider until prfdata_events_report() passes them, each once, to the
 * function that prfdata_events_set_writer() has set.
 */
#include "events/events.h"

#include <assert.h>
#include <string.h>

#include <prfdata/atomic.h>

static const struct {
    prfdata_event_id id;
    uint32_t severity;
} conditions[] = {
#define ROW(name, number, severity, detail, statement, advice)                                     \
    {PRFDATA_EVENT_##name, PRFDATA_EVENT_##severity},
    PRFDATA_PROVIDER_EVENTS(ROW)
#undef ROW
};
static_assert(PRFDATA_EVENT_COUNT <= 32, "a bit of a word for each");

uint32_t prfdata_events_index(prfdata_event_id id)
{
    for (uint32_t i = 0; i < PRFDATA_EVENT_COUNT; i++)
        if (conditions[i].id == id)
            return i;
    assert(false && "no such event");
    return 0;
}

static bool is_reported_at(prfdata_event_id id, uint32_t level)
{
    return (uint32_t)id / PRFDATA_EVENT_LEVEL_UNIT <= level;
}

void prfdata_events_set_writer(prfdata_events *events, uint32_t level, prfdata_event_writer *write,
                               void *context)
{
    uint32_t silent = 0;

    for (uint32_t i = 0; i < PRFDATA_EVENT_COUNT; i++)
        if (!write || !is_reported_at(conditions[i].id, level))
            silent |= 1u << i;
    prfdata_os_lock_enter(&events->lock);
    events->write = write;
    events->context = context;
    /* Events that the level leaves out count as reported. */
    prfdata_store32_relaxed(&events->noticed, events->noticed | silent);
    prfdata_store32_relaxed(&events->waiting, events->waiting & ~silent);
    prfdata_os_lock_leave(&events->lock);
}

bool prfdata_events_wants(const prfdata_events *events, prfdata_event_id id)
{
    return !(prfdata_load32_relaxed(&events->noticed) & 1u << prfdata_events_index(id));
}

void prfdata_events_notice(prfdata_events *events, prfdata_event_id id, const wchar_t *detail,
                           uint32_t code)
{
    const uint32_t index = prfdata_events_index(id);

    if (!prfdata_events_wants(events, id))
        return;
    prfdata_os_lock_enter(&events->lock);
    if (!(events->noticed & 1u << index)) {
        prfdata_event *event = &events->events[index];

        event->id = id;
        event->severity = conditions[index].severity;
        for (size_t i = 0; i + 1 < PRFDATA_EVENT_DETAIL_CHARS && detail[i]; i++)
            event->detail[i] = detail[i];
        event->code = code;
        prfdata_store32_relaxed(&events->noticed, events->noticed | 1u << index);
        prfdata_store32_relaxed(&events->waiting, events->waiting | 1u << index);
    }
    prfdata_os_lock_leave(&events->lock);
}

void prfdata_events_notice_ascii(prfdata_events *events, prfdata_event_id id, const char *detail,
                                 uint32_t code)
{
    wchar_t wide[PRFDATA_EVENT_DETAIL_CHARS] = {0};

    for (size_t i = 0; i + 1 < PRFDATA_EVENT_DETAIL_CHARS && detail[i]; i++)
        wide[i] = (wchar_t)(unsigned char)detail[i];
    prfdata_events_notice(events, id, wide, code);
}

/* Takes an event that waits to be reported. Its contents no longer change. NULL: there is none,
 * or no function reports events yet. */
static const prfdata_event *take_event(prfdata_events *events)
{
    const prfdata_event *taken = NULL;

    prfdata_os_lock_enter(&events->lock);
    for (uint32_t i = 0; i < PRFDATA_EVENT_COUNT && events->write && !taken; i++) {
        if (!(events->waiting & 1u << i))
            continue;
        prfdata_store32_relaxed(&events->waiting, events->waiting & ~(1u << i));
        taken = &events->events[i];
    }
    prfdata_os_lock_leave(&events->lock);
    return taken;
}

void prfdata_events_report(prfdata_events *events, const char *service)
{
    const prfdata_event *event;

    if (prfdata_load32_relaxed(&events->waiting) == 0)
        return;
    while ((event = take_event(events)) != NULL)
        events->write(events->context, service, event);
}
