/* SPDX-License-Identifier: MIT */
/*
 * Uses Spin to check brackets and take-overs while a reader copies (region-format.md, "Several
 * updates", T1 to T5, "Reader steps"). Processes own a region one after another. Each process
 * enters brackets, in which it changes two counts and two gauges. It may be killed before or after
 * any step. The reader copies these four values.
 *
 * A count is set to the number of its bracket, so two counts that belong together are equal. If a
 * process is killed inside a bracket, the counts stay as they are until the next bracket.
 *
 * Shown for every interleaving:
 * - if the reader accepts its copy as consistent, the counts belong to one moment at which no
 *   thread of a running process was inside a bracket;
 * - if the copy is also shown as live, its gauges belong to one such moment.
 *
 * `run` also checks that these mistakes are found, each defined with -D. From ENTRY_UNFENCED on,
 * each mistake is the effect of a missing fence on a processor with a weak order.
 * tests/scripts/14-barriers.sh looks for these fences in the instructions.
 *   ZEROED         a take-over sets `entered` and `left` to 0
 *   ONE_LOOK       `entered` is not read again after the copy
 *   HEAD_ONLY      state and epoch are not read again after the copy
 *   STATE_ONLY     the epoch is not compared
 *   ENTRY_UNFENCED a value is seen before the entry
 *   EXIT_UNORDERED the exit is seen before a value
 *   TAKER_UNFENCED a gauge is seen as reset before the take-over is seen
 *   LATE_LOOK      a value is read before `left` and `entered`
 *   EARLY_LOOK     a value is read after `entered` was read again
 */

#define PUBLISHED 1
#define TAKEN_OVER 2

#ifndef BRACKETS
#define BRACKETS 4 /* the brackets of all processes together */
#endif
#ifndef KILLS
#define KILLS 2
#endif

/* the shared bytes */
byte header_state = PUBLISHED;
byte epoch = 1;
byte entered = 0;
byte left = 0;
byte first = 0;
byte second = 0;
byte first_gauge = 0;
byte second_gauge = 0;

/* what really happened */
byte bracket = 0;         /* the number of the last one */
byte half_first[KILLS];   /* what the counts were when a process was killed */
byte half_second[KILLS];
byte kills = 0;

/* one step of the writer, after which it may be killed */
#define STEP(action)                                                                               \
    atomic {                                                                                       \
        action;                                                                                    \
        if                                                                                         \
        :: true                                                                                    \
        :: kills < KILLS -> goto killed                                                            \
        fi                                                                                         \
    }

active proctype writer()
{
again:
#ifdef TAKER_UNFENCED
    STEP(first_gauge = 0);
#endif
    STEP(header_state = TAKEN_OVER); /* T1 */
    STEP(first_gauge = 0);           /* T2 */
    STEP(second_gauge = 0);
#ifdef ZEROED
    STEP(entered = 0); /* T3 */
    STEP(left = 0);
#else
    STEP(left = entered); /* T3 */
#endif
    STEP(epoch++);                  /* T4 */
    STEP(header_state = PUBLISHED); /* T5 */

    do
    :: bracket < BRACKETS ->
#ifdef ENTRY_UNFENCED
        STEP(bracket++; first = bracket);
        STEP(entered++);
#else
        STEP(entered++);
        STEP(bracket++; first = bracket);
#endif
        STEP(first_gauge = 1 - first_gauge);
        STEP(second_gauge = 1 - second_gauge);
#ifdef EXIT_UNORDERED
        STEP(left++);
        STEP(second = bracket)
#else
        STEP(second = bracket);
        STEP(left++)
#endif
    :: bracket == BRACKETS -> break
    :: kills < KILLS -> goto killed
    od;
    goto done;

killed:
    atomic {
        half_first[kills] = first;
        half_second[kills] = second;
        kills++
    };
    goto again;
done:
    skip
}

active proctype reader()
{
    byte seen_state, seen_epoch, seen_left, seen_entered;
    byte seen_first, seen_second, seen_first_gauge, seen_second_gauge;

    seen_state = header_state;
    seen_epoch = epoch;
#ifdef LATE_LOOK
    seen_second = second;
#endif
    seen_left = left;
    seen_entered = entered;
    if
    :: seen_left != seen_entered -> goto torn
    :: else -> skip
    fi;
#ifndef LATE_LOOK
    seen_second = second;
#endif
    seen_second_gauge = second_gauge;
    seen_first_gauge = first_gauge;
#ifdef EARLY_LOOK
    if
    :: entered != seen_entered -> goto torn
    :: else -> skip
    fi;
    seen_first = first;
#else
    seen_first = first;
#ifndef ONE_LOOK
    if
    :: entered != seen_entered -> goto torn
    :: else -> skip
    fi;
#endif
#endif
    assert(seen_first == seen_second ||
           (seen_first == half_first[0] && seen_second == half_second[0]) ||
           (seen_first == half_first[1] && seen_second == half_second[1]));
#ifndef HEAD_ONLY
    if
    :: header_state != PUBLISHED -> seen_state = TAKEN_OVER
    :: else -> skip
    fi;
#ifndef STATE_ONLY
    if
    :: epoch != seen_epoch -> seen_state = TAKEN_OVER
    :: else -> skip
    fi;
#endif
#endif
    assert(seen_state != PUBLISHED || seen_first_gauge == seen_second_gauge);
torn:
    skip
}
