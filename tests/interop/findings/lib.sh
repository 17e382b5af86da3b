# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# Defines the functions that the findings share: packages in a temporary folder, servers on the
# loopback, and the verdict.

work=$(mktemp -d "${TMPDIR:-/tmp}/prfdata-finding.XXXXXX")
started=()
changed=0

finish() {
    local exit_code=$? process
    trap - EXIT
    for process in "${started[@]}"; do
        kill "$process" 2>/dev/null || true
        wait "$process" 2>/dev/null || true
    done
    rm -rf "$work"
    exit "$exit_code"
}
trap finish EXIT
trap 'exit 143' INT TERM HUP

# Print the address of the Debian mirror that apt uses here. The mirror also has the other suites.
mirror() {
    # shellcheck disable=SC2016 # apt's own variables
    apt-get indextargets --no-release-info --format '$(COMPONENT) $(RELEASE) $(REPO_URI)' \
        'Created-By: Packages' |
        awk -v release="$(. /etc/os-release && echo "${VERSION_CODENAME:-stable}")" '
            $1 == "main" && $2 == release && !found { found = $3 } END { print found }'
}

# unpack <suite> <package> <version>: unpack a Debian package's files to $work/<package>-<version>.
# The lists of the suite are kept for a day, because they are large.
unpack() {
    local suite=$1 name=$2 version=$3 folder=$work/$2-$3 lists
    lists=${TMPDIR:-/tmp}/prfdata-findings-$UID/$suite
    local options=(-q -o Dir::Etc::sourcelist="$lists/sources.list" -o Dir::Etc::sourceparts=/dev/null
        -o Dir::Etc::preferencesparts=/dev/null -o Dir::State::lists="$lists/lists" -o Dir::Cache="$lists/cache"
        -o APT::Sandbox::User=root)
    if [[ -z $(find "$lists/done" -mtime -1 2>/dev/null) ]]; then
        mkdir -p "$lists/lists/partial" "$lists/cache/archives/partial"
        printf 'deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] %s %s main\n' \
            "$(mirror)" "$suite" >"$lists/sources.list"
        apt-get "${options[@]}" update >"$work/apt.log" 2>&1 || { cat "$work/apt.log"; exit 77; }
        touch "$lists/done"
    fi
    mkdir "$folder"
    (cd "$folder" && apt-get "${options[@]}" download "$name=$version" >"$work/apt.log" 2>&1) || {
        printf 'Debian has no %s %s now: nothing can be said\n' "$name" "$version"
        exit 77
    }
    dpkg -x "$folder"/*.deb "$folder"
}

# Unpack Debian 12's Wine for 64-bit programs to $work/wine.
unpack_wine() {
    local package zlib
    for package in wine64=8.0~repack-4 libwine=8.0~repack-4 libz-mingw-w64=1.2.13+dfsg-1; do
        unpack bookworm "${package%=*}" "${package#*=}"
        cp -a "$work/${package/=/-}/." "$work/wine"
    done
    # Mark the DLL as one of Wine's own, as the package does when it is installed.
    zlib=$work/wine/usr/lib/x86_64-linux-gnu/wine/x86_64-windows/zlib1.dll
    cp "$work/wine/usr/x86_64-w64-mingw32/lib/zlib1.dll" "$zlib"
    printf 'Wine builtin DLL%016d' 0 | tr 0 '\0' | dd of="$zlib" bs=1 seek=64 conv=notrunc status=none
}

# npm_install <package>@<version>...: install into $work/node_modules; scripts of packages are not
# run.
npm_install() {
    (cd "$work" && npm install --ignore-scripts --no-audit --no-fund "$@" >npm.log 2>&1 </dev/null) || {
        printf 'npm has no %s now: nothing can be said\n' "$*"
        exit 77
    }
}

free_port() {
    python3 -c 'import socket
with socket.socket() as s:
    s.bind(("127.0.0.1", 0))
    print(s.getsockname()[1])'
}

# serve <file> <content type>: answer every request with the file; sets $served to the address.
serve() {
    local port
    port=$(free_port)
    python3 - "$port" "$1" "$2" >/dev/null 2>&1 <<'END' &
import http.server, sys
class Answer(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        with open(sys.argv[2], "rb") as file:
            body = file.read()
        self.send_response(200)
        self.send_header("Content-Type", sys.argv[3])
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Answer).serve_forever()
END
    started+=($!)
    served=127.0.0.1:$port
    until_answered "http://$served/"
}

# start <program> <argument>...: start a server, which is killed when the finding ends.
start() {
    "$@" >"$work/server.log" 2>&1 </dev/null &
    started+=($!)
}

# fetch <url> [<curl's argument>...]
fetch() {
    curl --noproxy '*' -sS "$@"
}

# until_answered <url>: wait at most half a minute for an answer.
until_answered() {
    local i
    for ((i = 0; i < 300; i++)); do
        ! curl --noproxy '*' -sf -o /dev/null "$1" || return 0
        sleep 0.1
    done
    cat "$work/server.log"
    exit 77
}

# until_said <text> <command>...: ask again until the output has the text, at most half a minute.
until_said() {
    local wanted=$1 i
    shift
    for ((i = 0; i < 300; i++)); do
        [[ $("$@" 2>&1) != *"$wanted"* ]] || return 0
        sleep 0.1
    done
    return 0 # the caller checks what was seen then
}

# prometheus <folder of the package> <address to scrape> <argument>...: start Prometheus, and set
# $api to the address of its API.
prometheus() {
    local port folder=$1 address=$2
    shift 2
    port=$(free_port)
    printf 'global: {scrape_interval: 1s, scrape_timeout: 1s}\nscrape_configs:\n%s\n' \
        "- {job_name: it, static_configs: [{targets: ['$address']}]}" >"$work/prometheus.yml"
    start "$folder/usr/bin/prometheus" --config.file="$work/prometheus.yml" --storage.tsdb.path="$work/data.$port" \
        --web.listen-address="127.0.0.1:$port" --log.level=error "$@"
    api=http://127.0.0.1:$port/api/v1
    until_answered "http://127.0.0.1:$port/-/ready"
}

# ask <expression>: print the series of Prometheus sorted, one in a line: labels in JSON, a blank,
# the value.
ask() {
    fetch -G "$api/query" --data-urlencode "query=$1" | python3 -c 'import json, sys
for line in sorted(json.dumps(each["metric"], sort_keys=True) + " " + each["value"][1]
                   for each in json.load(sys.stdin)["data"]["result"]):
    print(line)'
}

# pcp <address to scrape>: start PCP 6.0.3's pmcd with its agent for OpenMetrics; sets $root and
# PCP's variables.
pcp() {
    local each libraries=
    root=$work/pcp
    for each in pcp pcp-conf libpcp3 libpcp-pmda3 libpcp-web1 libpcp-import1 libpcp-gui2 libpcp-mmv1 python3-pcp; do
        unpack bookworm "$each" 6.0.3-1.1
    done
    for each in requests=2.28.1+dfsg-1 urllib3=1.26.12-1+deb12u4 certifi=2022.9.24-1 chardet=5.1.0+dfsg-2 \
        idna=3.3-1+deb12u1 charset-normalizer=3.0.1-2 six=1.16.0-4; do
        unpack bookworm "python3-${each%%=*}" "${each#*=}"
    done
    mkdir -p "$root/sources"
    for each in "$work"/*pcp*-6.0.3-1.1 "$work"/python3-*; do
        cp -a "$each/." "$root"
    done
    sed -i -E "s|^(PCP_[A-Z0-9_]+_(DIR\|PATH))=/|\1=$root/|" "$root/etc/pcp.conf"
    for each in pcp pcp_pmda pcp_import pcp_gui pcp_mmv; do # ctypes does not look for them in this folder
        libraries+=" $(echo "$root/usr/lib/lib$each.so".*)"
    done
    echo "http://$1/" >"$root/sources/it.url"
    printf 'root {\n    openmetrics 144:*:*\n}\n' >"$root/names"
    printf 'openmetrics 144 pipe binary notready /usr/bin/env "LD_PRELOAD=%s" /usr/bin/python3 %s -d144 -c %s -l %s -u %s\n' \
        "${libraries# }" "$root/usr/lib/pcp/pmdas/openmetrics/pmdaopenmetrics.python" "$root/sources" \
        "$root/agent.log" "$(id -un)" >"$root/pmcd.conf"
    export LD_LIBRARY_PATH=$root/usr/lib PCP_DIR=$root PCP_CONF=$root/etc/pcp.conf \
        PYTHONPATH=$root/usr/lib/python3/dist-packages PYTHONDONTWRITEBYTECODE=1
    PMCD_PORT=$(free_port)
    export PMCD_PORT
    start "$root/usr/lib/pcp/bin/pmcd" -f -A -n "$root/names" -c "$root/pmcd.conf" -l "$root/pmcd.log" -i 127.0.0.1 \
        -U "$(id -un)" -s "$root/socket" -H localhost
}

# seen <subject> <what was seen> <what was seen when this was written>: print what was seen, and
# whether it has changed.
seen() {
    printf 'seen, %s: %s\n' "$1" "$2"
    if [[ $2 != "$3" ]]; then
        printf 'CHANGED; it was: %s\n' "$3"
        changed=1
    fi
}

# Exit with 1 if anything has changed. Otherwise print the last line of the finding.
verdict() {
    [[ $changed -eq 0 ]] || exit 1
    echo 'as it was'
}
