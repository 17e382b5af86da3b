/* SPDX-License-Identifier: MIT */
/* Tests the server with good and bad clients in one thread: a client acts, the server makes a step,
 * and the client receives. The tests set the server's clock. Loops around real sockets end when the
 * expected result is there, or after a generous limit. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef _WIN32
#include <sys/resource.h>
#endif

#include "prometheus/serve.h"
#include "support/reader/ascii_text.h"
#include "support/reader/connection.h"
#include "support/reader/random.h"
#include "support/sampled.h"
#include "system/os.h"

#define LIMIT_MS 60000

/* ---- The server ---- */

static uint64_t now_ms;

static uint64_t read_clock(void)
{
    return now_ms;
}

typedef struct serve_fixture {
    prfdata_serve *server;
    prfdata_net_address address;
    uint64_t scrape_ms;
    size_t text_bytes;
    bool fails;
    bool is_partial;
    uint32_t timeout_ms; /* the time limit that the last scrape gave */
    unsigned produced[PRFDATA_DIALECT_COUNT];
} serve_fixture;

/* Put lines that have the letter of the dialect and the number of the text. */
static prfdata_serve_result produce(void *context, prfdata_dialect dialect, uint32_t timeout_ms,
                                    prfdata_output *output)
{
    serve_fixture *f = context;
    size_t left = f->text_bytes;
    char line[16];

    f->produced[dialect]++;
    f->timeout_ms = timeout_ms;
    now_ms += f->scrape_ms;
    snprintf(line, sizeof line, "%c%013u\n", dialect == PRFDATA_DIALECT_OPEN_METRICS ? 'o' : 'p',
             f->produced[dialect]);
    for (; left > 0; left -= left < 15 ? left : 15)
        prfdata_output_put(output, line, left < 15 ? left : 15);
    if (f->fails)
        return PRFDATA_SERVE_FAILED;
    return f->is_partial ? PRFDATA_SERVE_PARTIAL : PRFDATA_SERVE_COMPLETE;
}

static bool parse_address(const char *text, prfdata_net_address *address)
{
    uint16_t chars[100];

    return prfdata_net_address_parse(ascii_text(text, chars), address);
}

#define NAMES "queues.example\0"

static prfdata_net_problem open_serve(serve_fixture *f, const prfdata_net_address *address,
                                      prfdata_serve **server, uint32_t *status)
{
    const prfdata_serve_wanted wanted = {
        .address = *address, .names = {NAMES, sizeof NAMES - 1}, .produce = produce, .context = f};

    return prfdata_serve_open(&wanted, server, status);
}

static int set_up(void **state)
{
    serve_fixture *f = calloc(1, sizeof *f);
    uint32_t status = 0;

    if (!f || !prfdata_net_start() || !parse_address("127.0.0.1:0", &f->address))
        return -1;
    now_ms = 1000000;
    f->text_bytes = 150000;
    if (open_serve(f, &f->address, &f->server, &status) != PRFDATA_NET_OK)
        return -1;
    f->address.port = prfdata_serve_port(f->server);
    *state = f;
    return f->address.port > 0 ? 0 : -1;
}

static int tear_down(void **state)
{
    serve_fixture *f = *state;

    prfdata_serve_close(f->server);
    prfdata_net_stop();
    free(f);
    return 0;
}

static void check_bounds(const serve_fixture *f)
{
    prfdata_serve_figures figures = prfdata_serve_look(f->server);

    assert_true(figures.connections <= PRFDATA_SERVE_CONNECTIONS);
    assert_true(figures.texts <= PRFDATA_SERVE_TEXTS);
}

static void step_serve(serve_fixture *f)
{
    prfdata_serve_step(f->server, read_clock, 1);
    check_bounds(f);
}

/* ---- Clients ---- */

typedef struct client {
    prfdata_net_socket socket;
    prfdata_output got;
    bool has_ended;
} client;

static client begin_scrape_of(const serve_fixture *f, uint8_t peer)
{
    client c;

    memset(&c, 0, sizeof c);
    c.socket = connection_open(&f->address, peer);
    assert_true(c.socket != PRFDATA_NET_NONE);
    return c;
}

static client begin_scrape(const serve_fixture *f)
{
    return begin_scrape_of(f, 0);
}

static void end(client *c)
{
    if (c->socket != PRFDATA_NET_NONE)
        prfdata_net_close(c->socket);
    c->socket = PRFDATA_NET_NONE;
    prfdata_output_free(&c->got);
}

static uint64_t limit(void)
{
    return prfdata_os_milliseconds() + LIMIT_MS;
}

