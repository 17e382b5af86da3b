/* SPDX-License-Identifier: MIT */
/*
 * Uses Spin to check a region with one slot (region-format.md): the structure word, publication
 * (A0-A3), reviving (V1, V2), removing (D1, D2) and take-over (T1-T5). The writer may be killed
 * before or after any step. A reader copies the slot, or uses a plan while the word is unchanged.
 * In this model, steps are atomic and are seen in order. In the code, the fences of region.c and
 * snapshot.c ensure this order. Two names compete for the slot. The accumulating cell is never
 * reset.
 *
 * Shown for every interleaving:
 * - the count that is shown under a name is at least the name's count when the copy began, and at
 *   most its count when the copy ended. A name's count begins at 0 when the name gets the slot. So
 *   nothing is lost, and nothing of another name is shown;
 * - a gauge is 0 or was set since its instance became live;
 * - an instance is missing from a reading only if its slot was given to another name meanwhile
 *   (R14).
 *
 * `run` also checks that these mistakes are found, each defined with -D:
 *   BLIND          a change adds 1 to the word at its start and at its end, so after a kill the
 *                  word is even during changes
 *   BEFORE_ONLY    the reader reads the word before the rows, and not after them
 *   IDENTITY_LATE  the identity is read after the tag, so another name may already have the slot
 *   TAGS_ONLY      an instance is lost whenever its tag changed
 *   LATER_STATE    a slot that was revived during the copy shows its gauges
 */

#define NONE 0

/* states of a slot */
#define FREE 0
#define BUILDING 1
#define LIVE 2
#define DORMANT 3

/* states of a region */
#define PUBLISHED 1
#define TAKEN_OVER 2
#define CLOSED 3

#ifndef OPERATIONS
#define OPERATIONS 4 /* the operations of all writers together */
#endif
#ifndef KILLS
#define KILLS 1
#endif
#ifndef COLLECTS
#define COLLECTS 1 /* with 2, the second may gather by a plan */
#endif
#ifndef ROUNDS
#define ROUNDS 1 /* how often the reader copies a row again */
#endif

/* the shared bytes; generation and state are one word */
byte word = 2;
byte header_state = PUBLISHED;
byte tag_state = FREE;
byte tag_generation = 0;
byte identity = 0;
byte name = NONE;
byte base = 0;
byte cell = 0;
byte gauge = 0; /* the life in which it was set */

/* the kernel: whether the file has an owner */
bool owned = false;

/* what really happened */
byte counted[3]; /* the count under each name, since the slot was last given to it */
byte life = 0;   /* how often the slot became live */
bool given_away; /* a writer began to give the slot to another name since the copy began */
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

#ifdef BLIND
#define BEGIN STEP(word = word + 1)
#define END STEP(word = word + 1)
#else
#define BEGIN STEP(word = word | 1)
#define END STEP(word = (word | 1) + 1)
#endif

active proctype writer()
{
    byte holder = NONE; /* the name of the application's instance; NONE: it has added none */
    byte wanted;

again:
    /* The kernel gives the file to one process only. */
    owned = true;

    BEGIN;
    STEP(header_state = TAKEN_OVER); /* T1 */
    if                               /* T2 */
    :: tag_state == LIVE -> STEP(tag_state = DORMANT)
    :: tag_state == BUILDING -> STEP(tag_state = FREE)
    :: else -> skip
    fi;
    STEP(gauge = 0);
    STEP(header_state = PUBLISHED); /* T5 */
    END;
    holder = NONE;

    do
    :: operations < OPERATIONS && holder == NONE ->
        operations++;
        if
        :: wanted = 1
        :: wanted = 2
        fi;
        BEGIN;
        if
        :: tag_state == DORMANT && name == wanted ->
            STEP(gauge = 0);                                                       /* V1 */
            STEP(tag_generation++; tag_state = LIVE; life++; holder = wanted) /* V2 */
        :: else ->
            STEP(tag_generation++; tag_state = BUILDING; given_away = true); /* A1 */
            STEP(identity++; given_away = true);                             /* A2 */
            STEP(gauge = 0);
            STEP(base = cell);
            /* Programs write the name in parts. NONE stands for a partly written name. */
            STEP(name = NONE);
            STEP(name = wanted; counted[1] = 0; counted[2] = 0);
            STEP(tag_state = LIVE; life++; holder = wanted) /* A3 */
        fi;
        END
    :: operations < OPERATIONS && holder != NONE ->
        operations++;
        if
        :: atomic { cell++; counted[holder]++; gauge = life }
        :: BEGIN; STEP(tag_state = DORMANT; holder = NONE); END /* D2 */
        fi
    :: operations == OPERATIONS -> break
    :: kills < KILLS -> kills++; goto killed
    od;

killed:
    atomic {
        owned = false;
        wanted = NONE;
        holder = NONE
    };
    if
    :: operations < OPERATIONS -> goto again
    :: else -> skip
    fi
}

