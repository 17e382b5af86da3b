/* SPDX-License-Identifier: MIT */
/*
 * Finds the end of a request's head as its bytes arrive, parses the head, and writes the heads and
 * texts of replies. The syntax is that of RFC 9110 and 9112. Malformed requests are refused, and
 * fields that are not needed are ignored. Nothing is allocated.
 */
#include "prometheus/http.h"

#include <stdio.h>
#include <string.h>

#include "names/ascii.h"

/* A part of the request; borrowed. */
typedef struct http_span {
    const char *bytes;
    size_t size;
} http_span;

static http_span part_of_span(http_span whole, size_t begin, size_t end)
{
    http_span s = {whole.bytes + begin, end - begin};

    return s;
}

static bool is_digit_byte(char c)
{
    return c >= '0' && c <= '9';
}

static bool span_equals(http_span s, const char *text)
{
    return s.size == strlen(text) && memcmp(s.bytes, text, s.size) == 0;
}

/* Compare ignoring the case of ASCII letters; `text` is in lower case. */
static bool span_equals_folded(http_span s, const char *text)
{
    if (s.size != strlen(text))
        return false;
    for (size_t i = 0; i < s.size; i++) {
        if (prfdata_ascii_lower(s.bytes[i]) != text[i])
            return false;
    }
    return true;
}

static size_t find_in_span(http_span s, char c)
{
    size_t i = 0;

    while (i < s.size && s.bytes[i] != c)
        i++;
    return i;
}

static http_span trim_span(http_span s)
{
    while (s.size > 0 && (s.bytes[0] == ' ' || s.bytes[0] == '\t'))
        s = part_of_span(s, 1, s.size);
    while (s.size > 0 && (s.bytes[s.size - 1] == ' ' || s.bytes[s.size - 1] == '\t'))
        s.size--;
    return s;
}

/* Take the part before `c`, without blanks at its ends; *rest becomes the part after `c`. A `c` in
 * quotes does not count. */
static http_span take_span_until(http_span *rest, char c)
{
    bool is_quoted = false;
    http_span taken;
    size_t i = 0;

    for (; i < rest->size && (is_quoted || rest->bytes[i] != c); i++) {
        if (rest->bytes[i] == '"')
            is_quoted = !is_quoted;
        else if (is_quoted && rest->bytes[i] == '\\' && i + 1 < rest->size)
            i++;
    }
    taken = part_of_span(*rest, 0, i);
    *rest = part_of_span(*rest, i < rest->size ? i + 1 : i, rest->size);
    return trim_span(taken);
}

/* Returns whether the span is a token (RFC 9110, 5.6.2). */
static bool is_token_span(http_span s)
{
    for (size_t i = 0; i < s.size; i++) {
        char c = (char)prfdata_ascii_lower(s.bytes[i]);

        if (!(c >= 'a' && c <= 'z') && !is_digit_byte(c) &&
            (c == 0 || !strchr("!#$%&'*+-.^_`|~", c)))
            return false;
    }
    return s.size > 0;
}

/* ---- The request line ---- */

static unsigned parse_http_version(http_span version)
{
    if (version.size != 8 || memcmp(version.bytes, "HTTP/", 5) != 0 ||
        !is_digit_byte(version.bytes[5]) || version.bytes[6] != '.' ||
        !is_digit_byte(version.bytes[7]))
        return PRFDATA_HTTP_BAD_REQUEST;
    return version.bytes[5] == '1' ? PRFDATA_HTTP_OK : PRFDATA_HTTP_VERSION;
}

/* The parts of the request that were parsed so far. */
typedef struct parsed {
    prfdata_http_request request;
    bool is_1_0;
    bool has_method; /* the method is GET or HEAD */
    bool has_page;   /* the page exists */
    bool has_host;
    bool has_length;
    bool has_coding; /* the request has the field Transfer-Encoding */
    uint64_t length;
    http_span host;
    unsigned open_metrics; /* quality in Accept, in thousandths */
    unsigned plain[3];     /* the qualities of text/plain, of any text, and of anything; NOT_SAID:
                              not given */
} parsed;

#define NOT_SAID 1001u