/* Send everything while the server runs. Stop if the server closes the connection. */
static void send_bytes(serve_fixture *f, client *c, const void *bytes, size_t size)
{
    uint64_t until_ms = limit();

    for (size_t sent = 0; sent < size;) {
        intptr_t count = prfdata_net_send(c->socket, (const char *)bytes + sent, size - sent);

        if (count > 0)
            sent += (size_t)count;
        else if (count == PRFDATA_NET_BROKEN && prfdata_serve_look(f->server).accepted > 0 &&
                 sent > 0)
            return;
        else
            step_serve(f); /* not connected yet, or the buffer is full */
        assert_true(prfdata_os_milliseconds() < until_ms);
    }
}

static void send_text(serve_fixture *f, client *c, const char *text)
{
    send_bytes(f, c, text, strlen(text));
}

static void receive(client *c)
{
    char bytes[65536];
    intptr_t count;

    while (!c->has_ended &&
           (count = prfdata_net_receive(c->socket, bytes, sizeof bytes)) != PRFDATA_NET_LATER) {
        if (count > 0)
            prfdata_output_put(&c->got, bytes, (size_t)count);
        else
            c->has_ended = true;
    }
}

/* Run the server until the client has received everything. The result ends with NUL. */
static const char *finish(serve_fixture *f, client *c)
{
    uint64_t until_ms = limit();

    while (!c->has_ended) {
        step_serve(f);
        receive(c);
        assert_true(prfdata_os_milliseconds() < until_ms);
    }
    prfdata_output_put(&c->got, "", 1);
    assert_false(c->got.failed);
    return c->got.bytes;
}

#define HOST    "Host: localhost\r\n"
#define METRICS "GET /metrics HTTP/1.1\r\n" HOST "\r\n"
#define OPEN    "GET /metrics HTTP/1.1\r\n" HOST "Accept: application/openmetrics-text\r\n\r\n"

static unsigned status_of(const char *reply)
{
    unsigned status = 0;

    if (strncmp(reply, "HTTP/1.1 ", 9) == 0)
        status = (unsigned)strtoul(reply + 9, NULL, 10);
    return status;
}

/* Return the body of a complete reply. Its size must be Content-Length. */
static const char *body_of(const char *reply)
{
    const char *body = strstr(reply, "\r\n\r\n");
    const char *length = strstr(reply, "Content-Length: ");

    assert_non_null(body);
    assert_non_null(length);
    assert_true(length < body);
    assert_int_equal(strtoul(length + 16, NULL, 10), strlen(body + 4));
    return body + 4;
}

/* Check that a reply is complete and has the text with this number. */
static void expect_text(const serve_fixture *f, const char *reply, char dialect, unsigned number)
{
    const char *body = body_of(reply);
    char line[16];

    assert_int_equal(status_of(reply), 200);
    assert_int_equal(strlen(body), f->text_bytes);
    snprintf(line, sizeof line, "%c%013u\n", dialect, number);
    for (size_t i = 0; i + 15 <= f->text_bytes; i += 15) {
        if (memcmp(body + i, line, 15) != 0)
            fail_msg("byte %u: %.15s instead of %s", (unsigned)i, body + i, line);
    }
}

static unsigned scrape(serve_fixture *f, const char *request)
{
    client c = begin_scrape(f);
    unsigned status;

    send_text(f, &c, request);
    status = status_of(finish(f, &c));
    end(&c);
    return status;
}

/* Let the server notice closed connections until exactly `count` connections are open. */
static void expect_connections(serve_fixture *f, uint32_t count)
{
    uint64_t until_ms = limit();

    while (prfdata_serve_look(f->server).connections != count) {
        step_serve(f);
        if (prfdata_os_milliseconds() > until_ms)
            fail_msg("%u connections", prfdata_serve_look(f->server).connections);
    }
}

/* ---- Well-behaved clients ---- */

static void test_serve_scrape_gets_the_text(void **state)
{
    serve_fixture *f = *state;
    client c = begin_scrape(f);
    const char *reply;

    send_text(f, &c, METRICS);
    reply = finish(f, &c);
    expect_text(f, reply, 'p', 1);
    assert_non_null(
        strstr(reply, "\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\n"));
    end(&c);
    expect_connections(f, 0);

    c = begin_scrape(f);
    send_text(f, &c, OPEN);
    reply = finish(f, &c);
    expect_text(f, reply, 'o', 1);
    assert_non_null(strstr(reply, "\r\nContent-Type: application/openmetrics-text; version=1.0.0; "
                                  "charset=utf-8\r\n"));
    end(&c);
}

static void test_serve_head_has_no_body(void **state)
{
    serve_fixture *f = *state;
    client c = begin_scrape(f);
    const char *reply;

    send_text(f, &c, "HEAD /metrics HTTP/1.1\r\n" HOST "\r\n");
    reply = finish(f, &c);
    assert_int_equal(status_of(reply), 200);
    assert_non_null(strstr(reply, "\r\nContent-Length: 150000\r\n"));
    assert_string_equal(strstr(reply, "\r\n\r\n"), "\r\n\r\n");
    end(&c);
}

