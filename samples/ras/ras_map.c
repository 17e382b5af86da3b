/* SPDX-License-Identifier: MIT */
/* Defines the map of the remote-access sample. Names and types are those of Windows' own RAS
 * objects. A server may have Windows' objects, too; readers find those of this map by the title
 * indexes of the service RasSample.
 *
 * - Every value of RAS Port and RAS Total has 32 bits, as in Windows' objects, so that programs for
 *   RAS, which copy four bytes of each value, can read it. The library counts in 64 bits and shows
 *   the low half. A byte count wraps after 4 GiB; a rate is still correct if that happens once
 *   between two samples. Without such readers, a map would use PERF_COUNTER_LARGE_RAWCOUNT and
 *   PERF_COUNTER_BULK_COUNT for bytes.
 * - Counts accumulate: they stay when the program ends. Percentages and connections are current
 *   values. If several programs publish the same port, readers see the largest percentage, because
 *   a sum of percentages means nothing.
 * - RAS Port has no _Total, because Windows' object has none. While there is no port, some readers
 *   show meaningless numbers (docs/choosing-a-counter-type.md, "Readers that differ"). In your own
 *   map, give such an object PRFDATA_MAP_TOTAL(), as RAS Frames has it.
 * - The times of frames are a distribution. It is in a separate object, so that Windows' objects
 *   stay as they are. Its counters, except the base of the mean, have 64 bits. Those with bounds
 *   make a histogram in Prometheus.
 * - Names for Prometheus say what is counted: ras_port_received_bytes_total. The rates, which count
 *   the same things once more, are named by their symbols. */
#include "ras_map.h"

/* clang-format off */

/* The counters that RAS Port and RAS Total share, in Windows' order. */
#define COMMON_COUNTERS(OBJECT, METRICS, PLACE)                                                    \
    RUNNING_COUNT(OBJECT##_BYTES_TRANSMITTED, L"Bytes Transmitted",                                \
        L"The number of bytes sent " PLACE L", as compressed.", -3)                                \
        PRFDATA_MAP_METRIC(METRICS "sent", "bytes")                                                \
    RUNNING_COUNT(OBJECT##_BYTES_RECEIVED, L"Bytes Received",                                      \
        L"The number of bytes received " PLACE L", as compressed.", -3)                            \
        PRFDATA_MAP_METRIC(METRICS "received", "bytes")                                            \
    RUNNING_COUNT(OBJECT##_FRAMES_TRANSMITTED, L"Frames Transmitted",                              \
        L"The number of data frames sent " PLACE L".", 0)                                          \
        PRFDATA_MAP_METRIC(METRICS "sent_frames", "")                                              \
    RUNNING_COUNT(OBJECT##_FRAMES_RECEIVED, L"Frames Received",                                    \
        L"The number of data frames received intact " PLACE L".", 0)                               \
        PRFDATA_MAP_METRIC(METRICS "received_frames", "")                                          \
    PERCENTAGE(OBJECT##_PERCENT_OUT, L"Percent Compression Out",                                   \
        L"The part of the bytes to send " PLACE L" that compression saved, in percent.")           \
        PRFDATA_MAP_METRIC(METRICS "compression_out", "percent")                                   \
    PERCENTAGE(OBJECT##_PERCENT_IN, L"Percent Compression In",                                     \
        L"The part of the bytes of frames received " PLACE                                         \
        L" that compression saved, in percent.")                                                   \
        PRFDATA_MAP_METRIC(METRICS "compression_in", "percent")                                    \
    RUNNING_COUNT(OBJECT##_CRC_ERRORS, L"CRC Errors",                                              \
        L"The number of frames received " PLACE L" whose checksum was wrong.", 0)                  \
        PRFDATA_MAP_METRIC(METRICS "crc_errors", "")                                               \
    RUNNING_COUNT(OBJECT##_TIMEOUT_ERRORS, L"Timeout Errors",                                      \
        L"The number of frames " PLACE L" that did not arrive completely in time.", 0)             \
        PRFDATA_MAP_METRIC(METRICS "timeout_errors", "")                                           \
    RUNNING_COUNT(OBJECT##_SERIAL_OVERRUN_ERRORS, L"Serial Overrun Errors",                        \
        L"The number of frames lost " PLACE                                                        \
        L" because the hardware received them faster than the processor fetched them.", 0)         \
        PRFDATA_MAP_METRIC(METRICS "serial_overrun_errors", "")                                    \
    RUNNING_COUNT(OBJECT##_ALIGNMENT_ERRORS, L"Alignment Errors",                                  \
        L"The number of frames received " PLACE                                                    \
        L" in which a byte differed from the expected one.", 0)                                    \
        PRFDATA_MAP_METRIC(METRICS "alignment_errors", "")                                         \
    RUNNING_COUNT(OBJECT##_BUFFER_OVERRUN_ERRORS, L"Buffer Overrun Errors",                        \
        L"The number of frames lost " PLACE                                                        \
        L" because the software could not process them fast enough.", 0)                           \
        PRFDATA_MAP_METRIC(METRICS "buffer_overrun_errors", "")                                    \
    RUNNING_COUNT(OBJECT##_TOTAL_ERRORS, L"Total Errors",                                          \
        L"The number of CRC, timeout, serial overrun, alignment and buffer overrun errors "        \
        PLACE L".", 0)                                                                             \
        PRFDATA_MAP_METRIC(METRICS "errors", "")                                                   \
    RATE(OBJECT##_BYTES_TRANSMITTED_PER_SEC, L"Bytes Transmitted/Sec",                             \
        L"The number of bytes sent " PLACE L" per second.", -3)                                    \
    RATE(OBJECT##_BYTES_RECEIVED_PER_SEC, L"Bytes Received/Sec",                                   \
        L"The number of bytes received " PLACE L" per second.", -3)                                \
    RATE(OBJECT##_FRAMES_TRANSMITTED_PER_SEC, L"Frames Transmitted/Sec",                           \
        L"The number of data frames sent " PLACE L" per second.", 0)                               \
    RATE(OBJECT##_FRAMES_RECEIVED_PER_SEC, L"Frames Received/Sec",                                 \
        L"The number of data frames received intact " PLACE L" per second.", 0)                    \
    RATE(OBJECT##_TOTAL_ERRORS_PER_SEC, L"Total Errors/Sec",                                       \
        L"The number of errors " PLACE L" per second.", 0)

