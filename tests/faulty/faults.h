/* SPDX-License-Identifier: MIT */
/*
 * The faults of faulty.c: X(name, the rule that prfcheck must name, its exit code). A copy of the
 * DLL called faulty-<name>.dll has that fault, and no other.
 */
#ifndef PRFDATA_TESTS_FAULTY_FAULTS_H
#define PRFDATA_TESTS_FAULTY_FAULTS_H

#define FAULTY_FIRST 7720000u /* the first title index; the last one is 14 more */
#define FAULTY_LAST  7720014u

#define FAULTS(X)                                                                                  \
    /* Buffer and arguments */                                                                     \
    X(writes_before, "write-before", 4) /* faults where a page is in the way */                    \
    X(writes_far_before, "write-before", 3)                                                        \
    X(writes_after, "write-after", 4)                                                              \
    X(writes_far_after, "write-after", 3)                                                          \
    X(reads_after, "read-outside", 4)                                                              \
    X(size_over, "size-over", 3)                                                                   \
    X(pointer_stays, "pointer-length", 3)                                                          \
    X(pointer_beyond, "pointer-beyond", 3)                                                         \
    X(length_no_multiple, "length-multiple", 2)                                                    \
    X(needs_alignment, "alignment", 3)                                                             \
    X(more_outputs, "more-outputs", 3)                                                             \
    X(more_writes, "more-wrote", 2)                                                                \
    X(more_needless, "more-fits", 2)                                                               \
    X(more_always, "more-always", 3)                                                               \
    X(partial, "partial", 3)                                                                       \
    X(other_status, "collect-status", 3)                                                           \
    X(reads_behind_query, "query-overread", 4)                                                     \
    X(writes_query, "query-written", 3)                                                            \
    X(changes_priority, "thread-state", 2)                                                         \
    /* Objects */                                                                                  \
    X(object_misaligned, "object-alignment", 2)                                                    \
    X(object_length, "object-length", 3)                                                           \
    X(object_count, "object-count", 3)                                                             \
    X(object_twice, "object-twice", 2)                                                             \
    X(header_length, "header-length", 3)                                                           \
    X(definition_length, "definition-length", 3)                                                   \
    X(counter_length, "counter-length", 3)                                                         \
    X(title_odd, "title-parity", 3)                                                                \
    X(title_outside, "title-range", 3)                                                             \
    X(instance_count, "instance-count", 3)                                                         \
    X(instance_walk, "instance-walk", 3)                                                           \
    /* Counters */                                                                                 \
    X(counter_outside, "counter-outside", 3)                                                       \
    X(counter_in_length, "counter-in-length", 3)                                                   \
    X(counter_misaligned, "counter-alignment", 2)                                                  \
    X(counter_size, "counter-size", 3)                                                             \
    X(counter_overlap, "counter-overlap", 2)                                                       \
    X(base_missing, "base-missing", 3)                                                             \
    X(base_first, "base-alone", 3)                                                                 \
    X(block_length, "block-length", 3)                                                             \
    /* Instances */                                                                                \
    X(instance_length, "instance-length", 3)                                                       \
    X(name_without_nul, "name-end", 3)                                                             \
    X(name_too_long, "name-bounds", 3)                                                             \
    X(name_with_padding, "name-length", 2)                                                         \
    X(name_twice, "name-twice", 2)                                                                 \
    X(name_forbidden, "name-characters", 2)                                                        \
    X(nameless, "instance-nameless", 2)                                                            \
    X(parent_missing, "parent-instance", 3)                                                        \
    X(parent_left_out, "parent-object", 2)                                                         \
    /* Queries */                                                                                  \
    X(case_matters, "query-case", 2)                                                               \
    X(answers_unknown, "query-unknown", 2)                                                         \
    X(answers_foreign, "query-foreign", 2)                                                         \
    X(answers_costly, "query-costly", 2)                                                           \
    X(answers_metadata, "metadata-instances", 3)                                                   \
    X(ignores_index, "index-ignored", 2)                                                           \
    X(lacks_index, "index-unanswered", 3)                                                          \
    X(matches_substring, "index-substring", 2)                                                     \
    X(number_wraps, "index-substring", 2)                                                          \
    X(long_number, "collect-crash", 4)                                                             \
    X(crashes_at_null, "collect-crash", 4)                                                         \
    /* From call to call */                                                                        \
    X(value_backwards, "value-backwards", 3)                                                       \
    X(clock_backwards, "clock-backwards", 3)                                                       \
    X(definitions_change, "definitions-changed", 3)                                                \
    X(not_thread_safe, "object-length", 3)                                                         \
    X(open_not_counted, "open-count", 2)                                                           \
    X(leaks_handles, "handle-leak", 2)                                                             \
    X(leaks_memory, "memory-leak", 2)                                                              \
    X(stays_loaded, "module-stays", 2)                                                             \
    /* The end of it */                                                                            \
    X(open_fails, "open-status", 3)                                                                \
    X(close_fails, "close-status", 2)                                                              \
    X(does_not_load, "load", 5)                                                                    \
    X(crashes_in_open, "open-crash", 4)                                                            \
    X(crashes_in_collect, "collect-crash", 4)                                                      \
    X(crashes_in_close, "close-crash", 4)                                                          \
    X(crashes_when_closed, "closed-crash", 4)                                                      \
    X(ends_process, "process-ended", 4)                                                            \
    X(hangs_in_collect, "collect-time", 4)                                                         \
    X(hangs_in_close, "close-time", 4)

#endif
