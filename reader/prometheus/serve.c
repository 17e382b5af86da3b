/* SPDX-License-Identifier: MIT */
/*
 * Takes each connection through its states (reading, sending, lingering) in one loop over all
 * sockets. The loop blocks only while it waits for the next event, and while the caller makes a
 * text. http.c handles HTTP.
 */
#include "prometheus/serve.h"

#include <stdlib.h>
#include <string.h>

#define WAIT_MS   200  /* longest wait between two calls of has_stopped() */
#define LINGER_MS 2000 /* time in which the client must close after its answer was sent */
/* Number of bytes that the client may still send during LINGER_MS. */
#define LINGER_BYTES   65536
#define ACCEPT_AT_ONCE 64
#define SEND_AT_ONCE   262144
#define SHORT_MS       100 /* pause after the system has refused a socket or a wait */

/* The result of a scrape, shared by clients that asked at about the same time. */
typedef struct served_text {
    uint32_t readers;
    uint32_t timeout_ms; /* time limit of the client for which the text was made; 0: not said */
    bool is_used;
    prfdata_serve_result result;
    prfdata_dialect dialect;
    uint64_t made_ms;
    prfdata_output output;
} served_text;

typedef enum connection_state {
    STATE_FREE,
    STATE_READING,
    STATE_SENDING,
    STATE_LINGERING /* everything was sent; input is discarded until the client closes */
} connection_state;

typedef struct connection {
    connection_state state;
    prfdata_net_socket socket;
    prfdata_net_peer peer;
    uint64_t number; /* number among all accepted connections */
    /* Time when the state began, moved forward by the duration of each scrape since then. */
    uint64_t since_ms;
    uint64_t deadline_ms;
    prfdata_http_parser parser;
    /* Number of bytes in `head`; in STATE_LINGERING, number of discarded bytes. */
    size_t head_used;
    size_t sent;
    size_t reply_bytes; /* size of the answer's head, or of a refusal */
    const char *body;   /* body after the head; NULL: none */
    size_t body_bytes;
    served_text *text; /* owner of `body`, or NULL */
    /* The connection seemed ready, but nothing could be sent. So the loop tries again after each
     * wait, and does not wait for this connection. */
    bool is_stuck;
    char reply[PRFDATA_HTTP_REPLY_BYTES];
    char head[PRFDATA_HTTP_HEAD_BYTES];
} connection;

struct prfdata_serve {
    prfdata_serve_wanted wanted;
    prfdata_net_socket listener;
    uint16_t port;
    uint64_t (*clock_ms)(void);
    uint64_t now_ms;
    /* Accept nothing before this time, because the system had no free socket. */
    uint64_t accept_from_ms;
    prfdata_serve_figures figures;
    served_text texts[PRFDATA_SERVE_TEXTS];
    connection connections[PRFDATA_SERVE_CONNECTIONS];
    /* The last event is that of the listener. */
    prfdata_net_event events[PRFDATA_SERVE_CONNECTIONS + 1];
};

prfdata_net_problem prfdata_serve_open(const prfdata_serve_wanted *wanted, prfdata_serve **server,
                                       uint32_t *system_status)
{
    prfdata_serve *made = calloc(1, sizeof *made);
    prfdata_net_problem problem;

    *system_status = 0;
    if (!made)
        return PRFDATA_NET_NO_MEMORY;
    if (!prfdata_net_start()) {
        free(made);
        return PRFDATA_NET_FAILED;
    }
    problem = prfdata_net_listen(&wanted->address, &made->listener, &made->port, system_status);
    if (problem != PRFDATA_NET_OK) {
        prfdata_net_stop();
        free(made);
        return problem;
    }
    made->wanted = *wanted;
    *server = made;
    return PRFDATA_NET_OK;
}

uint16_t prfdata_serve_port(const prfdata_serve *server)
{
    return server->port;
}