/*
 * Whether the reader keeps its copy of a row whose tag has changed (IS_KEPT). It does if both tags
 * are live or dormant, and if the identity, which it read before the first tag, is still the same
 * after the second one. Then the slot was not given to another name in between.
 */
#define IS_EVEN(number) (((number) & 1) == 0)
#define SAME_TAG (tag_state == state && tag_generation == generation)
#ifdef TAGS_ONLY
#define IS_KEPT false
#else
#define IS_KEPT (state >= LIVE && tag_state >= LIVE && identity == seen_identity)
#endif

active proctype reader()
{
    byte collects = 0;
    byte before_word, state, generation, seen_identity, seen_base, seen_cell, seen_gauge;
    byte seen_name, before, lived, header, rounds;
    /* kept from one Collect to the next */
    bool has_plan = false;
    byte plan_word = 0;

    do
    :: collects < COLLECTS ->
        collects++;
        atomic {
            before_word = word;
            given_away = false
        };
        header = header_state;
        rounds = 0;
        if
        :: has_plan && before_word == plan_word && IS_EVEN(before_word) ->
            atomic { /* use the plan's copies, because the word has not changed since */
                lived = life;
                before = (seen_name == NONE -> 0 : counted[seen_name])
            }
        :: else ->
            has_plan = false;
row:
#ifndef IDENTITY_LATE
            seen_identity = identity;
#endif
            atomic {
                state = tag_state;
                generation = tag_generation;
                lived = life;
                before = (name == NONE -> 0 : counted[name])
            };
#ifdef IDENTITY_LATE
            seen_identity = identity;
#endif
            seen_name = name;
            seen_base = base
        fi;
        seen_cell = cell;
        seen_gauge = gauge;
        atomic {
            if
#ifdef BEFORE_ONLY
            :: IS_EVEN(before_word) && rounds == 0 ->
#else
            :: IS_EVEN(before_word) && word == before_word && rounds == 0 ->
#endif
                /* By the word, the whole region is consistent. */
                has_plan = true;
                plan_word = before_word
            :: else ->
                has_plan = false;
                if
                :: SAME_TAG -> skip
                :: !SAME_TAG && rounds < ROUNDS -> rounds++; goto row
                :: !SAME_TAG && rounds == ROUNDS && IS_KEPT ->
#ifdef LATER_STATE
                    state = tag_state; lived = life
#else
                    skip
#endif
                :: else -> /* R14: no instance in this reading */
                    assert(given_away || state < LIVE);
                    state = FREE
                fi
            fi;
            if
            :: state >= LIVE ->
                assert(seen_name != NONE);
                assert(seen_cell >= seen_base);
                assert(seen_cell - seen_base >= before);
                assert(seen_cell - seen_base <= counted[seen_name])
            :: else -> skip
            fi;
            if
            :: state == LIVE && header == PUBLISHED -> assert(seen_gauge == 0 || seen_gauge >= lived)
            :: else -> skip
            fi;
            if
            :: !has_plan ->
                seen_identity = 0; seen_name = 0; seen_base = 0; state = 0; generation = 0;
                plan_word = 0
            :: else -> skip
            fi;
            before_word = 0; before = 0; lived = 0; header = 0; rounds = 0;
            seen_cell = 0; seen_gauge = 0
        }
    :: else -> break
    od
}