static void test_serve_index_shows_the_way(void **state)
{
    serve_fixture *f = *state;
    client c = begin_scrape(f);

    send_text(f, &c, "GET / HTTP/1.1\r\n" HOST "\r\n");
    assert_non_null(strstr(body_of(finish(f, &c)), "href=\"/metrics\""));
    assert_int_equal(f->produced[PRFDATA_DIALECT_PROMETHEUS], 0);
    end(&c);
}

static void test_serve_empty_text_is_a_text(void **state)
{
    serve_fixture *f = *state;
    client c = begin_scrape(f);

    f->text_bytes = 0;
    send_text(f, &c, METRICS);
    assert_string_equal(body_of(finish(f, &c)), "");
    end(&c);
}

static void test_serve_hundred_scrapes_at_once_share_a_text(void **state)
{
    serve_fixture *f = *state;
    client clients[100];

    for (size_t i = 0; i < 100; i++) {
        clients[i] = begin_scrape(f);
        send_text(f, &clients[i], i % 2 == 0 ? METRICS : OPEN);
    }
    for (size_t i = 0; i < 100; i++) {
        expect_text(f, finish(f, &clients[i]), i % 2 == 0 ? 'p' : 'o', 1);
        end(&clients[i]);
    }
    assert_int_equal(prfdata_serve_look(f->server).produced, 2);
    assert_int_equal(prfdata_serve_look(f->server).accepted, 100);
    expect_connections(f, 0);
    assert_int_equal(prfdata_serve_look(f->server).texts, 2); /* both texts are still fresh */
    now_ms += PRFDATA_SERVE_SHARE_MS + 1;
    step_serve(f);
    assert_int_equal(prfdata_serve_look(f->server).texts, 0);
}

static void test_serve_texts_are_shared_for_a_moment(void **state)
{
    serve_fixture *f = *state;

    assert_int_equal(scrape(f, METRICS), 200);
    now_ms += PRFDATA_SERVE_SHARE_MS;
    assert_int_equal(scrape(f, METRICS), 200);
    assert_int_equal(prfdata_serve_look(f->server).produced, 1);
    now_ms++;
    assert_int_equal(scrape(f, METRICS), 200);
    assert_int_equal(prfdata_serve_look(f->server).produced, 2);
}

static void test_serve_without_counters_says_so(void **state)
{
    serve_fixture *f = *state;

    f->fails = true;
    assert_int_equal(scrape(f, METRICS), 503);
    assert_int_equal(scrape(f, METRICS), 503);
    assert_int_equal(f->produced[PRFDATA_DIALECT_PROMETHEUS], 1);
    f->fails = false;
    now_ms += PRFDATA_SERVE_SHARE_MS + 1;
    assert_int_equal(scrape(f, METRICS), 200);
}

/* The time that a scrape takes does not count against the time limits of clients. */
static void test_serve_slow_scrape_takes_nobodys_time(void **state)
{
    serve_fixture *f = *state;
    client half = begin_scrape(f);
    client c = begin_scrape(f);

    f->scrape_ms = (uint64_t)PRFDATA_SERVE_ANSWER_MS + PRFDATA_SERVE_REQUEST_MS;
    send_bytes(f, &half, METRICS, strlen(METRICS) - 2);
    expect_connections(f, 2);
    send_text(f, &c, METRICS);
    expect_text(f, finish(f, &c), 'p', 1);
    end(&c);
    assert_int_equal(scrape(f, METRICS), 200); /* gets the text that was made for `c` */
    send_text(f, &half, "\r\n");
    expect_text(f, finish(f, &half), 'p', 1);
    end(&half);
    assert_int_equal(prfdata_serve_look(f->server).produced, 1);
    assert_int_equal(prfdata_serve_look(f->server).expired, 0);
}

/* ---- Badly behaved clients ---- */

static void test_serve_request_may_come_byte_by_byte(void **state)
{
    serve_fixture *f = *state;
    client c = begin_scrape(f);

    for (const char *at = METRICS; *at; at++) {
        send_bytes(f, &c, at, 1);
        now_ms += 100;
        step_serve(f);
    }
    expect_text(f, finish(f, &c), 'p', 1);
    end(&c);
}

static void test_serve_request_that_never_ends_is_ended(void **state)
{
    serve_fixture *f = *state;
    client c = begin_scrape(f);

    send_text(f, &c, "GET /metrics HTTP/1.1\r\n");
    expect_connections(f, 1);
    now_ms += PRFDATA_SERVE_REQUEST_MS - 1;
    step_serve(f);
    send_text(f, &c, "X: y\r\n"); /* another field does not extend the limit */
    step_serve(f);
    assert_int_equal(prfdata_serve_look(f->server).expired, 0);
    now_ms++;
    assert_int_equal(status_of(finish(f, &c)), 408);
    end(&c);
    expect_connections(f, 0);
    assert_int_equal(prfdata_serve_look(f->server).expired, 1);
}

