#!/bin/bash
# SPDX-License-Identifier: MIT
# Tests which events readers and programs write. A reader process writes only one event about each
# condition, no matter how often it loads the provider, opens it and asks. At level 0 it writes
# nothing. A program whose counts no reader can see writes an event at any level, if the source is
# registered. Wine keeps no events, but shows them as debug output, with a line for each event and
# each of its texts.
#
# Tier: all
# Builds: mingw
# Job: scripts
# shellcheck source=../support/scripts/script.sh
source "$(dirname "$0")/../support/scripts/script.sh"
shown=log

# read_at <level> [read-text]: run the reader. $work/log is Wine's debug output. $damaged and $full
# become the names of the damaged and of the full region.
read_at() {
    # Use no pipe, because Wine's services would hold it open.
    WINEDEBUG=-all,err+eventlog,warn+eventlog,trace+eventlog,fixme+advapi \
        tests/wine/run "$PRFDATA_BIN/test_event_log.exe" "${2:-read}" "$1" >"$work/output" 2>"$work/log" ||
        fail "level $1: the reader ended with $?"
    read -r damaged full < <(tr -d '\r' <"$work/output")
    [[ $damaged == *.region && $full == *.region ]] || fail "level $1: $(<"$work/output")"
}

# expect <count> <what> <pattern>: check that this many lines of the log match.
expect() {
    local count
    count=$(grep -cE -- "$3" "$work/log" || true)
    [[ $count -eq $1 ]] || fail "$2: $count times instead of $1"
}

# expect_event <type> <message> <class> <detail>: check that the event occurs once, with its service
# and its detail.
expect_event() {
    expect 1 "event $2" "advapi:ReportEventW \([^,]*,$1,0x0000,$2,"
    expect 1 "detail of $2" "$3:eventlog:ReportEventW L\"$4\"\$"
}

read_at 2
expect_event 0x0002 0x800003ec warn '[0-9a-f]{16}-0123456789abcdef\.region' # 1004, refused
expect_event 0x0002 0x800003f0 warn "${damaged/./\\.}"         # 1008
expect_event 0x0002 0x800003f4 warn "${full/./\\.}"            # 1012
expect_event 0x0004 0x400007d1 trace ''                        # 2001, torn
expect_event 0x0001 0xc00003e9 err Maps                        # 1001, missing
expect 5 'events' 'advapi:ReportEventW'
expect 5 'services' ':eventlog:ReportEventW L"PrfDataTestEventLog"$'
expect 5 'sources' 'advapi:RegisterEventSourceW \(\(null\),L"PrfData PrfDataTestEventLog"\)'
expect 5 'sources given back' 'advapi:DeregisterEventSource'
expect 1 'code of what was refused' ':eventlog:ReportEventW L"32"$'

read_at 1
expect 4 'events at level 1' 'advapi:ReportEventW'
expect 0 'event 2001 at level 1' '0x400007d1'

read_at 0
expect 0 'events at level 0' ReportEventW

read_at 4294967295 # the value is absent
expect 0 'events without level' ReportEventW

read_at 2 read-text
expect 0 'events at a level that is text' ReportEventW

# starve_at <level>: run the reader whose provider has no memory for three replies. These replies
# must be empty. The next reply must have both objects, and the number of replies that were missing.
starve_at() {
    WINEDEBUG=-all,err+eventlog,warn+eventlog,trace+eventlog,fixme+advapi \
        tests/wine/run "$PRFDATA_BIN/test_event_log.exe" starve "$1" >"$work/output" 2>"$work/log" ||
        fail "no memory: the reader ended with $?"
    [[ $(tr -d '\r' <"$work/output") == '0:0 0:0 0:0 2 3' ]] || fail "no memory: $(<"$work/output")"
}

starve_at 1
expect 1 'events without memory' 'advapi:ReportEventW'
expect 1 'event 1017' 'advapi:ReportEventW \([^,]*,0x0001,0x0000,0xc00003f9,' # 1017, once for three replies
expect 1 'service of 1017' 'err:eventlog:ReportEventW L"PrfDataTestEventLog"$'
starve_at 0
expect 0 'events without memory at level 0' ReportEventW

# report_with [<argument>]: run the program that cannot publish at first.
report_with() {
    WINEDEBUG=-all,err+eventlog,warn+eventlog,trace+eventlog,fixme+advapi \
        tests/wine/run "$PRFDATA_BIN/test_client_status.exe" report "$@" >"$work/output" 2>"$work/log" ||
        fail "report: the program ended with $?"
    grep -q 'The performance counters of PrfDataTestStatus are published:' "$work/output" ||
        fail "report: $(<"$work/output")"
}

# expect_program_event <type> <message> <class>: check that the event occurs once, and that it names
# the program.
expect_program_event() {
    expect 1 "event $2" "advapi:ReportEventW \([^,]*,$1,0x0000,$2,"
    [[ $(grep -cE -- "$3:eventlog:ReportEventW L\"[^\"]*test_client_status\.exe \(process [0-9]+\)" "$work/log") -ge 1 ]] ||
        fail "$2 does not name the program"
}

report_with
expect_program_event 0x0004 0x40000835 trace # 2101, switched off: two publishers, one event
expect_program_event 0x0002 0x8000044e warn  # 1102, a value is missing
expect_program_event 0x0004 0x40000836 trace # 2102, published late
expect_program_event 0x0002 0x8000044d warn  # 1101, a wrong map
expect 4 'events of the program' 'advapi:ReportEventW'
expect 4 'its sources' 'advapi:RegisterEventSourceW \(\(null\),L"PrfData PrfDataTestStatus"\)'
expect 4 'its sources given back' 'advapi:DeregisterEventSource'
expect 1 'the mistake' ':eventlog:ReportEventW L"[^"]*JOBS \(102, '
expect 1 'code of what is missing' ':eventlog:ReportEventW L"2"$'

report_with without-source
expect 0 'events without a source' ReportEventW

# Programs that show events replace %1 even in a path, so the event has another character for the %.
mkdir "$work/50%1"
cp "$PRFDATA_BIN/test_client_status.exe" "$work/50%1"
PRFDATA_BIN=$work/50%1 report_with
expect 4 'events of a program whose path has %1' 'advapi:ReportEventW'
expect 4 'paths that are protected' ':eventlog:ReportEventW L"[^"]*50\\ff051[^"]*test_client_status\.exe '
