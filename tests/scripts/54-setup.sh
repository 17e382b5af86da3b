#!/bin/bash
# SPDX-License-Identifier: MIT
# Tests the setups of samples/setup: an MSI that wixl builds, and a program that NSIS builds. Both
# install version 1 under Wine, fail to upgrade to a version with an invalid DLL, upgrade to version
# 2, and uninstall. A program of version 1 runs during both upgrades. Counts must be kept as long as
# documented. Inno Setup's script is only parsed.
#
# Wine's RemoveExistingProducts does not set UPGRADINGPRODUCTCODE, but Windows' does. So the test
# removes this action from the MSI, and uninstalls the earlier version itself, before or after it
# installs the new one.
#
# Tier: all
# Builds: mingw
# Job: scripts
# shellcheck source=../support/scripts/script.sh
source "$(dirname "$0")/../support/scripts/script.sh"
prfdata_wine_environment

built=$PRFDATA_BIN/../upgrade
programs="$WINEPREFIX/drive_c/Program Files"
product="$programs/My Queues"
program=
earlier=
: >"$work/begun"
shown='said program prfread.err'

end_program() {
    end_process "$program"
    program=
}

clean_up() {
    local version
    end_process "$program" "$earlier"
    for version in 1 2; do
        if [[ -e $work/$version.msi ]]; then
            "$WINE" msiexec.exe /x "$work/$version.msi" /qn >/dev/null 2>&1 </dev/null || true
        fi
    done
    "$WINE" sc delete MyQueues >/dev/null 2>&1 </dev/null || true
    "$WINE" "$work/2/queues_installer.exe" -Uninstall -Any >/dev/null 2>&1 </dev/null || true
    # Wine keeps the MSI of an installation that failed.
    find "$WINEPREFIX/drive_c/windows/Installer" -name '*.msi' -newer "$work/begun" -delete 2>/dev/null || true
    rm -rf "$product"
}

[[ -e $built/1/queues.exe ]] || die "build the preset mingw first"

# ---- Building ----

# Version 3 has an invalid DLL, so that its -Install fails.
for version in 1 2; do
    cp -r "$built/$version" "$work/$version"
done
cp -r "$work/2" "$work/3"
echo 'no DLL' >"$work/3/MyServicePrf.dll"

# wixl accepts only relative paths.
for version in 1 2 3; do
    (cd "$work" && wixl -a x64 -D version="$version.0.0" -D folder="$version" -o "$version.msi" \
        "$OLDPWD/samples/setup/queues.wxs" >"$work/said" 2>&1) || fail "wixl: $(<"$work/said")"
    for action in RollBackCounters RestoreCounters; do
        msibuild "$work/$version.msi" -q "UPDATE CustomAction SET Type = 3410 WHERE Action = '$action'" ||
            fail "msibuild"
    done
    msibuild "$work/$version.msi" \
        -q "DELETE FROM InstallExecuteSequence WHERE Action='RemoveExistingProducts'" ||
        fail "msibuild"
    (cd "$work" && makensis -NOCD -V2 -WX -X'Target amd64-unicode' -DVERSION="$version.0.0" \
        -DFOLDER="$version" "$OLDPWD/samples/setup/queues.nsi" >"$work/said" 2>&1 &&
        mv queues-setup.exe "setup-$version.exe") || fail "makensis: $(<"$work/said")"
done
/usr/bin/python3 -B tests/scripts/inno.py samples/setup/queues.iss "$work/1"
echo "passed: wixl and makensis build the samples, Inno Setup's is parsed"

# The actions must be between InstallInitialize and InstallFinalize, in this order.
msiinfo export "$work/1.msi" InstallExecuteSequence | tr -d '\r' | cut -f 1,3 | sort -n -k 2 |
    cut -f 1 | paste -sd ' ' >"$work/order"
grep -q ' InstallInitialize .*RestoreCounters RemoveCounters RemoveFiles InstallFiles .*InstallServices RollBackCounters InstallCounters StartServices .*InstallFinalize' \
    "$work/order" || fail "the order of the MSI: $(<"$work/order")"
# Each action is deferred (0x400), without impersonation (0x800), and runs an installed file (18). Two
# are rollbacks (0x100), and all except InstallCounters ignore the exit code (0x40).
msiinfo export "$work/1.msi" CustomAction | tr -d '\r' | cut -f 1,2 | sort >"$work/actions"
for action in InstallCounters$'\t'$((0xC12)) RemoveCounters$'\t'$((0xC52)) RollBackCounters$'\t'$((0xD52)) \
    RestoreCounters$'\t'$((0xD52)); do
    grep -qx "$action" "$work/actions" || fail "the actions of the MSI are $(<"$work/actions")"
done
# Without this property, Restart Manager would end the running program.
msiinfo export "$work/1.msi" Property | tr -d '\r' | grep -x $'MSIRESTARTMANAGERCONTROL\tDisable' >/dev/null ||
    fail 'Restart Manager may end programs'
echo "passed: the MSI's actions run elevated, in order, and end no program"

# ---- Requirements for every setup ----

begin_wine

# quiet <command>...: run it under Wine. Its output is in $work/said, its exit code in `code`.
quiet() {
    code=0
    "$WINE" "$@" >"$work/said" 2>&1 </dev/null || code=$?
}

# is_registered <version> <exit code of its -Status> <what>
is_registered() {
    quiet "$work/$1/queues_installer.exe" -Status
    [[ $code -eq $2 ]] || fail "$3: -Status of version $1 ends with $code: $(<"$work/said")"
}

