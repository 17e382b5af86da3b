/* SPDX-License-Identifier: MIT */
/* Tests how requests of any client are parsed, and how replies are made. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "prometheus/http.h"

#define NAMES "queues\0queues.corp.example\0metrics.example\0dotted.example.\0"

static const prfdata_http_names own_names = {NAMES, sizeof NAMES - 1};

/* Parse bytes in their own allocation, so that the sanitizer notices a read after their end. */
static unsigned parse_bytes(const char *bytes, size_t size, prfdata_http_request *request)
{
    prfdata_http_parser parser = {0};
    char *copy = malloc(size > 0 ? size : 1);
    unsigned status;

    assert_non_null(copy);
    memcpy(copy, bytes, size);
    status = prfdata_http_parse(&parser, copy, size, &own_names, request);
    free(copy);
    return status;
}

static unsigned parse(const char *text)
{
    prfdata_http_request request;

    return parse_bytes(text, strlen(text), &request);
}

static bool wants_open_metrics(const char *accept)
{
    prfdata_http_request request;
    char text[512];
    int size =
        snprintf(text, sizeof text, "GET /metrics HTTP/1.1\r\nHost: [::1]:9182\r\n%s%s\r\n\r\n",
                 accept ? "Accept: " : "X: ", accept ? accept : "");

    assert_int_equal(parse_bytes(text, (size_t)size, &request), PRFDATA_HTTP_OK);
    return request.wants_open_metrics;
}

#define HOST "Host: 127.0.0.1:9182\r\n"

static void test_http_get_and_head_are_answered(void **state)
{
    static const char get[] = "GET /metrics HTTP/1.1\r\n" HOST "\r\n";
    static const char head[] = "HEAD / HTTP/1.1\r\nhost:localhost\r\n\r\n";
    prfdata_http_request request;

    (void)state;
    assert_int_equal(parse_bytes(get, sizeof get - 1, &request), PRFDATA_HTTP_OK);
    assert_false(request.is_head);
    assert_int_equal(request.page, PRFDATA_HTTP_METRICS);
    assert_int_equal(parse_bytes(head, sizeof head - 1, &request), PRFDATA_HTTP_OK);
    assert_true(request.is_head);
    assert_int_equal(request.page, PRFDATA_HTTP_INDEX);
}

static void test_http_forms_of_a_right_request_are_understood(void **state)
{
    static const char *const texts[] = {
        "GET /metrics HTTP/1.0\r\n\r\n",
        "GET /metrics HTTP/1.1\nHost: localhost\n\n",
        "\r\n\r\nGET /metrics HTTP/1.1\r\n" HOST "\r\n",
        "GET /metrics?x=y&z HTTP/1.1\r\n" HOST "\r\n",
        "GET http://localhost:9182/metrics HTTP/1.1\r\n" HOST "\r\n",
        "GET HTTP://127.0.0.1 HTTP/1.1\r\nHost: elsewhere.example\r\n\r\n",
        "GET http://localhost:9182?x=/ HTTP/1.1\r\n" HOST "\r\n",
        "GET / HTTP/1.1\r\nHost: localhost:\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: [::1]:\r\n\r\n",
        "GET /metrics HTTP/1.9\r\n" HOST "Empty:\r\nX:\xC3\xA9 \t \r\nContent-Length: 0\r\n\r\n",
        "GET / HTTP/1.1\r\nHoSt:\t[::1] \r\n\r\nand what follows is not looked at \x01",
    };

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        if (parse(texts[i]) != PRFDATA_HTTP_OK)
            fail_msg("%u: %s", parse(texts[i]), texts[i]);
    }
}

