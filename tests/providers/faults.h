/* SPDX-License-Identifier: MIT */
/* Lists the faults of faulty.c: X(name, the rule that prfcheck must name, prfcheck's exit code, the
 * scenario that shows the fault). A copy of the DLL named faulty-<name>.dll has only the fault
 * <name>. */
#ifndef PRFDATA_TESTS_FAULTY_FAULTS_H
#define PRFDATA_TESTS_FAULTY_FAULTS_H

#define FAULTY_FIRST 7720000u
#define FAULTY_LAST  7720014u /* the last title index of a name; its help text has the next one */

/* How long slow faults take: longer than -limit and -silence of FAULTY_SLOW_OPTIONS, but less than
 * twice -limit. */
#define FAULTY_SLOW_MS        9000
#define FAULTY_SLOW_OPTIONS   "-limit 6 -silence 8"
#define FAULTY_HANGS_OPTIONS  "-limit 3"
#define FAULTY_HANGS_LEAST_MS 6000 /* twice the limit */
#define FAULTY_SILENT_OPTIONS "-limit 60 -silence 3"
#define FAULTY_SILENT_TEXT    "sent no message for 3 seconds"
#define FAULTY_STUCK_OPTIONS  "-silence 2"
#define FAULTY_STUCK_TEXT     "so no scenario has continued for "
#define FAULTY_SECOND_OPTIONS "-limit 1 -silence 2" /* for second_silent */

/* How long each Collect waits with waits_in_threads, except in the thread of the first Collect. */
#define FAULTY_WAIT_MS 50

/* How long a slow Collect takes with takes_long, long_once, long_seldom and crashes_after_long. */
#define FAULTY_LONG_MS 1200

/* How long each Open takes with opens_slowly. With opens_late, only the first Open of a process
 * takes this long, and in the first process no Open does. */
#define FAULTY_OPEN_MS 1500

/* If a fault's name begins with late_, there are no objects for this time after Open. The rest of
 * the name is the fault. With bare_, there are objects in this time, but no instances. */
#define FAULTY_LATE_MS 1000

