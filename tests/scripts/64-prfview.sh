#!/bin/bash
# SPDX-License-Identifier: MIT
# Tests prfview's window on a virtual screen, with messages and with xdotool: a recording of two
# minutes and one with 8,000 instances, search, sort, chart, details, save and reopen, dark, live
# counters, the workspace, providers that print, hang, crash and are slow, and 200 % (192 DPI).
#
# Nothing here depends on timing, because tests/support/scripts/window_driver.c waits for a
# condition of the window. Pictures of the window are compared with tests/golden/prfview*.png, with
# a tolerance (tests/support/scripts/picture.py).
#
#   64-prfview.sh --pictures <folder>       also write the pictures of docs/prfview.md to it
#   64-prfview.sh --golden                  write the pictures of tests/golden before comparing
#   64-prfview.sh figures                   only print the figures of docs/prfview.md
#   64-prfview.sh endurance                 only print the figures of ten minutes
#   64-prfview.sh rows [<prfview.exe>...]   only print the figures of large tables of these programs
#
# Tier: all
# Builds: mingw linux-asan
# Job: scripts
# shellcheck source=../support/scripts/script.sh
source "$(dirname "$0")/../support/scripts/script.sh"
prints_figures=
[[ ${1:-} != figures && ${1:-} != endurance && ${1:-} != rows ]] || prints_figures=$1
[[ -z $prints_figures ]] || export PRFDATA_WINE_PROCESSOR= # Wine may use all processors
prfdata_wine_environment
# shellcheck source=../../samples/hwinput/screen.sh
source samples/hwinput/screen.sh
# shellcheck source=../support/scripts/prfview-figures.sh
source tests/support/scripts/prfview-figures.sh

# Numbers of the window's parts and of commands, from reader/prfview/app.h and
# reader/panes/resource.h.
SEARCH=0 INTERVAL=1 PAUSE=2 TREE=4 TABLE=5 LEGEND=8 BYTES=9
resource() {
    awk -v name="$1" '$2 == name { print $3 }' reader/panes/resource.h
}

FIRST_LINE=0,95,184 SECOND_LINE=202,80,16 # colours of reader/panes/theme.c
BEYOND=255,205,200 # the colour of cells beyond a threshold, of reader/panes/theme.c
unsteady='HKLM\System\CurrentControlSet\Services\PrfDataUnsteady' # tests/providers/unsteady.c
pictures=
[[ ${1:-} != --pictures ]] || pictures=$2
golden=
[[ ${1:-} != --golden ]] || golden=--update
export TZ=UTC # the chart shows times in this zone
view=
view_program=prfview.exe
view_environment=() # <variable>=<value> for prfview's environment
monitor=
own=
shown='install view monitor read said'

clean_up() {
    end_process "$view" "$monitor"
    screen_stop
}

start_view() {
    (cd "$PRFDATA_BIN" && exec env "${view_environment[@]}" "$WINE" "$view_program" "$@") >"$work/view" 2>&1 </dev/null &
    view=$!
}

# drive <title>: run the commands of standard input.
drive() {
    env "${view_environment[@]}" "$WINE" "$PRFDATA_BIN/window-driver.exe" "$1" >"$work/drive" 2>&1 ||
        fail "$(<"$work/drive"); prfview: $(<"$work/view")"
}

end_view() {
    local exit_code=0
    drive prfview <<<close
    wait "$view" || exit_code=$?
    view=
    # Wine's X11 driver may unmap a window that X has destroyed. Xlib then ends prfview with this
    # error.
    [[ $exit_code -eq 0 ]] || grep -q 'X Error of failed request:  BadWindow' "$work/view" ||
        fail "prfview ended with $exit_code: $(<"$work/view")"
}

# Set view_window, and set X and Y to the window's position.
locate_view() {
    view_window=$(xdotool search --onlyvisible --name 'prfview' | sed -n 1p)
    eval "$(xdotool getwindowgeometry --shell "$view_window" | grep -E '^(X|Y)=[0-9]+$')"
}

looks_as_before() {
    xwd -silent -id "$view_window" | tests/support/scripts/picture.py "tests/golden/$1.png" >"$work/differs"
}

is_dark() {
    xwd -silent -id "$view_window" | tests/support/scripts/picture.py --dark >"$work/differs"
}

# Return whether the picture no longer changes. Wine brings painted pixels to the screen a moment
# later.
is_still() {
    xwd -silent -id "$view_window" >"$work/$1"
    sleep 0.3
    xwd -silent -id "$view_window" | cmp -s - "$work/$1"
}

# count_rows <colour>: print how many bands of the window have this colour. A band is a group of
# adjacent rows of pixels, such as a row of the table.
count_rows() {
    xwd -silent -id "$view_window" | tests/support/scripts/picture.py "--rows=$1"
}

# has_coloured_rows <number>: check that this many rows of the table have cells beyond a threshold.
has_coloured_rows() {
    coloured=$(count_rows "$BEYOND")
    [[ $coloured -eq $1 ]]
}

# has_colour_of_second: check that the window shows only the colour of the second of two lines.
has_colour_of_second() {
    [[ $(count_rows "$SECOND_LINE") -gt 0 && $(count_rows "$FIRST_LINE") -eq 0 ]]
}

# is_painted <part>: check that a part that was painted in pieces looks the same after it is painted
# at once.
is_painted() {
    poll 60 is_still pieces
    drive prfview <<<"repaint $1"
    poll 60 is_still whole
    cmp -s "$work/pieces" "$work/whole"
}

looks_otherwise() {
    ! looks_as_before "$1"
}

# picture <name>: write a picture for the documents.
picture() {
    [[ -n $pictures ]] || return 0
    locate_view
    xdotool mousemove 1 1
    sleep 1.5 # the picture is for people; no check depends on it
    xwd -silent -id "$view_window" | samples/hwinput/xwd-to-png >"$pictures/$1.png" 2>/dev/null
}

# compare <name>: check that the window looks like tests/golden/<name>.png. Drawing takes time, so
# try for a minute.
compare() {
    picture "$1"
    locate_view
    xdotool mousemove 1 1
    if [[ -n $golden ]]; then
        sleep 1
        xwd -silent -id "$view_window" | tests/support/scripts/picture.py --update "tests/golden/$1.png"
    fi
    poll 60 looks_as_before "$1" || fail "it does not look like $1.png: $(<"$work/differs")"
}

# Find the open menu, which is a separate window without a name.
find_menu() {
    view_window=$(xwininfo -root -tree |
        awk '/has no name.*"prfview.exe".* [0-9][0-9][0-9]x[0-9][0-9][0-9]\+/ && !found++ { print $1 }')
    [[ -n $view_window ]]
}