static const struct {
    unsigned status;
    const char *text;
} refused[] = {
    {400, "GET /metrics\r\n" HOST "\r\n"},
    {400, "GET  /metrics HTTP/1.1\r\n" HOST "\r\n"},
    {400, "GET /metrics  HTTP/1.1\r\n" HOST "\r\n"},
    {400, "GET /metrics HTTP/1.1 \r\n" HOST "\r\n"},
    {400, " GET /metrics HTTP/1.1\r\n" HOST "\r\n"},
    {400, "GET\t/metrics HTTP/1.1\r\n" HOST "\r\n"},
    {400, "GET /metrics http/1.1\r\n" HOST "\r\n"},
    {400, "GET /metrics HTTP/11\r\n" HOST "\r\n"},
    {400, "GET metrics HTTP/1.1\r\n" HOST "\r\n"},
    {400, "GET * HTTP/1.1\r\n" HOST "\r\n"},
    {400, "GET https://localhost/ HTTP/1.1\r\n" HOST "\r\n"},
    {400, "G(T / HTTP/1.1\r\n" HOST "\r\n"},
    {400, "GET /\xC3\xA9 HTTP/1.1\r\n" HOST "\r\n"},
    {400, "GET / HTTP/1.1\r\n\r\n"},                       /* no Host */
    {400, "GET / HTTP/1.1\r\n" HOST HOST "\r\n"},          /* two Hosts */
    {400, "GET / HTTP/1.1\r\n" HOST "X : y\r\n\r\n"},      /* a blank before the colon */
    {400, "GET / HTTP/1.1\r\n" HOST "X: y\r\n z\r\n\r\n"}, /* a folded field */
    {400, "GET / HTTP/1.1\r\n" HOST "nothing\r\n\r\n"},    /* no colon */
    {400, "GET / HTTP/1.1\r\n" HOST ": y\r\n\r\n"},        /* no name */
    {400, "GET / HTTP/1.1\r\n" HOST "X: y\rz\r\n\r\n"},    /* a CR without LF */
    {400, "GET / HTTP/1.1\r\n" HOST "X: \x7F\r\n\r\n"},    /* control character */
    {400, "\x16\x03\x01\x02"},                             /* TLS is refused at once */
    {400, "GET / HTTP/1.1\r\n" HOST "Content-Length: x\r\n\r\n"},
    {400, "GET / HTTP/1.1\r\n" HOST "Content-Length: -1\r\n\r\n"},
    {400, "GET / HTTP/1.1\r\n" HOST "Content-Length: 0, 0\r\n\r\n"},
    {400, "GET / HTTP/1.1\r\n" HOST "Content-Length: 0\r\nContent-Length: 1\r\n\r\n"},
    {400, "GET / HTTP/1.1\r\n" HOST "Content-Length: 99999999999999999999\r\n\r\n"},
    {400, "GET / HTTP/1.1\r\n" HOST "Content-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n"},
    {404, "GET /metrics/ HTTP/1.1\r\n" HOST "\r\n"},
    {404, "GET /Metrics HTTP/1.1\r\n" HOST "\r\n"},
    {404, "GET /../metrics HTTP/1.1\r\n" HOST "\r\n"},
    {404, "GET /%6Detrics HTTP/1.1\r\n" HOST "\r\n"},
    {404, "HEAD //metrics HTTP/1.1\r\n" HOST "\r\n"},
    {405, "POST /metrics HTTP/1.1\r\n" HOST "Content-Length: 5\r\n\r\nhello"},
    {405, "get /metrics HTTP/1.1\r\n" HOST "\r\n"},
    {405, "TRACE /nothing HTTP/1.1\r\n" HOST "\r\n"},
    {405, "OPTIONS * HTTP/1.1\r\n" HOST "\r\n"},
    {405, "CONNECT localhost:9182 HTTP/1.1\r\n" HOST "\r\n"},
    {413, "GET /metrics HTTP/1.1\r\n" HOST "Content-Length: 1\r\n\r\nx"},
    {413, "GET /metrics HTTP/1.1\r\n" HOST "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"},
    {421, "GET /metrics HTTP/1.1\r\nHost: attacker.example\r\n\r\n"},
    {421, "GET /metrics HTTP/1.1\r\nHost: localhost.attacker.example:9182\r\n\r\n"},
    {421, "GET /metrics HTTP/1.1\r\nHost: 127.0.0.1.attacker.example\r\n\r\n"},
    {421, "GET /metrics HTTP/1.1\r\nHost: localhost:x\r\n\r\n"},
    {421, "GET /metrics HTTP/1.1\r\nHost: 127.0.0\r\n\r\n"},
    {421, "GET /metrics HTTP/1.1\r\nHost: 1270.0.0.1\r\n\r\n"},
    {421, "GET /metrics HTTP/1.1\r\nHost: 127.0.0.1.1\r\n\r\n"},
    {421, "GET /metrics HTTP/1.1\r\nHost: [::1]x\r\n\r\n"},
    {421, "GET /metrics HTTP/1.1\r\nHost: [g::1]\r\n\r\n"},
    {421, "GET /metrics HTTP/1.1\r\nHost:\r\n\r\n"},
    {421, "GET http://attacker.example?/localhost HTTP/1.1\r\n" HOST "\r\n"},
    {421, "OPTIONS * HTTP/1.1\r\nHost: attacker.example\r\n\r\n"},
    {421, "GET http://attacker.example/metrics HTTP/1.1\r\n" HOST "\r\n"},
    {505, "GET /metrics HTTP/2.0\r\n" HOST "\r\n"},
    {505, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"},
};

#define REFUSED_COUNT (sizeof refused / sizeof refused[0])

static void test_http_wrong_requests_are_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < REFUSED_COUNT; i++) {
        if (parse(refused[i].text) != refused[i].status)
            fail_msg("%u instead of %u: %s", parse(refused[i].text), refused[i].status,
                     refused[i].text);
    }
}

