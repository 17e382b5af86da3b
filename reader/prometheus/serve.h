/* SPDX-License-Identifier: MIT */
/*
 * Answers Prometheus over HTTP, with one thread. There may be any number of clients, and none of
 * them is trusted.
 *
 *     problem = prfdata_serve_open(&wanted, &server, &status);
 *     prfdata_serve_run(server, prfdata_os_milliseconds, has_stopped, context);
 *     prfdata_serve_close(server);
 *
 * Time and memory are limited:
 *
 * - There are at most PRFDATA_SERVE_CONNECTIONS connections, each with room for one request, and at
 *   most PRFDATA_SERVE_PER_PEER of one peer. If a peer opens too many, one of its connections is
 *   closed. If there are too many in all, a connection of the peer with the most connections is
 *   closed. A connection whose answer has been sent is closed first. If the peer has no such
 *   connection, the one that has taken longest to ask or to receive its answer is closed.
 * - A request must arrive within PRFDATA_SERVE_REQUEST_MS, and its answer must be received within
 *   PRFDATA_SERVE_ANSWER_MS. Each connection serves one request.
 * - There are at most PRFDATA_SERVE_TEXTS texts. Requests for the same dialect within
 *   PRFDATA_SERVE_SHARE_MS get the same text. But a text that lacks counters is not given to a
 *   client with more time than the client for which it was made. If there is no room for another
 *   text, the connections that still read the oldest text are closed.
 *
 * The caller makes the texts.
 */
#ifndef PRFDATA_READER_SERVE_H
#define PRFDATA_READER_SERVE_H

#include "os/net.h"
#include "prometheus/http.h"
#include "prometheus/open_metrics.h"

#define PRFDATA_SERVE_CONNECTIONS 256
#define PRFDATA_SERVE_PER_PEER    64 /* connections of one peer; a proxy in front needs several */
#define PRFDATA_SERVE_TEXTS       16

#define PRFDATA_SERVE_REQUEST_MS 10000
#define PRFDATA_SERVE_ANSWER_MS  30000
#define PRFDATA_SERVE_SHARE_MS   100

typedef enum prfdata_serve_result {
    PRFDATA_SERVE_FAILED,   /* there is no text; the client gets status 503 */
    PRFDATA_SERVE_PARTIAL,  /* counters are missing; more time might have given them */
    PRFDATA_SERVE_COMPLETE, /* more time would not give more counters */
} prfdata_serve_result;

/*
 * Put the text for a scrape.
 *
 * timeout_ms  The time after which the client gives up; 0: the client did not say it.
 */
typedef prfdata_serve_result prfdata_serve_produce(void *context, prfdata_dialect dialect,
                                                   uint32_t timeout_ms, prfdata_output *output);

/* A text that was made for a client with the time limit `made_ms` may lack counters. Returns
 * whether a client with the time limit `timeout_ms` may get this text. For both limits, 0 means
 * that the client did not say its limit. */
bool prfdata_serve_may_share(uint32_t made_ms, uint32_t timeout_ms);

typedef struct prfdata_serve_wanted {
    prfdata_net_address address; /* port 0: any free port */
    prfdata_http_names names;    /* names of this computer; borrowed until the server is closed */
    prfdata_serve_produce *produce; /* called during prfdata_serve_step() */
    void *context;
} prfdata_serve_wanted;

typedef struct prfdata_serve_figures {
    uint32_t connections; /* current number */
    uint32_t texts;       /* current number */
    uint64_t accepted;    /* total since the start */
    uint64_t produced;
    uint64_t evicted; /* connections closed to make room for others or for a text */
    uint64_t expired; /* connections whose request or answer was not complete in time */
} prfdata_serve_figures;

typedef struct prfdata_serve prfdata_serve;

/*
 * Listen.
 *
 * wanted         Copied.
 * server         On success the new server; untouched on failure.
 * system_status  On failure the system's error, or 0 if it has none.
 *
 * Returns PRFDATA_NET_OK or the problem. Owner: the caller; prfdata_serve_close(). Threads: one at
 * a time for one server.
 */
prfdata_net_problem prfdata_serve_open(const prfdata_serve_wanted *wanted, prfdata_serve **server,
                                       uint32_t *system_status);

/* Return the port, which is useful if port 0 was asked for. */
uint16_t prfdata_serve_port(const prfdata_serve *server);

/*
 * Wait until something happens on a connection, at most `wait_ms`, and handle it.
 *
 * clock_ms  Must not go backwards. While a scrape is made, the time limits of clients do not run.
 *           The age of a text is counted from the time when it was finished.
 */
void prfdata_serve_step(prfdata_serve *server, uint64_t (*clock_ms)(void), uint32_t wait_ms);

/* Serve until has_stopped() returns true. has_stopped() is called at least five times a second,
 * except while a text is made. */
void prfdata_serve_run(prfdata_serve *server, uint64_t (*clock_ms)(void),
                       bool (*has_stopped)(void *context), void *context);

prfdata_serve_figures prfdata_serve_look(const prfdata_serve *server);

/* Close all connections and release the server; NULL is allowed. */
void prfdata_serve_close(prfdata_serve *server);

#endif