# compare_menu <name> <key>: compare the menu that the key opens. The window under the pointer gets
# the keys.
compare_menu() {
    locate_view
    xdotool mousemove $((X + 3)) $((Y + 400)) key "$2"
    poll 60 find_menu || fail "$2 opens no menu"
    [[ -z $golden ]] || sleep 1
    if [[ -n $golden ]]; then
        xwd -silent -id "$view_window" | tests/support/scripts/picture.py --update "tests/golden/$1.png"
    fi
    poll 60 looks_as_before "$1" || fail "it does not look like $1.png: $(<"$work/differs")"
    xdotool key Escape Escape
}

winepath_of() {
    printf 'Z:%s' "${1//\//\\}"
}

for file in prfview.exe window-driver.exe window-guest.dll hwinput.exe prfdata-unsteady.dll prfdata-crowd.dll paint-cost.exe; do
    [[ -e $PRFDATA_BIN/$file ]] || build_preset mingw || fail "the preset mingw cannot be built"
done
reader/prfview/make-icon --check
# Use a separate Wine, because the server of a Wine remembers the size of the first screen that one
# of its programs has seen.
use_own_wine
own=$(echo "$WINEPREFIX"/drive_c/users/*/AppData/Local)/PrfData/prfview.txt
rm -f "$own"
begin_wine
SCREEN_SIZE=1280x900
screen_start || fail "no X server: $(cat "$screen_folder/log")"
tests/support/scripts/recording.py "$work/shop.prf"
tests/support/scripts/recording.py "$work/latency.prf" --latency
tests/support/scripts/recording.py "$work/devices.prf" --devices --samples=20
tests/support/scripts/recording.py "$work/ended.prf" --samples=62 # a worker of Card ends in the 60th
tests/support/scripts/recording.py "$work/one.prf" --samples=1
head -c 200 "$work/shop.prf" >"$work/cut.prf"
head -c -100 "$work/shop.prf" >"$work/short.prf"
head -c 40 "$work/shop.prf" >"$work/no.prf"
# large.prf is a recording with a damaged sample, followed by a sample of 257 MiB. The large sample
# has only zero bytes, which take no space on disk.
python3 - "$work" <<'END'
import struct, sys
shop = open(f'{sys.argv[1]}/shop.prf', 'rb').read()
with open(f'{sys.argv[1]}/large.prf', 'wb') as file:
    damaged = bytearray(shop)
    second = damaged.index(b'PrfBlock') + 16
    head, = struct.unpack_from('<I', damaged, second + 24)
    damaged[second + head + 42] ^= 0x7F  # NumInstances of the first object
    file.write(damaged + struct.pack('<8sII', b'PrfBlock', 1, 257 << 20))
    file.truncate(file.tell() + (257 << 20))
END
# Make one recording in three files: day, day-2 and day-4. In day-4 the titles are moved, as if
# counters had been installed before it. The file day-3 next to them is a recording of another
# reader.
tests/support/scripts/recording.py "$work/day.prf" --samples=40
tests/support/scripts/recording.py "$work/day-2.prf" --from=40 --samples=80
cp "$work/latency.prf" "$work/day-3.prf"
tests/support/scripts/recording.py "$work/day-4.prf" --from=80 --moved=10
tests/support/scripts/recording.py "$work/many.prf" --samples=3 --sessions=8000
# Damage the older one of two files.
tests/support/scripts/recording.py "$work/older.prf" --samples=40
tests/support/scripts/recording.py "$work/newer.prf" --from=40 --samples=80
python3 - "$work/older.prf" <<'END'
import struct, sys
damaged = bytearray(open(sys.argv[1], 'rb').read())
second = damaged.index(b'PrfBlock') + 16
head, = struct.unpack_from('<I', damaged, second + 24)
damaged[second + head + 42] ^= 0x7F  # NumInstances of the first object
open(sys.argv[1], 'wb').write(damaged)
END
windows_work=$(winepath_of "$work")
if [[ -n $prints_figures ]]; then
    "print_$prints_figures" "${@:2}"
    exit
fi

# ---- The command line ----

"$WINE" "$PRFDATA_BIN/prfview.exe" '-?' | grep -e '-file' >/dev/null || fail "-? lists no options"
exit_code=0
"$WINE" "$PRFDATA_BIN/prfview.exe" -nope >"$work/said" || exit_code=$?
[[ $exit_code -eq 2 ]] && grep -q 'no such option' "$work/said" || fail "-nope: $exit_code"

# Messages about a missing file, and a file without -file, are also printed where the command was
# typed.
start_view nowhere "$windows_work\\said"
poll 60 grep -q '^prfview: nowhere was not found' "$work/view" || fail "nowhere: $(<"$work/view")"
poll 60 grep -q 'said is a file, not an object' "$work/view" || fail "a file: $(<"$work/view")"
end_view
start_view '\Checkout(*)\Dept' -file "$windows_work\\shop.prf"
poll 60 grep -q 'Dept was not found; did you mean "Depth"?' "$work/view" || fail "Dept: $(<"$work/view")"
end_view
echo "passed: the command line"

# A path finds an instance that ended before the last sample of a file.
start_view '\Worker(Card/worker 3)\Orders' -file "$windows_work\\ended.prf"
drive ended.prf <<END
expect $LEGEND \\Worker(Card/worker 3)\\Orders
expect $LEGEND 46.50
expect $TREE Worker
END
end_view
echo "passed: a line that ended before the last sample"

# ---- A recording ----

start_view '\Checkout(*)\% Busy Time' '\Checkout(*)\Orders/sec' '\Shop\Visitors' Checkout \
    -file "$windows_work\\shop.prf"
drive shop.prf <<END
expect $TREE SHOP-01
expect $TREE Checkout <
expect $TABLE Card|19|20.00|49.88
expect $LEGEND \\Checkout(Card)\\Orders/sec
expect $LEGEND 24.10
expect $LEGEND \\Shop\\Visitors
expect status Recorded 1/4/2027 11:51:59
expect heading Checkout – 4 instances
$(printf 'named %s\n' 0 1 2 3 4 5 6 7 8 9)
END
compare prfview
# With 144 DPI, check boxes (22 pixels), pieces of lines (48) and columns have the same visible size
# as with 96 DPI.
drive shop.prf <<END
dpi 144
expect boxes boxes 70.
END
compare prfview-144
drive shop.prf <<<'dpi 96'
[[ -n $golden ]] || poll 60 looks_as_before prfview || fail "back at 96 DPI: $(<"$work/differs")"
echo "passed: a recording: tree, table and legend; a move to 144 DPI and back"

drive shop.prf <<END
type $SEARCH session
expect $TREE Session
reject $TREE Checkout
type $SEARCH
expect $TREE Checkout
command $(resource IDC_RAW)
expect $TABLE Card|19|2,886
command $(resource IDC_RAW)
expect $TABLE Card|19|20.00
command $(resource IDC_SHOW_DETAILS)
select $TABLE 0
expect $BYTES \\Checkout(Card)\\Depth
expect $BYTES PERF_COUNTER_RAWCOUNT
expect $BYTES PERF_COUNTER_BLOCK
command $(resource IDC_SHOW_HISTOGRAM)
END
compare prfview-histogram
drive shop.prf <<END
command $(resource IDC_SHOW_DETAILS)
END
compare prfview-details
echo "passed: search, raw values, details"

# After a switch to another window and back, Copy and Add must act on the same part as before.
drive shop.prf <<END
focus $SEARCH
away
expect focus focus 1000, visible.
focus $TABLE
away
expect focus focus 1005, visible.
END
echo "passed: the focus stays where it was"

locate_view
xdotool mousemove $((X + 340)) $((Y + 84)) click 1
drive shop.prf <<END
expect $TABLE 0:Transfer
END
echo "passed: sort by a click"

# Save the recording and open it again. It must have the same samples, and prfread must read them,
# too.
drive shop.prf <<END
command $(resource IDC_SAVE_RECORDING)
file $windows_work\\again.prf
expect status again.prf
command $(resource IDC_EXPORT_CHART)
file $windows_work\\chart.csv
expect status chart.csv
command $(resource IDC_EXPORT_TABLE)
file $windows_work\\table.csv
expect status table.csv
command $(resource IDC_EXPORT_PICTURE)
file $windows_work\\chart.png
expect status chart.png
command $(resource IDC_EXPORT_TABLE)
file Z:\\proc\\table.csv
box 1 cannot be written
command $(resource IDC_EXPORT_PICTURE)
file Z:\\proc\\chart.png
box 1 cannot be written
command $(resource IDC_OPEN)
file $windows_work\\no.prf
box 1 is not a recording of PrfData
expect title shop.prf
command $(resource IDC_OPEN)
file $windows_work\\large.prf
expect title large.prf
expect status Damaged samples, left out: 1 of 121, the first at byte
expect status Partly damaged samples: 1 of 121, the first at byte
expect $TABLE Card|19|20.00|
command $(resource IDC_OPEN)
file $windows_work\\cut.prf
expect status This sample is damaged
command $(resource IDC_OPEN)
file $windows_work\\day.prf
expect status 3 files with 120 samples
reject status This sample is damaged
command $(resource IDC_OPEN)
file $windows_work\\many.prf
expect title many.prf
END
cmp "$work/shop.prf" "$work/again.prf" || fail "the recording was saved as another one"
grep -q '^"Card","19"' "$work/table.csv" || fail "table.csv: $(head -n 3 "$work/table.csv")"
[[ $(wc -l <"$work/chart.csv") -eq 121 ]] || fail "chart.csv has $(wc -l <"$work/chart.csv") lines"
[[ $(head -c 4 "$work/chart.png" | tail -c 3) == PNG ]] || fail "chart.png is no PNG"
"$PRFDATA_NATIVE_BIN/prfread" -file "$work/again.prf" '\Shop\Visitors' >"$work/read"
[[ $(grep -c '^"[0-9]' "$work/read") -ge 119 ]] || fail "prfread: $(head -n 5 "$work/read")"
end_view
start_view '\Checkout(*)\% Busy Time' '\Checkout(*)\Orders/sec' '\Shop\Visitors' Checkout \
    -file "$windows_work\\day.prf"
drive day.prf <<END
expect status 3 files with 120 samples
expect $TABLE Card|19|20.00|
command $(resource IDC_EXPORT_CHART)
file $windows_work\\day.csv
expect status day.csv
END
cmp "$work/chart.csv" "$work/day.csv" || fail "the day has other values: $(head -n 3 "$work/day.csv")"
end_view
echo "passed: saved, exported and reopened"

# With a newer file, the window still says that the older one is damaged.
start_view Checkout -file "$windows_work\\older.prf" "$windows_work\\newer.prf"
drive older.prf <<END
expect $TABLE Card|37|
expect status 2 files with 80 samples; Partly damaged samples: 1 of 80, the first at byte
expect status of older.prf
END
end_view
echo "passed: two files"

# ---- Columns, gaps, dragging ----

start_view '\Worker(Card/worker 3)\Orders' Checkout -file "$windows_work\\shop.prf"
drive shop.prf <<END
expect $TABLE Card|19|
expect $LEGEND \\Worker(Card/worker 3)\\Orders
command $(resource IDC_EXPORT_CHART)
file $windows_work\\gaps.csv
expect status gaps.csv
END
# The instance Card/worker 3 exists in two of the recording's four half minutes, so the line of its
# counter ends and begins again.
[[ $(grep -c '," "' "$work/gaps.csv") -eq 60 ]] || fail "gaps.csv: $(head -n 3 "$work/gaps.csv")"
compare prfview-gaps
locate_view
# Wine sees a drag only if the moves come one by one. Repeat the drag until the row is in the chart.
drag_row() {
    xdotool mousemove $((X + 340)) $((Y + 105)) sleep 0.1 mousedown 1 sleep 0.1 \
        mousemove $((X + 360)) $((Y + 140)) sleep 0.1 mousemove $((X + 400)) $((Y + 200)) sleep 0.1 \
        mousemove $((X + 700)) $((Y + 450)) sleep 0.1 mouseup 1
    "$WINE" "$PRFDATA_BIN/window-driver.exe" shop.prf <<<"dump $LEGEND" | grep -F '\Checkout(Card)\Depth' >/dev/null
}
poll 60 drag_row || fail "the row did not come to the chart"
echo "passed: gaps, and a row dragged to the chart"

xdotool mousemove $((X + 560)) $((Y + 84)) click 1
drive shop.prf <<END
expect $TABLE 0:Card|
command $(resource IDC_HIDE_COLUMN)
expect columns 0=200 1=0
command $(resource IDC_SAVE_WORKSPACE)
file $windows_work\\columns.txt
expect status columns.txt
command $(resource IDC_ALL_COLUMNS)
expect columns 0=200 1=110
END
grep -q '^column = 1 0 1 .Checkout.Depth' "$work/columns.txt" || fail "$(<"$work/columns.txt")"
sed -i 's/^column = 2 [0-9]* 0/column = 9 150 0/' "$work/columns.txt"
# The dialog moves Depth, the first of five columns, to the second place, and saves the columns as a
# set with the name Mine.
drive shop.prf <<END
command $(resource IDC_COLUMNS)
dialog $(resource IDD_COLUMNS_SET) Mine
press $(resource IDD_COLUMNS_DOWN)
press $(resource IDD_COLUMNS_SAVE)
button 1
command $(resource IDC_SAVE_WORKSPACE)
file $windows_work\\sets.txt
expect status sets.txt
END
grep -q '^column-set = 1 0 Mine|.Checkout.Depth' "$work/sets.txt" || fail "$(<"$work/sets.txt")"
grep -q '^column = 2 0 0 .Checkout.Depth' "$work/sets.txt" || fail "$(<"$work/sets.txt")"
drive shop.prf <<END
command $(resource IDC_OPEN_WORKSPACE)
file $windows_work\\columns.txt
expect columns 0=200 1=0 3=
expect columns 2=150
expect $LEGEND \\Worker(Card/worker 3)\\Orders
expect $LEGEND \\Checkout(Card)\\Depth
command $(resource IDC_OPEN_WORKSPACE)
file $windows_work\\large.prf
box 1 cannot be opened
expect $LEGEND \\Worker(Card/worker 3)\\Orders
expect $LEGEND \\Checkout(Card)\\Depth
END
end_view
echo "passed: columns are remembered; what is no workspace takes nothing away"

# ---- Cells ----

# A click selects a cell, and arrow keys select another one. Enter and the menu of the right button
# apply to it. The window under the pointer gets the keys.
start_view Checkout -file "$windows_work\\shop.prf"
drive shop.prf <<END
expect $TABLE Card|19|
command $(resource IDC_SELECT_ALL)
command $(resource IDC_COPY)
expect status Copied
command $(resource IDC_KEYS)
box 1 Ctrl+Shift+C	Copy counter path
END
locate_view
xdotool mousemove $((X + 700)) $((Y + 118)) click 1
drive shop.prf <<END
command $(resource IDC_ADD)
expect $LEGEND \\Checkout(Gift)\\Orders/sec
END
xdotool key Right Return
drive shop.prf <<<"expect $LEGEND 1:% Busy Time|" # both lines are of one instance, so rows name only counters
xdotool key ctrl+t
drive shop.prf <<<"expect $TABLE 1:Gift|"
xdotool key ctrl+t
drive shop.prf <<<"expect $TABLE 0:Transfer|"
xdotool mousemove $((X + 580)) $((Y + 118)) click 3
poll 60 find_menu || fail "the right button opens no menu"
xdotool key a
drive shop.prf <<<"expect $LEGEND :(Invoice)\\Depth|"
locate_view
xdotool mousemove $((X + 340)) $((Y + 150)) key Home shift+End
drive shop.prf <<END
command $(resource IDC_ADD)
expect $LEGEND :(Card)\\Depth|
expect $LEGEND :(Gift)\\Depth|
dpi 192
expect columns 0=300 1=193
dpi 96
expect columns 0=200 1=110
END
end_view
# The names stay while the other columns scroll below them. A click on a name must not select the
# cell below it, and a click on its heading must not sort by the column below it.
printf '%s\n' 'object = Session' 'column = 0 200 0 \Session\*' 'column = 1 110 0 \Session\Requests/sec' \
    'column = 2 110 0 \Session\Basket' 'column = 3 110 0 \Session\Bytes' >"$work/names.txt"
start_view -w "$windows_work\\names.txt" -file "$windows_work\\shop.prf"
drive shop.prf <<END
expect $TABLE session 00001|
dpi 192
expect columns 0=400 1=220
END
locate_view
xdotool mousemove $((X + 980)) $((Y + 250)) click 1 key Right Right Right
xdotool mousemove $((X + 730)) $((Y + 300)) click 1 click 1
drive shop.prf <<<"expect $LEGEND \\Session(session 00005)\\Requests/sec"
xdotool mousemove $((X + 730)) $((Y + 145)) click 1
drive shop.prf <<<"expect $TABLE 0:session 00039|"
# Wine sees a drag only if the moves come one by one.
drag_divider() {
    xdotool mousemove $((X + 821)) $((Y + 145)) sleep 0.1 mousedown 1 sleep 0.1 \
        mousemove $((X + 800)) $((Y + 145)) sleep 0.1 mousemove $((X + 720)) $((Y + 145)) sleep 0.1 \
        mousemove $((X + 691)) $((Y + 145)) sleep 0.1 mouseup 1
    "$WINE" "$PRFDATA_BIN/window-driver.exe" shop.prf <<<'dump columns' | grep '^0=20[0-9] 1=220' >/dev/null
}
poll 60 drag_divider || fail "the column of names keeps its width"
end_view
echo "passed: names stay"

# A part has a horizontal bar only if its content is wider than the part.
start_view Shop -file "$windows_work\\shop.prf"
drive shop.prf <<END
expect $TABLE Visitors|
expect bars bars.
command $(resource IDC_SHOW_DETAILS)
select $TABLE 0
expect $BYTES Visitors
expect bars bars.
dpi 192
expect bars bars 5 9.
dpi 96
expect bars bars.
command $(resource IDC_SHOW_CHART)
dpi 144
expect bars bars 5.
dpi 96
expect bars bars.
END
echo "passed: bars"

locate_view
# Select the object and open it with Right. Its first counter is below it.
drag_node() {
    xdotool mousemove $((X + 85)) $((Y + 147)) click 1 sleep 0.1 key Right sleep 0.1 \
        mousemove $((X + 107)) $((Y + 163)) sleep 0.1 mousedown 1 sleep 0.1 \
        mousemove $((X + 130)) $((Y + 190)) sleep 0.1 mousemove $((X + 300)) $((Y + 300)) sleep 0.1 \
        mousemove $((X + 700)) $((Y + 670)) sleep 0.1 mouseup 1
    "$WINE" "$PRFDATA_BIN/window-driver.exe" shop.prf <<<"dump $LEGEND" | grep -F 'Visitors' >/dev/null
}
poll 60 drag_node || fail "the counter of the tree did not come to the chart"
end_view
echo "passed: a counter dragged from the tree"

# A threshold is set in its dialog, saved in a workspace and drawn. A condition filters rows.
printf '%s\n' 'object = Checkout' 'threshold = >60 \Checkout\% Busy Time' 'threshold = >=8 \Checkout\Depth' \
    'series = \Checkout(*)\% Busy Time' 'sort-object = Checkout' 'sort-counter = Bytes' 'sort-descending = 0' \
    'legend = 200' >"$work/thresholds.txt"
start_view -w "$windows_work\\thresholds.txt" -file "$windows_work\\shop.prf"
drive shop.prf <<END
expect $TABLE 0:Transfer|
expect $LEGEND Transfer
END
compare prfview-threshold
drive shop.prf <<END
type $SEARCH >7
expect heading 2 of 4
type $SEARCH
select $TABLE 0
command $(resource IDC_THRESHOLD)
file <18
command $(resource IDC_SAVE_WORKSPACE)
file $windows_work\\limits.txt
expect status limits.txt
END
grep -q '^threshold = <18 .Checkout.Depth' "$work/limits.txt" || fail "$(<"$work/limits.txt")"
end_view
# The threshold from the dialog is shown: the cells beyond it are coloured, and the dialog opens
# with it. A hexadecimal number stays hexadecimal. Headings show the unit of values. Raw values have
# no unit.
start_view Device -file "$windows_work\\devices.prf"
drive devices.prf <<END
expect headings Instance|State|Position|Load (%)|Requests (/s)
expect $TABLE 0:printer|BEEEh|10000BEEEh|25.00|7.00
command $(resource IDC_RAW)
expect headings Instance|State|Position|Load|Requests
command $(resource IDC_RAW)
expect headings |Load (%)|
END
locate_view
xdotool mousemove 1 1
poll 60 has_coloured_rows 0 || fail "$coloured rows are coloured before there is a threshold"
drive devices.prf <<END
select $TABLE 1
command $(resource IDC_THRESHOLD)
box 2 such as >=BEEFh
command $(resource IDC_THRESHOLD)
dialog $(resource IDD_NAME_EDIT) beef
button 1
box 1 A threshold begins with
dialog $(resource IDD_NAME_EDIT) >=48878
button 1
command $(resource IDC_THRESHOLD)
box 2 >=BEEEh
END
poll 60 has_coloured_rows 2 || fail "$coloured rows are coloured, not 2"
drive devices.prf <<END
command $(resource IDC_THRESHOLD)
dialog $(resource IDD_NAME_EDIT) >beefh
button 1
command $(resource IDC_THRESHOLD)
box 2 >BEEFh
END
poll 60 has_coloured_rows 0 || fail "$coloured rows are coloured above the greatest value"
drive devices.prf <<END
command $(resource IDC_THRESHOLD)
dialog $(resource IDD_NAME_EDIT) >=beefh
button 1
END
poll 60 has_coloured_rows 1 || fail "$coloured rows are coloured, not 1"
end_view
echo "passed: thresholds"

# A recording that is opened while the window shows another one replaces it. Table and chart must be
# the same as in a window that was started with the new recording.
# keep_content <name> <recording> [<recording>]: write the table and the chart of the last
# recording.
keep_content() {
    local last=${3:-$2}
    start_view '\Checkout(*)\Depth' Checkout -file "$windows_work\\$2"
    drive "$2" <<<"expect $LEGEND Invoice"
    if [[ $# -eq 3 ]]; then
        drive "$2" <<END
command $(resource IDC_OPEN)
file $windows_work\\$3
expect title $3
END
    fi
    drive "$last" <<END
expect $LEGEND Invoice
command $(resource IDC_EXPORT_CHART)
file $windows_work\\$1.csv
expect status $1.csv
dump $TABLE
dump $LEGEND
END
    mv "$work/drive" "$work/$1.parts"
    end_view
}
for last in ended shop; do
    first=$([[ $last == ended ]] && echo shop || echo ended)
    keep_content alone "$last.prf"
    keep_content over "$first.prf" "$last.prf"
    cmp "$work/alone.csv" "$work/over.csv" || fail "the chart of $last.prf has samples of $first.prf"
    cmp "$work/alone.parts" "$work/over.parts" || fail "$last.prf over $first.prf: $(<"$work/over.parts")"
    rm "$work/over.csv" "$work/alone.csv"
done
echo "passed: a recording replaces another one"

# The command line names more lines than a chart can hold, and the workspace has a window that is
# larger than the screen.
printf '%s\n' 'object = Checkout' 'left = -100' 'top = -100' 'right = 9000' 'bottom = 9000' >"$work/large.txt"
start_view -w "$windows_work\\large.txt" '\Session(*)\Bytes' '\Session(*)\Basket' -file "$windows_work\\shop.prf"
drive shop.prf <<END
expect $LEGEND 59:
expect status lines shown, the highest
command $(resource IDC_MOST_LINES)
file 65
box 1 Enter a whole number
file 5
expect $LEGEND 9:
reject $LEGEND 10:
expect status 10 of 80 lines shown, the highest
END
fits_screen() {
    locate_view
    eval "$(xdotool getwindowgeometry --shell "$view_window" | grep -E '^(WIDTH|HEIGHT)=[0-9]+$')"
    [[ $WIDTH -le 1280 && $HEIGHT -le 900 && $WIDTH -gt 1000 ]]
}
poll 60 fits_screen || fail "the window has $WIDTH by $HEIGHT pixels"
end_view
echo "passed: cells, many lines, a large workspace"

# ---- Percentiles as bands ----

start_view '\Latency(*)\Time p50' '\Latency(*)\Time p99' '\Latency(*)\Time p95' \
    Latency -file "$windows_work\\latency.prf"
drive latency.prf <<END
expect $TABLE Card|
expect $LEGEND :(Gift)\\Time p95|
END
compare prfview-bands
drive latency.prf <<<"command $(resource IDC_LOG)"
picture prfview-log
drive latency.prf <<<"command $(resource IDC_LOG)"
drive latency.prf <<END
command $(resource IDC_BANDS)
command $(resource IDC_SAVE_WORKSPACE)
file $windows_work\\lines.txt
expect status lines.txt
END
[[ -n $golden ]] || poll 60 looks_otherwise prfview-bands || fail "the bands stay"
grep -q '^bands = 0' "$work/lines.txt" || fail "$(<"$work/lines.txt")"
sed -i 's/^bands = 0/bands = 1/' "$work/lines.txt"
drive latency.prf <<END
command $(resource IDC_OPEN_WORKSPACE)
file $windows_work\\lines.txt
expect $LEGEND :(Card)\\Time p95|
END
[[ -n $golden ]] || poll 60 looks_as_before prfview-bands || fail "no bands: $(<"$work/differs")"
end_view

# The strip below the chart shows the first line, p95. It must have the colour of p50, because all
# percentiles of a distribution have the colour of the lowest one.
start_view '\Latency(Card)\Time p95' '\Latency(Card)\Time p50' -file "$windows_work\\latency.prf"
drive latency.prf <<END
expect $LEGEND p50
END
locate_view
poll 60 has_colour_of_second || fail "the strip of p95 has another colour than its line"
end_view
echo "passed: percentiles as bands"

# ---- What Wine does otherwise than Windows ----

# While a hint is in the table's place, the hidden table must not get WM_SETREDRAW, because
# WM_SETREDRAW with TRUE makes a window visible.
start_view -s prfdata-is-not-there
drive prfview <<END
guest
expect status Cannot reach prfdata-is-not-there
expect seen seen 0 1 2 3 4 6 7
dpi 144
dpi 96
expect seen seen 0 1 2 3 4 6 7
expect revealed revealed 0.
END
# Common controls know of new colours only if their parent passes WM_SYSCOLORCHANGE on. The window
# creates its parts again only if a setting of its look changes.
drive prfview <<END
guest
colours
expect coloured coloured 0 1 2 3 4 5 6 7 8 9.
setting Environment
expect fonts fonts 0.
setting Policy
expect fonts fonts 0.
setting ImmersiveColorSet
reject fonts fonts 0.
END
end_view
# If the user changes the format of numbers, the window uses the new format at once.
start_view Checkout -file "$windows_work\\shop.prf"
drive shop.prf <<END
guest
expect $TABLE Card|19|20.00|49.88
decimal ;
setting intl
expect $TABLE Card|19|20;00|49;88
decimal .
setting intl
expect $TABLE Card|19|20.00|49.88
END
end_view
echo "passed: what Wine does otherwise than Windows"

# ---- As administrator ----

# The elevated window shows the same file, or the same computer, as this window. The path of the
# recording has no drive. Opening a file on drive C makes C the current drive, and the elevated
# window must find the recording nevertheless.
echo 'object = Checkout' >"$WINEPREFIX/drive_c/object.txt"
start_view -file "${work//\//\\}\\shop.prf"
drive shop.prf <<END
guest
command $(resource IDC_OPEN_WORKSPACE)
file C:\\object.txt
expect $TREE Checkout <
command $(resource IDC_ELEVATE)
gone
END
wait "$view" || fail "prfview ended with an error: $(<"$work/view")"
view=
drive shop.prf <<END
expect $TREE Checkout
close
gone
END
# A path that is too long cannot be passed to an elevated window, so this window stays.
deep=$work/$(printf '%0180d' 0)
mkdir "$deep"
cp "$work/shop.prf" "$deep/$(printf '%0100d' 0).prf"
(cd "$deep" && exec "$WINE" "$PRFDATA_BIN/prfview.exe" -file "$(printf '%0100d' 0).prf") >"$work/view" 2>&1 </dev/null &
view=$!
drive 0.prf <<<"command $(resource IDC_ELEVATE)"
drive 0.prf <<<"expect $TREE Checkout"
end_view
start_view -s prfdata-is-not-there
drive prfview <<END
expect status Cannot reach prfdata-is-not-there
command $(resource IDC_ELEVATE)
gone
END
wait "$view" || fail "prfview ended with an error: $(<"$work/view")"
view=
drive prfview <<END
expect status Cannot reach prfdata-is-not-there
close
gone
END
echo "passed: as administrator"

# ---- 8,000 instances ----

start_view Session -file "$windows_work\\many.prf"
drive many.prf <<END
expect $TREE Session <
expect $TABLE session 00059|0|0|10,240
type $SEARCH 07999
expect $TABLE 0:session 07999
expect heading Session – 1 of 8,000 instances
reject $TABLE session 00059
expect $TREE   session 07999
expect status 1 found
END
end_view
echo "passed: 8,000 instances"

# ---- Dark ----

start_view -dark '\Checkout(*)\% Busy Time' Checkout -file "$windows_work\\shop.prf"
drive shop.prf <<END
expect $LEGEND Transfer
END
compare prfview-dark
[[ -n $golden ]] || poll 60 is_dark || fail "not dark: $(<"$work/differs")"
compare_menu prfview-dark-menu alt+v
end_view
echo "passed: dark"

# ---- German ----

# Wine keeps the format of numbers in the registry, and replaces it whenever a program starts in
# another language than the program before. So the driver must run in German, too.
localedef -i de_DE -f UTF-8 "$work/de_DE.UTF-8" || fail "no German locale"
view_environment=("LOCPATH=$work" LC_ALL=de_DE.UTF-8)
start_view '\Checkout(*)\% Busy Time' Checkout \
    -file "$windows_work\\shop.prf"
drive shop.prf <<END
expect $TABLE Card|19|20,00|49,88
expect status Aufgezeichnet
expect 2 Anha&lten
expect $TREE In dieser Datei
command $(resource IDC_KEYS)
box 1 nächster Bereich
END
compare prfview-german
compare_menu prfview-german-menu alt+a
drive shop.prf <<END
command $(resource IDC_SHOW_DETAILS)
select $TABLE 0
expect $BYTES Bedeutung  der Rohwert
expect $BYTES PERF_COUNTER_BLOCK
END
end_view
# Reasons in cells, meanings of fields, and mistakes of files and command lines are German, too.
start_view Checkout -file "$windows_work\\one.prf"
drive one.prf <<END
expect $TABLE Card|18|warten|
command $(resource IDC_SHOW_DETAILS)
select $TABLE 0
expect $BYTES Wert mit 4 Bytes
command $(resource IDC_OPEN)
file $windows_work\\short.prf
expect status eine Stichprobe der Aufzeichnung ist abgeschnitten
END
end_view
exit_code=0
env "${view_environment[@]}" "$WINE" "$PRFDATA_BIN/prfview.exe" -nope >"$work/said" || exit_code=$?
[[ $exit_code -eq 2 ]] && grep -q 'diese Option gibt es nicht' "$work/said" || fail "-nope: $exit_code"
view_environment=()
echo "passed: German"

# ---- 200 % ----

"$WINE" reg.exe add 'HKCU\Control Panel\Desktop' /v LogPixels /t REG_DWORD /d 192 /f >/dev/null
start_view -w "$windows_work\\columns.txt" -file "$windows_work\\shop.prf"
drive shop.prf <<END
expect $TABLE Card|19|20.00|49.88
expect columns 0=300 1=0 3=192
expect columns 2=300
expect $LEGEND \\Worker(Card/worker 3)\\Orders
END
end_view
"$WINE" reg.exe delete 'HKCU\Control Panel\Desktop' /v LogPixels /f >/dev/null
echo "passed: 200 %"

# ---- Live ----

"$WINE" "$PRFDATA_BIN/hwinput.exe" -Install >"$work/install" || fail "$(<"$work/install")"
(cd "$PRFDATA_BIN" && exec "$WINE" hwinput.exe) >"$work/monitor" 2>&1 </dev/null &
monitor=$!
start_view -si 0.2 '\Mouse Clicks(*)\Clicks' 'Mouse Clicks'
drive prfview <<END
expect $TREE Mouse Clicks <
expect $TABLE Middle|0|
expect heading Mouse Clicks – 3 instances
expect $LEGEND :Middle|
reject $LEGEND _Total
expect status Live
select $TABLE 1
command $(resource IDC_PAUSE)
expect status Paused
command $(resource IDC_PAUSE)
expect status Live, back to
command $(resource IDC_RECORD)
file $windows_work\\live.prf
expect status Recording to
END
recorded() { [[ $("$PRFDATA_NATIVE_BIN/prfread" -file "$work/live.prf" '\Mouse Clicks(_Total)\Clicks' 2>/dev/null | grep -c '^"[0-9]') -ge $1 ]]; }
poll 60 recorded 5 || fail "nothing is recorded"
# A pause stops the window but not the recording. When the pause ends, its message disappears.
drive prfview <<END
command $(resource IDC_PAUSE)
expect status Paused
END
samples=$("$PRFDATA_NATIVE_BIN/prfread" -file "$work/live.prf" '\Mouse Clicks(_Total)\Clicks' 2>/dev/null | grep -c '^"[0-9]')
poll 60 recorded $((samples + 5)) || fail "a pause of the window stops the recording"
drive prfview <<END
expect status Recording to
command $(resource IDC_RECORD)
command $(resource IDC_PAUSE)
expect status Live
reject status Recording to
END
end_view
# The interval of 3 s, which no menu has, is shown and remembered. Opening a file ends a pause, so
# the live counters are not paused when they are shown again.
start_view -si 3 '\Mouse Clicks(*)\Clicks' 'Mouse Clicks'
drive prfview <<END
expect $TABLE Middle|
expect $INTERVAL 3 s
command $(resource IDC_SAVE_WORKSPACE)
file $windows_work\\slow.txt
expect status slow.txt
command $(resource IDC_PAUSE)
expect status Paused
command $(resource IDC_OPEN)
file $windows_work\\shop.prf
expect title shop.prf
command $(resource IDC_LIVE)
expect status Live
expect $PAUSE &Pause
command $(($(resource IDC_INTERVAL) + 2))
expect $INTERVAL 1 s
END
end_view
start_view -w "$windows_work\\slow.txt" 'Mouse Clicks'
drive prfview <<END
expect $INTERVAL 3 s
END
end_view
echo "passed: live counters"

# ---- Sorted by what changes ----

# The rows are sorted by values that change, so the selected row moves in the table. The table does
# not scroll with the selected row, so the row at the top of the window keeps number 0. With Follow
# Row the table scrolls, so that the selected row stays at the same height in the window.
install_crowd
export PRFDATA_TEST_INSTANCES=300 PRFDATA_TEST_COUNTERS=20
# Continue, pause again, and set `top` and `focus` to the numbers of the top row and of the selected
# row. In a pause, both are of one sample. Return whether the selected row has moved and lies below
# the first page.
top=0 focus=1
focus_moved() {
    local before=$focus
    drive prfview <<END
command $(resource IDC_PAUSE)
expect status Live
command $(resource IDC_PAUSE)
expect status Paused
dump top
END
    eval "$(sed -n 's/^top \([0-9]*\), focus \(-*[0-9]*\)\..*/top=\1 focus=\2/p' "$work/drive")"
    [[ $focus -ne $before && $focus -gt 60 ]]
}
start_view -si 0.2 7740000
drive prfview <<<"expect $TABLE session 00000|"
locate_view
xdotool mousemove $((X + 1000)) $((Y + 130)) click 1
drive prfview <<END
expect top , focus 2.
command $(resource IDC_SORT)
command $(resource IDC_PAUSE)
expect status Paused
select $TABLE 1
END
for ((i = 0; i < 3; i++)); do
    poll 60 focus_moved || fail "the selected row stays: $(<"$work/drive")"
    [[ $top -eq 0 ]] || fail "the top does not stay: $(<"$work/drive")"