# Print the total of jobs, or nothing.
jobs() {
    "$WINE" "$PRFDATA_BIN/prfread.exe" '\My Queues(_Total)\Jobs' -si 0.01 -sc 1 2>"$work/prfread.err" </dev/null |
        tr -d '\r' | sed -n 's/^"[0-9].*","\([0-9]*\)\.0*"$/\1/p'
}

# expect <total> <what>
expect() {
    local found
    found=$(jobs)
    [[ $found == "$1" ]] || fail "$2: $found jobs are read, not $1"
}

# start <folder> <queue> <jobs>: start a program that continues to run.
start() {
    local deadline=$((SECONDS + LIMIT))
    : >"$work/program"
    "$WINE" "$1/queues.exe" "$2" "$3" stay >"$work/program" 2>&1 </dev/null &
    program=$!
    until grep -q process "$work/program"; do
        kill -0 "$program" 2>/dev/null && [[ $SECONDS -lt $deadline ]] ||
            fail "a program of $1: $(<"$work/program")"
        sleep 0.05
    done
}

# The MSI has a service, which Windows Installer has started after the counters were installed.
service_is_shown() {
    local deadline=$((SECONDS + LIMIT))
    until "$WINE" "$work/1/queues_installer.exe" -Status 2>/dev/null </dev/null |
        tr -d '\r' >"$work/said" && grep -q 'queues_service.exe.*: shown' "$work/said"; do
        [[ $SECONDS -lt $deadline ]] || fail "the service is not shown: $(<"$work/said")"
        sleep 0.2
    done
}

# scene <name>: test the setup whose commands are in the functions install_1, upgrade_that_fails,
# upgrade and remove.
scene() {
    install_1
    is_registered 1 0 "$1, installed"
    [[ $1 != MSI* ]] || service_is_shown
    start "$product" mail 30000
    expect 30000 "$1, installed"

    upgrade_that_fails
    is_registered 1 0 "$1, after an upgrade that failed"
    expect 30000 "$1, after an upgrade that failed"

    upgrade
    is_registered 2 0 "$1, upgraded"
    grep -q 'queues.exe.*: shown, map earlier' "$work/said" ||
        fail "$1: the program of version 1 is not shown: $(<"$work/said")"
    expect 30000 "$1, upgraded"
    quiet "$work/1/queues.exe" mail more 5
    quiet "$work/2/queues.exe" fax 7
    expect 30012 "$1, with programs of both versions"

    end_program
    remove
    is_registered 2 5 "$1, removed"
    [[ -z $(jobs) ]] || fail "$1: still read after the end"
    ! find "$product" -name 'MyServicePrf*' 2>/dev/null | grep . || fail "$1 leaves DLLs"
    [[ ! -e $WINEPREFIX/drive_c/ProgramData/PrfData/MyService ]] || fail "$1 leaves regions"
    rm -rf "$product"
    echo "passed: $1"
}

# ---- Windows Installer ----

# Exit codes are cut to 8 bits, so 194 is 3010. It means that only a restart completes the
# installation, because a program runs.
msi() {
    quiet msiexec.exe "$@" /qn
    [[ $code -eq 0 || $code -eq 194 ]] || fail "msiexec $*: $code $(<"$work/said")"
}

install_1() {
    msi /i "$work/1.msi"
}

# Windows sets UPGRADINGPRODUCTCODE to the product that replaces version 1.
remove_1() {
    msi /x "$work/1.msi" UPGRADINGPRODUCTCODE="$(msiinfo export "$work/2.msi" Property |
        tr -d '\r' | sed -n 's/^ProductCode\t//p')"
}

upgrade_that_fails() {
    quiet msiexec.exe /i "$work/3.msi" /qn
    [[ $code -ne 0 && $code -ne 194 ]] || fail "msiexec does not see that -Install failed"
    # When Wine undoes the upgrade, it neither forgets version 3 nor restores the files of version
    # 1, so this function does both.
    quiet msiexec.exe /x "$work/3.msi" /qn
    cp "$work/1/queues_installer.exe" "$work/1/MyServicePrf.dll" "$product"
}

upgrade() {
    remove_1
    msi /i "$work/2.msi"
}

remove() {
    msi /x "$work/2.msi"
}

scene 'MSI, the earlier version removed before'

upgrade() {
    msi /i "$work/2.msi"
    remove_1
}

scene 'MSI, the earlier version removed after'

# ---- NSIS ----

install_1() {
    quiet "$work/setup-1.exe" /S
    [[ $code -eq 0 ]] || fail "NSIS: $code"
}

upgrade_that_fails() {
    quiet "$work/setup-3.exe" /S
    [[ $code -eq 1 ]] || fail "NSIS: exit code $code though -Install failed"
}

upgrade() {
    quiet "$work/setup-2.exe" /S
    [[ $code -eq 0 ]] || fail "NSIS: $code"
}

# The uninstaller starts a copy of itself and ends at once. The copy's last step removes the folder.
remove() {
    local deadline=$((SECONDS + LIMIT))
    quiet "$product/uninstall.exe" /S
    [[ $code -eq 0 ]] || fail "NSIS: $code"
    while [[ -e $product ]]; do
        [[ $SECONDS -lt $deadline ]] || fail "NSIS leaves $(ls "$product")"
        sleep 0.05
    done
}

scene NSIS

# Programs of two versions run when a third setup starts, which installs version 1 again.
install_1
start "$product" mail 1
earlier=$program
upgrade
start "$product" fax 2
install_1
cmp "$product/queues.exe" "$work/1/queues.exe" || fail 'NSIS does not replace a program that runs'
end_program
program=$earlier
end_program
remove
[[ ! -e $product ]] || fail "NSIS leaves $(ls "$product")"
echo 'passed: NSIS, while programs of two versions run'
echo "passed: everything"