static unsigned parse_request_target(http_span target, parsed *p)
{
    static const char scheme[] = "http://";
    const size_t scheme_bytes = sizeof scheme - 1;
    size_t end;

    if (target.size > PRFDATA_HTTP_TARGET_BYTES)
        return PRFDATA_HTTP_TARGET_TOO_LONG;
    if (target.size > scheme_bytes &&
        span_equals_folded(part_of_span(target, 0, scheme_bytes), scheme)) {
        target = part_of_span(target, scheme_bytes, target.size);
        end = find_in_span(part_of_span(target, 0, find_in_span(target, '?')), '/');
        p->host = part_of_span(target, 0, end); /* overrides the field Host */
        p->has_host = true;
        target = part_of_span(target, end, target.size);
    } else if (target.size == 0 || target.bytes[0] != '/') {
        /* Methods that are not answered may have a target of another form, such as OPTIONS *. */
        return p->has_method ? PRFDATA_HTTP_BAD_REQUEST : PRFDATA_HTTP_OK;
    }
    target = part_of_span(target, 0, find_in_span(target, '?'));
    p->has_page = true;
    if (span_equals(target, "/metrics"))
        p->request.page = PRFDATA_HTTP_METRICS;
    else if (target.size == 0 || span_equals(target, "/"))
        p->request.page = PRFDATA_HTTP_INDEX;
    else
        p->has_page = false;
    return PRFDATA_HTTP_OK;
}

static unsigned parse_request_line(http_span line, parsed *p)
{
    size_t end_of_method = find_in_span(line, ' ');
    http_span method = part_of_span(line, 0, end_of_method);
    http_span rest =
        part_of_span(line, end_of_method < line.size ? end_of_method + 1 : line.size, line.size);
    size_t end_of_target = find_in_span(rest, ' ');
    http_span target = part_of_span(rest, 0, end_of_target);
    unsigned status;

    for (size_t i = 0; i < line.size; i++) {
        if ((unsigned char)line.bytes[i] > 0x7E || line.bytes[i] == '\t')
            return PRFDATA_HTTP_BAD_REQUEST;
    }
    if (!is_token_span(method) || end_of_target == rest.size)
        return target.size > PRFDATA_HTTP_TARGET_BYTES ? PRFDATA_HTTP_TARGET_TOO_LONG
                                                       : PRFDATA_HTTP_BAD_REQUEST;
    rest = part_of_span(rest, end_of_target + 1, rest.size);
    status = parse_http_version(rest);
    if (status != PRFDATA_HTTP_OK)
        return status;
    p->is_1_0 = rest.bytes[7] == '0';
    p->request.is_head = span_equals(method, "HEAD");
    p->has_method = p->request.is_head || span_equals(method, "GET");
    return parse_request_target(target, p);
}

/* ---- Fields ---- */

/* Read a quality: "0.5" is 500. Returns NOT_SAID if it is invalid. */
static unsigned parse_accept_quality(http_span text)
{
    unsigned value = 0;
    unsigned weight = 100;

    if (text.size == 0 || text.size > 5 || !is_digit_byte(text.bytes[0]) ||
        (text.size > 1 && text.bytes[1] != '.'))
        return NOT_SAID;
    value = (unsigned)(text.bytes[0] - '0') * 1000;
    for (size_t i = 2; i < text.size; i++, weight /= 10) {
        if (!is_digit_byte(text.bytes[i]))
            return NOT_SAID;
        value += (unsigned)(text.bytes[i] - '0') * weight;
    }
    return value;
}

static void parse_media_range(http_span range, parsed *p)
{
    http_span type = take_span_until(&range, ';');
    http_span version = {NULL, 0};
    unsigned quality = 1000;

    while (range.size > 0) {
        http_span value = take_span_until(&range, ';');
        http_span name = take_span_until(&value, '=');

        value = trim_span(value);
        if (value.size >= 2 && value.bytes[0] == '"' && value.bytes[value.size - 1] == '"')
            value = part_of_span(value, 1, value.size - 1);
        if (span_equals_folded(name, "version"))
            version = value;
        else if (span_equals_folded(name, "q"))
            quality = parse_accept_quality(value);
    }
    if (quality > 1000)
        return;
    if (span_equals_folded(type, "application/openmetrics-text")) {
        if ((version.size == 0 || span_equals(version, "1.0.0")) && quality > p->open_metrics)
            p->open_metrics = quality;
    } else if (span_equals_folded(type, "text/plain")) {
        if (version.size == 0 || span_equals(version, "0.0.4"))
            p->plain[0] = quality;
    } else if (span_equals_folded(type, "text/*")) {
        p->plain[1] = quality;
    } else if (span_equals_folded(type, "*/*")) {
        p->plain[2] = quality;
    }
}

