/* SPDX-License-Identifier: MIT */
/*
 * The rules that a provider DLL is judged by: what each is called, how grave it is, and which
 * event of the source Perflib a user would find in the Application log of Windows. This is their
 * only table.
 */
#ifndef PRFDATA_READER_RULES_H
#define PRFDATA_READER_RULES_H

#include <stdint.h>

typedef enum prfdata_rule_severity {
    PRFDATA_RULE_SEVERITY_NOTE,    /* allowed, but some readers have trouble with it */
    PRFDATA_RULE_SEVERITY_WARNING, /* works, but not as the contract says */
    PRFDATA_RULE_SEVERITY_ERROR    /* perflib drops the data, or readers get wrong numbers */
} prfdata_rule_severity;

/* X(enumerator, name, severity, event or 0, sentence) */
#define PRFDATA_RULES(X)                                                                           \
    /* Loading, Open, Close */                                                                     \
    X(LOAD, "load", ERROR, 1023, "The library must load.")                                         \
    X(LIBRARY_PATH, "library-path", WARNING, 0, "Library must be a full path.")                    \
    X(DISABLED, "disabled", WARNING, 1017, "The provider must not be switched off.")               \
    X(TITLES_SHARED, "titles-shared", ERROR, 0,                                                    \
      "No other service may have the same title indexes: readers mix them up.")                    \
    X(OPEN_EXPORT, "open-export", ERROR, 1005, "The Open function must be exported.")              \
    X(COLLECT_EXPORT, "collect-export", ERROR, 1006, "The Collect function must be exported.")     \
    X(CLOSE_EXPORT, "close-export", ERROR, 1007, "The Close function must be exported.")           \
    X(OPEN_STATUS, "open-status", ERROR, 1008, "Open must return ERROR_SUCCESS.")                  \
    X(CLOSE_STATUS, "close-status", WARNING, 0, "Close must return ERROR_SUCCESS.")                \
    X(LOAD_CRASH, "load-crash", ERROR, 1023, "Loading and unloading must not fault.")              \
    X(OPEN_CRASH, "open-crash", ERROR, 1009, "Open must not fault.")                               \
    X(COLLECT_CRASH, "collect-crash", ERROR, 1010, "Collect must not fault.")                      \
    X(CLOSE_CRASH, "close-crash", ERROR, 1011, "Close must not fault.")                            \
    X(CLOSED_CRASH, "closed-crash", WARNING, 0,                                                    \
      "Collect before Open and Close without Open should not fault.")                              \
    X(CLOSE_SURPLUS, "close-surplus", WARNING, 0, "A Close without Open must not count.")          \
    X(PROCESS_ENDED, "process-ended", ERROR, 0, "A provider must not end its process.")            \
    X(PROCESS_SILENT, "process-silent", ERROR, 0,                                                  \
      "A provider must keep no lock locked and stop no thread of its process.")                    \
    X(LOAD_TIME, "load-time", ERROR, 0, "Loading and unloading must return.")                      \
    X(OPEN_TIME, "open-time", ERROR, 2002, "Open must return in time.")                            \
    X(COLLECT_TIME, "collect-time", ERROR, 1015, "Collect must return in time.")                   \
    X(COLLECT_LONG, "collect-long", NOTE, 0, "Collect should be done long before a second.")       \
    X(CLOSE_TIME, "close-time", ERROR, 0, "Close must return in time.")                            \
    X(NO_OBJECTS, "no-objects", NOTE, 0,                                                           \
      "Without objects in the reply to Global, most rules cannot be checked.")                     \
    X(OPEN_COUNT, "open-count", WARNING, 0,                                                        \
      "As long as one Open is not closed, Collect must answer as before.")                         \
    X(MODULE_STAYS, "module-stays", WARNING, 0,                                                    \
      "FreeLibrary must unload the library, 3 s later at most.")                                   \
    X(HANDLE_LEAK, "handle-leak", WARNING, 0, "The number of handles must not grow.")              \
    X(MEMORY_LEAK, "memory-leak", WARNING, 0, "Memory must not grow.")                             \
    X(THREAD_LEAK, "thread-leak", WARNING, 0, "The number of threads must not grow.")              \
    X(GUI_LEAK, "gui-leak", WARNING, 0, "The number of GDI and USER objects must not grow.")       \
    X(VIEW_LEAK, "view-leak", WARNING, 0, "The number of mapped views must not grow.")             \
    X(TLS_LEAK, "tls-leak", WARNING, 0, "Slots of thread-local storage must be freed.")            \
    X(THREAD_STATE, "thread-state", WARNING, 0,                                                    \
      "The thread's priority, affinity, token, COM, locale, modes and flags must stay.")           \
    X(PROCESS_STATE, "process-state", WARNING, 0,                                                  \
      "The directories, priority class, affinity, PATH, handles and modes must stay.")             \
    X(SECOND_PROCESS, "second-process", ERROR, 0,                                                  \
      "A process must get all while another has the provider open, without waiting for it.")       \
    X(HANDLE_CLOSED, "handle-closed", WARNING, 0,                                                  \
      "A handle must be closed once: the next one of its number is another's.")                    \
    X(STACK_USE, "stack-use", WARNING, 0,                                                          \
      "A reader's thread may have as little as 64 KB of stack.")                                   \
    X(THREADS_UNANSWERED, "threads-unanswered", ERROR, 0,                                          \
      "Collects that run at once must each give all that is asked for.")                           \
    X(THREAD_BOUND, "thread-bound", ERROR, 0,                                                      \
      "Open, Collect and Close must work in any thread, also when others have ended.")             \
    X(ANSWERS_END, "answers-end", ERROR, 0, "What was answered once must be answered always.")     \
    X(COLLECT_SLOWER, "collect-slower", WARNING, 0,                                                \
      "Collect must not take longer the more often it was called.")                                \
    /* What Collect does with its arguments and buffer */                                          \
    X(COLLECT_STATUS, "collect-status", ERROR, 1014,                                               \
      "Collect must return ERROR_SUCCESS or ERROR_MORE_DATA.")                                     \
    X(SIZE_OVER, "size-over", ERROR, 1001, "Collect must not claim more bytes than it was given.") \
    X(POINTER_BEYOND, "pointer-beyond", ERROR, 1013,                                               \
      "The returned pointer must lie inside the buffer.")                                          \
    X(POINTER_LENGTH, "pointer-length", ERROR, 2000,                                               \
      "The returned pointer must be the given one plus the returned bytes.")                       \
    X(WRITE_BEFORE, "write-before", ERROR, 1002, "No byte before the buffer may change.")          \
    X(WRITE_AFTER, "write-after", ERROR, 1002, "No byte after the buffer may change.")             \
    X(WRITE_LATE, "write-late", ERROR, 0,                                                          \
      "Nothing may be written to a buffer after Collect has returned.")                            \
    X(READ_OUTSIDE, "read-outside", ERROR, 1010, "No byte outside of the buffer may be read.")     \
    X(QUERY_OVERREAD, "query-overread", ERROR, 1010, "The query ends at its NUL.")                 \
    X(QUERY_WRITTEN, "query-written", ERROR, 0, "The query belongs to the caller.")                \
    X(CONTEXT_OVERREAD, "context-overread", ERROR, 1009, "Open's context ends at its two NULs.")   \
    X(OUTPUT_WIDTH, "output-width", ERROR, 0,                                                      \
      "The bytes and the number of objects are 32 bits wide, and nothing beside them may change.") \
    X(UNWRITTEN, "unwritten", ERROR, 0, "Every byte that readers look at must be written.")        \
    X(UNWRITTEN_PADDING, "unwritten-padding", NOTE, 0,                                             \
      "Padding that is not written shows what was in the caller's memory.")                        \
    X(MORE_OUTPUTS, "more-outputs", ERROR, 1020,                                                   \
      "With ERROR_MORE_DATA the pointer must stay, bytes and objects must be 0.")                  \
    X(MORE_WROTE, "more-wrote", WARNING, 0,                                                        \
      "With ERROR_MORE_DATA the buffer should be as it was.")                                      \
    X(MORE_FITS, "more-fits", WARNING, 0, "ERROR_MORE_DATA is for replies that do not fit.")       \
    X(MORE_ALWAYS, "more-always", ERROR, 0, "Some buffer must be large enough.")                   \
    X(PARTIAL, "partial", ERROR, 0, "A small buffer must not leave objects or instances out.")     \
    X(ALIGNMENT, "alignment", ERROR, 0,                                                            \
      "The reply must not depend on the alignment of the buffer.")                                 \
    X(LENGTH_MULTIPLE, "length-multiple", WARNING, 1016,                                           \
      "The returned bytes must be a multiple of 8.")                                               \
    /* Queries */                                                                                  \
    X(QUERY_CASE, "query-case", WARNING, 0, "Queries are read ignoring case.")                     \
    X(QUERY_OLD, "query-old", NOTE, 0, "Readers of version 1 providers alone may ask OLD_Global.") \
    X(QUERY_UNKNOWN, "query-unknown", WARNING, 0, "An unknown query must be answered by nothing.") \
    X(QUERY_EMPTY, "query-empty", NOTE, 0, "An empty or blank query is answered by nothing.")      \
    X(QUERY_FOREIGN, "query-foreign", WARNING, 0, "Foreign must be answered by nothing.")          \
    X(QUERY_COSTLY, "query-costly", WARNING, 0,                                                    \
      "Costly must be answered by costly objects only, which Global leaves out.")                  \
    X(INDEX_UNANSWERED, "index-unanswered", ERROR, 0,                                              \
      "An object must be answered when its title index is asked for.")                             \
    X(INDEX_SUBSTRING, "index-substring", WARNING, 0, "Title indexes are compared as numbers.")    \
    X(INDEX_MALFORMED, "index-malformed", WARNING, 0,                                              \
      "A word that is not all digits is no title index.")                                          \
    X(INDEX_IGNORED, "index-ignored", WARNING, 0,                                                  \
      "Other providers' title indexes must be answered by nothing.")                               \
    X(INDEX_EXTRA, "index-extra", NOTE, 0,                                                         \
      "Objects that are neither asked for nor parents of those cost time.")                        \
    X(INDEX_ZERO, "index-zero", ERROR, 0,                                                          \
      "An object that is asked for by its index must have the values that Global gives.")          \
    X(FIRST_SAMPLE, "first-sample", WARNING, 0,                                                    \
      "The first Collect after Open must give what the next one gives.")                           \
    X(OBJECT_LIST, "object-list", WARNING, 0,                                                      \
      "The value Object List must name what is answered: Windows asks for nothing else.")          \
    X(TITLES_UNUSED, "titles-unused", WARNING, 0,                                                  \
      "Objects are missing, or what they count does not run: PerfMon does not list them.")         \
    X(METADATA_UNANSWERED, "metadata-unanswered", ERROR, 0,                                        \
      "A service with Collect Supports Metadata must answer MetadataGlobal.")                      \
    X(METADATA_OBJECTS, "metadata-objects", ERROR, 0,                                              \
      "MetadataGlobal must give all objects that Global gives.")                                   \
    X(METADATA_INSTANCES, "metadata-instances", ERROR, 0,                                          \
      "Metadata is definitions only: NumInstances -2 or -3 and nothing after them.")               \
    /* Objects */                                                                                  \
    X(OBJECT_COUNT, "object-count", ERROR, 1003, "There must be as many objects as Collect says.") \
    X(OBJECT_LENGTH, "object-length", ERROR, 1003,                                                 \
      "The TotalByteLengths must add up to the reply.")                                            \
    X(OBJECT_ALIGNMENT, "object-alignment", WARNING, 1016,                                         \
      "Every TotalByteLength must be a multiple of 8.")                                            \
    X(OBJECT_TWICE, "object-twice", WARNING, 0, "An object must occur once.")                      \
    X(HEADER_LENGTH, "header-length", ERROR, 1019, "HeaderLength must be 64.")                     \
    X(DEFINITION_LENGTH, "definition-length", ERROR, 1019,                                         \
      "DefinitionLength must be HeaderLength and all counter definitions.")                        \
    X(COUNTER_LENGTH, "counter-length", ERROR, 1019,                                               \
      "A counter definition's ByteLength must be 40.")                                             \
    X(COUNTER_NONE, "counter-none", NOTE, 0, "An object should have counters.")                    \
    X(TITLE_PARITY, "title-parity", ERROR, 0, "Name indexes are even, help indexes odd.")          \
    X(TITLE_RANGE, "title-range", ERROR, 0,                                                        \
      "Title indexes must lie between the service's First and Last.")                              \
    X(HELP_INDEX, "help-index", WARNING, 0,                                                        \
      "A help index lies as far after First Help as its name index after First Counter.")          \
    X(TITLE_POINTER, "title-pointer", NOTE, 0, "Title pointers are reserved and should be 0.")     \
    X(DETAIL_LEVEL, "detail-level", NOTE, 0,                                                       \
      "DetailLevel is 100, 200, 300 or 400, an object's the least of its counters'.")              \
    X(DETAIL_UNLISTED, "detail-unlisted", WARNING, 0,                                              \
      "DetailLevel must not be above 400: lists of counters end there.")                           \
    X(DEFAULT_COUNTER, "default-counter", NOTE, 0,                                                 \
      "DefaultCounter is the position of a counter, or -1; some documents say its title.")         \
    X(DEFAULT_LOST, "default-lost", WARNING, 0,                                                    \
      "DefaultCounter must be a counter that has a name: else PerfMon selects none.")              \
    X(CODE_PAGE, "code-page", NOTE, 0, "Several readers know no names but UTF-16, CodePage 0.")    \
    X(OBJECT_CLOCK, "object-clock", ERROR, 0, "Types in object time need the object's PerfFreq.")  \
    X(CLOCK_RATE, "clock-rate", ERROR, 0,                                                          \
      "PerfTime must run at PerfFreq if a type counts in object time.")                            \
    X(CLOCK_FREQUENCY, "clock-frequency", ERROR, 0,                                                \
      "PerfFreq must stay the same if a type counts in object time.")                              \
    X(CLOCK_UNUSED, "clock-unused", WARNING, 0,                                                    \
      "A PerfTime that no type uses must run at PerfFreq all the same, or be 0.")                  \
    X(INSTANCE_COUNT, "instance-count", ERROR, 1004,                                               \
      "NumInstances must be -1 or the number of instances.")                                       \
    X(EMPTY_TAIL, "empty-tail", NOTE, 0,                                                           \
      "Nothing is expected after the definitions of an object that has no instances now.")         \
    /* Counters */                                                                                 \
    X(COUNTER_TYPE, "counter-type", NOTE, 0, "Readers know the 39 predefined types.")              \
    X(COUNTER_SIZE, "counter-size", ERROR, 0, "CounterSize must be what CounterType says.")        \
    X(COUNTER_IN_LENGTH, "counter-in-length", ERROR, 0,                                            \
      "A value must not overlap the counter block's ByteLength.")                                  \
    X(COUNTER_OUTSIDE, "counter-outside", ERROR, 0, "A value must lie inside the counter block.")  \
    X(COUNTER_ALIGNMENT, "counter-alignment", WARNING, 0,                                          \
      "A value's offset must be a multiple of its size.")                                          \
    X(COUNTER_OVERLAP, "counter-overlap", WARNING, 0,                                              \
      "Two values may share an offset, but not overlap.")                                          \
    X(COUNTER_TWICE, "counter-twice", WARNING, 0, "A counter must occur once.")                    \
    X(COUNTER_SCALE, "counter-scale", WARNING, 0,                                                  \
      "DefaultScale must be -7 to 7: readers multiply by no more.")                                \
    X(BASE_MISSING, "base-missing", ERROR, 0, "A counter's base must directly follow it.")         \
    X(BASE_ALONE, "base-alone", ERROR, 0, "A base must directly follow its counter.")              \
    X(MULTI_SECOND, "multi-second", ERROR, 0,                                                      \
      "A multi timer's second value must directly follow its first.")                              \
    X(BLOCK_LENGTH, "block-length", ERROR, 1004,                                                   \
      "A counter block's ByteLength must stay inside the object.")                                 \
    X(BLOCK_ALIGNMENT, "block-alignment", WARNING, 1016,                                           \
      "A counter block's ByteLength must be a multiple of 8.")                                     \
    /* Instances */                                                                                \
    X(INSTANCE_LENGTH, "instance-length", ERROR, 1004,                                             \
      "An instance's ByteLength must stay inside the object.")                                     \
    X(INSTANCE_ALIGNMENT, "instance-alignment", WARNING, 1016,                                     \
      "An instance's ByteLength must be a multiple of 8.")                                         \
    X(INSTANCE_WALK, "instance-walk", ERROR, 1004,                                                 \
      "Instances and counter blocks must end where the object does.")                              \
    X(INSTANCE_NAMELESS, "instance-nameless", WARNING, 0,                                          \
      "An instance must have a name or a UniqueID.")                                               \
    X(UNIQUE_ID, "unique-id", WARNING, 0,                                                          \
      "An instance that has a name must have the UniqueID -1.")                                    \
    X(NAME_MIXED, "name-mixed", NOTE, 0,                                                           \
      "Instances of one parent should all have names, or all numbers.")                            \
    X(NAME_BOUNDS, "name-bounds", ERROR, 0, "A name must lie inside its instance definition.")     \
    X(NAME_OFFSET, "name-offset", NOTE, 0,                                                         \
      "Several readers expect the name directly after the structure.")                             \
    X(NAME_END, "name-end", ERROR, 0, "NameLength must include the NUL at the name's end.")        \
    X(NAME_LENGTH, "name-length", WARNING, 0,                                                      \
      "NameLength must not include anything after the NUL.")                                       \
    X(NAME_LONG, "name-long", NOTE, 0, "Some readers cut names after 127 characters.")             \
    X(NAME_CHARACTERS, "name-characters", WARNING, 0,                                              \
      "Names must not have \\ ( ) / # *, control characters or lone surrogates.")                  \
    X(NAME_BLANK, "name-blank", NOTE, 0,                                                           \
      "Command lines and scripts lose a blank at a name's end.")                                   \
    X(NAME_TWICE, "name-twice", WARNING, 0,                                                        \
      "Instances of one parent must differ in name, ignoring case.")                               \
    X(PARENT_OBJECT, "parent-object", WARNING, 0,                                                  \
      "The parent's object must be in the same reply.")                                            \
    X(PARENT_INSTANCE, "parent-instance", ERROR, 0, "The parent must exist.")                      \
    /* Values */                                                                                   \
    X(ELAPSED_START, "elapsed-start", ERROR, 0,                                                    \
      "The start of an elapsed time must be a moment of the object's clock, PerfTime.")            \
    X(STAMP_RATE, "stamp-rate", WARNING, 0,                                                        \
      "The base of a PERF_PRECISION type must be the time by that type's clock.")                  \
    X(TIMER_RATE, "timer-rate", WARNING, 0,                                                        \
      "A timer must not grow by 64 times what its clock does: readers show at most 100 %.")        \
    X(AVERAGE_BASE, "average-base", WARNING, 0,                                                    \
      "The base of an average must grow when its value does: readers show 0 else.")                \
    X(FRACTION_ABOVE, "fraction-above", WARNING, 0, "A fraction must not be more than its base.")  \
    /* From one reply to the next */                                                               \
    X(VALUE_BACKWARDS, "value-backwards", ERROR, 0,                                                \
      "A counter of differences must not go backwards; passing 2^32 or 2^64 once is allowed.")     \
    X(INSTANCE_RESTARTED, "instance-restarted", WARNING, 0,                                        \
      "An instance that comes back should go on from where it was.")                               \
    X(CLOCK_BACKWARDS, "clock-backwards", ERROR, 0, "An object's PerfTime must not go backwards.") \
    X(DEFINITIONS_CHANGED, "definitions-changed", ERROR, 0,                                        \
      "An object's definitions must be the same in every reply.")                                  \
    X(NAMES_NEW, "names-new", WARNING, 0, "Instances must keep their names.")                      \
    X(PARENT_CHANGED, "parent-changed", WARNING, 0,                                                \
      "A child must keep its parent: ParentObjectInstance is a position in the same reply.")

typedef enum prfdata_rule {
#define PRFDATA_RULE_ENUMERATOR(id, name, severity, event, sentence) PRFDATA_RULE_##id,
    PRFDATA_RULES(PRFDATA_RULE_ENUMERATOR)
#undef PRFDATA_RULE_ENUMERATOR
        PRFDATA_RULE_COUNT
} prfdata_rule;

typedef struct prfdata_rule_about {
    const char *name;
    prfdata_rule_severity severity;
    uint32_t event; /* 0: none, the system does not notice */
    const char *sentence;
} prfdata_rule_about;

/* What there is to say about a rule. */
const prfdata_rule_about *prfdata_rules_about(prfdata_rule rule);

/* "note", "warning" or "error". */
const char *prfdata_rules_severity_name(prfdata_rule_severity severity);

#endif
