/* SPDX-License-Identifier: MIT */
/*
 * Reads the part of HTTP/1.1 that Prometheus needs: parses the head of a GET or HEAD request, and
 * writes the head of the reply. The client is not trusted and may send any bytes. serve.c has the
 * sockets.
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

#define PRFDATA_HTTP_HEAD_BYTES   8192 /* limit for a request's head, with the empty line */
#define PRFDATA_HTTP_TARGET_BYTES 2048
/* Size that is enough for a reply's head, or for a whole reply that refuses a request. */
#define PRFDATA_HTTP_REPLY_BYTES 1024
#define PRFDATA_HTTP_TIMEOUT_MS  3600000u /* a longer timeout in a request counts as this one */

/*
 * The names of this computer that clients may use, in addition to localhost and any IP address.
 * Other names are refused, because a foreign DNS server could let a name point to this computer. A
 * web page could then read the counters through a user's browser (DNS rebinding). Names that a
 * proxy gives in other fields (X-Forwarded-Host) are ignored.
 */
typedef struct prfdata_http_names {
    const char *bytes; /* names in lower case, each with a NUL after it; borrowed */
    size_t size;
} prfdata_http_names;

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
    bool wants_open_metrics; /* true: OpenMetrics; false: Prometheus's format 0.0.4 */
    uint32_t timeout_ms; /* X-Prometheus-Scrape-Timeout-Seconds: time after which the client gives
                            up, at most PRFDATA_HTTP_TIMEOUT_MS; 0: not given, or invalid */
} prfdata_http_request;

/* The progress of parsing one request. Start with {0}. */
typedef struct prfdata_http_parser {
    size_t scanned;
    size_t line_begin;
    bool has_line; /* the first line has ended */
} prfdata_http_parser;

/*
 * Parse the bytes that have arrived so far.
 *
 * parser    Belongs to this request; remembers which bytes were examined.
 * bytes     All bytes from the first one; `size` may exceed PRFDATA_HTTP_HEAD_BYTES.
 * names     A request must be for one of these hosts, for localhost or for an IP address.
 * request   Set on PRFDATA_HTTP_OK; is_head is set on any result except PRFDATA_HTTP_MORE.
 *
 * Returns PRFDATA_HTTP_MORE, PRFDATA_HTTP_OK, or the status with which to refuse the request:
 *    BAD_REQUEST         not HTTP, a control character, a malformed or contradictory field, or no
 *                        Host in HTTP/1.1
 *    NOT_FOUND           neither / nor /metrics
 *    METHOD_NOT_ALLOWED  neither GET nor HEAD
 *    CONTENT_TOO_LARGE   there is a body
 *    TARGET_TOO_LONG, HEAD_TOO_LARGE
 *    MISDIRECTED         for another host
 *    VERSION             not HTTP/1
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

/* Put a whole reply that refuses a request. A HEAD request gets no text after the head. `room` is
 * as for prfdata_http_put_head(). Returns the number of bytes. */
size_t prfdata_http_put_refusal(char *room, unsigned status, bool is_head);

/* Return the page at /, in static storage; sets its size and Content-Type. */
const char *prfdata_http_index(size_t *size, const char **content_type);

#endif