static void test_http_nul_is_no_character(void **state)
{
    static const char text[] = "GET / HTTP/1.1\r\n" HOST "X: a\0b\r\n\r\n";
    prfdata_http_request request;

    (void)state;
    assert_int_equal(parse_bytes(text, sizeof text - 1, &request), PRFDATA_HTTP_BAD_REQUEST);
}

static unsigned parse_host(const char *host)
{
    char text[300];

    snprintf(text, sizeof text, "GET /metrics HTTP/1.1\r\nHost: %s\r\n\r\n", host);
    return parse(text);
}

static void test_http_hosts_are_addresses_and_names_that_are_known(void **state)
{
    static const char *const known[] = {
        "localhost",
        "LOCALHOST:9182",
        "192.0.2.7:80",
        "[2001:db8::7]:9182",
        "[::1]",
        "queues",
        "QUEUES:9182",
        "Queues.Corp.Example",
        "queues.corp.example.:80",
        "dotted.example",
        "Dotted.example.:80",
        "metrics.example",
    };
    static const char *const others[] = {
        "queue",
        "queuess",
        "corp.example",
        "queues.corp",
        "xmetrics.example",
        "metrics.example.x",
        "metrics.example:x",
        ".",
        ":80",
        "metrics.example..",
        "dotted.example..",
        "dotted.example.x",
        "queues,metrics.example",
        "attacker.example",
        "host.docker.internal:9182",
    };

    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (parse_host(known[i]) != PRFDATA_HTTP_OK)
            fail_msg("%s is refused", known[i]);
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (parse_host(others[i]) != PRFDATA_HTTP_MISDIRECTED)
            fail_msg("%s is answered", others[i]);
    }
}

/* Anyone can send these fields, so the host that they name is ignored. */
static void test_http_host_of_a_proxy_is_not_believed(void **state)
{
    (void)state;
    assert_int_equal(parse("GET /metrics HTTP/1.1\r\nHost: attacker.example\r\n"
                           "X-Forwarded-Host: localhost\r\nForwarded: host=localhost\r\n\r\n"),
                     PRFDATA_HTTP_MISDIRECTED);
    assert_int_equal(parse("GET /metrics HTTP/1.1\r\nHost: localhost\r\n"
                           "X-Forwarded-Host: attacker.example\r\n\r\n"),
                     PRFDATA_HTTP_OK);
}