static bool prefers_open_metrics(const parsed *p)
{
    unsigned plain = 0;

    /* If several ranges match, the most specific one applies. */
    for (size_t i = 3; i-- > 0;) {
        if (p->plain[i] != NOT_SAID)
            plain = p->plain[i];
    }
    return p->open_metrics > 0 && p->open_metrics >= plain;
}

static unsigned parse_content_length(http_span value, parsed *p)
{
    uint64_t length = 0;

    if (value.size == 0 || value.size > 18)
        return PRFDATA_HTTP_BAD_REQUEST;
    for (size_t i = 0; i < value.size; i++) {
        if (!is_digit_byte(value.bytes[i]))
            return PRFDATA_HTTP_BAD_REQUEST;
        length = length * 10 + (uint64_t)(value.bytes[i] - '0');
    }
    if (p->has_length && p->length != length)
        return PRFDATA_HTTP_BAD_REQUEST;
    p->has_length = true;
    p->length = length;
    return PRFDATA_HTTP_OK;
}

/*
 * Read seconds with or without a fraction, as Prometheus writes them ("10.000000"). An invalid
 * number, or 0, is treated as missing, because the request can be answered without it.
 */
static uint32_t parse_timeout_ms(http_span text)
{
    const size_t point = find_in_span(text, '.');
    uint64_t ms = 0;
    uint32_t weight = 100;

    if (point == 0)
        return 0;
    for (size_t i = 0; i < text.size; i++) {
        if (i == point)
            continue;
        if (!is_digit_byte(text.bytes[i]))
            return 0;
        if (i < point) {
            ms = ms * 10 + (uint64_t)(text.bytes[i] - '0') * 1000;
            if (ms > PRFDATA_HTTP_TIMEOUT_MS)
                ms = PRFDATA_HTTP_TIMEOUT_MS;
        } else {
            ms += (uint64_t)(text.bytes[i] - '0') * weight;
            weight /= 10;
        }
    }
    return ms < PRFDATA_HTTP_TIMEOUT_MS ? (uint32_t)ms : PRFDATA_HTTP_TIMEOUT_MS;
}

static unsigned parse_header_field(http_span line, bool *saw_host, parsed *p)
{
    size_t colon = find_in_span(line, ':');
    http_span name = part_of_span(line, 0, colon);
    http_span value;

    /* A folded line (obsolete, RFC 9112, 5.2) begins with a blank, so its name is not a token. */
    if (colon == line.size || !is_token_span(name))
        return PRFDATA_HTTP_BAD_REQUEST;
    value = trim_span(part_of_span(line, colon + 1, line.size));
    if (span_equals_folded(name, "host")) {
        if (*saw_host)
            return PRFDATA_HTTP_BAD_REQUEST;
        *saw_host = true;
        if (!p->has_host)
            p->host = value;
        p->has_host = true;
    } else if (span_equals_folded(name, "content-length")) {
        return parse_content_length(value, p);
    } else if (span_equals_folded(name, "transfer-encoding")) {
        p->has_coding = true;
    } else if (span_equals_folded(name, "accept")) {
        while (value.size > 0)
            parse_media_range(take_span_until(&value, ','), p);
    } else if (span_equals_folded(name, "x-prometheus-scrape-timeout-seconds")) {
        p->request.timeout_ms = parse_timeout_ms(value);
    }
    return PRFDATA_HTTP_OK;
}

/* ---- The host ---- */

/* Returns whether the span consists of 0 to 5 digits. */
static bool is_number_span(http_span s)
{
    if (s.size > 5)
        return false;
    for (size_t i = 0; i < s.size; i++) {
        if (!is_digit_byte(s.bytes[i]))
            return false;
    }
    return true;
}

static bool is_ipv4_span(http_span s)
{
    for (unsigned i = 0; i < 4; i++) {
        size_t end = i < 3 ? find_in_span(s, '.') : s.size;

        if (end == 0 || end > 3 || (i < 3 && end == s.size) ||
            !is_number_span(part_of_span(s, 0, end)))
            return false;
        s = part_of_span(s, i < 3 ? end + 1 : end, s.size);
    }
    return true;
}

static bool is_ipv6_span(http_span s)
{
    for (size_t i = 0; i < s.size; i++) {
        char c = (char)prfdata_ascii_lower(s.bytes[i]);

        if (!is_digit_byte(c) && !(c >= 'a' && c <= 'f') && c != ':' && c != '.')
            return false;
    }
    return s.size >= 2;
}

