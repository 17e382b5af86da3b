#!/bin/bash
# SPDX-License-Identifier: MIT
# Tests prfread as a Windows service, under Wine's service manager: it is installed, started,
# scraped, stopped and removed, and nothing is left. Each refusal has its message, and the event log
# says why the service could not start.
#
# Wine keeps no events but shows them as debug output of the process that writes them. A service has
# the output of the first program that ran in its prefix. So this script has its own prefix, with a
# separate registry and server, but with Wine's files from the tests' prefix. Wine has neither
# delayed starts nor recovery nor accounts, so the test only shows that prfread asks for them.
#
# Nothing here depends on timing, because each check is repeated until the service has done its work.
#
# Tier: all
# Builds: mingw
# Job: scripts
# shellcheck source=../support/scripts/script.sh
source "$(dirname "$0")/../support/scripts/script.sh"
prfdata_wine_environment

KEY='HKLM\System\CurrentControlSet\Services\prfread'
EVENTS='HKLM\System\CurrentControlSet\Services\EventLog\Application\prfread'

listener=
shown='log said state registry'

clean_up() {
    [[ -z $listener ]] || kill "$listener" 2>/dev/null || true
}

# prfread <exit code> <argument>...: run it. Its output and messages are in $work/said.
prfread() {
    local wanted=$1 exit_code=0
    shift
    "$WINE" "$program" "$@" >"$work/said" 2>&1 </dev/null || exit_code=$?
    sed -i 's/\r$//' "$work/said"
    [[ $exit_code -eq $wanted ]] || fail "prfread $*: $exit_code instead of $wanted"
}

expect_said() {
    grep -qF -- "$1" "$work/said" || fail "no \"$1\" was said"
}

registry() {
    "$WINE" reg query "$1" /v "$2" 2>"$work/registry" | tr -d '\r' |
        sed -n "s/^    $2    REG_[A-Z_]*    //p"
}

expect_value() {
    local found
    found=$(registry "$1" "$2") || true # the message is printed below
    [[ $found == "$3" ]] || fail "$2 is \"$found\" instead of \"$3\""
}

state_is() {
    "$WINE" sc query prfread 2>/dev/null | tr -d '\r' >"$work/state"
    grep -qE "STATE +: [0-9] +$1" "$work/state"
}

# expect_exit <Win32 code> <code of the service>
expect_exit() {
    [[ $(sed -nE 's/^ *(WIN32|SERVICE)_EXIT_CODE *: ([0-9]+).*/\2/p' "$work/state" | paste -sd ' ') \
        == "$1 $2" ]] || fail "ended with: $(<"$work/state")"
}

count_of() {
    grep -acE -- "$1" "$work/log" || true
}

has_event() {
    [[ $(count_of "eventlog:ReportEventW L\"$1\"") -gt 0 ]]
}

scrape() {
    python3 tests/scripts/prometheus.py fetch "$port" GET /metrics "$work/metrics" >/dev/null 2>&1
}

free_port() {
    python3 tests/scripts/prometheus.py free-port
}

[[ -e $PRFDATA_BIN/prfread.exe && -e $PRFDATA_BIN/installer.exe ]] || fail "build mingw first"
use_own_wine
"$WINESERVER" -p60
DISPLAY='' WINEDEBUG=-all,err+eventlog,warn+eventlog,trace+eventlog,fixme+advapi \
    "$WINE" cmd.exe /c exit >/dev/null 2>"$work/log" </dev/null
tests/wine/install-workaround "$PRFDATA_BIN/prfdata-wine-workaround.dll" >/dev/null