static void test_http_timeout_is_read_in_seconds(void **state)
{
    static const struct {
        const char *text;
        uint32_t ms;
    } rows[] = {
        {"10", 10000},     {"10.000000", 10000},
        {"0.5", 500},      {"2.0519", 2051},
        {"0", 0},          {"0.0", 0},
        {"", 0},           {".5", 0},
        {"1e3", 0},        {"-1", 0},
        {"5s", 0},         {"5.x", 0},
        {"1.2.3", 0},      {"NaN", 0},
        {"5.", 5000},      {"3600", 3600000},
        {"3601", 3600000}, {"99999999999999999999999999", 3600000},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        prfdata_http_request request;
        char text[200];
        int size =
            snprintf(text, sizeof text,
                     "GET / HTTP/1.1\r\n" HOST "x-prometheus-scrape-timeout-seconds: %s\r\n\r\n",
                     rows[i].text);

        assert_int_equal(parse_bytes(text, (size_t)size, &request), PRFDATA_HTTP_OK);
        if (request.timeout_ms != rows[i].ms)
            fail_msg("%s: %u", rows[i].text, (unsigned)request.timeout_ms);
    }
    {
        prfdata_http_request request;
        static const char plain[] = "GET / HTTP/1.1\r\n" HOST "\r\n";

        assert_int_equal(parse_bytes(plain, sizeof plain - 1, &request), PRFDATA_HTTP_OK);
        assert_int_equal(request.timeout_ms, 0);
    }
}

/* If the bytes come one by one, the parser refuses the request at the same byte and with the same
 * status as if they came together. */
static void test_http_bytes_that_dribble_mean_the_same(void **state)
{
    (void)state;
    for (size_t i = 0; i < REFUSED_COUNT; i++) {
        const char *text = refused[i].text;
        prfdata_http_parser parser = {0};
        prfdata_http_request request;
        unsigned status = PRFDATA_HTTP_MORE;

        for (size_t size = 0; size <= strlen(text) && status == PRFDATA_HTTP_MORE; size++) {
            status = prfdata_http_parse(&parser, text, size, &own_names, &request);
            assert_int_equal(status, parse_bytes(text, size, &request));
        }
        assert_int_equal(status, refused[i].status);
    }
}

static void test_http_heads_have_a_limit(void **state)
{
    static const char begin[] = "GET /metrics HTTP/1.1\r\n" HOST "X: ";
    char text[PRFDATA_HTTP_HEAD_BYTES + 1];
    prfdata_http_request request;

    (void)state;
    memset(text, 'x', sizeof text);
    memcpy(text, begin, sizeof begin - 1);
    memcpy(text + sizeof text - 5, "\r\n\r\n", 4);
    assert_int_equal(parse_bytes(text, sizeof text - 2, &request), PRFDATA_HTTP_MORE);
    assert_int_equal(parse_bytes(text, sizeof text - 1, &request), PRFDATA_HTTP_OK);
    memcpy(text + sizeof text - 5, "x\r\n\r\n", 5);
    assert_int_equal(parse_bytes(text, sizeof text - 2, &request), PRFDATA_HTTP_MORE);
    assert_int_equal(parse_bytes(text, sizeof text - 1, &request), PRFDATA_HTTP_HEAD_TOO_LARGE);
    assert_int_equal(parse_bytes(text, sizeof text, &request), PRFDATA_HTTP_HEAD_TOO_LARGE);
}

static void test_http_targets_have_a_limit(void **state)
{
    char text[PRFDATA_HTTP_HEAD_BYTES];
    prfdata_http_request request;

    (void)state;
    memset(text, 'x', sizeof text);
    memcpy(text, "GET /", 5);
    assert_int_equal(parse_bytes(text, sizeof text, &request), PRFDATA_HTTP_TARGET_TOO_LONG);
    memcpy(text + 4 + PRFDATA_HTTP_TARGET_BYTES, " HTTP/1.0\r\n\r\n", 13);
    assert_int_equal(parse_bytes(text, sizeof text, &request), PRFDATA_HTTP_NOT_FOUND);
    memcpy(text + 4 + PRFDATA_HTTP_TARGET_BYTES, "x HTTP/1.0\r\n\r\n", 14);
    assert_int_equal(parse_bytes(text, sizeof text, &request), PRFDATA_HTTP_TARGET_TOO_LONG);
}

