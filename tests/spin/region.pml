/* SPDX-License-Identifier: MIT */
/*
 * The life of one slot, as region-format.md specifies it, for the model checker Spin: publication (A0-A3),
 * reviving (V1, V2), retiring (D1, D2), take-over (T1-T5) and Collect, with the writer killed
 * before or after any step. Steps are atomic and seen in order: the fences of region.c and
 * snapshot.c see to that. Two names fight for the slot; the accumulating cell is never reset.
 *
 * Shown for every interleaving:
 * - the total (the cell) never falls;
 * - what Collect shows under a name lies between what had been counted under it, since the slot
 *   was given to it, when Collect began and when it ended: nothing is lost, nothing is foreign;
 * - a gauge of a slot that was just given to a name, or whose region was taken over, reads 0.
 *
 * Run by tests/scripts/40-spin.sh.
 */

#define NONE 0
#define NAMES 2 /* numbers 1 and 2 */

/* states of a slot */
#define FREE 0
#define BUILDING 1
#define LIVE 2
#define DORMANT 3

/* states of a region */
#define PUBLISHED 1
#define TAKEN_OVER 2
#define CLOSED 3

#define OPERATIONS 5 /* of all writers together */
#define COLLECTS 2

/* the shared bytes; generation and state are one word */
byte header_state = CLOSED;
byte tag_state = FREE;
byte tag_generation = 0;
byte name = NONE;
byte base = 0;
byte cell = 0;
byte gauge = 0;

/* the kernel: whether the file has an owner */
bool owned = false;

/* what really happened */
byte counted[3];  /* under each name, since the slot was last given to it */
byte operations = 0;

/* one step of the writer, after which it may be killed */
#define STEP(action)                                                                               \
    atomic { action };                                                                             \
    if                                                                                             \
    :: true                                                                                        \
    :: goto killed                                                                                 \
    fi

inline bump()
{
    atomic {
        cell++;
        counted[holder]++
    };
    gauge = 1
}

active proctype writer()
{
    byte holder = NONE; /* the name that the application believes to have */
    byte wanted;

again:
    /* The kernel gives the file to one process only. */
    atomic { !owned -> owned = true };

    STEP(header_state = TAKEN_OVER); /* T1 */
    if                               /* T2 */
    :: tag_state == LIVE -> STEP(tag_state = DORMANT)
    :: tag_state == BUILDING -> STEP(tag_state = FREE)
    :: else -> skip
    fi;
    STEP(gauge = 0);
    STEP(header_state = PUBLISHED); /* T5 */
    assert(gauge == 0);
    holder = NONE;

    do
    :: operations < OPERATIONS && holder == NONE ->
        operations++;
        if
        :: wanted = 1
        :: wanted = 2
        fi;
        if
        :: tag_state == DORMANT && name == wanted ->
            STEP(gauge = 0);                                       /* V1 */
            STEP(tag_generation++; tag_state = LIVE; holder = name) /* V2 */
        :: else ->
            STEP(tag_generation++; tag_state = BUILDING); /* A1 */
            STEP(gauge = 0);                              /* A2 */
            STEP(base = cell);
            /* The name is written in parts in reality; the tag guards it all the same. */
            STEP(name = NONE);
            STEP(name = wanted; counted[1] = 0; counted[2] = 0);
            STEP(tag_state = LIVE; holder = wanted) /* A3 */
        fi;
        assert(gauge == 0)
    :: operations < OPERATIONS && holder != NONE ->
        operations++;
        if
        :: bump()
        :: STEP(tag_state = DORMANT; holder = NONE) /* D2 */
        fi
    :: operations == OPERATIONS -> break
    :: goto killed
    od;

    atomic { header_state = CLOSED; owned = false };
    goto end;

killed:
    atomic { owned = false; wanted = NONE; holder = NONE };
    if
    :: operations < OPERATIONS -> goto again
    :: else -> skip
    fi;
end:
    skip
}

active proctype reader()
{
    byte collects = 0;
    byte state, generation, seen_name, seen_base, seen_cell, before;
    byte last_total = 0;

    do
    :: collects < COLLECTS ->
        collects++;
        /* Reader step 2: the tag, the parts, the tag again. */
        atomic {
            state = tag_state;
            generation = tag_generation;
            before = (name == NONE -> 0 : counted[name])
        };
        seen_name = name;
        seen_base = base;
        seen_cell = cell;
        assert(seen_cell >= last_total); /* the total, whatever the slot's state is */
        last_total = seen_cell;
        atomic {
            if
            :: state == tag_state && generation == tag_generation && state >= LIVE ->
                assert(seen_name != NONE);
                assert(seen_cell >= seen_base);
                assert(seen_cell - seen_base >= before);
                assert(seen_cell - seen_base <= counted[seen_name])
            :: else -> skip /* R11, R14: no instance in this reading */
            fi;
            state = 0; generation = 0; before = 0;
            seen_name = 0; seen_base = 0; seen_cell = 0
        }
    :: else -> break
    od
}