done
drive prfview <<END
command $(resource IDC_FOLLOW_ROW)
select $TABLE 1
END
for ((i = 0; i < 3; i++)); do
    poll 60 focus_moved || fail "the selected row stays: $(<"$work/drive")"
    [[ $((focus - top)) -lt 40 && $top -gt 0 ]] || fail "the row is not followed: $(<"$work/drive")"
done
drive prfview <<END
command $(resource IDC_SAVE_WORKSPACE)
file $windows_work\\follow.txt
expect status follow.txt
END
grep -q '^follow-row = 1' "$work/follow.txt" || fail "$(<"$work/follow.txt")"
end_view
echo "passed: sorted by what changes"

# ---- Painted in pieces ----

# Rows move, cells change and are marked, the table and the details are scrolled, and rows are
# selected.
start_view -si 0.2 7740000
drive prfview <<END
expect $TABLE session 00000|
command $(resource IDC_MARK_CHANGES)
command $(resource IDC_SHOW_DETAILS)
END
locate_view
xdotool mousemove $((X + 1000)) $((Y + 130)) click 1
drive prfview <<<"command $(resource IDC_SORT)"
xdotool key Right Right Right Right Right # names cover the columns that are scrolled sideways
for ((i = 0; i < 6; i++)); do
    xdotool mousemove $((X + 700)) $((Y + 160)) click 5 sleep 0.1 click 5 key Down sleep 0.1 \
        key Right sleep 0.2 click 4 key shift+Down sleep 0.1 \
        mousemove $((X + 700)) $((Y + 560)) click 5 sleep 0.3 click 5 sleep 0.1 click 4 mousemove 1 1
    drive prfview <<END