static void test_serve_goes_on_beside_half_requests(void **state)
{
    serve_fixture *f = *state;
    client half[PRFDATA_SERVE_CONNECTIONS - 1];
    const size_t count = sizeof half / sizeof half[0];

    for (size_t i = 0; i < count; i++) {
        half[i] = begin_scrape_of(f, (uint8_t)(2 + i / PRFDATA_SERVE_PER_PEER));
        send_text(f, &half[i], "GET /metrics HTTP/1.1\r\nX: ");
    }
    expect_connections(f, (uint32_t)count);
    assert_int_equal(scrape(f, METRICS), 200);
    assert_int_equal(prfdata_serve_look(f->server).evicted, 0);
    now_ms += PRFDATA_SERVE_REQUEST_MS;
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(status_of(finish(f, &half[i])), 408);
        end(&half[i]);
    }
    expect_connections(f, 0);
}

static void test_serve_too_many_connections_lose_the_oldest(void **state)
{
    serve_fixture *f = *state;
    client idle[PRFDATA_SERVE_CONNECTIONS + 20];
    const size_t count = sizeof idle / sizeof idle[0];

    for (size_t i = 0; i < count; i++) {
        idle[i] = begin_scrape_of(f, (uint8_t)(2 + i % 8));
        send_text(f, &idle[i], "GET");
        step_serve(f);
    }
    while (prfdata_serve_look(f->server).accepted < count)
        step_serve(f);
    assert_int_equal(prfdata_serve_look(f->server).evicted, 20);
    assert_string_equal(finish(f, &idle[0]), "");
    assert_string_equal(finish(f, &idle[19]), "");
    assert_int_equal(scrape(f, METRICS), 200);
    receive(&idle[count - 1]);
    assert_false(idle[count - 1].has_ended);
    send_text(f, &idle[count - 1], " /metrics HTTP/1.0\r\n\r\n");
    expect_text(f, finish(f, &idle[count - 1]), 'p', 1);
    for (size_t i = 0; i < count; i++)
        end(&idle[i]);
    expect_connections(f, 0);
}

/* Begin a client that sends a request and does not read. The answer does not fit into the buffers
 * of the connection. */
static client begin_deaf_of(serve_fixture *f, uint8_t peer)
{
    client c = begin_scrape_of(f, peer);
    uint64_t accepted = prfdata_serve_look(f->server).accepted;
    uint64_t until_ms = limit();

    send_text(f, &c, METRICS);
    while (prfdata_serve_look(f->server).accepted == accepted) {
        step_serve(f);
        assert_true(prfdata_os_milliseconds() < until_ms);
    }
    for (unsigned i = 0; i < 3; i++)
        step_serve(f);
    return c;
}

static client begin_deaf(serve_fixture *f)
{
    return begin_deaf_of(f, 0);
}

static void test_serve_client_that_does_not_read_is_ended(void **state)
{
    serve_fixture *f = *state;
    client c;

    f->text_bytes = 30000000;
    c = begin_deaf(f);
    f->text_bytes = 15;
    now_ms += PRFDATA_SERVE_SHARE_MS + 1;
    assert_int_equal(scrape(f, METRICS), 200);
    expect_connections(f, 1);
    assert_int_equal(prfdata_serve_look(f->server).texts, 2);
    now_ms += PRFDATA_SERVE_ANSWER_MS;
    expect_connections(f, 0);
    step_serve(f);
    assert_int_equal(prfdata_serve_look(f->server).texts, 0);
    assert_int_equal(prfdata_serve_look(f->server).expired, 1);
    end(&c);
}

static void test_serve_slow_reader_gets_all_of_it(void **state)
{
    serve_fixture *f = *state;
    uint64_t until_ms = limit();
    client c;

    f->text_bytes = 12000000;
    c = begin_deaf(f);
    while (c.got.used < 1000000) {
        char bytes[1000];
        intptr_t count = prfdata_net_receive(c.socket, bytes, sizeof bytes);

        if (count > 0)
            prfdata_output_put(&c.got, bytes, (size_t)count);
        else
            step_serve(f);
        assert_true(prfdata_os_milliseconds() < until_ms);
    }
    expect_text(f, finish(f, &c), 'p', 1);
    end(&c);
}

