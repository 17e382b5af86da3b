/* SPDX-License-Identifier: MIT */
/*
 * As much of HTTP/1.1 as Prometheus needs: the head of a GET or HEAD, and the reply. Whoever is at
 * the other end may send any bytes. Knows neither sockets nor metrics.
 *
 *     prfdata_http_parser parser = {0};
 *     ... more bytes have come ...
 *     status = prfdata_http_parse(&parser, bytes, size, is_local, &request);
 *     if (status != PRFDATA_HTTP_MORE)
 *         prfdata_http_put_reply(room, capacity, ...);
 */
#ifndef PRFDATA_READER_HTTP_H
#define PRFDATA_READER_HTTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PRFDATA_HTTP_HEAD_BYTES   8192 /* of a request, with the empty line behind it */
#define PRFDATA_HTTP_TARGET_BYTES 2048
#define PRFDATA_HTTP_REPLY_BYTES  1024 /* of a reply's head, and of an error with its text */

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
} prfdata_http_request;

/* How far the bytes were looked at; {0} is the start. */
typedef struct prfdata_http_parser {
    size_t scanned;
    size_t line_begin;
    bool has_line; /* the first line has ended */
} prfdata_http_parser;

/*
 * Look at the bytes that have come so far.
 *
 * bytes     All of them, from the first; `size` may exceed PRFDATA_HTTP_HEAD_BYTES.
 * is_local  Answer only requests for localhost or for an address: no name that somebody's DNS lets
 *           point to this computer, so that no web page reads it through the user's browser.
 * request   Set on PRFDATA_HTTP_OK; is_head on any result but PRFDATA_HTTP_MORE.
 *
 * Returns PRFDATA_HTTP_MORE, PRFDATA_HTTP_OK, or with what to refuse:
 *   BAD_REQUEST         no HTTP, a control character, a field or length that is none, no Host
 *   NOT_FOUND           neither / nor /metrics
 *   METHOD_NOT_ALLOWED  neither GET nor HEAD
 *   CONTENT_TOO_LARGE   there is a body
 *   TARGET_TOO_LONG, HEAD_TOO_LARGE
 *   MISDIRECTED         for another host
 *   VERSION             not HTTP/1
 */
unsigned prfdata_http_parse(prfdata_http_parser *parser, const char *bytes, size_t size,
                            bool is_local, prfdata_http_request *request);

/*
 * Put the head of a reply with status PRFDATA_HTTP_OK.
 *
 * room  At least PRFDATA_HTTP_REPLY_BYTES.
 * Returns the number of bytes.
 */
size_t prfdata_http_put_head(char *room, const char *content_type, size_t body_bytes);

/* Put a whole reply that refuses; for HEAD without its text. Same room, same result. */
size_t prfdata_http_put_refusal(char *room, unsigned status, bool is_head);

/* The page at /. Returns its bytes. */
const char *prfdata_http_index(size_t *size, const char **content_type);

#endif
