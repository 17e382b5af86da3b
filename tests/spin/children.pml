/* SPDX-License-Identifier: MIT */
/*
 * Uses Spin to check a parent and its child in one region. Both are added, removed and revived
 * while a reader copies them. A parent with a live child is not removed (region-format.md). A
 * reader copies children before parents. It copies changed rows again, in the same order.
 *
 * A copy may have a live child whose parent is not live. In every interleaving, this child ended
 * before the parent's tag was read. The reader shows no row for this child, and adds nothing to the
 * row of the same child in another region. If the child were live, this would be wrong.
 *
 * `run` also checks that these mistakes are found, each defined with -D:
 *   PARENTS_FIRST  parents are copied before children
 *   TAGS_FIRST     all tags are compared before anything is copied again
 */

#define FREE 0
#define LIVE 2
#define DORMANT 3

#ifndef OPERATIONS
#define OPERATIONS 7
#endif
#ifndef ROUNDS
#define ROUNDS 2 /* how often the reader copies again what has changed */
#endif

/* the shared bytes */
byte word = 2;
byte parent_state = FREE;
byte parent_generation = 0;
byte parent_identity = 0;
byte child_state = FREE;
byte child_generation = 0;
byte child_parent = 0; /* the parent's identity */

byte operations = 0;

active proctype writer()
{
    do
    :: operations < OPERATIONS ->
        operations++;
        word = word | 1;
        if
        :: parent_state == FREE -> /* the parent gets its first name, or another one */
            parent_generation++;
            parent_identity++;
            parent_state = LIVE
        :: parent_state == DORMANT ->
            if
            :: true -> atomic { parent_generation++; parent_state = LIVE }
            :: true ->
                atomic { parent_generation++; parent_state = FREE }; /* stands for building */
                parent_identity++;
                parent_state = LIVE
            fi
        :: parent_state == LIVE && child_state != LIVE ->
            if
            :: parent_state = DORMANT
            :: child_state == DORMANT && child_parent == parent_identity ->
                atomic { child_generation++; child_state = LIVE }
            :: true ->
                atomic { child_generation++; child_state = FREE };
                child_parent = parent_identity;
                child_state = LIVE
            fi
        :: child_state == LIVE -> child_state = DORMANT
        fi;
        word = (word | 1) + 1
    :: operations == OPERATIONS -> break
    od
}

#define CHILD_CHANGED (child_state != child || child_generation != child_copy)
#define PARENT_CHANGED (parent_state != parent || parent_generation != parent_copy)

/* Copy the tag and what it guards. copy_parent() also records whether the child has ended since it
 * was copied. */
inline copy_child()
{
    atomic {
        child = child_state;
        child_copy = child_generation;
        child_has_ended = false
    };
    wanted_parent = child_parent
}

inline copy_parent()
{
    atomic {
        parent = parent_state;
        parent_copy = parent_generation;
        child_has_ended = CHILD_CHANGED
    };
    has_identity = parent_identity
}

/* Copy the parent again if its tag changed; otherwise the copy is current. */
inline compare_parent()
{
    atomic {
        if
        :: PARENT_CHANGED -> is_right = false
        :: else -> child_has_ended = CHILD_CHANGED; goto compared
        fi
    };
    copy_parent();
compared:
    skip
}

inline compare_child()
{
    if
    :: CHILD_CHANGED -> is_right = false; copy_child()
    :: else -> skip
    fi
}

active proctype reader()
{
    byte child, child_copy, wanted_parent, parent, parent_copy, has_identity, before_word;
    byte rounds = 0;
    bool child_has_ended, child_changed, parent_changed;
    bool is_right = false;

    before_word = word;
#ifdef PARENTS_FIRST
    copy_parent();
    copy_child();
#else
    copy_child();
    copy_parent();
#endif
    if
    :: (before_word & 1) == 0 && word == before_word -> is_right = true
    :: else -> skip
    fi;
    do
    :: !is_right && rounds < ROUNDS ->
        rounds++;
        is_right = true;
#ifdef TAGS_FIRST
        child_changed = CHILD_CHANGED;
        parent_changed = PARENT_CHANGED;
        is_right = !child_changed && !parent_changed;
        if
        :: child_changed -> copy_child()
        :: else -> skip
        fi;
        if
        :: parent_changed -> copy_parent()
        :: else -> skip
        fi
#else
#ifdef PARENTS_FIRST
        compare_parent();
        compare_child()
#else
        compare_child();
        compare_parent()
#endif
#endif
    :: else -> break
    od;
    if
    :: child == LIVE && wanted_parent == has_identity && parent != LIVE -> assert(child_has_ended)
    :: else -> skip
    fi
}