#define RUNNING_COUNT(id, name, help, scale)                                                       \
    PRFDATA_MAP_CTR(id, name, help, PERF_DETAIL_NOVICE, scale, PERF_COUNTER_RAWCOUNT)              \
        PRFDATA_MAP_ACCUMULATING()
#define PERCENTAGE(id, name, help)                                                                 \
    PRFDATA_MAP_CTR(id, name, help, PERF_DETAIL_NOVICE, 0, PERF_COUNTER_RAWCOUNT)                  \
        PRFDATA_MAP_MERGE_MAX()
#define RATE(id, name, help, scale)                                                                \
    PRFDATA_MAP_CTR(id, name, help, PERF_DETAIL_NOVICE, scale, PERF_COUNTER_COUNTER)

#define FRAME_TIME(id, name, help, metric)                                                         \
    PRFDATA_MAP_CTR(id, name, help, PERF_DETAIL_NOVICE, -3, PERF_COUNTER_LARGE_RAWCOUNT)           \
        PRFDATA_MAP_METRIC("ras_frame_time_" metric, "microseconds")
#define FRAMES_WITHIN(id, time, exactly, bound_100ns)                                              \
    PRFDATA_MAP_CTR(id, L"Frames within " time,                                                    \
        L"The number of frames on this port that took at most " exactly L".",                      \
        PERF_DETAIL_ADVANCED, 0, PERF_COUNTER_LARGE_RAWCOUNT)                                      \
        PRFDATA_MAP_ACCUMULATING()                                                                 \
        PRFDATA_MAP_AT_MOST(RAS_FRAME_TIME, bound_100ns)

