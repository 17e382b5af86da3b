# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Measures the cost of prfview for docs/prfview.md. tests/scripts/64-prfview.sh sources this file. The
# functions check only that the measured work happened. Times are processor times of prfview's two
# processes, the window and the reader of the counters. The times of Wine's server and of the X
# server are not included.

# shellcheck source=figures.sh
source tests/support/scripts/figures.sh

crowd='HKLM\System\CurrentControlSet\Services\PrfDataCrowd' # tests/providers/crowd.c
REFRESHES=20
CHART_SECONDS=20
ENDURANCE_SECONDS=600
ROWS_SECONDS=20
DOWN=40 # the code of the key
KEYS=24 # number of keys that the driver presses

install_crowd() {
    local call
    "$WINE" reg.exe add "$crowd\\Performance" /v Library /d "$(winepath_of "$PRFDATA_BIN")\\prfdata-crowd.dll" /f >/dev/null
    for call in Open Collect Close; do
        "$WINE" reg.exe add "$crowd\\Performance" /v $call /d Crowd$call /f >/dev/null
    done
}

# Set `reader` to the process that reads counters for the window.
find_reader() {
    local process
    reader=
    for process in $(prfdata_wine_processes ours) $(prfdata_wine_processes foreign); do
        [[ $process != "$view" ]] || continue
        if grep -qsF "${view_program##*/}" "/proc/$process/cmdline"; then
            reader=$process
        fi
    done
    [[ -n $reader ]] || fail "prfview has no process that reads"
}

# memory_kb <field> [<process>]: print the memory of the window's process, or of another one.
memory_kb() {
    awk -v field="$1:" '$1 == field { print $2 }' "/proc/${2:-$view}/status"
}

# print_start <what> <title> <argument>...: print the median and the range of five start times.
print_start() {
    local what=$1 title=$2 times=() i
    shift 2
    for i in 1 2 3 4 5; do
        start_view "$@"
        drive "$title" <<<"time $TABLE"
        times+=("$(awk '{ print $1 }' "$work/drive")")
        end_view
    done
    mapfile -t times < <(printf '%s\n' "${times[@]}" | sort -n)
    echo "start to painted table, $what: ${times[2]} ms (${times[0]} to ${times[4]})"
}

print_memory() {
    start_view Session -file "$windows_work\\block.prf"
    drive block.prf <<END
expect $TABLE session 00000|
time $TABLE
END
    echo "memory with a saved block of 8,000 instances: $(per "$(memory_kb VmRSS)" 1024) MiB resident," \
        "of them $(per "$(memory_kb RssAnon)" 1024) MiB private"
    end_view
    start_view Shop -file "$windows_work\\one.prf"
    drive one.prf <<<"time $TABLE"
    echo "memory with one of 40: $(per "$(memory_kb VmRSS)" 1024) MiB resident," \
        "of them $(per "$(memory_kb RssAnon)" 1024) MiB private"
    end_view
}

# Print the last value of the first line in the legend. The legend's columns are name, value under
# the pointer, and last value.
counted_collects() {
    drive prfview <<<"dump $LEGEND"
    awk -F'|' 'NR == 1 { gsub(",", "", $3); print $3 }' "$work/drive"
}

# Print the cost of a refresh. While the window is paused, it reads only when it gets the command of
# F5. The line in the chart counts the calls of Collect, one for each refresh.
print_refresh() {
    local first last window read i
    export PRFDATA_TEST_INSTANCES=8000
    start_view 7740000 '\7740000(session 00000)\7740002'
    drive prfview <<END
expect $TABLE session 00000|
expect $LEGEND 7740002
command $(resource IDC_PAUSE)
expect status Paused
time $TABLE
END
    find_reader
    sleep 1
    first=$(counted_collects)
    window=$(cpu_ms "$view")
    read=$(cpu_ms "$reader")
    for ((i = 0; i < REFRESHES; i++)); do
        drive prfview <<<"command $(resource IDC_REFRESH)"
        sleep 1
    done
    window=$(($(cpu_ms "$view") - window))
    read=$(($(cpu_ms "$reader") - read))
    last=$(counted_collects)
    [[ $((last - first)) -eq $REFRESHES ]] || fail "$((last - first)) refreshes, not $REFRESHES"
    end_view
    echo "processor time of a refresh with 8,000 instances: $(per "$window" $REFRESHES) ms in the window," \
        "$(per "$read" $REFRESHES) ms in the reader"
}

print_chart() {
    local window read from spent
    export PRFDATA_TEST_INSTANCES=50
    start_view -si 0.2 7740000 '\7740000(*)\7740004'
    drive prfview <<<"expect $LEGEND 49:"
    sleep 26 # 26 s at 5 Hz give more than the 120 samples that two minutes at 1 Hz have
    drive prfview <<<"command $(($(resource IDC_INTERVAL) + 2))"
    find_reader
    sleep 2
    from=${EPOCHREALTIME/[.,]/}
    window=$(cpu_ms "$view")
    read=$(cpu_ms "$reader")
    sleep "$CHART_SECONDS"
    window=$(($(cpu_ms "$view") - window))
    read=$(($(cpu_ms "$reader") - read))
    spent=$(((${EPOCHREALTIME/[.,]/} - from) / 1000))
    end_view
    echo "50 lines at 1 Hz: $(per "$((window * 100))" "$spent") % of a core in the window," \
        "$(per "$((read * 100))" "$spent") % in the reader (limit of repainting: 5 %)"
}