static void test_serve_texts_have_a_limit(void **state)
{
    serve_fixture *f = *state;
    client deaf[PRFDATA_SERVE_TEXTS + 4];
    const size_t count = sizeof deaf / sizeof deaf[0];

    f->text_bytes = 12000000;
    for (size_t i = 0; i < count; i++) {
        deaf[i] = begin_deaf(f);
        now_ms += PRFDATA_SERVE_SHARE_MS + 1;
    }
    assert_int_equal(prfdata_serve_look(f->server).texts, PRFDATA_SERVE_TEXTS);
    assert_int_equal(prfdata_serve_look(f->server).evicted, 4);
    assert_int_equal(prfdata_serve_look(f->server).connections, PRFDATA_SERVE_TEXTS);
    f->text_bytes = 15;
    assert_int_equal(scrape(f, METRICS), 200);
    f->text_bytes = 12000000;
    expect_text(f, finish(f, &deaf[count - 1]), 'p', (unsigned)count);
    for (size_t i = 0; i < count; i++)
        end(&deaf[i]);
    expect_connections(f, 0);
}

/* Clients that send requests and do not read must not delay others, so the slowest one is
 * closed. */
static void test_serve_slowest_sender_makes_room(void **state)
{
    serve_fixture *f = *state;
    client deaf[PRFDATA_SERVE_CONNECTIONS];

    f->text_bytes = 12000000;
    for (size_t i = 0; i < PRFDATA_SERVE_CONNECTIONS; i++) {
        deaf[i] = begin_deaf_of(f, (uint8_t)(2 + i / PRFDATA_SERVE_PER_PEER));
        now_ms += i == 0;
    }
    expect_connections(f, PRFDATA_SERVE_CONNECTIONS);
    assert_int_equal(prfdata_serve_look(f->server).evicted, 0);
    assert_int_equal(scrape(f, "HEAD / HTTP/1.0\r\n\r\n"), 200);
    assert_int_equal(prfdata_serve_look(f->server).evicted, 1);
    (void)finish(f, &deaf[0]);
    /* The first client was closed, and the second one gets everything. */
    assert_true(deaf[0].got.used < f->text_bytes);
    expect_text(f, finish(f, &deaf[1]), 'p', 1);
    for (size_t i = 0; i < PRFDATA_SERVE_CONNECTIONS; i++)
        end(&deaf[i]);
    expect_connections(f, 0);
}

/* If a peer exceeds its limit, one of its own connections is closed. Those of another peer stay. */
static void test_serve_peer_has_a_limit_of_connections(void **state)
{
    serve_fixture *f = *state;
    client deaf[PRFDATA_SERVE_PER_PEER];
    client other;
    client late;

    f->text_bytes = 12000000;
    other = begin_deaf_of(f, 3); /* this client is the slowest of all */
    now_ms++;
    for (size_t i = 0; i < PRFDATA_SERVE_PER_PEER; i++)
        deaf[i] = begin_deaf_of(f, 2);
    expect_connections(f, PRFDATA_SERVE_PER_PEER + 1);
    late = begin_deaf_of(f, 2);
    expect_connections(f, PRFDATA_SERVE_PER_PEER + 1);
    assert_int_equal(prfdata_serve_look(f->server).evicted, 1);
    expect_text(f, finish(f, &other), 'p', 1);
    expect_text(f, finish(f, &late), 'p', 1);
    (void)finish(f, &deaf[0]);
    assert_true(deaf[0].got.used < f->text_bytes);
    end(&other);
    end(&late);
    for (size_t i = 0; i < PRFDATA_SERVE_PER_PEER; i++)
        end(&deaf[i]);
    expect_connections(f, 0);
}

static void test_serve_scrape_says_how_long_it_waits(void **state)
{
    serve_fixture *f = *state;

    assert_int_equal(scrape(f, METRICS), 200);
    assert_int_equal(f->timeout_ms, 0);
    now_ms += PRFDATA_SERVE_SHARE_MS + 1;
    assert_int_equal(scrape(f, "GET /metrics HTTP/1.1\r\nHost: queues.example\r\n"
                               "X-Prometheus-Scrape-Timeout-Seconds: 2.5\r\n\r\n"),
                     200);
    assert_int_equal(f->timeout_ms, 2500);
    assert_int_equal(scrape(f, "GET /metrics HTTP/1.1\r\nHost: other.example\r\n\r\n"), 421);
}

#define IMPATIENT                                                                                  \
    "GET /metrics HTTP/1.1\r\nHost: localhost\r\nX-Prometheus-Scrape-Timeout-Seconds: "            \
    "0.001\r\n\r\n"

