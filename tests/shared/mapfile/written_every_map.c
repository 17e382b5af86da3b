#include <prfdata/map.h>

PRFDATA_DEFINE_OBJECT(EVERY_QUEUES, 100);
PRFDATA_DEFINE_COUNTER(EVERY_DEPTH, 101);
PRFDATA_DEFINE_COUNTER(EVERY_LOAD, 102);
PRFDATA_DEFINE_COUNTER(EVERY_JOBS, 103);
PRFDATA_DEFINE_COUNTER(EVERY_JOB_TIME, 104);
PRFDATA_DEFINE_COUNTER(EVERY_JOB_TIME_BASE, 105);
PRFDATA_DEFINE_OBJECT(EVERY_CONSUMERS, 200);
PRFDATA_DEFINE_COUNTER(EVERY_TAKEN, 201);
PRFDATA_DEFINE_OBJECT(EVERY_WORKERS, 300);
PRFDATA_DEFINE_COUNTER(EVERY_BUSY, 301);
PRFDATA_DEFINE_COUNTER(EVERY_IDLE, 302);
PRFDATA_DEFINE_OBJECT(EVERY_PORTS, 400);
PRFDATA_DEFINE_COUNTER(EVERY_P99, 404);
PRFDATA_DEFINE_COUNTER(EVERY_LONGEST, 405);
PRFDATA_DEFINE_COUNTER(EVERY_MEAN, 406);
PRFDATA_DEFINE_COUNTER(EVERY_AVERAGE, 407);
PRFDATA_DEFINE_COUNTER(EVERY_AVERAGE_BASE, 408);
PRFDATA_DEFINE_COUNTER(EVERY_COUNT, 409);
PRFDATA_DEFINE_COUNTER(EVERY_SMALL, 410);
PRFDATA_DEFINE_COUNTER(EVERY_SUM, 411);
PRFDATA_DEFINE_COUNTER(EVERY_SUM_EVER, 412);
PRFDATA_DEFINE_COUNTER(EVERY_COUNT_NOW, 413);
PRFDATA_DEFINE_COUNTER(EVERY_TIMES_P50, 420);
PRFDATA_DEFINE_COUNTER(EVERY_TIMES_P95, 421);
PRFDATA_DEFINE_COUNTER(EVERY_TIMES_P99, 422);
PRFDATA_DEFINE_COUNTER(EVERY_TIMES_MAX, 423);
PRFDATA_DEFINE_COUNTER(EVERY_TIMES_MEAN, 424);
PRFDATA_DEFINE_COUNTER(EVERY_TIMES_MEAN_BASE, 425);
PRFDATA_DEFINE_COUNTER(EVERY_TIMES_RATE, 426);
PRFDATA_DEFINE_OBJECT(EVERY_RATIOS, 500);
PRFDATA_DEFINE_COUNTER(EVERY_HITS, 501);
PRFDATA_DEFINE_COUNTER(EVERY_HITS_BASE, 502);
PRFDATA_DEFINE_COUNTER(EVERY_USE, 503);
PRFDATA_DEFINE_COUNTER(EVERY_USE_BASE, 504);
PRFDATA_DEFINE_COUNTER(EVERY_LARGE_USE, 505);
PRFDATA_DEFINE_COUNTER(EVERY_LARGE_USE_BASE, 506);
PRFDATA_DEFINE_COUNTER(EVERY_SIZE, 507);
PRFDATA_DEFINE_COUNTER(EVERY_SIZE_BASE, 508);
PRFDATA_DEFINE_COUNTER(EVERY_TIME, 509);
PRFDATA_DEFINE_COUNTER(EVERY_TIME_BASE, 510);
PRFDATA_DEFINE_COUNTER(EVERY_DISKS, 511);
PRFDATA_DEFINE_COUNTER(EVERY_DISKS_BASE, 512);
PRFDATA_DEFINE_COUNTER(EVERY_EXACT, 513);
PRFDATA_DEFINE_COUNTER(EVERY_EXACT_BASE, 514);
PRFDATA_DEFINE_OBJECT(EVERY_HEALTH, 900);
PRFDATA_DEFINE_COUNTER(EVERY_HEALTH_PUBLISHERS, 901);
PRFDATA_DEFINE_COUNTER(EVERY_HEALTH_ENDED, 902);
PRFDATA_DEFINE_COUNTER(EVERY_HEALTH_UNREADABLE, 903);
PRFDATA_DEFINE_COUNTER(EVERY_HEALTH_UNSHOWN, 904);
PRFDATA_DEFINE_COUNTER(EVERY_HEALTH_DROPPED, 905);
PRFDATA_DEFINE_COUNTER(EVERY_HEALTH_TORN, 906);
PRFDATA_DEFINE_COUNTER(EVERY_HEALTH_COLLECT_US, 907);
PRFDATA_DEFINE_COUNTER(EVERY_HEALTH_NO_MEMORY, 908);
PRFDATA_DEFINE_COUNTER(EVERY_HEALTH_SHORT_BUFFER, 909);