#define FAULTS(X)                                                                                  \
    /* Buffer and arguments */                                                                     \
    X(writes_before, "write-before", 4, "page-before") /* crashes at a protected page */           \
    X(writes_far_before, "write-before", 3, "first")                                               \
    X(writes_after, "write-after", 4, "page-after")                                                \
    X(writes_beyond_guard, "write-after", 4, "collects") /* one byte, 2,000 bytes after the end */ \
    X(writes_far_after, "write-after", 3, "first")                                                 \
    X(reads_after, "read-outside", 4, "page-after")                                                \
    X(reads_before, "read-outside", 4, "page-before")                                              \
    X(reads_behind_context, "context-overread", 4, "first")                                        \
    X(writes_context, "context-written", 1, "first")                                               \
    X(writes_wide_bytes, "output-width", 3, "first")                                               \
    X(writes_wide_objects, "output-width", 3, "first")                                             \
    X(leaves_value, "unwritten", 3, "fills")                                                       \
    X(leaves_padding, "unwritten-padding", 0, "fills")                                             \
    X(size_over, "size-over", 3, "sizes")                                                          \
    X(size_beyond, "size-over", 3, "first")                                                        \
    X(pointer_stays, "pointer-length", 3, "first")                                                 \
    X(size_short, "pointer-length", 3, "sizes") /* 8 bytes less than it wrote */                   \
    X(pointer_beyond, "pointer-beyond", 3, "first")                                                \
    X(length_no_multiple, "length-multiple", 1, "first")                                           \
    X(needs_alignment, "alignment", 3, "alignment")                                                \
    X(more_outputs, "more-outputs", 3, "sizes")                                                    \
    X(more_writes, "more-wrote", 1, "sizes")                                                       \
    X(more_needless, "more-fits", 1, "sizes")                                                      \
    X(more_always, "more-always", 3, "first")                                                      \
    X(more_by_index, "more-fits", 1, "index-room") /* wants room for all objects */                \
    X(partial, "partial", 3, "sizes")                                                              \
    X(cuts_instances, "partial", 3, "sizes")                                                       \
    X(size_first, "more-fits", 1, "no-room")                                                       \
    X(other_status, "collect-status", 3, "unknown")                                                \
    X(reads_behind_query, "query-overread", 4, "first")                                            \
    X(writes_query, "query-written", 3, "case")                                                    \
    X(changes_priority, "thread-state", 1, "first")                                                \
    X(changes_x87, "thread-state", 1, "first")                                                     \
    X(changes_sse, "thread-state", 1, "first")                                                     \
    X(changes_direction, "thread-state", 1, "first")                                               \
    X(changes_directory, "process-state", 1, "first")                                              \
    X(changes_filter, "process-state", 1, "first")                                                 \
    X(changes_error_mode, "process-state", 1, "first")                                             \
    X(changes_thread_mode, "thread-state", 1, "first")                                             \
    X(leaves_com, "thread-state", 1, "first")                                                      \
    X(changes_locale, "thread-state", 1, "first")                                                  \
    X(changes_class, "process-state", 1, "first")                                                  \
    X(changes_folder, "process-state", 1, "first")                                                 \
    X(changes_path, "process-state", 1, "first")                                                   \
    X(writes_output, "process-state", 1, "first")                                                  \
    X(changes_output, "process-state", 1, "first")                                                 \
    X(closes_twice, "handle-closed", 1, "first")                                                   \
    X(uses_stack, "stack-use", 1, "stack")                                                         \
    X(open_changes_filter, "process-state", 1, "first")                                            \
    X(late_writes_after, "write-after", 4, "page-after")                                           \
    X(late_answers_foreign, "query-foreign", 1, "foreign")                                         \
    X(late_lists_first, "index-unanswered", 3, "indexes")                                          \
    X(bare_cuts_instances, "partial", 3, "sizes")                                                  \
    /* Objects */                                                                                  \
    X(object_misaligned, "object-alignment", 1, "first")                                           \
    X(object_length, "object-length", 3, "first")                                                  \
    X(object_count, "object-count", 3, "first")                                                    \
    X(object_twice, "object-twice", 1, "first")                                                    \
    X(header_length, "header-length", 3, "first")                                                  \
    X(definition_length, "definition-length", 3, "first")                                          \
    X(counter_length, "counter-length", 3, "first")                                                \
    X(title_odd, "title-parity", 3, "first")                                                       \
    X(title_outside, "title-range", 3, "first")                                                    \
    X(help_of_another, "help-index", 1, "first")                                                   \
    X(instance_count, "instance-count", 3, "first")                                                \
    X(instance_walk, "instance-walk", 3, "first")                                                  \
    /* Counters */                                                                                 \
    X(counter_outside, "counter-outside", 3, "first")                                              \
    X(counter_in_length, "counter-in-length", 3, "first")                                          \
    X(counter_misaligned, "counter-alignment", 1, "first")                                         \
    X(counter_size, "counter-size", 3, "first")                                                    \
    X(counter_overlap, "counter-overlap", 1, "first")                                              \
    X(base_missing, "base-missing", 3, "first")                                                    \
    X(base_first, "base-alone", 3, "first")                                                        \
    X(detail_above, "detail-unlisted", 1, "first")                                                 \
    X(scale_beyond, "counter-scale", 1, "first")                                                   \
    X(default_beyond, "default-lost", 1, "first")                                                  \
    X(default_base, "default-lost", 1, "first")                                                    \
    X(block_length, "block-length", 3, "first")                                                    \
    /* Instances */                                                                                \
    X(instance_length, "instance-length", 3, "first")                                              \
    X(name_without_nul, "name-end", 3, "first")                                                    \
    X(name_too_long, "name-bounds", 3, "first")                                                    \
    X(name_with_padding, "name-length", 1, "first")                                                \
    X(name_twice, "name-twice", 1, "first")                                                        \
    X(name_forbidden, "name-characters", 1, "first")                                               \
    X(nameless, "instance-nameless", 1, "first")                                                   \
    X(name_and_number, "unique-id", 1, "first")                                                    \
    X(names_mixed, "name-mixed", 0, "first")                                                       \
    X(name_blank, "name-blank", 0, "first")                                                        \
    X(parent_missing, "parent-instance", 3, "first")                                               \
    X(parent_left_out, "parent-object", 1, "indexes")                                              \
    /* Queries */                                                                                  \
    X(case_matters, "query-case", 1, "case")                                                       \
    X(lacks_old, "query-old", 0, "old")                                                            \
    X(first_empty, "first-sample", 1, "early")                                                     \
    X(zero_by_index, "index-zero", 3, "indexes")                                                   \
    X(answers_unknown, "query-unknown", 1, "unknown")                                              \
    X(answers_foreign, "query-foreign", 1, "foreign")                                              \
    X(answers_costly, "query-costly", 1, "costly")                                                 \
    X(answers_metadata, "metadata-instances", 3, "metadata")                                       \
    X(metadata_lacks, "metadata-objects", 3, "metadata")                                           \
    X(ignores_index, "index-ignored", 1, "others")                                                 \
    X(lists_first, "index-unanswered", 3, "indexes") /* answers only a list's first word */        \
    X(lacks_index, "index-unanswered", 3, "indexes")                                               \
    X(cuts_query, "index-unanswered", 3, "indexes")                                                \
    X(matches_substring, "index-substring", 1, "substrings")                                       \
    X(number_wraps, "index-substring", 1, "substrings")                                            \
    X(number_with_letter, "index-malformed", 1, "malformed")                                       \
    X(number_with_sign, "index-malformed", 1, "malformed")                                         \
    X(long_number, "collect-crash", 4, "long-number")                                              \
    X(crashes_at_null, "collect-crash", 4, "null")                                                 \
    X(answers_nothing, "no-objects", 7, "first")                                                   \
    X(answers_empty, "query-empty", 0, "empty")                                                    \
    X(answers_blank, "query-empty", 0, "empty")                                                    \
    X(brings_others, "index-extra", 0, "indexes")                                                  \
    /* Values */                                                                                   \
    X(elapsed_filetime, "elapsed-start", 3, "first")                                               \
    X(stamp_other, "stamp-rate", 1, "clock")                                                       \
    X(stamp_seconds, "stamp-rate", 1, "clock")                                                     \
    X(fraction_above, "fraction-above", 1, "samples")                                              \
    X(timer_beyond, "timer-rate", 1, "clock") /* busy for 10,000 % */                              \
    X(hits_outgrow, "fraction-above", 1, "clock")                                                  \
    X(hits_outgrow_slowly, "fraction-above", 1, "samples") /* hits outgrow samples by 10 % */      \
    X(average_stands, "average-base", 1, "clock")          /* the base does not grow */            \
    /* From one call to the next */                                                                \
    X(value_backwards, "value-backwards", 3, "samples")                                            \
    X(clock_backwards, "clock-backwards", 3, "samples")                                            \
    X(clock_stands, "clock-rate", 3, "clock")                                                      \
    X(clock_other, "clock-rate", 3, "clock")                                                       \
    X(clock_unused, "clock-unused", 1, "clock")                                                    \
    X(frequency_changes, "clock-frequency", 3, "samples")                                          \
    X(names_change, "names-new", 1, "samples")                                                     \
    X(parents_shuffle, "parent-changed", 1, "samples")                                             \
    X(definitions_change, "definitions-changed", 3, "samples")                                     \
    X(not_thread_safe, "object-length", 3, "threads")                                              \
    X(empty_beside_others, "threads-unanswered", 3, "threads")                                     \
    X(restarts, "instance-restarted", 1, "threads") /* an instance vanishes, and returns with 0 */ \
    X(open_not_counted, "open-count", 1, "reopen")                                                 \
    X(counts_surplus_close, "close-surplus", 1, "closed")                                          \
    X(second_waits, "second-process", 3, "processes")   /* keeps a mutex from Open to Close */     \
    X(second_refused, "second-process", 3, "processes") /* Open fails */                           \
    X(second_empty, "second-process", 3, "processes")                                              \
    X(second_no_instances, "second-process", 3, "processes")                                       \
    X(second_ends, "second-process", 3, "processes") /* Open calls ExitProcess */                  \
    X(second_does_not_load, "second-process", 3, "processes")                                      \
    X(second_silent, "second-process", 3, "processes")                                             \
    X(second_collect_fails, "second-process", 3, "processes")                                      \
    X(second_unusable, "second-process", 3, "processes") /* Collect claims 8 bytes too many */     \
    X(second_waits_in_collect, "second-process", 3, "processes")                                   \
    X(second_waits_in_close, "second-process", 3, "processes")                                     \
    X(first_lacks, "second-process", 3, "processes") /* no objects while a second process runs */  \
    X(ends_beside_crash, "process-ended", 4, "processes") /* the second process crashes first */   \
    X(second_crashes, "open-crash", 4, "processes")                                                \
    X(leaks_for_foreign, "memory-leak", 1, "collects") /* if the query has none of its objects */  \
    X(leaks_in_second_open, "handle-leak", 1, "opens") /* if the provider is already open */       \
    X(leaves_without_data, "second-process", 3, "processes") /* if a process ends without Close */ \
    X(names_hold_process, "second-process", 3, "processes")  /* the process id in all names */     \
    X(name_holds_process, "second-process", 3, "processes")  /* the process id in one name */      \
    X(forgets_in_pause, "answers-end", 3, "clock")           /* empty after a pause of 200 ms */   \
    X(forgets_in_second, "answers-end", 3, "clock")                                                \
    X(spins, "processor-use", 1, "clock")         /* a thread works from Open to Close */          \
    X(elapsed_grows, "elapsed-start", 3, "clock") /* gives the time since the start */             \
    X(leaves_apc, "thread-state", 1, "first")                                                      \
    X(delays_threads, "thread-start", 1, "short-threads") /* DllMain takes 60 ms */                \
    X(keeps_helper, "module-stays", 1, "loads")           /* loads a DLL and keeps it */           \
    X(sets_directories, "process-state", 1, "first")      /* SetDefaultDllDirectories */           \
    X(writes_file, "collect-effects", 1, "samples")                                                \
    X(writes_by_c_library, "collect-effects", 1, "samples")                                        \
    X(reports_event, "collect-effects", 1, "samples")                                              \
    X(asks_performance, "collect-effects", 1, "samples")                                           \
    X(writes_registry, "collect-effects", 1, "samples")                                            \
    X(starts_process, "collect-effects", 1, "samples")                                             \
    X(debug_text, "collect-effects", 1, "samples")                                                 \
    X(exit_hangs, "reader-exit", 3, "processes") /* DllMain hangs when the process ends */         \
    X(exit_ends, "reader-exit", 3, "processes")  /* DllMain changes the exit code to 77 */         \
    X(level_negative, "level-below-zero", 0, "first")                                              \
    X(name_turned, "name-hidden", 0, "first")                                                      \
    X(places_for_threads, "threads-unanswered", 3, "short-threads") /* answers only 64 threads */  \
    X(places_for_living, "threads-unanswered", 3, "short-threads")  /* answers 256 live threads */ \
    X(needs_identity, "impersonation", 3, "impersonation")                                         \
    X(drops_identity, "impersonation", 3, "impersonation")                                         \
    X(needs_identity_in_open, "impersonation", 3, "impersonation")                                 \
    X(swaps_identity, "thread-state", 1, "impersonation")                                          \
    X(zero_for_client, "value-backwards", 3, "impersonation")                                      \
    X(cuts_pointer, "collect-crash", 4, "first")                                                   \
    X(parent_of_itself, "parent-instance", 3, "first")                                             \
    X(elapsed_milliseconds, "elapsed-start", 3, "clock") /* the time since the start in ms */      \
    X(multi_base_none, "multi-base", 1, "first")                                                   \
    X(leaks_handles, "handle-leak", 1, "opens")                                                    \
    X(leaks_memory, "memory-leak", 1, "collects")                                                  \
    X(leaks_when_refused, "memory-leak", 1, "collects")                                            \
    X(leaks_arenas, "memory-leak", 1, "collects") /* 1 KB per Collect, 64 KB at a time */          \
    X(leaks_addresses, "memory-leak", 1, "collects")                                               \
    X(leaks_few_handles, "handle-leak", 1, "collects")                                             \
    X(leaks_threads, "thread-leak", 1, "collects")                                                 \
    X(leaks_atoms, "atom-leak", 1, "collects")                                                     \
    X(leaks_global_atoms, "atom-leak", 1, "collects")                                              \
    X(leaks_with_threads, "memory-leak", 1, "short-threads")                                       \
    X(leaks_views, "view-leak", 1, "loads")                                                        \
    X(leaks_slots, "tls-leak", 1, "loads")                                                         \
    X(stays_loaded, "module-stays", 1, "loads")                                                    \
    /* Strange ones */                                                                             \
    X(exact_refused, "more-fits", 1, "sizes")           /* refuses a buffer that just fits */      \
    X(exact_ends_after, "write-after", 4, "page-after") /* writes 8 bytes more than it says */     \
    X(room_rounded, "size-over", 3, "sizes")            /* rounds the buffer's size up */          \
    X(room_16_bits, "more-always", 3, "first")                                                     \
    X(room_above_megabyte, "more-fits", 1, "large-room")                                           \
    X(success_without_room, "partial", 3, "sizes")                                                 \
    X(fewer_counters_by_index, "definitions-changed", 3, "indexes")                                \
    X(fewer_instances_by_index, "index-unanswered", 3, "indexes")                                  \
    X(stale_by_index, "index-zero", 3, "indexes")                                                  \
    X(null_for_nothing, "pointer-beyond", 3, "unknown")                                            \
    X(opener_only, "threads-unanswered", 3, "threads")                                             \
    X(closes_in_thread, "thread-bound", 3, "other-threads") /* fails except in Open's thread */    \
    X(opener_must_live, "thread-bound", 3, "other-threads")                                        \
    X(writes_late, "write-late", 3, "late-writes") /* 20 ms after returning */                     \
    X(keeps_query, "collect-crash", 4, "indexes")  /* reads the query of the last call */          \
    X(keeps_context, "collect-crash", 4, "early")                                                  \
    X(writes_old_buffer, "write-late", 3, "late-writes")                                           \
    X(stops_after_many, "answers-end", 3, "collects") /* no objects after 200 Collects */          \
    X(gets_slower, "collect-slower", 1, "collects")   /* each Collect takes longer */              \
    X(wraps_at_31, "value-backwards", 3, "samples")                                                \
    X(wraps_32_of_64, "value-backwards", 3, "samples")                                             \
    X(torn_value, "value-backwards", 3, "samples")                                                 \
    X(leaves_fiber, "thread-state", 1, "first")                                                    \
    X(keeps_awake, "thread-state", 1, "first")                                                     \
    X(leaves_privilege, "process-state", 1, "first")                                               \
    X(names_ansi, "name-length", 1, "first")                                                       \
    /* How it ends */                                                                              \
    X(open_fails, "open-status", 3, "first")                                                       \
    X(close_fails, "close-status", 1, "first")                                                     \
    X(does_not_load, "load", 5, "first")                                                           \
    X(crashes_in_load, "load-crash", 4, "first")                                                   \
    X(crashes_in_unload, "load-crash", 4, "first")                                                 \
    X(leaves_handler, "load-crash", 4, "first")                                                    \
    X(crashes_in_open, "open-crash", 4, "first")                                                   \
    X(crashes_in_collect, "collect-crash", 4, "first")                                             \
    X(crashes_in_close, "close-crash", 4, "first")                                                 \
    X(crashes_when_closed, "closed-crash", 4, "closed")                                            \
    X(crashes_after_close, "closed-crash", 4, "closed")                                            \
    X(crashes_in_thread, "collect-crash", 4, "first")                                              \
    X(fails_fast, "collect-crash", 4, "first")                                                     \
    X(ends_process, "process-ended", 4, "metadata")                                                \
    X(silent, "process-silent", 4, "first")                                                        \
    X(stuck_heap, "process-silent", 4, "threads")   /* leaves the process heap locked */           \
    X(stuck_loader, "process-silent", 4, "threads") /* a thread stays in DllMain */                \
    X(stuck_ending, "process-silent", 4, "threads") /* a caller's thread never ends */             \
    X(stuck_thread, "process-silent", 4, "threads") /* the first thread is suspended */            \
    X(stuck_killed, "process-silent", 4, "threads") /* first thread ended, heap stays locked */    \
    X(hangs_in_load, "load-time", 4, "first")                                                      \
    X(hangs_in_unload, "load-time", 4, "first")                                                    \
    X(hangs_in_open, "open-time", 4, "first")                                                      \
    X(hangs_in_collect, "collect-time", 4, "first")                                                \
    X(hangs_in_close, "close-time", 4, "first")                                                    \
    X(crashes_after_long, "collect-crash", 4, "case") /* crashes after a Collect of 1.2 s */       \
    X(takes_long, "collect-long", 0, "case")          /* takes 1.2 s, three times */               \
    X(slow_in_open, "open-time", 3, "first")                                                       \
    X(slow_in_collect, "collect-time", 3, "first")                                                 \
    X(slow_in_close, "close-time", 3, "first")