command $(resource IDC_PAUSE)
expect status Paused
END
    is_painted $TABLE || fail "the table was not painted where it changed"
    is_painted $BYTES || fail "the details were not painted where they changed"
    drive prfview <<END
command $(resource IDC_PAUSE)
expect status Live
END
done
end_view
"$WINE" reg.exe delete "$crowd" /f >/dev/null
unset PRFDATA_TEST_INSTANCES PRFDATA_TEST_COUNTERS
echo "passed: painted in pieces"

# ---- Other computers ----

# A missing computer is tried again and again. A path of another computer than the shown one is
# refused.
start_view -s prfdata-is-not-there 'Mouse Clicks'
drive prfview <<END
expect status Cannot reach prfdata-is-not-there
command $(resource IDC_LIVE)
expect $TABLE Middle|
command $(resource IDC_COMPUTER)
file \\\\prfdata-is-not-here
expect status Cannot reach prfdata-is-not-here
command $(resource IDC_COMPUTER)
file a*b
expect status a*b is not a valid computer name
command $(resource IDC_COMPUTER)
file localhost
expect $TABLE Middle|
END
end_view
start_view '\\other\Mouse Clicks(_Total)\Clicks' 'Mouse Clicks'
drive prfview <<END
expect $TABLE Middle|
expect status is on another computer
reject $LEGEND Clicks
END
end_view
echo "passed: other computers"