/* Remove the dot with which a fully qualified name may end. */
static http_span without_last_dot(http_span name)
{
    if (name.size > 1 && name.bytes[name.size - 1] == '.')
        name.size--;
    return name;
}

static bool is_name_span(http_span host, const prfdata_http_names *names)
{
    for (const char *name = names->bytes; name < names->bytes + names->size;
         name += strlen(name) + 1) {
        const http_span known = without_last_dot((http_span){name, strlen(name)});
        size_t same = 0;

        while (same < host.size && same < known.size &&
               prfdata_ascii_lower(host.bytes[same]) == known.bytes[same])
            same++;
        if (same == host.size && same == known.size)
            return true;
    }
    return false;
}

/*
 * Returns whether the host is localhost, an IP address or one of `names`, with or without a port.
 */
static bool is_own_host(http_span host, const prfdata_http_names *names)
{
    size_t end;

    if (host.size > 0 && host.bytes[0] == '[') {
        end = find_in_span(host, ']');
        if (end == host.size || !is_ipv6_span(part_of_span(host, 1, end)))
            return false;
        host = part_of_span(host, end + 1, host.size);
        return host.size == 0 ||
               (host.bytes[0] == ':' && is_number_span(part_of_span(host, 1, host.size)));
    }
    end = find_in_span(host, ':');
    if (end < host.size && !is_number_span(part_of_span(host, end + 1, host.size)))
        return false;
    host = without_last_dot(part_of_span(host, 0, end));
    return host.size > 0 && (span_equals_folded(host, "localhost") || is_ipv4_span(host) ||
                             is_name_span(host, names));
}

/* ---- The head ---- */

static http_span next_head_line(http_span *rest)
{
    size_t end = find_in_span(*rest, '\n');
    http_span line = part_of_span(*rest, 0, end);

    *rest = part_of_span(*rest, end + 1, rest->size);
    if (line.size > 0 && line.bytes[line.size - 1] == '\r')
        line.size--;
    return line;
}

static unsigned parse_request_head(http_span head, const prfdata_http_names *names, parsed *p)
{
    bool saw_host = false;
    unsigned status;
    http_span line;

    do {
        line = next_head_line(&head);
    } while (line.size == 0);
    status = parse_request_line(line, p);
    if (status != PRFDATA_HTTP_OK)
        return status;
    while ((line = next_head_line(&head)).size > 0) {
        status = parse_header_field(line, &saw_host, p);
        if (status != PRFDATA_HTTP_OK)
            return status;
    }
    if ((!saw_host && !p->is_1_0) || (p->has_coding && p->has_length))
        return PRFDATA_HTTP_BAD_REQUEST;
    if (p->has_host && !is_own_host(p->host, names))
        return PRFDATA_HTTP_MISDIRECTED;
    if (!p->has_method)
        return PRFDATA_HTTP_METHOD_NOT_ALLOWED;
    if (p->has_coding || p->length > 0)
        return PRFDATA_HTTP_CONTENT_TOO_LARGE;
    return p->has_page ? PRFDATA_HTTP_OK : PRFDATA_HTTP_NOT_FOUND;
}

/*
 * Search the new bytes for the end of the head. Returns PRFDATA_HTTP_OK if it is there,
 * PRFDATA_HTTP_MORE if not, or the status with which to refuse the request.
 */
static unsigned scan_request_head(prfdata_http_parser *parser, const char *bytes, size_t size)
{
    while (parser->scanned < size) {
        unsigned char c = (unsigned char)bytes[parser->scanned];
        size_t line_bytes = parser->scanned - parser->line_begin;

        if (parser->scanned > 0 && bytes[parser->scanned - 1] == '\r' && c != '\n')
            return PRFDATA_HTTP_BAD_REQUEST;
        if (c == '\n') {
            if (line_bytes > 0 && bytes[parser->scanned - 1] == '\r')
                line_bytes--;
            parser->line_begin = ++parser->scanned;
            if (line_bytes == 0 && parser->has_line)
                return PRFDATA_HTTP_OK;
            parser->has_line = parser->has_line || line_bytes > 0;
            continue;
        }
        if ((c < ' ' && c != '\t' && c != '\r') || c == 0x7F)
            return PRFDATA_HTTP_BAD_REQUEST;
        parser->scanned++;
    }
    return PRFDATA_HTTP_MORE;
}