# Fill a chart for ten minutes with the shortest interval. Print the memory, and whether it grows.
print_endurance() {
    local window read from spent before
    install_crowd
    export PRFDATA_TEST_INSTANCES=64
    start_view -si 0.2 7740000 '\7740000(*)\7740004'
    drive prfview <<<"expect $LEGEND 59:" # waits for the last row that the driver prints
    find_reader
    sleep 30 # memory grows during this time because the program makes some things only once
    before="$(per "$(memory_kb RssAnon)" 1024) and $(per "$(memory_kb RssAnon "$reader")" 1024)"
    from=${EPOCHREALTIME/[.,]/}
    window=$(cpu_ms "$view")
    read=$(cpu_ms "$reader")
    sleep "$ENDURANCE_SECONDS"
    window=$(($(cpu_ms "$view") - window))
    read=$(($(cpu_ms "$reader") - read))
    spent=$(((${EPOCHREALTIME/[.,]/} - from) / 1000))
    echo "64 lines at 5 Hz for $((spent / 1000)) s: $(per "$((window * 100))" "$spent") % of a core in the window," \
        "$(per "$((read * 100))" "$spent") % in the reader; private MiB in window and reader: $before," \
        "then $(per "$(memory_kb RssAnon)" 1024) and $(per "$(memory_kb RssAnon "$reader")" 1024)"
    end_view
}

# print_cost <rows>: print the cost of a table of <rows> rows with 20 counters, at one sample per
# second.
print_cost() {
    local window read from spent
    find_reader
    sleep 5 # do not measure the work that follows a start
    from=${EPOCHREALTIME/[.,]/}
    window=$(cpu_ms "$view")
    read=$(cpu_ms "$reader")
    sleep "$ROWS_SECONDS"
    window=$(($(cpu_ms "$view") - window))
    read=$(($(cpu_ms "$reader") - read))
    spent=$(((${EPOCHREALTIME/[.,]/} - from) / 1000))
    echo "$view_program, $1 x 20 at 1 Hz: $(per "$((window * 100))" "$spent") % of a core in the window," \
        "$(per "$((read * 100))" "$spent") % in the reader; $(per "$(memory_kb VmRSS)" 1024) MiB resident," \
        "of them $(per "$(memory_kb RssAnon)" 1024) MiB private"
}

# print_keys <when>: print the time from a key until the next row has the focus and all is painted.
print_keys() {
    local window
    window=$(cpu_ms "$view")
    drive prfview <<<"keys $TABLE $DOWN"
    echo "$view_program, a key over $1: $(<"$work/drive"); processor time of $KEYS keys and of what came" \
        "meanwhile: $(($(cpu_ms "$view") - window)) ms"
}

# Print how long the window takes to show that it has paused. The start of the driver is included.
print_pause() {
    local from=${EPOCHREALTIME/[.,]/}
    drive prfview <<END
command $(resource IDC_PAUSE)
expect status Paused
END
    echo "$view_program, Pause with the start of the driver:" \
        "$(((${EPOCHREALTIME/[.,]/} - from) / 1000)) ms"
}

# print_rows [<prfview.exe>...]: print the time of keys and samples with many rows. Several programs,
# such as those of two commits, are measured in turns, twice each, because the computer's speed may
# change meanwhile.
print_rows() {
    local rows program programs=()
    [[ $# -gt 0 ]] || set -- "$PRFDATA_BIN/$view_program"
    for program in "$@"; do
        [[ -f $program ]] || fail "$program does not exist"
        programs+=("$(realpath "$program")")
    done
    [[ $# -eq 1 ]] || programs+=("${programs[@]}")
    install_crowd
    export PRFDATA_TEST_COUNTERS=20
    for rows in 300 10000; do
        export PRFDATA_TEST_INSTANCES=$rows
        for view_program in "${programs[@]}"; do
            start_view -si 1 7740000
            drive prfview <<END
expect $TABLE session 00000|
time $TABLE
END
            print_cost "$rows"
            print_keys "$rows live rows"
            print_pause
            print_keys "$rows rows in a pause"
            end_view
        done
    done
}

# Print the cost of smooth edges, compared with GDI's lines, which have none.
print_paint() {
    "$WINE" "$PRFDATA_BIN/paint-cost.exe" | sed 's/\r//; s/^/painting /'
}

print_figures() {
    tests/support/scripts/recording.py "$work/block.prf" --samples=1 --sessions=8000
    tests/support/scripts/recording.py "$work/one.prf" --samples=1
    install_crowd
    export PRFDATA_TEST_INSTANCES=50
    echo "under Wine and Xvfb, $(getconf _NPROCESSORS_ONLN) processors:" \
        "$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | sed -n 1p)"
    echo "size of the program: $(($(stat -c %s "$PRFDATA_BIN/prfview.exe") / 1024)) KiB"
    print_start 'a recording' shop.prf Checkout -file "$windows_work\\shop.prf"
    print_start 'a block of 8,000 instances' block.prf Session -file "$windows_work\\block.prf"
    print_start live prfview 7740000
    print_memory
    print_refresh
    print_chart
    print_paint
}