# ---- The workspace ----

# The window searches for a counter of a workspace until a sample has it. The window opens again
# with the counters that it had when it was closed, except those of the command line.
[[ ! -e $own ]] || fail "the command line's counters were remembered"
printf '%s\n' 'object = Hardware Input' 'series = \Hardware Input\Keystrokes' \
    'series = \Mouse Clicks(_Total)\Clicks' 'series = \Mouse Clicks(Nobody)\Clicks' 'tree = 220' \
    'interval = 200' >"$work/named.txt"
start_view
drive prfview <<END
expect $TREE Hardware Input
command $(resource IDC_OPEN_WORKSPACE)
file $windows_work\\named.txt
expect $LEGEND \\Hardware Input\\Keystrokes
expect $LEGEND \\Mouse Clicks(_Total)\\Clicks
expect $TABLE Keystrokes|
expect status \\Mouse Clicks(Nobody)\\Clicks was not found
command $(resource IDC_SHOW_HISTOGRAM)
END
end_view
grep -q '^page = 1' "$own" || fail "not remembered: $(<"$own")"
start_view
drive prfview <<END
expect $LEGEND \\Hardware Input\\Keystrokes
expect $LEGEND \\Mouse Clicks(_Total)\\Clicks
expect $TABLE Keystrokes|
command $(resource IDC_SHOW_CHART)
command $(resource IDC_OPEN)
file $windows_work\\shop.prf
expect title shop.prf
expect $TABLE Card|
expect $LEGEND Keystrokes – is not in this file
command $(resource IDC_LIVE)
expect $TREE Hardware Input
expect status Live
END
end_view
grep -q '^page = 0' "$own" || fail "remembered once only: $(<"$own")"
# A logoff ends prfview without closing the window. prfview must save its workspace then, too.
start_view
drive prfview <<END
expect $TREE Hardware Input
command $(resource IDC_SHOW_HISTOGRAM)
END
# End the session from another run of the driver. In the same run, the end of the session, which is
# sent, would overtake the command, which is posted.
drive prfview <<END
end-session
END
wait "$view" || true
view=
grep -q '^page = 1' "$own" || fail "not remembered at the end of the session: $(<"$own")"
echo "passed: the workspace is saved and opened again"

