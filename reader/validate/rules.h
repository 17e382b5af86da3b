/* SPDX-License-Identifier: MIT */
/*
 * Lists the rules by which a provider DLL is checked. Each has a name, a severity and a sentence.
 * If Windows writes an event into the Application log (source Perflib) when a DLL breaks the rule,
 * the rule also has the event's number.
 */
#ifndef PRFDATA_READER_RULES_H
#define PRFDATA_READER_RULES_H

#include <stdint.h>

typedef enum prfdata_rule_severity {
    PRFDATA_RULE_SEVERITY_NOTE,    /* allowed, but some readers have trouble with it */
    PRFDATA_RULE_SEVERITY_WARNING, /* works, but not as the contract demands */
    PRFDATA_RULE_SEVERITY_ERROR    /* perflib drops the data, readers get wrong numbers, or their
                                      process is harmed */
} prfdata_rule_severity;

/* X(enumerator, name, severity, event or 0, sentence) */
#define PRFDATA_RULES(X)                                                                           \
    /* Loading, Open, Close */                                                                     \
    X(LOAD, "load", ERROR, 1023, "Windows must be able to load the library.")                      \
    X(LIBRARY_PATH, "library-path", WARNING, 0,                                                    \
      "The value Library must be a full path, so that no other folder is searched.")               \
    X(DISABLED, "disabled", WARNING, 1017,                                                         \
      "The value Disable Performance Counters must not be set, or readers see nothing.")           \
    X(DISABLED_FOR_OTHERS, "disabled-for-others", NOTE, 1017,                                      \
      "Readers of a bitness that is switched off see nothing, even if there is a DLL for them.")   \
    X(TITLES_SHARED, "titles-shared", ERROR, 0,                                                    \
      "No other service may have the same title indexes, because readers mix them up.")            \
    X(OPEN_EXPORT, "open-export", ERROR, 1005, "The library must export the Open function.")       \
    X(COLLECT_EXPORT, "collect-export", ERROR, 1006,                                               \
      "The library must export the Collect function.")                                             \
    X(CLOSE_EXPORT, "close-export", ERROR, 1007, "The library must export the Close function.")    \
    X(OPEN_STATUS, "open-status", ERROR, 1008, "Open must return ERROR_SUCCESS.")                  \
    X(CLOSE_STATUS, "close-status", WARNING, 0, "Close must return ERROR_SUCCESS.")                \
    X(LOAD_CRASH, "load-crash", ERROR, 1023,                                                       \
      "DllMain must not fault, and unloading must leave no handler behind.")                       \
    X(OPEN_CRASH, "open-crash", ERROR, 1009, "Open must not fault.")                               \
    X(COLLECT_CRASH, "collect-crash", ERROR, 1010, "Collect must not fault.")                      \
    X(CLOSE_CRASH, "close-crash", ERROR, 1011, "Close must not fault.")                            \
    X(CLOSED_CRASH, "closed-crash", WARNING, 0,                                                    \
      "Collect before Open, and Close without Open, should return and not fault.")                 \
    X(CLOSE_SURPLUS, "close-surplus", WARNING, 0, "A Close without an Open must change nothing.")  \
    X(PROCESS_ENDED, "process-ended", ERROR, 0, "A provider must not end its reader's process.")   \
    X(PROCESS_SILENT, "process-silent", ERROR, 0,                                                  \
      "A provider must keep no lock locked and stop no thread of its process.")                    \
    X(LOAD_TIME, "load-time", ERROR, 0, "Loading and unloading must return in time.")              \
    X(OPEN_TIME, "open-time", ERROR, 2002, "Open must return in time.")                            \
    X(COLLECT_TIME, "collect-time", ERROR, 1015, "Collect must return in time.")                   \
    X(COLLECT_LONG, "collect-long", NOTE, 0,                                                       \
      "Collect should take less than a second, because readers ask every second.")                 \
    X(CLOSE_TIME, "close-time", ERROR, 0, "Close must return in time.")                            \
    X(NO_OBJECTS, "no-objects", NOTE, 0,                                                           \
      "Most rules can only be checked if Global returns objects.")                                 \
    X(OPEN_COUNT, "open-count", WARNING, 0,                                                        \
      "Collect must answer as before until each Open has had its Close.")                          \
    X(MODULE_STAYS, "module-stays", WARNING, 0,                                                    \
      "FreeLibrary must unload the library, and the DLLs that it loaded, within 3 seconds.")       \
    X(HANDLE_LEAK, "handle-leak", WARNING, 0,                                                      \
      "Repeated calls must not leave more and more handles open.")                                 \
    X(MEMORY_LEAK, "memory-leak", WARNING, 0, "Repeated calls must not use more and more memory.") \
    X(THREAD_LEAK, "thread-leak", WARNING, 0,                                                      \
      "Repeated calls must not leave more and more threads running.")                              \
    X(GUI_LEAK, "gui-leak", WARNING, 0,                                                            \
      "Repeated calls must not leave more and more GDI or USER objects.")                          \
    X(VIEW_LEAK, "view-leak", WARNING, 0,                                                          \
      "Repeated calls must not leave more and more views mapped.")                                 \
    X(TLS_LEAK, "tls-leak", WARNING, 0, "Unloading must free the slots of thread-local storage.")  \
    X(ATOM_LEAK, "atom-leak", WARNING, 0, "Repeated calls must not leave more and more atoms.")    \
    X(THREAD_STATE, "thread-state", WARNING, 0,                                                    \
      "A call must leave the reader's thread as it found it.")                                     \
    X(PROCESS_STATE, "process-state", WARNING, 0,                                                  \
      "A call must leave the reader's process as it found it.")                                    \
    X(SECOND_PROCESS, "second-process", ERROR, 0,                                                  \
      "A second process must get everything, without waiting, and must not disturb the first "     \
      "one, however it ends.")                                                                     \
    X(HANDLE_CLOSED, "handle-closed", WARNING, 0,                                                  \
      "A handle must be closed only once, because another handle may get its number.")             \
    X(STACK_USE, "stack-use", WARNING, 0,                                                          \
      "Collect must need little stack, because a reader may have only 64 KB.")                     \
    X(THREADS_UNANSWERED, "threads-unanswered", ERROR, 0,                                          \
      "Each of several Collects at the same time must return everything that it asks for.")        \
    X(THREAD_BOUND, "thread-bound", ERROR, 0,                                                      \
      "Open, Collect and Close must work in any thread, even if the thread of Open has ended.")    \
    X(IMPERSONATION, "impersonation", ERROR, 0,                                                    \
      "Collect must return the same to a thread that impersonates, and not change its "            \
      "identity.")                                                                                 \
    X(ANSWERS_END, "answers-end", ERROR, 0,                                                        \
      "Collect must return an object as long as the provider is open.")                            \
    X(COLLECT_SLOWER, "collect-slower", WARNING, 0, "Collect must not get slower with each call.") \
    X(COLLECT_EFFECTS, "collect-effects", WARNING, 0,                                              \
      "Collect must not write to files, the registry, the event log or a debugger, start a "       \
      "process or ask for performance data each time.")                                            \
    X(READER_EXIT, "reader-exit", ERROR, 0,                                                        \
      "A reader's process must be able to end while the provider is open.")                        \
    X(PROCESSOR_USE, "processor-use", WARNING, 0,                                                  \
      "A provider must not keep a processor busy while nobody asks it.")                           \
    X(THREAD_START, "thread-start", WARNING, 0,                                                    \
      "DllMain must not delay the threads that start and end in the reader's process.")            \
    /* The arguments and the buffer of Collect */                                                  \
    X(COLLECT_STATUS, "collect-status", ERROR, 1014,                                               \
      "Collect must return ERROR_SUCCESS or ERROR_MORE_DATA.")                                     \
    X(SIZE_OVER, "size-over", ERROR, 1001,                                                         \
      "Collect must not return more bytes than the buffer has.")                                   \
    X(POINTER_BEYOND, "pointer-beyond", ERROR, 1013,                                               \
      "The pointer that Collect returns must be inside the buffer.")                               \
    X(POINTER_LENGTH, "pointer-length", ERROR, 2000,                                               \
      "The pointer must move by exactly the number of bytes that Collect returns.")                \
    X(WRITE_BEFORE, "write-before", ERROR, 1002, "Collect must not write before its buffer.")      \
    X(WRITE_AFTER, "write-after", ERROR, 1002, "Collect must not write after its buffer.")         \
    X(WRITE_LATE, "write-late", ERROR, 0,                                                          \
      "Nothing may write to a buffer after Collect has returned.")                                 \
    X(READ_OUTSIDE, "read-outside", ERROR, 1010, "Collect must not read outside of its buffer.")   \
    X(QUERY_OVERREAD, "query-overread", ERROR, 1010,                                               \
      "Collect must not read after the NUL of the query.")                                         \
    X(QUERY_WRITTEN, "query-written", ERROR, 0,                                                    \
      "Collect must not change the query, because it belongs to the reader.")                      \
    X(CONTEXT_OVERREAD, "context-overread", ERROR, 1009,                                           \
      "Open must not read after the two NULs of its argument.")                                    \
    X(CONTEXT_WRITTEN, "context-written", WARNING, 0,                                              \
      "Open must not change its argument, because it belongs to the reader.")                      \
    X(OUTPUT_WIDTH, "output-width", ERROR, 0,                                                      \
      "The numbers of bytes and of objects have 32 bits; Collect must not write 64 bits.")         \
    X(UNWRITTEN, "unwritten", ERROR, 0, "Collect must write every byte that readers use.")         \
    X(UNWRITTEN_PADDING, "unwritten-padding", NOTE, 0,                                             \
      "Padding that is not written shows the reader's old memory to others.")                      \
    X(MORE_OUTPUTS, "more-outputs", ERROR, 1020,                                                   \
      "With ERROR_MORE_DATA, Collect must leave the pointer and set bytes and objects to 0.")      \
    X(MORE_WROTE, "more-wrote", WARNING, 0,                                                        \
      "With ERROR_MORE_DATA, Collect should not write to the buffer.")                             \
    X(MORE_FITS, "more-fits", WARNING, 0,                                                          \
      "Collect must return ERROR_MORE_DATA only if the reply does not fit.")                       \
    X(MORE_ALWAYS, "more-always", ERROR, 0, "Collect must succeed if the buffer is large enough.") \
    X(PARTIAL, "partial", ERROR, 0,                                                                \
      "If the buffer is too small, Collect must return ERROR_MORE_DATA and leave nothing out.")    \
    X(ALIGNMENT, "alignment", ERROR, 0,                                                            \
      "The reply must not depend on the alignment of the buffer.")                                 \
    X(LENGTH_MULTIPLE, "length-multiple", WARNING, 1016,                                           \
      "The number of bytes that Collect returns must be a multiple of 8.")                         \
    /* Queries */                                                                                  \
    X(QUERY_CASE, "query-case", WARNING, 0,                                                        \
      "The case of a query does not matter: global means Global.")                                 \
    X(QUERY_OLD, "query-old", NOTE, 0,                                                             \
      "Collect should answer OLD_Global like Global, for readers that ask only old providers.")    \
    X(QUERY_UNKNOWN, "query-unknown", WARNING, 0,                                                  \
      "Collect must return no object for a query that it does not know.")                          \
    X(QUERY_EMPTY, "query-empty", NOTE, 0,                                                         \
      "Collect should return no object for an empty or blank query.")                              \
    X(QUERY_FOREIGN, "query-foreign", WARNING, 0,                                                  \
      "Collect must return no object for Foreign, which is about other computers.")                \
    X(QUERY_COSTLY, "query-costly", WARNING, 0,                                                    \
      "Collect must return only costly objects for Costly, and Global must leave those out.")      \
    X(INDEX_UNANSWERED, "index-unanswered", ERROR, 0,                                              \
      "Collect must return the object whose title index is asked for.")                            \
    X(INDEX_SUBSTRING, "index-substring", WARNING, 0,                                              \
      "Collect must compare title indexes as whole numbers, not as parts of the text.")            \
    X(INDEX_MALFORMED, "index-malformed", WARNING, 0,                                              \
      "A word with characters other than digits is not a title index.")                            \
    X(INDEX_IGNORED, "index-ignored", WARNING, 0,                                                  \
      "Collect must return no object if only other providers' title indexes are asked for.")       \
    X(INDEX_EXTRA, "index-extra", NOTE, 0,                                                         \
      "Collect should return only the objects that are asked for, and their parents.")             \
    X(INDEX_ZERO, "index-zero", ERROR, 0,                                                          \
      "Collect must return the same values for a title index as for Global.")                      \
    X(FIRST_SAMPLE, "first-sample", WARNING, 0,                                                    \
      "The first Collect after Open must return what the second one returns.")                     \
    X(OBJECT_LIST, "object-list", WARNING, 0,                                                      \
      "The value Object List must name every object, because Windows asks for no others.")         \
    X(TITLES_UNUSED, "titles-unused", WARNING, 0,                                                  \
      "PerfMon does not list titles that are in no reply; start the program that supplies "        \
      "these counters.")                                                                           \
    X(METADATA_UNANSWERED, "metadata-unanswered", ERROR, 0,                                        \
      "A service with Collect Supports Metadata must answer MetadataGlobal.")                      \
    X(METADATA_OBJECTS, "metadata-objects", ERROR, 0,                                              \
      "MetadataGlobal must give all objects that Global gives.")                                   \
    X(METADATA_INSTANCES, "metadata-instances", ERROR, 0,                                          \
      "A reply to metadata has definitions only, and NumInstances is -2 or -3.")                   \
    /* Objects */                                                                                  \
    X(OBJECT_COUNT, "object-count", ERROR, 1003,                                                   \
      "The reply must have as many objects as Collect returns.")                                   \
    X(OBJECT_LENGTH, "object-length", ERROR, 1003,                                                 \
      "The TotalByteLengths of all objects must add up to the bytes of the reply.")                \
    X(OBJECT_ALIGNMENT, "object-alignment", WARNING, 1016,                                         \
      "TotalByteLength must be a multiple of 8.")                                                  \
    X(OBJECT_TWICE, "object-twice", WARNING, 0, "A reply must have each object once.")             \
    X(HEADER_LENGTH, "header-length", ERROR, 1019, "HeaderLength must be 64 bytes.")               \
    X(DEFINITION_LENGTH, "definition-length", ERROR, 1019,                                         \
      "DefinitionLength must be HeaderLength plus 40 bytes for each counter.")                     \
    X(COUNTER_LENGTH, "counter-length", ERROR, 1019,                                               \
      "A counter definition's ByteLength must be 40 bytes.")                                       \
    X(COUNTER_NONE, "counter-none", NOTE, 0, "An object should have at least one counter.")        \
    X(TITLE_PARITY, "title-parity", ERROR, 0,                                                      \
      "The index of a name must be even, and the index of a help text odd.")                       \
    X(TITLE_RANGE, "title-range", ERROR, 0,                                                        \
      "Title indexes must be in the service's range, First Counter to Last Help.")                 \
    X(HELP_INDEX, "help-index", WARNING, 0,                                                        \
      "A help index must be as far above First Help as its name index is above First Counter.")    \
    X(TITLE_POINTER, "title-pointer", NOTE, 0, "Title pointers are reserved and should be 0.")     \
    X(DETAIL_LEVEL, "detail-level", NOTE, 0,                                                       \
      "DetailLevel is 100, 200, 300 or 400; an object has the lowest level of its counters.")      \
    X(DETAIL_UNLISTED, "detail-unlisted", WARNING, 0,                                              \
      "DetailLevel must be at most 400, or lists of counters leave it out.")                       \
    X(DEFAULT_COUNTER, "default-counter", NOTE, 0,                                                 \
      "DefaultCounter is the position of a counter, or -1 (some documents say its title).")        \
    X(DEFAULT_LOST, "default-lost", WARNING, 0,                                                    \
      "DefaultCounter must name a counter that has a title, or PerfMon selects none.")             \
    X(CODE_PAGE, "code-page", NOTE, 0,                                                             \
      "CodePage should be 0 (UTF-16), because several readers know no other names.")               \
    X(OBJECT_CLOCK, "object-clock", ERROR, 0,                                                      \
      "PerfFreq must be above 0 if a counter type uses the time of the object.")                   \
    X(CLOCK_RATE, "clock-rate", ERROR, 0,                                                          \
      "PerfTime must advance by PerfFreq each second if a counter type uses it.")                  \
    X(CLOCK_FREQUENCY, "clock-frequency", ERROR, 0,                                                \
      "PerfFreq must not change if a counter type uses it.")                                       \
    X(CLOCK_UNUSED, "clock-unused", WARNING, 0,                                                    \
      "PerfTime must advance by PerfFreq each second, or be 0, even if no type uses it.")          \
    X(INSTANCE_COUNT, "instance-count", ERROR, 1004,                                               \
      "NumInstances must be the number of instances, or -1 if the object has none.")               \
    X(EMPTY_TAIL, "empty-tail", NOTE, 0,                                                           \
      "If an object has no instances now, nothing should follow its definitions.")                 \
    /* Counters */                                                                                 \
    X(COUNTER_TYPE, "counter-type", NOTE, 0, "Readers know only the 39 predefined counter types.") \
    X(COUNTER_SIZE, "counter-size", ERROR, 0,                                                      \
      "CounterSize must be the size that CounterType has.")                                        \
    X(COUNTER_IN_LENGTH, "counter-in-length", ERROR, 0,                                            \
      "A value must begin after the ByteLength of its counter block, at offset 4 or above.")       \
    X(COUNTER_OUTSIDE, "counter-outside", ERROR, 0, "A value must be inside its counter block.")   \
    X(COUNTER_ALIGNMENT, "counter-alignment", WARNING, 0,                                          \
      "CounterOffset must be a multiple of the value's size.")                                     \
    X(COUNTER_OVERLAP, "counter-overlap", WARNING, 0,                                              \
      "Two counters may have the same value, but values must not overlap in part.")                \
    X(COUNTER_TWICE, "counter-twice", WARNING, 0, "An object must have each counter once.")        \
    X(COUNTER_SCALE, "counter-scale", WARNING, 0,                                                  \
      "DefaultScale must be -7 to 7, because readers multiply by no other power of ten.")          \
    X(BASE_MISSING, "base-missing", ERROR, 0, "The counter's base must be the next counter.")      \
    X(BASE_ALONE, "base-alone", ERROR, 0, "A base must directly follow its counter.")              \
    X(MULTI_SECOND, "multi-second", ERROR, 0,                                                      \
      "A multi timer's second value must be the next counter.")                                    \
    X(BLOCK_LENGTH, "block-length", ERROR, 1004,                                                   \
      "A counter block's ByteLength must not leave the object.")                                   \
    X(BLOCK_ALIGNMENT, "block-alignment", WARNING, 1016,                                           \
      "A counter block's ByteLength must be a multiple of 8.")                                     \
    /* Instances */                                                                                \
    X(INSTANCE_LENGTH, "instance-length", ERROR, 1004,                                             \
      "An instance's ByteLength must not leave the object.")                                       \
    X(INSTANCE_ALIGNMENT, "instance-alignment", WARNING, 1016,                                     \
      "An instance's ByteLength must be a multiple of 8.")                                         \
    X(INSTANCE_WALK, "instance-walk", ERROR, 1004,                                                 \
      "The last counter block must end where the object ends.")                                    \
    X(INSTANCE_NAMELESS, "instance-nameless", WARNING, 0,                                          \
      "An instance must have a name or a UniqueID.")                                               \
    X(UNIQUE_ID, "unique-id", WARNING, 0, "UniqueID must be -1 if the instance has a name.")       \
    X(NAME_MIXED, "name-mixed", NOTE, 0,                                                           \
      "All instances of a parent should have names, or all should have numbers.")                  \
    X(NAME_BOUNDS, "name-bounds", ERROR, 0, "A name must be inside its instance definition.")      \
    X(NAME_OFFSET, "name-offset", NOTE, 0,                                                         \
      "NameOffset should be 24, because several readers expect the name there.")                   \
    X(NAME_END, "name-end", ERROR, 0,                                                              \
      "NameLength is in bytes and must include the NUL at the end of the name.")                   \
    X(NAME_LENGTH, "name-length", WARNING, 0, "NameLength must end with the NUL of the name.")     \
    X(NAME_LONG, "name-long", NOTE, 0,                                                             \
      "A name should have at most 127 characters, because some readers cut it there.")             \
    X(NAME_CHARACTERS, "name-characters", WARNING, 0,                                              \
      "A name must not have \\ ( ) / # *, control characters or lone surrogates.")                 \
    X(NAME_BLANK, "name-blank", NOTE, 0,                                                           \
      "A name should not end with a blank, which command lines and scripts lose.")                 \
    X(NAME_HIDDEN, "name-hidden", NOTE, 0,                                                         \
      "A name should not have characters without width, or marks that turn the direction of "      \
      "writing.")                                                                                  \
    X(NAME_TWICE, "name-twice", WARNING, 0,                                                        \
      "Instances of a parent must have different names, ignoring case.")                           \
    X(PARENT_OBJECT, "parent-object", WARNING, 0,                                                  \
      "The parent's object must be in the same reply.")                                            \
    X(PARENT_INSTANCE, "parent-instance", ERROR, 0,                                                \
      "The parent must be an instance of its object.")                                             \
    /* Values */                                                                                   \
    X(LEVEL_BELOW_ZERO, "level-below-zero", NOTE, 0,                                               \
      "A level of 32 bits should not fall below 0, because readers then show about 2^32.")         \
    X(ELAPSED_START, "elapsed-start", ERROR, 0,                                                    \
      "The value must be the time of the start by the object's clock, PerfTime, or 0.")            \
    X(MULTI_BASE, "multi-base", WARNING, 0,                                                        \
      "The base of a multi timer must be above 0, because readers divide by it.")                  \
    X(STAMP_RATE, "stamp-rate", WARNING, 0,                                                        \
      "The base of a PERF_PRECISION type must be the time by the clock of that type.")             \
    X(TIMER_RATE, "timer-rate", WARNING, 0,                                                        \
      "A timer must not grow faster than 64 processors can be busy (readers show at most 100 %).") \
    X(AVERAGE_BASE, "average-base", WARNING, 0,                                                    \
      "If the value of an average grows, its base must grow too, or readers show 0.")              \
    X(FRACTION_ABOVE, "fraction-above", WARNING, 0, "A fraction must not be above its base.")      \
    /* From one reply to the next */                                                               \
    X(VALUE_BACKWARDS, "value-backwards", ERROR, 0,                                                \
      "A counter of this type must only grow, except that it may wrap to 0 at 2^32 or 2^64.")      \
    X(INSTANCE_RESTARTED, "instance-restarted", WARNING, 0,                                        \
      "An instance that comes back should continue from its last value.")                          \
    X(CLOCK_BACKWARDS, "clock-backwards", ERROR, 0, "An object's PerfTime must not go backwards.") \
    X(DEFINITIONS_CHANGED, "definitions-changed", ERROR, 0,                                        \
      "An object must have the same definitions in every reply.")                                  \
    X(NAMES_NEW, "names-new", WARNING, 0, "Instances must keep their names.")                      \
    X(PARENT_CHANGED, "parent-changed", WARNING, 0,                                                \
      "An instance must keep its parent (ParentObjectInstance is a position in the same reply).")

typedef enum prfdata_rule {
#define PRFDATA_RULE_ENUMERATOR(id, name, severity, event, sentence) PRFDATA_RULE_##id,
    PRFDATA_RULES(PRFDATA_RULE_ENUMERATOR)
#undef PRFDATA_RULE_ENUMERATOR
        PRFDATA_RULE_COUNT
} prfdata_rule;

typedef struct prfdata_rule_about {
    const char *name;
    prfdata_rule_severity severity;
    uint32_t event; /* number of the event; 0: Windows writes none */
    const char *sentence;
} prfdata_rule_about;

const prfdata_rule_about *prfdata_rules_about(prfdata_rule rule);

/* Return the name of a severity: "note", "warning" or "error". */
const char *prfdata_rules_severity_name(prfdata_rule_severity severity);

#endif
