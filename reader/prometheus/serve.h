/* SPDX-License-Identifier: MIT */
/*
 * Answers Prometheus over HTTP, with one thread. There may be any number of clients, and none of
 * them is trusted.
 *
 *     problem = prfdata_serve_open(&wanted, &server, &status);
 *     prfdata_serve_run(server, prfdata_os_milliseconds, has_stopped, context);
 *     prfdata_serve_close(server);
 *
 * What bounds its time and memory:
 *
 * - PRFDATA_SERVE_CONNECTIONS at once, each with room for one request, and PRFDATA_SERVE_PER_PEER
 *   of one peer. Beyond that a connection makes room for the new one: one of the same peer, or one
 *   of the peer that has most. It is one whose answer is sent, or else the slowest: the one that
 *   has taken longest so far to ask or to receive its answer.
 * - A request may take PRFDATA_SERVE_REQUEST_MS to arrive, its answer PRFDATA_SERVE_ANSWER_MS to be
 *   received. One request per connection.
 * - PRFDATA_SERVE_TEXTS texts at once. Requests within PRFDATA_SERVE_SHARE_MS get the same one.
 * When there is no room for another, the connections that still read the oldest one are closed.
 *
 * The caller passes the time, so that tests need not wait, and makes the answers.
 */
#ifndef PRFDATA_READER_SERVE_H
#define PRFDATA_READER_SERVE_H

#include "os/net.h"
#include "prometheus/http.h"
#include "prometheus/open_metrics.h"

#define PRFDATA_SERVE_CONNECTIONS 256
#define PRFDATA_SERVE_PER_PEER    64 /* of the connections; a proxy in front needs several */
#define PRFDATA_SERVE_TEXTS       16

#define PRFDATA_SERVE_REQUEST_MS 10000
#define PRFDATA_SERVE_ANSWER_MS  30000
#define PRFDATA_SERVE_SHARE_MS   100

/*
 * Put the text for a scrape.
 *
 * timeout_ms  When the client gives up, counted from now; 0: it did not say.
 *
 * Returns false if there is none: the client gets status 503.
 */
typedef bool prfdata_serve_produce(void *context, prfdata_dialect dialect, uint32_t timeout_ms,
                                   prfdata_output *output);

/* What to serve, and where. */
typedef struct prfdata_serve_wanted {
    prfdata_net_address address;    /* port 0: any free port */
    prfdata_http_names names;       /* of this computer; borrowed until the server is closed */
    prfdata_serve_produce *produce; /* called during prfdata_serve_step() */
    void *context;                  /* for produce() */
} prfdata_serve_wanted;

typedef struct prfdata_serve_figures {
    uint32_t connections; /* now */
    uint32_t texts;       /* now */
    uint64_t accepted;    /* since the start */
    uint64_t produced;
    uint64_t evicted; /* connections that made room for others */
    uint64_t expired; /* connections that took too long */
} prfdata_serve_figures;

typedef struct prfdata_serve prfdata_serve;

/*
 * Listen.
 *
 * wanted         Copied.
 * server         On success the new server; untouched on failure.
 * system_status  On failure the system's error, or 0 if it has none.
 *
 * Returns PRFDATA_NET_OK or what is wrong.
 *
 * Owner:   the caller; prfdata_serve_close().
 * Threads: one at a time for one server.
 */
prfdata_net_problem prfdata_serve_open(const prfdata_serve_wanted *wanted, prfdata_serve **server,
                                       uint32_t *system_status);

/* The port, also if port 0 was asked for. */
uint16_t prfdata_serve_port(const prfdata_serve *server);

/*
 * Wait until something happens on a connection, at most `wait_ms`, and handle it.
 *
 * clock_ms  Does not go backwards. What a scrape takes is nobody's delay: no client's time for its
 *           request or its answer runs meanwhile, and a text is new when it is there.
 */
void prfdata_serve_step(prfdata_serve *server, uint64_t (*clock_ms)(void), uint32_t wait_ms);

/* Serve until has_stopped() returns true; it is called five times a second at least. */
void prfdata_serve_run(prfdata_serve *server, uint64_t (*clock_ms)(void),
                       bool (*has_stopped)(void *context), void *context);

prfdata_serve_figures prfdata_serve_look(const prfdata_serve *server);

/* Close all connections and release the server; NULL is allowed. */
void prfdata_serve_close(prfdata_serve *server);

#endif
