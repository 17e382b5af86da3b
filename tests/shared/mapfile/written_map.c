#include <prfdata/map.h>

PRFDATA_DEFINE_OBJECT(QUEUES, 100);
PRFDATA_DEFINE_COUNTER(DEPTH, 101);
PRFDATA_DEFINE_COUNTER(JOBS, 102);
PRFDATA_DEFINE_COUNTER(JOB_TIME, 103);
PRFDATA_DEFINE_COUNTER(JOB_TIME_BASE, 104);
PRFDATA_DEFINE_OBJECT(WORKERS, 200);
PRFDATA_DEFINE_COUNTER(BUSY, 201);
PRFDATA_DEFINE_OBJECT(CONSUMERS, 300);
PRFDATA_DEFINE_COUNTER(TAKEN, 301);

PRFDATA_MAP_BEGIN()
    PRFDATA_MAP_OBJ(QUEUES,
        L"My Queues",
        L"The queues of my service.",
        PERF_DETAIL_NOVICE, JOBS, 16, 40)
    PRFDATA_MAP_TOTAL()
    PRFDATA_MAP_CTR(DEPTH,
        L"Depth",
        L"Gr\u00F6\u00DFe \"\\\?\?/ \U0001F600; # = ]",
        PERF_DETAIL_NOVICE, 1, PERF_COUNTER_RAWCOUNT)
    PRFDATA_MAP_MERGE_MAX()
    PRFDATA_MAP_CTR(JOBS,
        L"Jobs/sec",
        L"Jobs finished per second.",
        PERF_DETAIL_NOVICE, 0, PERF_COUNTER_BULK_COUNT)
    PRFDATA_MAP_METRIC("consumer_jobs", "bytes")
    PRFDATA_MAP_CTR(JOB_TIME,
        L"Avg. sec/Job",
        L"The mean time of a job.",
        PERF_DETAIL_ADVANCED, -3, PERF_AVERAGE_TIMER)
    PRFDATA_MAP_CTR(JOB_TIME_BASE,
        L"Avg. sec/Job",
        L"The base.",
        PERF_DETAIL_ADVANCED, 0, PERF_AVERAGE_BASE)
    PRFDATA_MAP_OBJ(WORKERS,
        L"My Workers",
        L"The workers of my service.",
        PERF_DETAIL_EXPERT, BUSY, PERF_NO_INSTANCES, 0)
    PRFDATA_MAP_COSTLY()
    PRFDATA_MAP_CTR(BUSY,
        L"Busy",
        L"Workers that have a job.",
        PERF_DETAIL_EXPERT, 0, PERF_COUNTER_LARGE_RAWCOUNT)
    PRFDATA_MAP_OBJ(CONSUMERS,
        L"My Consumers",
        L"Who takes from a queue.",
        PERF_DETAIL_NOVICE, TAKEN, 8, 20)
    PRFDATA_MAP_PARENT(QUEUES)
    PRFDATA_MAP_CTR(TAKEN,
        L"Jobs taken/sec",
        L"Jobs taken per second.",
        PERF_DETAIL_WIZARD, 0, PERF_COUNTER_COUNTER)
    PRFDATA_MAP_METRIC("queue_jobs_finished", "")
PRFDATA_MAP_END("MyService")