prfdata_serve_figures prfdata_serve_look(const prfdata_serve *server)
{
    return server->figures;
}

/* ---- Texts ---- */

static void forget_text(prfdata_serve *s, served_text *t)
{
    prfdata_output_free(&t->output);
    t->is_used = false;
    s->figures.texts--;
}

static bool is_fresh_text(const prfdata_serve *s, const served_text *t)
{
    return t->is_used && s->now_ms - t->made_ms <= PRFDATA_SERVE_SHARE_MS;
}

static void forget_old_texts(prfdata_serve *s)
{
    for (size_t i = 0; i < PRFDATA_SERVE_TEXTS; i++) {
        if (s->texts[i].is_used && s->texts[i].readers == 0 && !is_fresh_text(s, &s->texts[i]))
            forget_text(s, &s->texts[i]);
    }
}

static void leave_text(connection *c)
{
    if (c->text)
        c->text->readers--;
    c->text = NULL;
    c->is_stuck = false;
}

static void close_connection(prfdata_serve *s, connection *c)
{
    prfdata_net_close(c->socket);
    leave_text(c);
    c->state = STATE_FREE;
    s->figures.connections--;
}

/* Find room for a text: an unused place, otherwise the place of the oldest text. Connections that
 * still read the oldest text are closed. */
static served_text *take_text_room(prfdata_serve *s)
{
    served_text *oldest = NULL;

    forget_old_texts(s);
    for (size_t i = 0; i < PRFDATA_SERVE_TEXTS; i++) {
        served_text *t = &s->texts[i];

        if (!t->is_used)
            return t;
        if (!oldest || t->made_ms < oldest->made_ms)
            oldest = t;
    }
    for (size_t i = 0; i < PRFDATA_SERVE_CONNECTIONS; i++) {
        connection *c = &s->connections[i];

        if (c->state != STATE_FREE && c->text == oldest) {
            close_connection(s, c);
            s->figures.evicted++;
        }
    }
    forget_text(s, oldest);
    return oldest;
}

/* Produce a text. Deadlines move, because all clients wait until the text is ready. */
static void produce_text(prfdata_serve *s, uint32_t timeout_ms, served_text *t)
{
    const uint64_t begin_ms = s->clock_ms();

    t->timeout_ms = timeout_ms;
    t->result = s->wanted.produce(s->wanted.context, t->dialect, timeout_ms, &t->output);
    if (t->output.failed)
        t->result = PRFDATA_SERVE_FAILED;
    if (t->result == PRFDATA_SERVE_FAILED)
        prfdata_output_free(&t->output);
    s->now_ms = s->clock_ms();
    t->made_ms = s->now_ms;
    for (size_t i = 0; i < PRFDATA_SERVE_CONNECTIONS; i++) {
        s->connections[i].deadline_ms += s->now_ms - begin_ms;
        s->connections[i].since_ms += s->now_ms - begin_ms;
    }
}

bool prfdata_serve_may_share(uint32_t made_ms, uint32_t timeout_ms)
{
    return made_ms == 0 || (timeout_ms != 0 && timeout_ms <= made_ms);
}

/*
 * Get a fresh text in this dialect. Its `result` says whether producing the text failed. If a text
 * lacks counters, clients with more time than the text's first client do not get it.
 */
static served_text *get_fresh_text(prfdata_serve *s, prfdata_dialect dialect, uint32_t timeout_ms)
{
    served_text *t;

    for (size_t i = 0; i < PRFDATA_SERVE_TEXTS; i++) {
        t = &s->texts[i];
        if (!is_fresh_text(s, t) || t->dialect != dialect)
            continue;
        if (t->result == PRFDATA_SERVE_COMPLETE ||
            prfdata_serve_may_share(t->timeout_ms, timeout_ms))
            return t;
        if (t->readers == 0)
            forget_text(s, t);
    }
    t = take_text_room(s);
    memset(t, 0, sizeof *t);
    t->is_used = true;
    t->dialect = dialect;
    s->figures.texts++;
    s->figures.produced++;
    produce_text(s, timeout_ms, t);
    return t;
}