static void test_http_accept_chooses_the_format(void **state)
{
    (void)state;
    assert_false(wants_open_metrics(NULL));
    assert_false(wants_open_metrics("*/*"));
    assert_false(wants_open_metrics("text/plain;version=0.0.4;q=0.5,*/*;q=0.1"));
    assert_false(wants_open_metrics("application/json"));
    assert_true(wants_open_metrics("application/openmetrics-text"));
    assert_true(wants_open_metrics("Application/OpenMetrics-Text ; Version = \"1.0.0\""));
    assert_false(wants_open_metrics("application/openmetrics-text;version=2.0.0"));
    assert_false(wants_open_metrics("application/openmetrics-text;q=0"));
    assert_false(wants_open_metrics("application/openmetrics-text;q=2"));
    assert_false(wants_open_metrics("application/openmetrics-text;q=0.5;version=1.0.0,text/plain"));
    assert_true(wants_open_metrics("text/*;q=0.1,application/openmetrics-text;q=0.101"));
    assert_false(wants_open_metrics("text/*;q=0.2,*/*;q=0,application/openmetrics-text;q=0.101"));
    assert_true(wants_open_metrics("text/plain\r\nAccept: application/openmetrics-text"));
    assert_true(
        wants_open_metrics("text/plain;x=\",;\\\"\";q=0.3,application/openmetrics-text;q=1"));
    /* Prometheus 2.42 sends this field. */
    assert_true(wants_open_metrics("application/openmetrics-text;version=1.0.0,"
                                   "application/openmetrics-text;version=0.0.1;q=0.75,"
                                   "text/plain;version=0.0.4;q=0.5,*/*;q=0.1"));
}

static void test_http_reply_says_what_it_is(void **state)
{
    char room[PRFDATA_HTTP_REPLY_BYTES];
    size_t size = prfdata_http_put_head(room, "text/plain; version=0.0.4; charset=utf-8", 12345);

    (void)state;
    assert_true(size < sizeof room);
    room[size] = 0;
    assert_string_equal(room, "HTTP/1.1 200 OK\r\n"
                              "Content-Type: text/plain; version=0.0.4; charset=utf-8\r\n"
                              "Content-Length: 12345\r\n"
                              "Cache-Control: no-store\r\n"
                              "X-Content-Type-Options: nosniff\r\n"
                              "Connection: close\r\n"
                              "\r\n");
}

static void test_http_refusals_have_their_text(void **state)
{
    static const unsigned statuses[] = {400, 404, 405, 408, 413, 414, 421, 431, 503, 505};

    (void)state;
    for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++) {
        char room[PRFDATA_HTTP_REPLY_BYTES];
        char bare[PRFDATA_HTTP_REPLY_BYTES];
        char begin[32];
        size_t size = prfdata_http_put_refusal(room, statuses[i], false);
        size_t bare_size = prfdata_http_put_refusal(bare, statuses[i], true);
        const char *body;
        const char *length;

        assert_true(size < sizeof room);
        room[size] = 0;
        snprintf(begin, sizeof begin, "HTTP/1.1 %u ", statuses[i]);
        assert_memory_equal(room, begin, strlen(begin));
        body = strstr(room, "\r\n\r\n");
        length = strstr(room, "Content-Length: ");
        assert_non_null(body);
        assert_non_null(length);
        assert_int_equal(strtoul(length + 16, NULL, 10), strlen(body + 4));
        assert_int_equal(bare_size, (size_t)(body + 4 - room));
        assert_memory_equal(bare, room, bare_size);
        assert_int_equal(strstr(room, "\r\nAllow: GET, HEAD\r\n") != NULL, statuses[i] == 405);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_http_get_and_head_are_answered),
        cmocka_unit_test(test_http_forms_of_a_right_request_are_understood),
        cmocka_unit_test(test_http_wrong_requests_are_refused),
        cmocka_unit_test(test_http_nul_is_no_character),
        cmocka_unit_test(test_http_hosts_are_addresses_and_names_that_are_known),
        cmocka_unit_test(test_http_host_of_a_proxy_is_not_believed),
        cmocka_unit_test(test_http_timeout_is_read_in_seconds),
        cmocka_unit_test(test_http_bytes_that_dribble_mean_the_same),
        cmocka_unit_test(test_http_heads_have_a_limit),
        cmocka_unit_test(test_http_targets_have_a_limit),
        cmocka_unit_test(test_http_accept_chooses_the_format),
        cmocka_unit_test(test_http_reply_says_what_it_is),
        cmocka_unit_test(test_http_refusals_have_their_text),
    };

    return cmocka_run_group_tests_name("http", tests, NULL, NULL);
}
