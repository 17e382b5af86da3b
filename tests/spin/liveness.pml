/* SPDX-License-Identifier: MIT */
/*
 * Uses Spin to check how a reader learns whether a region has a writer (region-format.md, "Reader
 * steps"). Processes take the region over, become visible, count, and are killed before or after
 * any step. The reader probes now and then. If a probe finds no writer, the reader keeps the
 * region's counts, and shows them until a later probe finds a change. A scanner may examine the
 * file during a probe, and then refuses every open. An owner refuses only opens that do not share
 * writing.
 *
 * Shown for every interleaving:
 * - an instance of a process that the reader knew to have ended is not shown as live, even while a
 *   process that takes the region over is stopped in the middle;
 * - the total never falls, and is never older than the reader's last refresh;
 * - if a probe finds an owner, the file had an owner at some moment of the probe;
 * - if a probe finds no owner, the file had none at some moment of the probe.
 * If a probe decides nothing because of the scanner, the last answer stays.
 *
 * The probe opens the file without sharing writing. If this open is refused, the probe opens the
 * file with everything shared. If that open succeeds, the probe repeats the first open. Only a
 * refusal of the repeated open shows an owner. A scanner begins at most once during a probe
 * (SCANS), because a scanner that ended and began again would look like an owner.
 *
 * Let w be the word of a region without a writer. A take-over sets the word to w | 1, and adds 1
 * when it is complete. So the reader treats the region as live again only if its word is greater
 * than w | 1. The word of a region without a writer is read before and after the probe. If the word
 * has changed, the probe is repeated.
 *
 * `run` also checks that these mistakes are found, each defined with -D:
 *   PROBE_ONLY    a region is live when it has an owner
 *   ANY_MOVE      a region that had no writer is live when its word has changed at all
 *   WORD_FIRST    the word of a region without a writer is read only before the probe
 *   WORD_LAST     the word of a region without a writer is read only after the probe
 *   KEPT_FOR_EVER what was kept of a region without a writer is shown although its word has changed
 *   ONE_REFUSAL   a refused open shows an owner
 *   TWO_OPENS     a refused open shows an owner if the open that shares everything succeeds
 */

#define FREE 0
#define LIVE 2
#define DORMANT 3

#define PUBLISHED 1
#define TAKEN_OVER 2

#ifndef OPERATIONS
#define OPERATIONS 4 /* the operations of all writers together */
#endif
#ifndef KILLS
#define KILLS 2
#endif
#ifndef COLLECTS
#define COLLECTS 3
#endif
#ifndef SCANS
#define SCANS 1 /* the most scans during one probe; a scan that began before counts, too */
#endif

/* the shared bytes; the slot's cell is the total, too */
byte word = 2;
byte header_state = PUBLISHED;
byte slot_state = FREE;
byte cell = 0;

/* the kernel: whether the file has an owner, and whether a scanner examines it */
bool owned = false;
bool scanned = false;

/* whether the reader probes the file; the scanner works only then, because nothing else notices
 * a scan */
bool probing = false;
byte scans = 0; /* the scans that have begun */
bool was_owned = false;
bool was_free = false;

/* what really happened */
byte process = 0;  /* how many processes have owned the file */
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
    STEP(owned = true; was_owned = was_owned || probing; process++);
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
        was_free = was_free || probing;
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

active proctype scanner()
{
end:
    do
    :: atomic { probing && !scanned && scans < SCANS -> scanned = true; scans++ }
    :: atomic { probing && scanned -> scanned = false }
    od
}

#define LET_IN       1
#define REFUSED      2

/* opens without sharing writing: an owner and a scanner refuse it */
#define OPEN_STRICTLY(answer)                                                                      \
    atomic {                                                                                       \
        if                                                                                         \
        :: owned || scanned -> answer = REFUSED                                                    \
        :: else -> answer = LET_IN; last_owner = process                                           \
        fi                                                                                         \
    }

active proctype reader()
{
    byte collects = 0;
    byte before_word, seen, seen_header, last_owner, by, fresh, answer;
    bool is_known;
    /* kept from one Collect to the next */
    bool is_alive = false;
    bool is_dead = false;
    byte dead_word = 0;
    byte dead_process = 0; /* the last process that the reader knows to have ended */
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
                probing = true;
                was_owned = owned;
                was_free = !owned;
                if
                :: true
                :: true -> scanned = true; scans = 1
                fi
            };
            OPEN_STRICTLY(answer);
            is_known = true;
            if
            :: answer == LET_IN -> is_alive = false
            :: else ->
#ifdef ONE_REFUSAL
                is_alive = true
#else
                if
                :: scanned -> is_known = false /* the open that shares everything is refused, too */
                :: else ->
#ifdef TWO_OPENS
                    is_alive = true
#else
                    OPEN_STRICTLY(answer);
                    is_alive = (answer == REFUSED)
#endif
                fi
#endif
            fi;
            atomic {
                assert(!is_known || (is_alive -> was_owned : was_free));
                probing = false;
                scanned = false;
                scans = 0;
                was_owned = false;
                was_free = false;
                answer = 0
            };
#ifdef WORD_LAST
            before_word = word;
#endif
            if
            :: !is_known && is_dead && HAS_MOVED -> /* its counts are read, and nothing is live */
                is_dead = false;
                is_alive = false
            :: !is_known && !(is_dead && HAS_MOVED) -> skip
            :: is_known && !is_alive ->
                atomic {
                    if
                    :: WORD_STANDS -> dead_process = last_owner
                    :: else -> goto probe /* a process started and ended */
                    fi
                };
                if
                :: !is_dead || dead_word != before_word ->
                    dead_total = cell;
                    is_dead = true;
                    dead_word = before_word
                :: else -> skip
                fi
            :: is_known && is_alive && is_dead && HAS_MOVED ->
#ifdef KEPT_FOR_EVER
                is_alive = false
#else
                is_dead = false
#endif
            :: is_known && is_alive && is_dead && !HAS_MOVED -> is_alive = false
            :: is_known && is_alive && !is_dead -> skip
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