PRFDATA_MAP_BEGIN()
    PRFDATA_MAP_OBJ(EVERY_QUEUES,
        L"Every Queue",
        L"It has \"quotes\", \\, \?\?/, \u00E4, \U0001F600 and %s.",
        PERF_DETAIL_NOVICE, EVERY_JOBS, 1000, 40)
    PRFDATA_MAP_TOTAL()
    PRFDATA_MAP_CTR(EVERY_DEPTH,
        L"Depth",
        L"; # = ]",
        PERF_DETAIL_ADVANCED, -7, PERF_COUNTER_RAWCOUNT)
    PRFDATA_MAP_MERGE_MAX()
    PRFDATA_MAP_CTR(EVERY_LOAD,
        L"Load",
        L"Load.",
        PERF_DETAIL_EXPERT, 7, PERF_COUNTER_LARGE_RAWCOUNT)
    PRFDATA_MAP_TOTAL_MEAN()
    PRFDATA_MAP_METRIC("every_load", "percent")
    PRFDATA_MAP_CTR(EVERY_JOBS,
        L"Jobs",
        L"Jobs.",
        PERF_DETAIL_WIZARD, 0, PERF_COUNTER_LARGE_RAWCOUNT)
    PRFDATA_MAP_ACCUMULATING()
    PRFDATA_MAP_HOT()
    PRFDATA_MAP_METRIC("every_job", "")
    PRFDATA_MAP_CTR(EVERY_JOB_TIME,
        L"Job Time",
        L"Job time.",
        PERF_DETAIL_NOVICE, 0, PERF_AVERAGE_TIMER)
    PRFDATA_MAP_CTR(EVERY_JOB_TIME_BASE,
        L"Job Time Base",
        L"The base.",
        PERF_DETAIL_NOVICE, 0, PERF_AVERAGE_BASE)
    PRFDATA_MAP_OBJ(EVERY_CONSUMERS,
        L"Every Consumer",
        L"Consumers.",
        PERF_DETAIL_NOVICE, EVERY_TAKEN, 1, 244)
    PRFDATA_MAP_PER_PROCESS()
    PRFDATA_MAP_PARENT(EVERY_QUEUES)
    PRFDATA_MAP_COSTLY()
    PRFDATA_MAP_CTR(EVERY_TAKEN,
        L"Taken",
        L"Taken.",
        PERF_DETAIL_NOVICE, 0, PERF_COUNTER_COUNTER)
    PRFDATA_MAP_OBJ(EVERY_WORKERS,
        L"Every Worker",
        L"Workers.",
        PERF_DETAIL_WIZARD, EVERY_IDLE, PERF_NO_INSTANCES, 0)
    PRFDATA_MAP_COSTLY()
    PRFDATA_MAP_CTR(EVERY_BUSY,
        L"Busy",
        L"Busy.",
        PERF_DETAIL_NOVICE, 0, PERF_COUNTER_RAWCOUNT)
    PRFDATA_MAP_CTR(EVERY_IDLE,
        L"Idle",
        L"Idle.",
        PERF_DETAIL_NOVICE, 0, PERF_COUNTER_RAWCOUNT)
    PRFDATA_MAP_OBJ(EVERY_PORTS,
        L"Every Port",
        L"Ports.",
        PERF_DETAIL_NOVICE, EVERY_P99, 4, 20)
    PRFDATA_MAP_DISTRIBUTION_WITH(401, PRFDATA_UNIT_100NS, 10, 600000000, 8, 60)
    PRFDATA_MAP_DISTRIBUTION_WITH(402, PRFDATA_UNIT_BYTES, 1, 9223372036854775807, 4, 1)
    PRFDATA_MAP_DISTRIBUTION_WITH(403, PRFDATA_UNIT_NUMBER, 1, 1000, 32, 3600)
    PRFDATA_MAP_CTR(EVERY_P99,
        L"p99",
        L"p99.",
        PERF_DETAIL_NOVICE, 0, PERF_COUNTER_LARGE_RAWCOUNT)
    PRFDATA_MAP_PERCENTILE(401, 9900)
    PRFDATA_MAP_CTR(EVERY_LONGEST,
        L"Longest",
        L"The longest.",
        PERF_DETAIL_NOVICE, 0, PERF_COUNTER_LARGE_RAWCOUNT)
    PRFDATA_MAP_PERCENTILE(401, 10000)
    PRFDATA_MAP_CTR(EVERY_MEAN,
        L"Mean",
        L"Of a minute.",
        PERF_DETAIL_NOVICE, 0, PERF_COUNTER_RAWCOUNT)
    PRFDATA_MAP_MEAN(401)
    PRFDATA_MAP_CTR(EVERY_AVERAGE,
        L"Average",
        L"Of the interval.",
        PERF_DETAIL_NOVICE, 0, PERF_AVERAGE_BULK)
    PRFDATA_MAP_MEAN(401)
    PRFDATA_MAP_CTR(EVERY_AVERAGE_BASE,
        L"Average Base",
        L"The base.",
        PERF_DETAIL_NOVICE, 0, PERF_AVERAGE_BASE)
    PRFDATA_MAP_CTR(EVERY_COUNT,
        L"Count",
        L"How many.",
        PERF_DETAIL_NOVICE, 0, PERF_COUNTER_BULK_COUNT)
    PRFDATA_MAP_COUNT(402)
    PRFDATA_MAP_CTR(EVERY_SMALL,
        L"Small",
        L"How many are small.",
        PERF_DETAIL_NOVICE, 0, PERF_COUNTER_LARGE_DELTA)
    PRFDATA_MAP_AT_MOST(402, 9223372036854775806)
    PRFDATA_MAP_CTR(EVERY_SUM,
        L"Sum",
        L"The sum.",
        PERF_DETAIL_NOVICE, 0, PERF_COUNTER_BULK_COUNT)
    PRFDATA_MAP_SUM(402)
    PRFDATA_MAP_METRIC("every_size", "bytes")
    PRFDATA_MAP_CTR(EVERY_SUM_EVER,
        L"Sum Ever",
        L"The sum.",
        PERF_DETAIL_NOVICE, 0, PERF_COUNTER_LARGE_RAWCOUNT)
    PRFDATA_MAP_SUM(403)
    PRFDATA_MAP_ACCUMULATING()
    PRFDATA_MAP_CTR(EVERY_COUNT_NOW,
        L"Count Now",
        L"Of the window.",
        PERF_DETAIL_NOVICE, 0, PERF_COUNTER_RAWCOUNT)
    PRFDATA_MAP_COUNT(403)
    PRFDATA_MAP_CTR(EVERY_TIMES_P50,
        L"Time us p50",
        L"Half of the most recent values are at most this.",
        PERF_DETAIL_ADVANCED, 0, PERF_COUNTER_LARGE_RAWCOUNT)
    PRFDATA_MAP_PERCENTILE(401, 5000)
    PRFDATA_MAP_CTR(EVERY_TIMES_P95,
        L"Time us p95",
        L"95 % of the most recent values are at most this.",
        PERF_DETAIL_ADVANCED, 0, PERF_COUNTER_LARGE_RAWCOUNT)
    PRFDATA_MAP_PERCENTILE(401, 9500)
    PRFDATA_MAP_CTR(EVERY_TIMES_P99,
        L"Time us p99",
        L"99 % of the most recent values are at most this.",
        PERF_DETAIL_ADVANCED, 0, PERF_COUNTER_LARGE_RAWCOUNT)
    PRFDATA_MAP_PERCENTILE(401, 9900)
    PRFDATA_MAP_CTR(EVERY_TIMES_MAX,
        L"Time us Max",
        L"The largest of the most recent values.",
        PERF_DETAIL_ADVANCED, 0, PERF_COUNTER_LARGE_RAWCOUNT)
    PRFDATA_MAP_PERCENTILE(401, 10000)
    PRFDATA_MAP_CTR(EVERY_TIMES_MEAN,
        L"Time us Mean",
        L"The mean of the values since the last sample.",
        PERF_DETAIL_ADVANCED, 0, PERF_AVERAGE_BULK)
    PRFDATA_MAP_MEAN(401)
    PRFDATA_MAP_CTR(EVERY_TIMES_MEAN_BASE,
        L"Time us Mean Base",
        L"The base of the counter before it.",
        PERF_DETAIL_NOVICE, 0, PERF_AVERAGE_BASE)
    PRFDATA_MAP_CTR(EVERY_TIMES_RATE,
        L"Time us Values/sec",
        L"Values per second.",
        PERF_DETAIL_ADVANCED, 0, PERF_COUNTER_BULK_COUNT)
    PRFDATA_MAP_COUNT(401)
    PRFDATA_MAP_OBJ(EVERY_RATIOS,
        L"Every Ratio",
        L"Counters with bases.",
        PERF_DETAIL_NOVICE, EVERY_HITS, PERF_NO_INSTANCES, 0)
    PRFDATA_MAP_CTR(EVERY_HITS,
        L"% Hits",
        L"Hits.",
        PERF_DETAIL_NOVICE, 0, PERF_SAMPLE_FRACTION)
    PRFDATA_MAP_CTR(EVERY_HITS_BASE,
        L"% Hits Base",
        L"The base of the counter before it.",
        PERF_DETAIL_NOVICE, 0, PERF_SAMPLE_BASE)
    PRFDATA_MAP_CTR(EVERY_USE,
        L"% Use",
        L"Use.",
        PERF_DETAIL_NOVICE, 0, PERF_RAW_FRACTION)
    PRFDATA_MAP_CTR(EVERY_USE_BASE,
        L"% Use Base",
        L"The base of the counter before it.",
        PERF_DETAIL_NOVICE, 0, PERF_RAW_BASE)
    PRFDATA_MAP_CTR(EVERY_LARGE_USE,
        L"% Large Use",
        L"Large use.",
        PERF_DETAIL_NOVICE, 0, PERF_LARGE_RAW_FRACTION)
    PRFDATA_MAP_ACCUMULATING()
    PRFDATA_MAP_HOT()
    PRFDATA_MAP_CTR(EVERY_LARGE_USE_BASE,
        L"% Large Use Base",
        L"The base of the counter before it.",
        PERF_DETAIL_NOVICE, 0, PERF_LARGE_RAW_BASE)
    PRFDATA_MAP_CTR(EVERY_SIZE,
        L"Size",
        L"A size.",
        PERF_DETAIL_NOVICE, -3, PERF_AVERAGE_BULK)
    PRFDATA_MAP_METRIC("every_mean_size", "bytes")
    PRFDATA_MAP_CTR(EVERY_SIZE_BASE,
        L"Size Base",
        L"The base of the counter before it.",
        PERF_DETAIL_NOVICE, 0, PERF_AVERAGE_BASE)
    PRFDATA_MAP_CTR(EVERY_TIME,
        L"Seconds",
        L"Seconds.",
        PERF_DETAIL_NOVICE, 0, PERF_AVERAGE_TIMER)
    PRFDATA_MAP_CTR(EVERY_TIME_BASE,
        L"Seconds Base",
        L"The base of the counter before it.",
        PERF_DETAIL_NOVICE, 0, PERF_AVERAGE_BASE)
    PRFDATA_MAP_CTR(EVERY_DISKS,
        L"% Disks",
        L"Disks.",
        PERF_DETAIL_NOVICE, 0, PERF_100NSEC_MULTI_TIMER_INV)
    PRFDATA_MAP_CTR(EVERY_DISKS_BASE,
        L"% Disks Base",
        L"The base of the counter before it.",
        PERF_DETAIL_NOVICE, 0, PERF_COUNTER_MULTI_BASE)
    PRFDATA_MAP_CTR(EVERY_EXACT,
        L"% Exact",
        L"Exact.",
        PERF_DETAIL_NOVICE, 0, PERF_PRECISION_SYSTEM_TIMER)
    PRFDATA_MAP_CTR(EVERY_EXACT_BASE,
        L"% Exact Base",
        L"The base of the counter before it.",
        PERF_DETAIL_NOVICE, 0, PERF_LARGE_RAW_BASE)
    PRFDATA_MAP_OBJ(EVERY_HEALTH,
        L"Every Health",
        L"What readers know of the programs that publish the counters of this service, and of their own reading.",
        PERF_DETAIL_NOVICE, EVERY_HEALTH_PUBLISHERS, PERF_NO_INSTANCES, 0)
    PRFDATA_MAP_CTR(EVERY_HEALTH_PUBLISHERS,
        L"Publishers",
        L"Programs that publish these counters now. If programs are missing, start them. -Status of the installer lists the programs that publish, and the last events of those that could not.",
        PERF_DETAIL_NOVICE, 0, PERF_COUNTER_LARGE_RAWCOUNT)
    PRFDATA_MAP_HEALTH_OF(PRFDATA_HEALTH_PUBLISHERS)
    PRFDATA_MAP_METRIC("every_health_publishers", "")
    PRFDATA_MAP_CTR(EVERY_HEALTH_ENDED,
        L"Ended Publishers",
        L"Region files of programs that have ended. They keep the counts until a program of the same account and version reuses them. A reader reads at most 1,024 files, running programs included. If the number grows without end, programs start under ever new accounts or in ever new versions, or another program keeps the files open.",
        PERF_DETAIL_NOVICE, 0, PERF_COUNTER_LARGE_RAWCOUNT)
    PRFDATA_MAP_HEALTH_OF(PRFDATA_HEALTH_ENDED)
    PRFDATA_MAP_METRIC("every_health_ended_publishers", "")
    PRFDATA_MAP_CTR(EVERY_HEALTH_UNREADABLE,
        L"Unreadable Regions",
        L"Region files that this reading process cannot read, plus 1 if there are more than 1,024 files, or 1 if it cannot read the folder. What the programs of these files count is missing. Add the reader's account to Performance Monitor Users, and look for a program that locks the files and for disk errors.",
        PERF_DETAIL_NOVICE, 0, PERF_COUNTER_LARGE_RAWCOUNT)
    PRFDATA_MAP_HEALTH_OF(PRFDATA_HEALTH_UNREADABLE)
    PRFDATA_MAP_METRIC("every_health_unreadable_regions", "")
    PRFDATA_MAP_CTR(EVERY_HEALTH_UNSHOWN,
        L"Programs Not Shown",
        L"Programs that run and whose counters are not shown: their version of the counters is not installed, or their region is damaged. Install their version, or restart them with the installed one.",
        PERF_DETAIL_NOVICE, 0, PERF_COUNTER_LARGE_RAWCOUNT)
    PRFDATA_MAP_HEALTH_OF(PRFDATA_HEALTH_UNSHOWN)
    PRFDATA_MAP_METRIC("every_health_programs_not_shown", "")
    PRFDATA_MAP_CTR(EVERY_HEALTH_DROPPED,
        L"Dropped Instances",
        L"Instances that programs could not add since the region files were made, because there was no room for the instance or for its name. If the number grows, raise the maximum of instances, or of characters in their names, in the map, or the number that the program passes to prfdata_open_with. Then install the counters again and restart the program.",
        PERF_DETAIL_NOVICE, 0, PERF_COUNTER_LARGE_RAWCOUNT)
    PRFDATA_MAP_HEALTH_OF(PRFDATA_HEALTH_DROPPED)
    PRFDATA_MAP_ACCUMULATING()
    PRFDATA_MAP_METRIC("every_health_dropped_instances", "")
    PRFDATA_MAP_CTR(EVERY_HEALTH_TORN,
        L"Torn Samples",
        L"How often this reading process has shown values while a program was changing them together, so that they may not fit together. If the number grows with every sample, a program hangs between the beginning and the end of a change: restart it.",
        PERF_DETAIL_NOVICE, 0, PERF_COUNTER_LARGE_RAWCOUNT)
    PRFDATA_MAP_HEALTH_OF(PRFDATA_HEALTH_TORN)
    PRFDATA_MAP_ACCUMULATING()
    PRFDATA_MAP_METRIC("every_health_torn_samples", "")
    PRFDATA_MAP_CTR(EVERY_HEALTH_COLLECT_US,
        L"Collect Microseconds",
        L"How long it took this reading process to collect this service's counters the last time, in microseconds. If it takes longer than the reader waits, ask for fewer objects, or let fewer programs publish.",
        PERF_DETAIL_NOVICE, 0, PERF_COUNTER_LARGE_RAWCOUNT)
    PRFDATA_MAP_HEALTH_OF(PRFDATA_HEALTH_COLLECT_US)
    PRFDATA_MAP_METRIC("every_health_collect", "microseconds")
    PRFDATA_MAP_CTR(EVERY_HEALTH_NO_MEMORY,
        L"Collects Without Memory",
        L"How often this reading process has shown nothing of this service, because its memory was exhausted. If the number grows, give the process more memory, or restart it.",
        PERF_DETAIL_NOVICE, 0, PERF_COUNTER_LARGE_RAWCOUNT)
    PRFDATA_MAP_HEALTH_OF(PRFDATA_HEALTH_NO_MEMORY)
    PRFDATA_MAP_ACCUMULATING()
    PRFDATA_MAP_METRIC("every_health_collects_without_memory", "")
    PRFDATA_MAP_CTR(EVERY_HEALTH_SHORT_BUFFER,
        L"Buffers Too Small",
        L"How often this reading process has asked 32 times in a row with a buffer that was too small for the reply, and so has shown nothing. If the number grows, ask for fewer objects, or correct the reader: it has to enlarge its buffer until the reply fits.",
        PERF_DETAIL_NOVICE, 0, PERF_COUNTER_LARGE_RAWCOUNT)
    PRFDATA_MAP_HEALTH_OF(PRFDATA_HEALTH_SHORT_BUFFER)
    PRFDATA_MAP_ACCUMULATING()
    PRFDATA_MAP_METRIC("every_health_short_buffers", "")
PRFDATA_MAP_END("Every Service-1.0")
