/* SPDX-License-Identifier: MIT */
/*
 * Whether a region has a writer, for the model checker Spin: processes take it over, become
 * visible, count, and are killed before or after any step, while a reader probes now and then and
 * answers from what it kept of a region that it saw dead (region-format.md, "Reader steps").
 *
 * Shown for every interleaving:
 * - an instance of a process that the reader knew to be dead is not shown as live, also while a
 *   process that takes the region over is stopped in the middle;
 * - the total never falls, and is never older than the reader's last look at the folder.
 *
 * A region that was seen dead with the word w lives again when a whole take-over has passed, so
 * when its word is greater than w | 1: a take-over begins with w | 1 and ends with one more. The
 * word of a dead region is read before and after the probe, which is repeated if it has moved.
 *
 * `run` also checks that these mistakes are found, each defined with -D:
 *   PROBE_ONLY    a region lives when it has an owner
 *   ANY_MOVE      a region that was seen dead lives when its word has changed at all
 *   WORD_FIRST    the word of a dead region is read before the probe only
 *   WORD_LAST     ... after the probe only
 *   KEPT_FOR_EVER what was kept of a dead region is shown although its word has moved
 */

#define FREE 0
#define LIVE 2
#define DORMANT 3

#define PUBLISHED 1
#define TAKEN_OVER 2

#ifndef OPERATIONS
#define OPERATIONS 4 /* of all writers together */
#endif
#ifndef KILLS
#define KILLS 2
#endif
#ifndef COLLECTS
#define COLLECTS 3
#endif

/* the shared bytes; the slot's cell is the total, too */
byte word = 2;
byte header_state = PUBLISHED;
byte slot_state = FREE;
byte cell = 0;

/* the kernel: whether the file has an owner */
bool owned = false;

/* what really happened */
byte process = 0;  /* how many owned the file, until now */
byte added_by = 0; /* the process that made the slot live */
byte operations = 0;
byte kills = 0;

/* one step of the writer, after which it may be killed */
#define STEP(action)                                                                               \
    atomic {                                                                                       \
        action;                                                                                    \
        if                                                                                         \
        :: true                                                                                    \
        :: kills < KILLS -> kills++; goto killed                                                   \
        fi                                                                                         \
    }

active proctype writer()
{
again:
    STEP(owned = true; process++);
    STEP(word = word | 1);
    STEP(header_state = TAKEN_OVER); /* T1 */
    if                               /* T2 */
    :: slot_state == LIVE -> STEP(slot_state = DORMANT)
    :: else -> skip
    fi;
    STEP(header_state = PUBLISHED); /* T5 */
    STEP(word = (word | 1) + 1);
    do
    :: operations < OPERATIONS && slot_state != LIVE ->
        operations++;
        STEP(word = word | 1);
        STEP(slot_state = LIVE; added_by = process);
        STEP(word = (word | 1) + 1)
    :: operations < OPERATIONS -> /* counts without a change of structure */
        operations++;
        STEP(cell++)
    :: kills < KILLS -> kills++; goto killed
    :: operations == OPERATIONS -> break
    od;
    goto ended;
killed:
    atomic {
        owned = false;
        if
        :: operations < OPERATIONS -> goto again
        :: else -> skip
        fi
    };
ended:
    skip
}

#ifdef WORD_FIRST
#define WORD_STANDS true
#else
#ifdef WORD_LAST
#define WORD_STANDS true
#else
#define WORD_STANDS (word == before_word)
#endif
#endif

#ifdef PROBE_ONLY
#define HAS_MOVED true
#else
#ifdef ANY_MOVE
#define HAS_MOVED (before_word != dead_word)
#else
#define HAS_MOVED (before_word > (dead_word | 1))
#endif
#endif

active proctype reader()
{
    byte collects = 0;
    byte before_word, seen, seen_header, last_owner, by, fresh;
    /* kept from one Collect to the next */
    bool is_alive = false;
    bool is_dead = false;
    byte dead_word = 0;
    byte dead_process = 0; /* the last one that the reader knows to be dead */
    byte dead_total = 0;
    byte last_total = 0;

    do
    :: collects < COLLECTS ->
        collects++;
        if
        :: true -> /* refresh */
            fresh = cell;
probe:
            before_word = word;
            atomic {
                is_alive = owned;
                last_owner = process
            };
#ifdef WORD_LAST
            before_word = word;
#endif
            if
            :: !is_alive ->
                atomic {
                    if
                    :: WORD_STANDS -> dead_process = last_owner
                    :: else -> goto probe /* a process came and went */
                    fi
                };
                if
                :: !is_dead || dead_word != before_word ->
                    dead_total = cell;
                    is_dead = true;
                    dead_word = before_word
                :: else -> skip
                fi
            :: is_alive && is_dead && HAS_MOVED ->
#ifdef KEPT_FOR_EVER
                is_alive = false
#else
                is_dead = false
#endif
            :: is_alive && is_dead && !HAS_MOVED -> is_alive = false
            :: is_alive && !is_dead -> skip
            fi;
            before_word = 0;
            last_owner = 0
        :: true
        fi;
        if
        :: is_dead -> seen = dead_total
        :: else ->
            seen_header = header_state;
            atomic {
                if
                :: is_alive && seen_header == PUBLISHED && slot_state == LIVE ->
                    assert(added_by > dead_process)
                :: else -> skip
                fi
            };
            seen = cell
        fi;
        assert(seen >= fresh);
        assert(seen >= last_total);
        last_total = seen;
        seen_header = 0
    :: else -> break
    od
}
