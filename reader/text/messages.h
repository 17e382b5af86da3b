/* SPDX-License-Identifier: MIT */
/*
 * The messages of a library about its work: failures, warnings, notes. Libraries do not print: they
 * add messages to a list that their caller gave them, and return a status. A program prints the
 * messages, at once or at the end; a window shows them where the subject is.
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
    PRFDATA_SEVERITY_ERROR,   /* what was asked for is not done */
    PRFDATA_SEVERITY_WARNING, /* it is done, but something is doubtful or missing */
    PRFDATA_SEVERITY_NOTE,    /* worth knowing */
    PRFDATA_SEVERITY_HINT     /* what takes time, what to try; the text is the whole line */
} prfdata_severity;

typedef struct prfdata_message {
    prfdata_severity severity;
    prfdata_text file;     /* that it is about; without chars: none */
    uint32_t line;         /* in the file; 0: the file as a whole */
    prfdata_text subject;  /* a path, an object, a DLL; without chars: none */
    const char *problem;   /* static storage: the same problem has the same one */
    const char *text;      /* UTF-8, one sentence without subject and full stop */
    uint32_t system_error; /* whose words belong after the text; 0: none */
} prfdata_message;

/* Called with a message at once; it is valid until the return. */
typedef void prfdata_messages_sink(void *context, const prfdata_message *message);

/* {0} is the empty list. */
typedef struct prfdata_messages {
    prfdata_message *items; /* their texts are owned */
    size_t count;
    size_t capacity;
    bool is_incomplete; /* there was no memory for a message */

    /* NULL: messages are kept. Else it gets each, and none is kept: for tasks that run for long. */
    prfdata_messages_sink *sink;
    void (*forget)(void *context); /* NULL, or prfdata_messages_forget() of the sink */
    void *context;                 /* of both */
} prfdata_messages;

/* A message about nothing in particular. */
extern const prfdata_text prfdata_no_subject;

/*
 * Add a message.
 *
 * messages  NULL: the message is not wanted.
 * subject   Copied.
 * format    As printf's, with static storage: it is the problem. The text is cut after 1,023 bytes.
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
 * Add a message with everything that it may have.
 *
 * messages  NULL: the message is not wanted.
 * message   `problem` and `text` are set; everything but `problem` is copied, whole.
 */
void prfdata_messages_put(prfdata_messages *messages, const prfdata_message *message);

/*
 * What was reported is over. A sink that shows each message once shows it again when it comes back.
 *
 * messages  NULL: nobody wants messages.
 */
void prfdata_messages_forget(prfdata_messages *messages);

/*
 * Add an error of a file that a user wrote.
 *
 * line     In the file; 0: the file as a whole.
 * problem  A sentence that says it all; static storage.
 */
void prfdata_messages_put_line(prfdata_messages *messages, prfdata_text file, uint32_t line,
                               prfdata_text subject, const char *problem);

/* Whether both are about the same problem of the same subject, whatever the details. */
bool prfdata_messages_is_same(const prfdata_message *a, const prfdata_message *b);

/* A number that two messages share if they are the same. */
uint64_t prfdata_messages_hash(const prfdata_message *message);

/*
 * Put "file: line 3: subject: text", and " error 5 words" after a system's error: what a program
 * shows of a message. No line end.
 *
 * words  The system's for message->system_error.
 */
void prfdata_messages_write(prfdata_output *output, const prfdata_message *message,
                            prfdata_text words);

/* Release everything; {0} is left. */
void prfdata_messages_free(prfdata_messages *messages);

#endif