/* A client that gives too little time, again and again, must not hide counters from others. */
static void test_serve_impatient_client_leaves_the_others_their_counters(void **state)
{
    serve_fixture *f = *state;

    for (unsigned i = 0; i < 2 * PRFDATA_SERVE_TEXTS; i++) {
        f->fails = i % 2 == 0;
        f->is_partial = true;
        assert_int_equal(scrape(f, IMPATIENT), f->fails ? 503 : 200);
        assert_int_equal(scrape(f, IMPATIENT), f->fails ? 503 : 200); /* shares the first answer */
        assert_int_equal(prfdata_serve_look(f->server).produced, 2 * i + 1);
        f->fails = f->is_partial = false;
        assert_int_equal(scrape(f, METRICS), 200);
        assert_int_equal(prfdata_serve_look(f->server).produced, 2 * i + 2);
        assert_int_equal(prfdata_serve_look(f->server).texts, 1);
        assert_int_equal(scrape(f, IMPATIENT), 200); /* shares the complete answer */
        assert_int_equal(prfdata_serve_look(f->server).produced, 2 * i + 2);
        now_ms += PRFDATA_SERVE_SHARE_MS + 1;
    }
    assert_int_equal(prfdata_serve_look(f->server).evicted, 0);
}

static void test_serve_only_the_first_of_piped_requests_is_answered(void **state)
{
    serve_fixture *f = *state;
    client c = begin_scrape(f);

    send_text(f, &c, METRICS METRICS METRICS "garbage \x01\x02");
    expect_text(f, finish(f, &c), 'p', 1);
    assert_int_equal(prfdata_serve_look(f->server).produced, 1);
    end(&c);
}

static void test_serve_oversized_requests_get_their_answer(void **state)
{
    static const struct {
        unsigned status;
        const char *begin;
    } cases[] = {
        {431, "GET /metrics HTTP/1.1\r\nX: "},
        {414, "GET /"},
        {413, "GET / HTTP/1.1\r\n" HOST "Content-Length: 60000\r\n\r\n"},
        {405, "POST / HTTP/1.1\r\n" HOST "Content-Length: 60000\r\n\r\n"},
    };
    static char filling[60000];

    memset(filling, 'x', sizeof filling);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        serve_fixture *f = *state;
        client c = begin_scrape(f);
        const char *reply;

        send_text(f, &c, cases[i].begin);
        send_bytes(f, &c, filling, sizeof filling);
        reply = finish(f, &c);
        assert_int_equal(status_of(reply), cases[i].status);
        assert_true(strlen(body_of(reply)) > 0);
        end(&c);
    }
}

static void test_serve_flood_after_the_answer_is_cut_off(void **state)
{
    serve_fixture *f = *state;
    static char filling[65536];
    client c = begin_scrape(f);
    uint64_t until_ms = limit();
    intptr_t count;

    send_text(f, &c, METRICS);
    do {
        count = prfdata_net_send(c.socket, filling, sizeof filling);
        step_serve(f);
        assert_true(prfdata_os_milliseconds() < until_ms);
    } while (count != PRFDATA_NET_BROKEN);
    expect_connections(f, 0);
    end(&c);
}

static void test_serve_connection_that_stays_open_is_ended(void **state)
{
    serve_fixture *f = *state;
    client c = begin_scrape(f);

    send_text(f, &c, METRICS);
    expect_text(f, finish(f, &c), 'p', 1);
    assert_int_equal(prfdata_serve_look(f->server).connections, 1);
    now_ms += 2000;
    expect_connections(f, 0);
    /* The client does not count as expired, because it had its answer. */
    assert_int_equal(prfdata_serve_look(f->server).expired, 0);
    end(&c);
}

