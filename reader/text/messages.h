/* SPDX-License-Identifier: MIT */
/*
 * Collects the messages of a library about its work: failures, warnings, notes. Libraries do not
 * print. They add messages to a list that their caller gave them, and return a status. A program
 * prints the messages, at once or at the end; a window shows them next to their subject.
 *
 *     prfdata_messages_add(messages, PRFDATA_SEVERITY_ERROR, path, "character %u: %s", position,
 *                          reason);
 *     return ERROR_INVALID_PARAMETER;
 */
#ifndef PRFDATA_MESSAGES_H
#define PRFDATA_MESSAGES_H

#include "base/compiler.h"
#include "text/output.h"

typedef enum prfdata_severity {
    PRFDATA_SEVERITY_ERROR,   /* the request was not done */
    PRFDATA_SEVERITY_WARNING, /* the request was done, but something is doubtful or missing */
    PRFDATA_SEVERITY_NOTE,    /* information for the user */
    PRFDATA_SEVERITY_HINT     /* an address, a result or a suggestion; the text is the whole line */
} prfdata_severity;

typedef struct prfdata_message {
    prfdata_severity severity;
    prfdata_text file;     /* the file that the message is about; empty: none */
    uint32_t line;         /* line in the file; 0: the whole file */
    prfdata_text subject;  /* a path, an object, a DLL; empty: none */
    const char *problem;   /* static storage; identifies the problem */
    const char *text;      /* UTF-8, one sentence without subject and full stop */
    uint32_t system_error; /* the system's error, whose words belong after the text; 0: none */
} prfdata_message;

/* Called for each message when it is added; the message is valid until the return. */
typedef void prfdata_messages_sink(void *context, const prfdata_message *message);

/* {0} is the empty list. */
typedef struct prfdata_messages {
    prfdata_message *items; /* the items own their texts */
    size_t count;
    size_t capacity;
    bool is_incomplete; /* there was no memory for a message */

    /*
     * NULL: messages are kept. Otherwise the sink gets each message, and none is kept, so that
     * tasks that run for long need no memory for them.
     */
    prfdata_messages_sink *sink;
    /* NULL, or the sink's implementation of prfdata_messages_forget(). */
    void (*forget)(void *context);
    void *context; /* argument of `sink` and of `forget` */
} prfdata_messages;

/* The subject of a message about nothing in particular. */
extern const prfdata_text prfdata_no_subject;

/*
 * Add a message.
 *
 * messages  NULL: the message is not wanted.
 * subject   Copied.
 * format    As for printf, with static storage, because it is also stored as `problem`. The text is
 *           cut after 1,023 bytes.
 */
void prfdata_messages_add(prfdata_messages *messages, prfdata_severity severity,
                          prfdata_text subject, const char *format, ...) PRFDATA_PRINTF(4, 5);

/*
 * Add an error that the system reported.
 *
 * system_error  A Win32 code; the program adds the system's words for it.
 * format        What failed, such as "cannot read the file".
 */
void prfdata_messages_add_system(prfdata_messages *messages, prfdata_text subject,
                                 uint32_t system_error, const char *format, ...)
    PRFDATA_PRINTF(4, 5);

/*
 * Add a message with all fields.
 *
 * messages  NULL: the message is not wanted.
 * message   `problem` and `text` must be set; everything except `problem` is copied, without
 *           cutting.
 */
void prfdata_messages_put(prfdata_messages *messages, const prfdata_message *message);

/*
 * Note that the reported problems are over. A sink that shows each message once will show it again
 * if it occurs again.
 *
 * messages  NULL: messages are not wanted.
 */
void prfdata_messages_forget(prfdata_messages *messages);

/*
 * Add an error in a file that a user wrote.
 *
 * line     The line in the file; 0: the whole file.
 * problem  The complete message; static storage.
 */
void prfdata_messages_put_line(prfdata_messages *messages, prfdata_text file, uint32_t line,
                               prfdata_text subject, const char *problem);

/* Returns whether both messages have the same severity, problem, file, line and subject. */
bool prfdata_messages_is_same(const prfdata_message *a, const prfdata_message *b);

/* Return a number that is equal for messages that prfdata_messages_is_same() treats as the same. */
uint64_t prfdata_messages_hash(const prfdata_message *message);

/* Put a text, with its invisible characters and special blanks shown as escapes such as \n or
 * \u200B. So the text cannot imitate other lines of output. */
void prfdata_messages_put_shown(prfdata_output *output, prfdata_text text);

/*
 * Put a message as a program shows it: "file: line 3: subject: text", followed by ": error 5 words"
 * if the system reported an error. Puts no line end.
 *
 * words  The system's words for message->system_error.
 */
void prfdata_messages_write(prfdata_output *output, const prfdata_message *message,
                            prfdata_text words);

/* Release everything and leave {0}. */
void prfdata_messages_free(prfdata_messages *messages);

#endif
