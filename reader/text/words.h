/* SPDX-License-Identifier: MIT */
/*
 * Lists all words that the readers put between names and numbers. They are English unless a program
 * supplies others. prfview supplies those of its user's language, from its resource; prfread and
 * prfcheck stay English, because scripts read what they print.
 */
#ifndef PRFDATA_READER_WORDS_H
#define PRFDATA_READER_WORDS_H

/*
 * Each word with its English text. prfview.rc.in has the same words in English and German, as
 * IDS_WORD_<name>, in the same order.
 */
#define PRFDATA_WORDS_LIST(WORD)                                                                   \
    /* Details: the words between names and numbers. */                                            \
    WORD(VALUE, "Value")                                                                           \
    WORD(NO_VALUE, "none")                                                                         \
    WORD(TYPE, "Type")                                                                             \
    WORD(NOT_PREDEFINED, "not predefined")                                                         \
    WORD(MEANING, "Meaning")                                                                       \
    WORD(FORMULA, "Formula")                                                                       \
    WORD(NUMBERS, "Computed")                                                                      \
    WORD(RAW_SAMPLES, "Raw samples")                                                               \
    WORD(THIS_SAMPLE, "this sample")                                                               \
    WORD(SAMPLE_BEFORE, "previous sample")                                                         \
    WORD(RAW_VALUE, "value")                                                                       \
    WORD(RAW_BASE, "base or second value")                                                         \
    WORD(OBJECT_TIME, "the object's PerfTime")                                                     \
    WORD(OBJECT_FREQUENCY, "the object's PerfFreq")                                                \
    WORD(ALWAYS_ZERO, "always 0")                                                                  \
    WORD(LEVEL, "the raw value")                                                                   \
    WORD(GROWTH, "increase since the previous sample")                                             \
    WORD(AGE, "time since the start time stored in the counter")                                   \
    WORD(IN_SECONDS, ", in seconds")                                                               \
    WORD(BY_TIME, ", divided by the elapsed time")                                                 \
    WORD(BY_SECONDS, ", per second")                                                               \
    WORD(BY_BASE, ", divided by its base")                                                         \
    WORD(BY_BASE_GROWTH, ", divided by the increase of its base")                                  \
    WORD(OF_SEVERAL, ", of several components")                                                    \
    WORD(REST_OF_WHOLE, ", subtracted from the whole")                                             \
    WORD(IN_PERCENT, ", in percent")                                                               \
    WORD(IN_THOUSANDTHS, ", in thousandths")                                                       \
    /* Why a counter has no value (compute/compute.h). */                                          \
    WORD(ONE_SAMPLE, "the value needs a second sample")                                            \
    WORD(NEGATIVE_VALUE, "the counter decreased")                                                  \
    WORD(NEGATIVE_DENOMINATOR, "no time passed, or the time or the base counter decreased")        \
    WORD(NEGATIVE_TIMEBASE, "the provider gives no clock, or no frequency of it")                  \
    WORD(NO_DATA, "no operations in this interval")                                                \
    WORD(NO_OBJECT, "the object is not available now")                                             \
    WORD(NO_COUNTER, "the counter is not available now")                                           \
    WORD(NO_INSTANCE, "the instance is not available now")                                         \
    WORD(INVALID_DATA, "the provider's data is not valid")                                         \
    WORD(NO_FORMULA, "this counter type has no numeric value")                                     \
    WORD(TEXT, "the counter is a text, not a number")                                              \
    WORD(VALID, "the value is valid")                                                              \
    WORD(INVALID_ARGUMENT, "an argument is not correct")                                           \
    WORD(OUT_OF_RANGE, "the value does not fit the format")                                        \
    WORD(UNKNOWN_STATUS, "unknown status")                                                         \
    /* Short words for a cell, in English at most ten ASCII characters. */                         \
    WORD(CELL_NO_OBJECT, "no object")                                                              \
    WORD(CELL_NO_COUNTER, "no counter")                                                            \
    WORD(CELL_NO_INSTANCE, "none")                                                                 \
    WORD(CELL_ONE_SAMPLE, "wait")                                                                  \
    WORD(CELL_NO_DATA, "idle")                                                                     \
    WORD(CELL_NEGATIVE_VALUE, "restarted")                                                         \
    WORD(CELL_NEGATIVE_DENOMINATOR, "no time")                                                     \
    WORD(CELL_NEGATIVE_TIMEBASE, "no clock")                                                       \
    WORD(CELL_INVALID_DATA, "damaged")                                                             \
    WORD(CELL_NO_FORMULA, "no number")                                                             \
    WORD(CELL_OTHER, "no value")                                                                   \
    /* Notes on counter types (compute/counter_formula.h). */                                      \
    WORD(NOTE_TYPE, "counter type ")                                                               \
    WORD(NOTE_NOT_PREDEFINED, " is not predefined")                                                \
    WORD(NOTE_BY_BITS, " by its bits")                                                             \
    WORD(NOTE_CLOCK_PERF, ", D is PerfTime")                                                       \
    WORD(NOTE_CLOCK_100NS, ", D is PerfTime100nSec")                                               \
    WORD(NOTE_CLOCK_OBJECT, ", D is the object's PerfTime")                                        \
    WORD(NOTE_UNKNOWN, "its bits are not documented, so it has no value")                          \
    WORD(NOTE_TEXT, "a text, no number")                                                           \
    WORD(NOTE_NO_DATA, "a label without a value")                                                  \
    WORD(NOTE_HISTOGRAM, "the beginning or the end of a histogram, not a number")                  \
    WORD(NOTE_BASE, "divides the counter before it, and has no value of its own")                  \
    WORD(NOTE_TICKS,                                                                               \
         "N is in ticks of D, so that F is left out; some documents have (D1 - D0) / F")           \
    WORD(NOTE_ONE_COMPONENT, "in percent of one component; older documents divide by B1")          \
    WORD(NOTE_ALL_COMPONENTS, "in percent of all components; some documents do not divide by B1")  \
    WORD(NOTE_LENGTH, "a length; an older document multiplies it by F")                            \
    WORD(NOTE_SAMPLES, "per second; no document says what its PERF_SAMPLE_BASE is for")            \
    WORD(NOTE_DOUBLE, "called PERF_DOUBLE_RAW by WMI; read as a floating-point number of 8 bytes") \
    WORD(NOTE_LARGE_BASE,                                                                          \
         "WMI's list calls it PERF_LARGE_RAW_BASE, which is 0x40030500 in winperf.h; both divide " \
         "the counter before them")                                                                \
    /* Damage of a block (block/decode.h). */                                                      \
    WORD(DAMAGE_BYTE, "byte ")                                                                     \
    WORD(DAMAGE_IS, " is ")                                                                        \
    WORD(DAMAGE_NOTHING_FITS, ", and nothing would fit")                                           \
    WORD(DAMAGE_MUST_BE, ", must be ")                                                             \
    WORD(DAMAGE_OR, " or ")                                                                        \
    WORD(DAMAGE_AT_LEAST, ", must be at least ")                                                   \
    WORD(DAMAGE_ALLOWED, ", allowed is ")                                                          \
    WORD(DAMAGE_TO, " to ")                                                                        \
    /* Meanings of the fields of a block (block/dump.h). */                                        \
    WORD(DUMP_NONE, "none")                                                                        \
    WORD(DUMP_NOVICE, "novice")                                                                    \
    WORD(DUMP_ADVANCED, "advanced")                                                                \
    WORD(DUMP_EXPERT, "expert")                                                                    \
    WORD(DUMP_WIZARD, "wizard")                                                                    \
    WORD(DUMP_NO_INSTANCES, "object without instances")                                            \
    WORD(DUMP_METADATA_INSTANCES, "metadata of an object with instances")                          \
    WORD(DUMP_METADATA_NO_INSTANCES, "metadata of an object without instances")                    \
    WORD(DUMP_NO_INSTANCE_NOW, "none now")                                                         \
    WORD(DUMP_UTF_16, "UTF-16 names")                                                              \
    WORD(DUMP_TEXT, "text")                                                                        \
    WORD(DUMP_VALUE_4, "value of 4 bytes")                                                         \
    WORD(DUMP_VALUE_8, "value of 8 bytes")                                                         \
    WORD(DUMP_BASE, "(base)")                                                                      \
    /* Why a part of a recording cannot be read (block/recording.h, block/saved_block.h). */       \
    WORD(FILE_SAMPLE_CUT, "a sample of the recording is cut short")                                \
    WORD(FILE_SAMPLE_LATER,                                                                        \
         "a sample of the recording has a later version, so read the file with a later program")   \
    WORD(FILE_FOREIGN, "the recording is followed by bytes that do not belong to it")              \
    WORD(FILE_NO_TITLES, "the bytes after the block are not titles of prfread")                    \
    WORD(FILE_TITLES_CUT, "the titles are cut short")                                              \
    WORD(FILE_TITLES_LATER,                                                                        \
         "the titles have a later version, so read the file with a later prfread")                 \
    WORD(FILE_TITLES_ORDER,                                                                        \
         "an index of the titles is not a number, or not greater than the one before")             \
    WORD(FILE_TITLES_EMPTY, "a title is empty")                                                    \
    WORD(FILE_TITLES_MORE, "something follows the last title")                                     \
    WORD(FILE_TITLES_ODD, "the titles have an odd number of bytes")                                \
    WORD(FILE_TITLES_HEADER, "the header of the titles is damaged")                                \
    /* Why two files do not belong together (source/file_pair.h). */                               \
    WORD(PAIR_COMPUTER, "is of the computer ")                                                     \
    WORD(PAIR_AND, ", and ")                                                                       \
    WORD(PAIR_OF_COMPUTER, " of ")                                                                 \
    WORD(PAIR_ONE_AT_A_TIME, ". Read them one at a time")                                          \
    WORD(PAIR_CLOCK, "has a clock of ")                                                            \
    WORD(PAIR_TICKS, " ticks a second")                                                            \
    WORD(PAIR_OF_CLOCK, " of ")                                                                    \
    WORD(PAIR_OTHER_CLOCK,                                                                         \
         ", because the computer was started with another clock source between them")              \
    WORD(PAIR_OR_COMPUTERS, ", or they are of different computers")                                \
    WORD(PAIR_TITLE, "calls title ")                                                               \
    WORD(PAIR_CALLS_IT, " calls it ")                                                              \
    WORD(PAIR_INSTALLED, ", because counters were installed between them")                         \
    WORD(PAIR_OLDER, "is older than the other file, but -file takes the older one first")          \
    WORD(PAIR_RESTARTED, "its clock does not continue the clock of the other file. If the "        \
                         "computer was restarted between them, differences and rates are wrong")   \
    WORD(PAIR_NO_MATCH, "does not go with the other file")                                         \
    /* Why an object is missing (source/absent_object.h). */                                       \
    WORD(ABSENT_ONE_OF, "it belongs to the service ")                                              \
    WORD(ABSENT_DISABLED, "which is disabled")                                                     \
    WORD(ABSENT_NO_DLL, "which has no DLL registered")                                             \
    WORD(ABSENT_DLL_MISSING, "whose DLL is not there")                                             \
    WORD(ABSENT_DLL_64_BIT, "whose DLL is for 64-bit readers")                                     \
    WORD(ABSENT_NO_TITLES, "whose titles are not loaded")                                          \
    WORD(ABSENT_NOT_SHOWN, "whose provider did not show it")                                       \
    WORD(ABSENT_INSTALLER, "<its installer>")                                                      \
    WORD(ABSENT_SAYS_MORE, " says more")                                                           \
    /* Mistakes in a command line (text/arguments.h, viewer/view_options.h). */                    \
    WORD(ARGUMENT_NO_VALUE, "a value is missing after it")                                         \
    WORD(ARGUMENT_UNKNOWN, "no such option")                                                       \
    WORD(ARGUMENT_NUMBER, "a number is expected")                                                  \
    WORD(ARGUMENT_INTERVAL, "0.2 to 60 seconds are expected")                                      \
    WORD(ARGUMENT_COMPUTER, "the name of a computer is expected")                                  \
    WORD(ARGUMENT_TOO_MANY, "at most 64 counters are allowed")                                     \
    WORD(ARGUMENT_FILE_HERE, "-file and another computer exclude each other; leave out one of "    \
                             "them")

#define PRFDATA_WORD_NAME(name, english) PRFDATA_WORD_##name,

typedef enum prfdata_word { PRFDATA_WORDS_LIST(PRFDATA_WORD_NAME) PRFDATA_WORDS } prfdata_word;

/*
 * Use other words from now on. A program calls this once, before it begins threads.
 * words  PRFDATA_WORDS of them, UTF-8, in static storage; NULL: English.
 */
void prfdata_words_use(const char *const *words);

/* Return a word, UTF-8 in static storage. */
const char *prfdata_words_get(prfdata_word word);

#endif