# ---- A provider that prints, and hangs ----

"$WINE" reg.exe add "$unsteady\\Performance" /v Library /d "$(winepath_of "$PRFDATA_BIN")\\prfdata-unsteady.dll" /f >/dev/null
for call in Open Collect Close; do
    "$WINE" reg.exe add "$unsteady\\Performance" /v $call /d Unsteady$call /f >/dev/null
done
mood=$work/mood
export PRFDATA_TEST_MOOD="$windows_work\\mood"
start_view -si 0.2 7720000 '\Mouse Clicks(_Total)\Clicks'
drive prfview <<END
expect $TABLE 7720002|42|
expect $LEGEND \\Mouse Clicks(_Total)\\Clicks
END
echo hang >"$mood"
drive prfview <<END
expect status Waiting for 7720000
command $(resource IDC_RAW)
type $SEARCH Mouse
expect $TREE Mouse Clicks
type $SEARCH
expect heading slow provider
expect status 7720000 did not respond within 10 s
expect $TREE 7720000 (no answer)
reject $TREE removed
expect status Live
END
rm "$mood"
drive prfview <<END
command $(resource IDC_REFRESH)
expect status Live
expect $TABLE 7720002|42|
END
echo hang >"$mood"
drive prfview <<<'expect status Waiting for '
end_view # while the provider hangs
rm "$mood"
echo "passed: a provider that prints and hangs"