/* ---- Answers ---- */

static void begin_state(const prfdata_serve *s, connection *c, connection_state state,
                        uint32_t limit_ms)
{
    c->state = state;
    c->since_ms = s->now_ms;
    c->deadline_ms = s->now_ms + limit_ms;
}

static void refuse_request(prfdata_serve *s, connection *c, unsigned status, bool is_head)
{
    c->reply_bytes = prfdata_http_put_refusal(c->reply, status, is_head);
    c->body_bytes = 0;
    begin_state(s, c, STATE_SENDING, PRFDATA_SERVE_ANSWER_MS);
}

static void answer_request(prfdata_serve *s, connection *c, const prfdata_http_request *request)
{
    const prfdata_dialect dialect =
        request->wants_open_metrics ? PRFDATA_DIALECT_OPEN_METRICS : PRFDATA_DIALECT_PROMETHEUS;
    const char *content_type;

    if (request->page == PRFDATA_HTTP_INDEX) {
        c->body = prfdata_http_index(&c->body_bytes, &content_type);
    } else {
        served_text *t = get_fresh_text(s, dialect, request->timeout_ms);

        if (t->result == PRFDATA_SERVE_FAILED) {
            refuse_request(s, c, PRFDATA_HTTP_UNAVAILABLE, request->is_head);
            return;
        }
        t->readers++;
        c->text = t;
        c->body = t->output.bytes;
        c->body_bytes = t->output.used;
        content_type = prfdata_open_metrics_content_type(dialect);
    }
    c->reply_bytes = prfdata_http_put_head(c->reply, content_type, c->body_bytes);
    if (request->is_head)
        c->body_bytes = 0;
    begin_state(s, c, STATE_SENDING, PRFDATA_SERVE_ANSWER_MS);
}

/*
 * End the answer, and wait for the client to close. If the server closed first while the client was
 * still sending, the system would reset the connection, and the client could lose the answer.
 */
static void linger_on_connection(prfdata_serve *s, connection *c)
{
    prfdata_net_end_send(c->socket);
    leave_text(c);
    c->head_used = 0;
    begin_state(s, c, STATE_LINGERING, LINGER_MS);
}

static void send_answer_part(prfdata_serve *s, connection *c)
{
    /* The most bytes to send before it is the turn of other connections. */
    size_t budget = SEND_AT_ONCE;

    while (c->sent < c->reply_bytes + c->body_bytes) {
        const char *from = c->reply + c->sent;
        size_t size = c->reply_bytes - c->sent;
        intptr_t count;

        if (c->sent >= c->reply_bytes) {
            from = c->body + (c->sent - c->reply_bytes);
            size = c->body_bytes - (c->sent - c->reply_bytes);
        }
        if (size > budget)
            size = budget;
        if (size == 0)
            return;
        count = prfdata_net_send(c->socket, from, size);
        if (count == PRFDATA_NET_LATER)
            return;
        if (count <= 0) {
            close_connection(s, c);
            return;
        }
        c->sent += (size_t)count;
        budget -= (size_t)count;
    }
    linger_on_connection(s, c);
}

/*
 * Send a part of the answer, and note if nothing could be sent. If a client has ended sending,
 * Winsock reports its connection as ready even if there is no room to send.
 */
static void send_answer_if_ready(prfdata_serve *s, connection *c)
{
    size_t before = c->sent;

    send_answer_part(s, c);
    c->is_stuck = c->state == STATE_SENDING && c->sent == before;
}