static void test_serve_malformed_requests_are_refused(void **state)
{
    static const struct {
        unsigned status;
        const char *text;
    } cases[] = {
        {400, "\x16\x03\x01\x02\x01"},
        {400, "hello\r\n\r\n"},
        {421, "GET /metrics HTTP/1.1\r\nHost: attacker.example\r\n\r\n"},
        {404, "GET /etc/passwd HTTP/1.1\r\n" HOST "\r\n"},
        {505, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(scrape(*state, cases[i].text), cases[i].status);
}

static void test_serve_clients_may_leave_at_any_time(void **state)
{
    static const char request[] = METRICS;
    serve_fixture *f = *state;

    f->text_bytes = 3000000;
    for (size_t size = 0; size < sizeof request; size++) {
        client c = begin_scrape(f);

        if (size > 0)
            send_bytes(f, &c, request, size);
        if (size % 2 == 0)
            step_serve(f);
        end(&c);
        step_serve(f);
    }
    expect_connections(f, 0);
    f->text_bytes = 15;
    now_ms += PRFDATA_SERVE_SHARE_MS + 1;
    assert_int_equal(scrape(f, METRICS), 200);
}

static void test_serve_half_closed_connections_are_answered(void **state)
{
    serve_fixture *f = *state;
    client c = begin_scrape(f);

    f->text_bytes = 12000000;
    send_text(f, &c, METRICS);
    prfdata_net_end_send(c.socket);
    expect_text(f, finish(f, &c), 'p', 1);
    end(&c);
    expect_connections(f, 0);
}

/* ---- Everything at once ---- */

static void misbehave(serve_fixture *f, client *c, uint32_t *seed)
{
    static const char *const parts[] = {METRICS,         OPEN,     "GET ", "/metrics",
                                        " HTTP/1.1\r\n", HOST,     "\r\n", "\x01\x02\x03",
                                        "X: y",          "POST / "};
    const char *part = parts[random_next(seed) % (sizeof parts / sizeof parts[0])];

    if (c->socket == PRFDATA_NET_NONE) {
        *c = begin_scrape(f);
        return;
    }
    switch (random_next(seed) % 8) {
    case 0:
        receive(c);
        break;
    case 1:
        prfdata_net_end_send(c->socket);
        break;
    case 2:
        end(c);
        memset(c, 0, sizeof *c);
        c->socket = PRFDATA_NET_NONE;
        break;
    default:
        (void)prfdata_net_send(c->socket, part, strlen(part));
        break;
    }
}

static void test_serve_survives_clients_of_all_manners(void **state)
{
    serve_fixture *f = *state;
    static client clients[300];
    uint32_t seed = 2463534242u;
    const uint32_t one_of = sampled_one_of();

    f->text_bytes = 200000;
    for (size_t i = 0; i < 300; i++)
        clients[i].socket = PRFDATA_NET_NONE;
    for (unsigned i = 0; i < 20000 / one_of; i++) {
        misbehave(f, &clients[random_next(&seed) % 300], &seed);
        if (random_next(&seed) % 4 == 0) {
            prfdata_serve_step(f->server, read_clock, 0);
            check_bounds(f);
        }
        now_ms += random_next(&seed) % 16;
    }
    /* A good client is served while the others misbehave. */
    assert_int_equal(scrape(f, METRICS), 200);
    assert_true(prfdata_serve_look(f->server).accepted > 300 / one_of);
    for (size_t i = 0; i < 300; i++)
        end(&clients[i]);
    now_ms += PRFDATA_SERVE_ANSWER_MS + PRFDATA_SERVE_REQUEST_MS + 2000;
    expect_connections(f, 0);
    step_serve(f);
    assert_int_equal(prfdata_serve_look(f->server).texts, 0);
    assert_int_equal(scrape(f, OPEN), 200);
}

/* ---- Listening ---- */

static void test_serve_port_in_use_is_reported(void **state)
{
    serve_fixture *f = *state;
    prfdata_serve *second = NULL;
    uint32_t status = 0;

    assert_int_equal(open_serve(f, &f->address, &second, &status), PRFDATA_NET_IN_USE);
    assert_null(second);
    assert_int_not_equal(status, 0);
    assert_string_equal(prfdata_net_problem_text(PRFDATA_NET_IN_USE),
                        "another program listens on this port");
}

#ifndef _WIN32 /* Wine reports the port as in use */
/* The server closes its connections first, so the system remembers them for a minute. A new server
 * can use the port nevertheless. */
static void test_serve_port_is_free_after_the_end(void **state)
{
    serve_fixture *f = *state;
    prfdata_net_problem problem;
    client c = begin_scrape(f);
    uint32_t status = 0;

    send_text(f, &c, "GET");
    expect_connections(f, 1);
    prfdata_serve_close(f->server);
    f->server = NULL;
    problem = open_serve(f, &f->address, &f->server, &status);
    if (problem != PRFDATA_NET_OK)
        fail_msg("%s", prfdata_net_problem_text(problem));
    end(&c);
    assert_int_equal(scrape(f, METRICS), 200);
}
#endif

static void test_serve_foreign_address_is_reported(void **state)
{
    serve_fixture *f = *state;
    prfdata_serve *second = NULL;
    prfdata_net_address address;
    uint32_t status = 0;

    /* No computer has this address, because it is reserved for documentation. */
    assert_true(parse_address("192.0.2.1:0", &address));
    assert_int_equal(open_serve(f, &address, &second, &status), PRFDATA_NET_NO_ADDRESS);
}

static void test_serve_listens_on_ipv6(void **state)
{
    serve_fixture *f = *state;
    serve_fixture six = *f;
    uint32_t status = 0;
    prfdata_net_problem problem;

    assert_true(parse_address("[::1]:0", &six.address));
    problem = open_serve(&six, &six.address, &six.server, &status);
    if (problem != PRFDATA_NET_OK) {
        print_message("this computer has no IPv6: %s\n", prfdata_net_problem_text(problem));
        skip();
    }
    six.address.port = prfdata_serve_port(six.server);
    assert_int_equal(scrape(&six, METRICS), 200);
    prfdata_serve_close(six.server);
}

static void test_serve_addresses_are_understood(void **state)
{
    static const struct {
        const char *text;
        bool is_v6;
        uint8_t first;
        uint16_t port;
    } right[] = {
        {"9182", false, 127, 9182},
        {"localhost:1", false, 127, 1},
        {"127.1.2.3:0", false, 127, 0},
        {"0.0.0.0:65535", false, 0, 65535},
        {"*:80", false, 0, 80},
        {"[::1]:443", true, 0, 443},
        {"[fe80::1]:443", true, 0xFE, 443},
        {"[::]:443", true, 0, 443},
    };
    static const char *const wrong[] = {
        "",
        ":",
        "65536",
        "x",
        "1:2:3",
        "::1:80",
        "127.0.0.1:",
        "1.2.3:4",
        ":9182",
        "name:80",
        "[::1]",
        "[::1:80",
        "[]:80",
        "+1",
        " 80",
        "1.2.3.4.5.6.7.8.9.10.11.12.13.14.15.16.17.18.19.20.21.22:1",
        "[127.0.0.1]:80",
        "80 "};
    prfdata_net_address address;

    (void)state;
    for (size_t i = 0; i < sizeof right / sizeof right[0]; i++) {
        if (!parse_address(right[i].text, &address))
            fail_msg("%s", right[i].text);
        assert_int_equal(address.is_v6, right[i].is_v6);
        assert_int_equal(address.bytes[0], right[i].first);
        assert_int_equal(address.port, right[i].port);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        if (parse_address(wrong[i], &address))
            fail_msg("%s", wrong[i]);
    }
}

static unsigned turns;

/* cppcheck-suppress constParameter; the callback has this type */
static bool has_stopped(void *context)
{
    return context != NULL && turns++ == 3;
}

static void test_serve_runs_until_it_is_stopped(void **state)
{
    serve_fixture *f = *state;

    turns = 0;
    prfdata_serve_run(f->server, prfdata_os_milliseconds, has_stopped, f);
    assert_int_equal(turns, 4);
}

/* Both ends of up to 256 connections are in this process, and some systems allow fewer open files
 * by default. */
static int allow_files(void **state)
{
    (void)state;
#ifndef _WIN32
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return -1;
    limit.rlim_cur = limit.rlim_max;
    return setrlimit(RLIMIT_NOFILE, &limit);
#else
    return 0;
#endif
}

int main(void)
{
#define SERVE_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        SERVE_TEST(test_serve_scrape_gets_the_text),
        SERVE_TEST(test_serve_head_has_no_body),
        SERVE_TEST(test_serve_index_shows_the_way),
        SERVE_TEST(test_serve_empty_text_is_a_text),
        SERVE_TEST(test_serve_hundred_scrapes_at_once_share_a_text),
        SERVE_TEST(test_serve_texts_are_shared_for_a_moment),
        SERVE_TEST(test_serve_without_counters_says_so),
        SERVE_TEST(test_serve_slow_scrape_takes_nobodys_time),
        SERVE_TEST(test_serve_request_may_come_byte_by_byte),
        SERVE_TEST(test_serve_request_that_never_ends_is_ended),
        SERVE_TEST(test_serve_goes_on_beside_half_requests),
        SERVE_TEST(test_serve_too_many_connections_lose_the_oldest),
        SERVE_TEST(test_serve_client_that_does_not_read_is_ended),
        SERVE_TEST(test_serve_slow_reader_gets_all_of_it),
        SERVE_TEST(test_serve_texts_have_a_limit),
        SERVE_TEST(test_serve_slowest_sender_makes_room),
        SERVE_TEST(test_serve_peer_has_a_limit_of_connections),
        SERVE_TEST(test_serve_scrape_says_how_long_it_waits),
        SERVE_TEST(test_serve_impatient_client_leaves_the_others_their_counters),
        SERVE_TEST(test_serve_only_the_first_of_piped_requests_is_answered),
        SERVE_TEST(test_serve_oversized_requests_get_their_answer),
        SERVE_TEST(test_serve_flood_after_the_answer_is_cut_off),
        SERVE_TEST(test_serve_connection_that_stays_open_is_ended),
        SERVE_TEST(test_serve_malformed_requests_are_refused),
        SERVE_TEST(test_serve_clients_may_leave_at_any_time),
        SERVE_TEST(test_serve_half_closed_connections_are_answered),
        SERVE_TEST(test_serve_survives_clients_of_all_manners),
        SERVE_TEST(test_serve_port_in_use_is_reported),
#ifndef _WIN32
        SERVE_TEST(test_serve_port_is_free_after_the_end),
#endif
        SERVE_TEST(test_serve_foreign_address_is_reported),
        SERVE_TEST(test_serve_listens_on_ipv6),
        SERVE_TEST(test_serve_addresses_are_understood),
        SERVE_TEST(test_serve_runs_until_it_is_stopped),
    };

    return cmocka_run_group_tests_name("serve", tests, allow_files, NULL);
}