# ---- A provider that crashes ----

# The provider's process ends without a message box. The other providers continue to be read.
start_view -si 0.2 7720000 '\Mouse Clicks(_Total)\Clicks'
drive prfview <<END
expect $TABLE 7720002|42|
END
echo crash >"$mood"
drive prfview <<END
expect status The provider of 7720000 crashed
expect $TREE 7720000 (no answer)
expect heading The provider of 7720000 crashed in prfdata-unsteady.dll
expect status Live
END
rm "$mood"
drive prfview <<END
command $(resource IDC_REFRESH)
expect $TREE 7720000 <
expect $TABLE 7720002|42|
END
end_view
echo "passed: a provider that crashes"

# ---- Two slow providers ----

# Together the two slow providers take longer than the window waits for one answer. Samples of the
# other providers come all the time, and the values of each slow provider come after its own delay.
echo slow 5000 6000 >"$mood"
start_view -si 0.2 7720000 '\Mouse Clicks(_Total)\Clicks' '\7720010\7720012'
drive prfview <<END
expect $LEGEND \\Mouse Clicks(_Total)\\Clicks
reject $TABLE 7720002|42|
expect $TABLE 7720002|42|
expect heading 7720000 (slow provider: 5.
expect $LEGEND \\7720010\\7720012||42
expect status Live
END
end_view
rm "$mood"
echo "passed: two slow providers"

# ---- All objects ----

# Each provider is asked separately. One that hangs hides only its own objects, and is named.
add_range() {
    "$WINE" reg.exe add "$1\\Performance" /v 'First Counter' /t REG_DWORD /d "$2" /f >/dev/null
    "$WINE" reg.exe add "$1\\Performance" /v 'Last Counter' /t REG_DWORD /d "$3" /f >/dev/null
}
"$WINE" reg.exe copy "$unsteady" "${unsteady}Too" /s /f >/dev/null
add_range "$unsteady" 7720000 7720002
add_range "${unsteady}Too" 7720010 7720012
echo hang >"$mood"
start_view 'Mouse Clicks'
drive prfview <<END
expect $TABLE Middle|
reject $TREE 7720010
command $(resource IDC_READ_ALL)
expect $TREE 7720010
expect status PrfDataUnsteady did not respond within 10 s
reject $TREE 7720000
expect $TABLE Middle|
END
end_view
rm "$mood"
"$WINE" reg.exe delete "${unsteady}Too" /f >/dev/null
unset PRFDATA_TEST_MOOD
echo "passed: all objects, but those of a provider that hangs"

# ---- Counters are removed and installed again ----

echo kept >"$work/pieces-2.prf"
start_view -si 0.5 '\Mouse Clicks(_Total)\Clicks' 'Mouse Clicks'
drive prfview <<END
expect $TABLE Middle|
expect $LEGEND \\Mouse Clicks(_Total)\\Clicks
command $(resource IDC_RECORD)
file $windows_work\\pieces.prf
expect status Recording to
END
"$WINE" "$PRFDATA_BIN/hwinput.exe" -Uninstall >/dev/null 2>&1 || true # the window holds the DLL
# The line keeps its past while the counters are not installed, and after that.
drive prfview <<END
expect heading Mouse Clicks is not available
expect $LEGEND \\Mouse Clicks(_Total)\\Clicks
END
"$WINE" "$PRFDATA_BIN/hwinput.exe" -Install >"$work/install" || fail "$(<"$work/install")"
drive prfview <<END
expect $LEGEND \\Mouse Clicks(_Total)\\Clicks|
expect $TABLE Middle|
expect heading Mouse Clicks – 3 instances
command $(resource IDC_EXPORT_CHART)
file $windows_work\\past.csv
expect status past.csv
END
# The counters exist at the first and at the last sample, so the first and the last row have a
# value.
[[ $(wc -l <"$work/past.csv") -gt 2 && $(sed -n '2p;$p' "$work/past.csv") != *'," "'* ]] ||
    fail "the past has gone: $(<"$work/past.csv")"
end_view
[[ -s $work/pieces.prf && -s $work/pieces-3.prf ]] || fail "titles changed within a piece"
[[ $(<"$work/pieces-2.prf") == kept ]] || fail "a file was replaced that nobody was asked about"
echo "passed: counters that are removed and installed again"
end_process "$monitor"
monitor=