static void receive_request_part(prfdata_serve *s, connection *c)
{
    for (;;) {
        prfdata_http_request request;
        intptr_t count =
            prfdata_net_receive(c->socket, c->head + c->head_used, sizeof c->head - c->head_used);
        unsigned status;

        if (count == PRFDATA_NET_LATER)
            return;
        if (count <= 0) {
            close_connection(s, c);
            return;
        }
        c->head_used += (size_t)count;
        status = prfdata_http_parse(&c->parser, c->head, c->head_used, &s->wanted.names, &request);
        if (status == PRFDATA_HTTP_MORE)
            continue;
        if (status == PRFDATA_HTTP_OK)
            answer_request(s, c, &request);
        else
            refuse_request(s, c, status, request.is_head);
        send_answer_part(s, c);
        return;
    }
}

static void discard_received(prfdata_serve *s, connection *c)
{
    while (c->head_used < LINGER_BYTES) {
        intptr_t count = prfdata_net_receive(c->socket, c->head, sizeof c->head);

        if (count == PRFDATA_NET_LATER)
            return;
        if (count <= 0)
            break;
        c->head_used += (size_t)count;
    }
    close_connection(s, c);
}

/* ---- Connections ---- */

static connection *find_free_connection(prfdata_serve *s)
{
    for (size_t i = 0; i < PRFDATA_SERVE_CONNECTIONS; i++) {
        if (s->connections[i].state == STATE_FREE)
            return &s->connections[i];
    }
    return NULL;
}

static size_t count_of_peer(const prfdata_serve *s, prfdata_net_peer peer)
{
    size_t count = 0;

    for (size_t i = 0; i < PRFDATA_SERVE_CONNECTIONS; i++)
        count += s->connections[i].state != STATE_FREE && s->connections[i].peer == peer;
    return count;
}

/* Returns whether to close `c` rather than `other` to make room for a new connection. */
static bool is_first_to_go(const prfdata_serve *s, const connection *c, const connection *other)
{
    const size_t count = count_of_peer(s, c->peer);
    const size_t other_count = count_of_peer(s, other->peer);

    if (count != other_count)
        return count > other_count;
    if ((c->state == STATE_LINGERING) != (other->state == STATE_LINGERING))
        return c->state == STATE_LINGERING;
    return c->since_ms != other->since_ms ? c->since_ms < other->since_ms
                                          : c->number < other->number;
}

/* Close a connection of this peer. If `peer` is NULL, close a connection of any peer. */
static void evict_connection(prfdata_serve *s, const prfdata_net_peer *peer)
{
    connection *found = NULL;

    for (size_t i = 0; i < PRFDATA_SERVE_CONNECTIONS; i++) {
        connection *c = &s->connections[i];

        if (c->state != STATE_FREE && (!peer || c->peer == *peer) &&
            (!found || is_first_to_go(s, c, found)))
            found = c;
    }
    close_connection(s, found);
    s->figures.evicted++;
}

static void accept_connections(prfdata_serve *s)
{
    for (size_t i = 0; i < ACCEPT_AT_ONCE && s->now_ms >= s->accept_from_ms; i++) {
        bool is_short;
        prfdata_net_peer peer = 0;
        prfdata_net_socket taken = prfdata_net_accept(s->listener, &peer, &is_short);
        connection *c;

        if (is_short)
            s->accept_from_ms = s->now_ms + SHORT_MS;
        if (taken == PRFDATA_NET_NONE)
            return;
        if (count_of_peer(s, peer) >= PRFDATA_SERVE_PER_PEER)
            evict_connection(s, &peer);
        else if (!find_free_connection(s))
            evict_connection(s, NULL);
        c = find_free_connection(s);
        if (!c)
            /* Cannot happen, because a connection was freed if there were too many. This is for the
             * compiler. */
            return;
        memset(c, 0, offsetof(connection, reply));
        begin_state(s, c, STATE_READING, PRFDATA_SERVE_REQUEST_MS);
        c->socket = taken;
        c->peer = peer;
        c->number = s->figures.accepted++;
        s->figures.connections++;
        /* Read at once, because the request has often arrived already. */
        receive_request_part(s, c);
    }
}