/* Lists behaviour that no rule can distinguish from valid behaviour, as docs/prfcheck.md says:
 * X(name, the scenario that would show it). */
#define UNSEEN(X) X(resets_on_read, "samples") /* a level that each reader resets */

/* Lists behaviour of faulty.c that no rule forbids: X(name, the scenario that would show the
 * behaviour, perhaps with options). A copy of the DLL named faulty-<name>.dll has only the
 * behaviour <name>. */
#define LAWFUL(X)                                                                                  \
    X(refuses_when_closed, "closed")  /* Collect and Close fail without Open */                    \
    X(nonsense_when_closed, "closed") /* without Open, Collect reports 13 bytes, writes none */    \
    X(caches, "threads")              /* a reply to Global may be 50 ms old */                     \
    X(total_alone, "indexes")         /* a child object has only _Total, which has no parent */    \
    X(describes_itself, "metadata")   /* answers MetadataGlobal correctly */                       \
    X(settles, "collects -quick")     /* memory grows for most of the time, then no longer */      \
    X(frees_block, "short-threads")   /* frees a thread's block at the thread's end */             \
    X(frees_atoms, "collects -quick")                                                              \
    X(frees_global_atoms, "collects -quick")                                                       \
    X(adds_directory, "opens -quick")    /* adds a directory in Open, removes it in Close */       \
    X(multi_timer, "samples")            /* a multi timer whose base is 1 */                       \
    X(keeps_handles, "collects -quick")  /* as `settles`, but with handles */                      \
    X(first_later, "early")              /* objects come 200 ms after Open */                      \
    X(late_none, "closed")               /* no objects for FAULTY_LATE_MS after each Open */       \
    X(bare_none, "samples")              /* no instances for FAULTY_LATE_MS after Open */          \
    X(reopens_late, "processes -wait 0") /* as late_none, but not after a process's first Open */  \
    X(restores, "first")                 /* changes and restores many settings */                  \
    X(closes_once, "first")              /* closes a handle, NULL, an invalid handle */            \
    X(zero_now_and_then, "indexes")      /* PARENTS has 0 in 7 of 8 answers to an index */         \
    X(blank_inside, "first")             /* a blank in a name, but not at its end */               \
    X(frequency_unused, "samples")       /* the frequency changes, but PerfTime is 0 */            \
    X(uses_some_stack, "stack")          /* uses 40 KB of stack */                                 \
    X(scratches, "samples")              /* writes all of a buffer that is large enough */         \
    X(long_once, "case")                 /* takes 1.2 s in the first Collect */                    \
    X(long_seldom, "samples")            /* takes 1.2 s in Collects 25, 75 and 125 */              \
    X(waits_in_threads, "first")         /* waits in all threads except the first */               \
    X(shares, "processes")               /* holds a mutex for 20 ms in each Collect */             \
    X(bare_twice, "processes")           /* no instances in a second process, twice */             \
    X(inheritable, "processes")          /* makes a handle that its children must not get */       \
    X(opens_late, "processes")           /* the first Open takes 1.5 s in later processes */       \
    X(comes_and_goes, "threads")         /* an instance vanishes, and returns with its value */    \
    X(alternates, "sizes")               /* an instance is in every second reply */                \
    X(alternates_in_three, "sizes")      /* an instance is in every third reply */                 \
    X(alternates_by_index, "index-room") /* an instance is in every second reply */                \
    X(elapses, "first")                  /* an elapsed time begins now, or has not begun */        \
    X(stamped, "clock")                                                                            \
    X(timer_busy, "clock")                  /* a timer grows by the time of 8 processors */        \
    X(scale_most, "first")                  /* the largest scale that is allowed, 7 */             \
    X(default_last, "first")                /* default: the last counter that is not a base */     \
    X(hits_all, "clock")                    /* every sample is a hit */                            \
    X(hits_ahead, "samples")                /* a hit is counted before its sample */               \
    X(average_grows, "clock")               /* both the average and its base grow */               \
    X(average_idle, "clock")                /* neither the average nor its base grows */           \
    X(total_named, "first")                 /* _Total next to an instance with only a number */    \
    X(fraction_full, "samples")             /* the fraction equals its base */                     \
    X(parents_swap, "samples")              /* the order of parents changes, children follow */    \
    X(splits_copy, "first -context One")    /* changes a copy of Open's argument */                \
    X(large_level_negative, "first")        /* a level of 8 bytes is -2 */                         \
    X(level_most, "first")                  /* a level of 2^32 - 131,072 */                        \
    X(name_foreign, "first")                /* a name with an umlaut and a surrogate pair */       \
    X(effects_once, "samples")              /* three forbidden effects, in one Collect */          \
    X(exit_slow, "processes")               /* DllMain takes 200 ms when the process ends */       \
    X(one_name_changes, "samples")          /* the name of the other instance stays */             \
    X(reverts_and_returns, "impersonation") /* takes the reader's identity again at the end */     \
    X(heeds_abandoned, "processes")         /* only notes that a process ended without Close */    \
    X(slow_after_pause, "clock")            /* waits 100 ms after a pause of 200 ms */             \
    X(works_a_little, "clock")              /* a thread works for 2 ms of 30 ms */                 \
    X(starts_again, "clock")                /* an elapsed time begins again in each Collect */     \
    X(runs_apc, "first")                                                                           \
    X(delays_little, "short-threads")    /* DllMain takes 2 ms for a new thread */                 \
    X(delays_at_first, "short-threads")  /* DllMain takes 60 ms until a second load */             \
    X(frees_helper, "loads")             /* frees its helper DLL in Close */                       \
    X(writes_pipe, "samples")            /* writes into a pipe, and once into a file */            \
    X(goes_later, "loads")               /* stays loaded for 1 s after Close */                    \
    X(threads_end_later, "opens -quick") /* Close starts a thread that ends 2 s later */           \
    X(opens_slowly, "first")

#endif