unsigned prfdata_http_parse(prfdata_http_parser *parser, const char *bytes, size_t size,
                            const prfdata_http_names *names, prfdata_http_request *request)
{
    parsed p;
    http_span head;
    unsigned status;

    memset(&p, 0, sizeof p);
    p.plain[0] = p.plain[1] = p.plain[2] = NOT_SAID;
    status = scan_request_head(parser, bytes,
                               size < PRFDATA_HTTP_HEAD_BYTES ? size : PRFDATA_HTTP_HEAD_BYTES);
    if (status == PRFDATA_HTTP_MORE) {
        if (size < PRFDATA_HTTP_HEAD_BYTES)
            return PRFDATA_HTTP_MORE;
        status = parser->has_line ? PRFDATA_HTTP_HEAD_TOO_LARGE : PRFDATA_HTTP_TARGET_TOO_LONG;
    } else if (status == PRFDATA_HTTP_OK) {
        head.bytes = bytes;
        head.size = parser->scanned;
        status = parse_request_head(head, names, &p);
        p.request.wants_open_metrics = prefers_open_metrics(&p);
    }
    *request = p.request;
    return status;
}

/* ---- Replies ---- */

static const struct {
    unsigned status;
    const char *reason;
    const char *text;
} refusals[] = {
    {PRFDATA_HTTP_BAD_REQUEST, "Bad Request", "This is not a request of HTTP/1.1."},
    {PRFDATA_HTTP_NOT_FOUND, "Not Found", "The only page is /metrics."},
    {PRFDATA_HTTP_METHOD_NOT_ALLOWED, "Method Not Allowed", "Only GET and HEAD are answered."},
    {PRFDATA_HTTP_TIMEOUT, "Request Timeout", "The request took too long to arrive."},
    {PRFDATA_HTTP_CONTENT_TOO_LARGE, "Content Too Large", "A request must not have a body."},
    {PRFDATA_HTTP_TARGET_TOO_LONG, "URI Too Long", "The only page is /metrics."},
    {PRFDATA_HTTP_MISDIRECTED, "Misdirected Request",
     "This name is not known here: ask for localhost, an IP address or the computer's own name, "
     "or let prfread know this name with its option -host."},
    {PRFDATA_HTTP_HEAD_TOO_LARGE, "Request Header Fields Too Large", "The request is too long."},
    {PRFDATA_HTTP_UNAVAILABLE, "Service Unavailable", "The counters cannot be read now."},
    {PRFDATA_HTTP_VERSION, "HTTP Version Not Supported", "This server speaks HTTP/1.1."},
};

static size_t put_reply_head(char *room, unsigned status, const char *reason,
                             const char *content_type, size_t body_bytes)
{
    int used = snprintf(room, PRFDATA_HTTP_REPLY_BYTES,
                        "HTTP/1.1 %u %s\r\n"
                        "Content-Type: %s\r\n"
                        "Content-Length: %llu\r\n"
                        "%s"
                        "Cache-Control: no-store\r\n"
                        "X-Content-Type-Options: nosniff\r\n"
                        "Connection: close\r\n"
                        "\r\n",
                        status, reason, content_type, (unsigned long long)body_bytes,
                        status == PRFDATA_HTTP_METHOD_NOT_ALLOWED ? "Allow: GET, HEAD\r\n" : "");

    return (size_t)used;
}

size_t prfdata_http_put_head(char *room, const char *content_type, size_t body_bytes)
{
    return put_reply_head(room, PRFDATA_HTTP_OK, "OK", content_type, body_bytes);
}

size_t prfdata_http_put_refusal(char *room, unsigned status, bool is_head)
{
    size_t row = 0;
    size_t text_bytes;
    size_t used;

    while (refusals[row].status != status && row + 1 < sizeof refusals / sizeof refusals[0])
        row++;
    text_bytes = strlen(refusals[row].text);
    used = put_reply_head(room, status, refusals[row].reason, "text/plain; charset=utf-8",
                          text_bytes + 1);
    if (is_head)
        return used;
    memcpy(room + used, refusals[row].text, text_bytes);
    room[used + text_bytes] = '\n';
    return used + text_bytes + 1;
}

const char *prfdata_http_index(size_t *size, const char **content_type)
{
    static const char page[] = "<!DOCTYPE html>\n"
                               "<html lang=\"en\"><head><title>prfread</title></head>\n"
                               "<body><h1>prfread</h1>\n"
                               "<p>Performance counters for Prometheus: "
                               "<a href=\"/metrics\">/metrics</a></p></body></html>\n";

    *size = sizeof page - 1;
    *content_type = "text/html; charset=utf-8";
    return page;
}