static void expire_connection(prfdata_serve *s, connection *c)
{
    s->figures.expired += c->state != STATE_LINGERING;
    if (c->state != STATE_READING) {
        close_connection(s, c);
        return;
    }
    refuse_request(s, c, PRFDATA_HTTP_TIMEOUT, false);
    send_answer_part(s, c);
}

/* ---- The loop ---- */

/* Returns the longest time to wait. */
static uint32_t prepare_net_events(prfdata_serve *s, uint32_t wait_ms)
{
    prfdata_net_event *listener = &s->events[PRFDATA_SERVE_CONNECTIONS];

    for (size_t i = 0; i < PRFDATA_SERVE_CONNECTIONS; i++) {
        const connection *c = &s->connections[i];
        prfdata_net_event *event = &s->events[i];

        event->socket = c->state == STATE_FREE || c->is_stuck ? PRFDATA_NET_NONE : c->socket;
        event->wants_send = c->state == STATE_SENDING;
        event->wants_receive = c->state != STATE_SENDING;
        event->is_ready = false;
        if (c->state != STATE_FREE && c->deadline_ms < s->now_ms + wait_ms)
            wait_ms = c->deadline_ms > s->now_ms ? (uint32_t)(c->deadline_ms - s->now_ms) : 0;
    }
    listener->socket = s->now_ms >= s->accept_from_ms ? s->listener : PRFDATA_NET_NONE;
    listener->wants_receive = true;
    listener->wants_send = false;
    listener->is_ready = false;
    if (s->accept_from_ms > s->now_ms && wait_ms > SHORT_MS)
        wait_ms = SHORT_MS;
    return wait_ms;
}

void prfdata_serve_step(prfdata_serve *server, uint64_t (*clock_ms)(void), uint32_t wait_ms)
{
    prfdata_serve *s = server;

    s->clock_ms = clock_ms;
    s->now_ms = clock_ms();
    wait_ms = prepare_net_events(s, wait_ms);
    if (!prfdata_net_wait(s->events, PRFDATA_SERVE_CONNECTIONS + 1, wait_ms))
        s->accept_from_ms = s->now_ms + SHORT_MS;
    for (size_t i = 0; i < PRFDATA_SERVE_CONNECTIONS; i++) {
        connection *c = &s->connections[i];

        if (!s->events[i].is_ready && !c->is_stuck)
            continue;
        if (c->state == STATE_READING)
            receive_request_part(s, c);
        else if (c->state == STATE_SENDING)
            send_answer_if_ready(s, c);
        else if (c->state == STATE_LINGERING)
            discard_received(s, c);
    }
    /* Accept only after all events were handled, because a new connection may take a slot whose
     * event belonged to the connection that had the slot before. */
    if (s->events[PRFDATA_SERVE_CONNECTIONS].is_ready)
        accept_connections(s);
    for (size_t i = 0; i < PRFDATA_SERVE_CONNECTIONS; i++) {
        connection *c = &s->connections[i];

        if (c->state != STATE_FREE && c->deadline_ms <= s->now_ms)
            expire_connection(s, c);
    }
    forget_old_texts(s);
}

void prfdata_serve_run(prfdata_serve *server, uint64_t (*clock_ms)(void),
                       bool (*has_stopped)(void *context), void *context)
{
    while (!has_stopped(context))
        prfdata_serve_step(server, clock_ms, WAIT_MS);
}

void prfdata_serve_close(prfdata_serve *server)
{
    if (!server)
        return;
    for (size_t i = 0; i < PRFDATA_SERVE_CONNECTIONS; i++) {
        if (server->connections[i].state != STATE_FREE)
            close_connection(server, &server->connections[i]);
    }
    for (size_t i = 0; i < PRFDATA_SERVE_TEXTS; i++) {
        if (server->texts[i].is_used)
            forget_text(server, &server->texts[i]);
    }
    prfdata_net_close(server->listener);
    prfdata_net_stop();
    free(server);
}