PRFDATA_MAP_BEGIN_AS(ras_map)
    PRFDATA_MAP_OBJ(RAS_PORT, L"RAS Port",
        L"The RAS Port object has the counters of each port that takes part in remote access.",
        PERF_DETAIL_NOVICE, RAS_PORT_BYTES_RECEIVED_PER_SEC, RAS_MAX_PORTS, 16)
    COMMON_COUNTERS(RAS_PORT, "ras_port_", L"on this port")

    PRFDATA_MAP_OBJ(RAS_TOTAL, L"RAS Total",
        L"The RAS Total object has the counters of all ports together.",
        PERF_DETAIL_NOVICE, RAS_TOTAL_BYTES_RECEIVED_PER_SEC, PERF_NO_INSTANCES, 0)
    COMMON_COUNTERS(RAS_TOTAL, "ras_", L"on all ports")
    PRFDATA_MAP_CTR(RAS_TOTAL_CONNECTIONS, L"Total Connections",
        L"The number of ports that are connected now.",
        PERF_DETAIL_NOVICE, 0, PERF_COUNTER_RAWCOUNT)
        PRFDATA_MAP_METRIC("ras_connections", "")

    PRFDATA_MAP_OBJ(RAS_FRAMES, L"RAS Frames",
        L"The RAS Frames object shows how long the frames on each port take.",
        PERF_DETAIL_NOVICE, RAS_FRAMES_TIME_P95, RAS_MAX_PORTS, 16)
        PRFDATA_MAP_TOTAL()
        PRFDATA_MAP_DISTRIBUTION(RAS_FRAME_TIME, PRFDATA_UNIT_100NS, 10000, 20000000) /* 1 ms to 2 s */
    FRAME_TIME(RAS_FRAMES_TIME_P50, L"Frame Time p50",
        L"Half of the frames of the last minute took at most this many microseconds.", "p50")
        PRFDATA_MAP_PERCENTILE(RAS_FRAME_TIME, 5000)
    FRAME_TIME(RAS_FRAMES_TIME_P95, L"Frame Time p95",
        L"95 % of the frames of the last minute took at most this many microseconds.", "p95")
        PRFDATA_MAP_PERCENTILE(RAS_FRAME_TIME, 9500)
    FRAME_TIME(RAS_FRAMES_TIME_P99, L"Frame Time p99",
        L"99 % of the frames of the last minute took at most this many microseconds.", "p99")
        PRFDATA_MAP_PERCENTILE(RAS_FRAME_TIME, 9900)
    FRAME_TIME(RAS_FRAMES_TIME_MAXIMUM, L"Frame Time max",
        L"The slowest frame of the last minute took this many microseconds.", "maximum")
        PRFDATA_MAP_MAXIMUM(RAS_FRAME_TIME)
    PRFDATA_MAP_CTR(RAS_FRAMES_TIME_MEAN, L"Avg. us/Frame",
        L"The mean time of a frame, in microseconds.", PERF_DETAIL_NOVICE, -3, PERF_AVERAGE_BULK)
        PRFDATA_MAP_MEAN(RAS_FRAME_TIME)
        PRFDATA_MAP_METRIC("ras_frame_time_mean", "microseconds")
    PRFDATA_MAP_CTR(RAS_FRAMES_TIME_MEAN_BASE, L"Avg. us/Frame Base", L"The number of frames.",
        PERF_DETAIL_NOVICE, 0, PERF_AVERAGE_BASE)
    PRFDATA_MAP_CTR(RAS_FRAMES_PER_SEC, L"Frames/Sec",
        L"The number of frames on this port per second, in both directions.",
        PERF_DETAIL_NOVICE, 0, PERF_COUNTER_BULK_COUNT)
        PRFDATA_MAP_COUNT(RAS_FRAME_TIME)
    PRFDATA_MAP_CTR(RAS_FRAMES_TIME_SUM, L"Frame Time",
        L"How long all frames on this port took together, in microseconds.",
        PERF_DETAIL_ADVANCED, -6, PERF_COUNTER_LARGE_RAWCOUNT)
        PRFDATA_MAP_ACCUMULATING()
        PRFDATA_MAP_SUM(RAS_FRAME_TIME)
        PRFDATA_MAP_METRIC("ras_frame_time", "microseconds")
    /*
     * Each bound is the end of a bucket that is near the time in the counter's symbol. A counter
     * counts the whole bucket in which its bound lies, so these counters count exactly the frames
     * that their help describes. WMI leaves decimal points out of names. All names have two digits
     * after the point, so that they differ even without it.
     */
    FRAMES_WITHIN(RAS_FRAMES_IN_10_MS, L"9.83 ms", L"9.8303 ms", 98303)
    FRAMES_WITHIN(RAS_FRAMES_IN_20_MS, L"19.66 ms", L"19.6607 ms", 196607)
    FRAMES_WITHIN(RAS_FRAMES_IN_50_MS, L"49.15 ms", L"49.1519 ms", 491519)
    FRAMES_WITHIN(RAS_FRAMES_IN_100_MS, L"98.30 ms", L"98.3039 ms", 983039)
    FRAMES_WITHIN(RAS_FRAMES_IN_200_MS, L"196.61 ms", L"196.6079 ms", 1966079)
    FRAMES_WITHIN(RAS_FRAMES_IN_500_MS, L"524.29 ms", L"524.2879 ms", 5242879)
    FRAMES_WITHIN(RAS_FRAMES_IN_1000_MS, L"1.05 s", L"1.0486 s", 10485759)

    PRFDATA_MAP_HEALTH(RAS_HEALTH, L"RAS", "ras")
PRFDATA_MAP_END_AS(ras_map, RAS_SERVICE)
