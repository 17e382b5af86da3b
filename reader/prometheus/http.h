/* SPDX-License-Identifier: MIT */
/*
 * Reads as much of HTTP/1.1 as Prometheus needs, which is the head of a GET or HEAD, and writes the
 * head of the reply. The client is not trusted, so it may send any bytes. serve.c has the sockets,
 * and its caller makes the answers.
 *
 *     prfdata_http_parser parser = {0};
 *
 *     ...                                              // each time that bytes have arrived
 *     status = prfdata_http_parse(&parser, bytes, size, &names, &request);
 *     if (status == PRFDATA_HTTP_OK)
 *         used = prfdata_http_put_head(room, content_type, body_bytes);
 *     else if (status != PRFDATA_HTTP_MORE)
 *         used = prfdata_http_put_refusal(room, status, request.is_head);
 */
#ifndef PRFDATA_READER_HTTP_H
#define PRFDATA_READER_HTTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PRFDATA_HTTP_HEAD_BYTES   8192 /* of a request, with the empty line at its end */
#define PRFDATA_HTTP_TARGET_BYTES 2048
#define PRFDATA_HTTP_REPLY_BYTES  1024     /* of a reply's head, and of an error with its text */
#define PRFDATA_HTTP_TIMEOUT_MS   3600000u /* the longest time that a request may name */

/*
 * The names of this computer under which clients may ask for it, in addition to localhost and any
 * IP address. A name that somebody else chose may be one that a foreign DNS server lets point to
 * this computer: without this list a web page could read the counters through a user's browser
 * (DNS rebinding). What a proxy says in other fields (X-Forwarded-Host) is not looked at.
 */
typedef struct prfdata_http_names {
    const char *bytes; /* the names in lower case, each with a NUL after it; borrowed */
    size_t size;
} prfdata_http_names;

/* Statuses of replies; 0: the request is not complete. */
enum {
    PRFDATA_HTTP_MORE = 0,
    PRFDATA_HTTP_OK = 200,
    PRFDATA_HTTP_BAD_REQUEST = 400,
    PRFDATA_HTTP_NOT_FOUND = 404,
    PRFDATA_HTTP_METHOD_NOT_ALLOWED = 405,
    PRFDATA_HTTP_TIMEOUT = 408,
    PRFDATA_HTTP_CONTENT_TOO_LARGE = 413,
    PRFDATA_HTTP_TARGET_TOO_LONG = 414,
    PRFDATA_HTTP_MISDIRECTED = 421,
    PRFDATA_HTTP_HEAD_TOO_LARGE = 431,
    PRFDATA_HTTP_UNAVAILABLE = 503,
    PRFDATA_HTTP_VERSION = 505
};

typedef enum prfdata_http_page { PRFDATA_HTTP_INDEX, PRFDATA_HTTP_METRICS } prfdata_http_page;

typedef struct prfdata_http_request {
    bool is_head;
    prfdata_http_page page;
    bool wants_open_metrics; /* else Prometheus's format 0.0.4 */
    uint32_t timeout_ms;     /* X-Prometheus-Scrape-Timeout-Seconds: when the client gives up; at
                                most PRFDATA_HTTP_TIMEOUT_MS; 0: it did not say */
} prfdata_http_request;

/* How far the bytes were looked at. {0} is the beginning. */
typedef struct prfdata_http_parser {
    size_t scanned;
    size_t line_begin;
    bool has_line; /* the first line has ended */
} prfdata_http_parser;

/*
 * Parse the bytes that have arrived so far.
 *
 * parser    Of this request; remembers what was looked at.
 * bytes     All of them, from the first; `size` may exceed PRFDATA_HTTP_HEAD_BYTES.
 * names     Requests for any other host are refused, unless that is localhost or an address.
 * request   Set on PRFDATA_HTTP_OK; is_head on any result but PRFDATA_HTTP_MORE.
 *
 * Returns PRFDATA_HTTP_MORE, PRFDATA_HTTP_OK, or the status to refuse the request with:
 *   BAD_REQUEST         not HTTP, a control character, a malformed field or length, no Host
 *   NOT_FOUND           neither / nor /metrics
 *   METHOD_NOT_ALLOWED  neither GET nor HEAD
 *   CONTENT_TOO_LARGE   there is a body
 *   TARGET_TOO_LONG, HEAD_TOO_LARGE
 *   MISDIRECTED         for another host
 *   VERSION             not HTTP/1
 */
unsigned prfdata_http_parse(prfdata_http_parser *parser, const char *bytes, size_t size,
                            const prfdata_http_names *names, prfdata_http_request *request);

/*
 * Put the head of a reply with status PRFDATA_HTTP_OK.
 *
 * room  At least PRFDATA_HTTP_REPLY_BYTES.
 * Returns the number of bytes.
 */
size_t prfdata_http_put_head(char *room, const char *content_type, size_t body_bytes);

/* Put a whole reply that refuses a request, for HEAD without its text. The rest as above. */
size_t prfdata_http_put_refusal(char *room, unsigned status, bool is_head);

/* The page at /, in static storage; sets its size and Content-Type. */
const char *prfdata_http_index(size_t *size, const char **content_type);

#endif
