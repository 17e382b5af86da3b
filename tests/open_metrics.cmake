# SPDX-License-Identifier: MIT
# Text for Prometheus, and the server that gives it.
prfdata_add_test(metric_name LIBRARIES prfdata_reader)
prfdata_add_test(series LIBRARIES prfdata_reader)
prfdata_add_test(open_metrics SOURCES test_open_metrics.c metric_sample.c golden.c wire.c
    LIBRARIES prfdata_reader)
prfdata_add_test(http LIBRARIES prfdata_reader)
prfdata_add_test(serve LIBRARIES prfdata_reader)
prfdata_add_test(exposition SOURCES test_exposition.c metric_sample.c wire.c
    LIBRARIES prfdata_reader)
prfdata_add_test(overrides SOURCES test_overrides.c metric_sample.c wire.c
    LIBRARIES prfdata_reader)