# The path has a blank, so the service's command needs quotes.
mkdir "$work/a folder"
cp "$PRFDATA_BIN/prfread.exe" "$work/a folder/"
program="$work/a folder/prfread.exe"
windows_program='Z:'${program//\//\\}
"$WINE" "$PRFDATA_BIN/installer.exe" -Install -AllowUserWritableDll RasSample >"$work/said" 2>&1 ||
    fail "installing the sample"

# ---- Refusals ----

prfread 4 -service remove
expect_said 'there is no service prfread'
prfread 2 -service install
expect_said '-service install needs -serve'
prfread 2 -service install -serve 9x
expect_said '-serve takes a port'
prfread 2 -service begin -serve 9182
expect_said '-service takes install or remove'
prfread 2 -service remove -serve 9182
expect_said '-service remove takes no other arguments'
prfread 2 -service run -serve 9182
expect_said 'only the service manager starts -service run'
prfread 4 -service install -serve 9182 '\%COMPUTERNAME%(*)\*'
expect_said 'the name of a variable'
printf '[cf]\npaths.txt\n' >"$work/settings.txt"
printf '\\RAS Total\\Bytes Transmitted\n' >"$work/paths.txt"
(cd "$work" && prfread 4 -service install -serve 9182 -config settings.txt)
expect_said 'write the complete path in the settings file'
[[ -z $(registry "$KEY" ImagePath) ]] || fail 'a refused service was installed'
printf 'passed: refusals\n'

# ---- Life ----

port=$(free_port)
(cd "$work" && WINEDEBUG=-all,fixme+netapi32 prfread 0 -service install -serve "127.0.0.1:$port" -cf paths.txt \
    '\RAS Total\% "odd %5"' '\RAS Total\CRC Errors')
expect_said 'net start prfread'
# Level 0 is LOCALGROUP_MEMBERS_INFO_0, which names the member by its SID.
expect_said 'NetLocalGroupAddMembers ((null) L"Performance Monitor Users" 0 '
# Under Wine all files belong to the user. prfread reports this, but allows it.
expect_said 'prfread.exe: the service would run a file that others can replace'
expect_said 'paths.txt: the service would run a file that others can replace'
image="\"$windows_program\" -service run -serve 127.0.0.1:$port"
image+=" -cf Z:${work//\//\\}\\paths.txt"
image+=' "\RAS Total\% \"odd %5\"" "\RAS Total\CRC Errors"'
expect_value "$KEY" ImagePath "$image"
expect_value "$KEY" ObjectName 'NT SERVICE\prfread'
expect_value "$KEY" Start 0x2
expect_value "$KEY" Description \
    'Answers Prometheus with performance counters, as prfread -serve does.'
expect_value "$EVENTS" EventMessageFile "$windows_program"
expect_value "$EVENTS" TypesSupported 0x7
prfread 4 -service install -serve 9182
expect_said 'there is a service prfread already'

"$WINE" net start prfread >"$work/said" 2>&1 || fail 'it does not start'
wait_for 'it does not run' state_is RUNNING
wait_for 'it does not answer' scrape
grep -q '^ras_sent_bytes_total[ {]' "$work/metrics" || fail "metrics: $(<"$work/metrics")"
has_event "http://127.0.0.1:$port/metrics" || fail 'no event of its start'
[[ $(count_of 'ReportEventW \([^,]*,0x0004,0x0000,0x40000001,') -eq 1 ]] || fail 'event 1'
# One path finds nothing. prfread writes an event about it, but the service still ends with code 0.
# Programs that show events would replace %5 in the path, so prfread writes another character for
# the %.
wait_for 'no event of the path' has_event '.*odd \\ff055.*: no counter matches this path now'
[[ $(count_of 'ReportEventW \([^,]*,0x0002,0x0000,0x80000003,') -eq 1 ]] || fail 'event 3'
"$WINE" net stop prfread >"$work/said" 2>&1 || fail 'it does not stop'
wait_for 'it does not stop' state_is STOPPED
expect_exit 0 0
! scrape || fail 'it answers when it has stopped'
printf 'passed: installed, started, scraped, stopped\n'

# ---- Obstacles ----

python3 -c 'import socket, sys, time
s = socket.create_server(("127.0.0.1", int(sys.argv[1]))) # succeeds although connections to this port ended just now
print(flush=True)
time.sleep(3600)' "$port" >"$work/listener" &
listener=$!
wait_for 'no listener' test -s "$work/listener"
"$WINE" net start prfread >/dev/null 2>&1 || true
wait_for 'it runs without its port' state_is STOPPED
wait_for 'no event of the port' \
    has_event "127.0.0.1:$port: another program listens on this port"
[[ $(count_of 'ReportEventW \([^,]*,0x0001,0x0000,0xc0000002,') -eq 1 ]] || fail 'event 2'
state_is STOPPED
expect_exit 1066 4
kill "$listener"
wait "$listener" 2>/dev/null || true
listener=
printf 'passed: a port in use is an event, and a failure\n'

# If the file of -config has a mistake, the service writes an event and ends with code 0, because
# the service manager would start a failed service again and again.
prfread 0 -service remove
printf '[c]\n\\RAS Total\\Bytes Transmitted\n' >"$work/settings.txt"
prfread 0 -service install -serve "127.0.0.1:$port" -config "Z:${work//\//\\}\\settings.txt"
printf '[nonsense]\n' >"$work/settings.txt"
"$WINE" net start prfread >/dev/null 2>&1 || true
wait_for 'it runs with a wrong file' state_is STOPPED
wait_for 'no event of the mistake' has_event '.*settings.txt.*nonsense.*'
state_is STOPPED
expect_exit 0 0
prfread 0 -service remove
(cd "$work" && prfread 0 -service install -serve "127.0.0.1:$port" -cf paths.txt \
    '\RAS Total\% "odd %5"' '\RAS Total\CRC Errors')
printf 'passed: a mistake in the options is an event, and no reason to start again\n'

# ---- Removal ----

rm "$work/paths.txt" # the other paths are served
"$WINE" net start prfread >"$work/said" 2>&1 || fail 'it does not start again'
wait_for 'no event of the file' has_event '.*paths.txt: cannot read the file: error 2 .*'
wait_for 'it does not answer again' scrape
prfread 0 -service remove
[[ $(<"$work/said") == 'The service prfread is removed.' ]] || fail 'removing says something else'
! scrape || fail 'it answers when it is removed'
! "$WINE" reg query "$KEY" >/dev/null 2>&1 || fail 'the service is left'
! "$WINE" reg query "$EVENTS" >/dev/null 2>&1 || fail 'the event source is left'

"$WINE" sc create prfread binPath= 'C:\other\prfread.exe -watch' >/dev/null 2>&1
prfread 4 -service remove
expect_said 'runs another program than prfread'
[[ -n $(registry "$KEY" ImagePath) ]] || fail "another product's service was removed"
"$WINE" sc delete prfread >/dev/null 2>&1
printf 'passed: removed while it runs, nothing is left; another product'"'"'s service stays\n'
