#!/bin/bash
# SPDX-License-Identifier: MIT
# Tests scripts/package with the builds that ./test has made: the same bytes twice; the contents of
# the packages; a program built outside of the repository with the unpacked packages, by mingw and
# by clang in MSVC mode; pkg-config; NuGet; the port for vcpkg, without its build; the list in SPDX,
# read by SPDX's own library; signatures; and the kit for Windows, which runs from its unpacked
# folder.
#
# Tier: all
# Builds: mingw windows-msvc windows-msvc-arm64
# Job: scripts
# shellcheck source=../support/scripts/script.sh
source "$(dirname "$0")/../support/scripts/script.sh"

source=$PWD
tests=$PWD/tests/packages
# check.py expects this time in the packages. A tool that ignores the variable writes another time.
export SOURCE_DATE_EPOCH=1700000002

# ---- The same bytes, and what they are ----

quietly scripts/package --out "$work/first" || fail "scripts/package"
# Make the packages a second time in two steps, like a release.
(umask 077 && quietly scripts/package --stage "$work/stage") || fail "scripts/package --stage"
(umask 077 && TZ=Asia/Tokyo LC_ALL=C quietly scripts/package --from "$work/stage" --out "$work/second") ||
    fail "scripts/package --from"
! scripts/package --from "$work" --out "$work/third" >/dev/null 2>&1 || fail "--from takes any folder"
diff -r "$work/first" "$work/second" || fail "the packages differ from run to run"
# Use folders that scripts/package did not make: an empty one, and one that has checksums and a file
# that the checksums do not list.
mkdir "$work/theirs" "$work/checked"
printf '%064d  other.zip\n' 0 >"$work/checked/SHA256SUMS"
touch "$work/checked/other.zip" "$work/checked/mine"
for folder in theirs checked; do
    ! said=$(scripts/package --out "$work/$folder" 2>&1) || fail "scripts/package replaces a folder that is not its own"
    [[ $said == *"$folder was not made by this program"* ]] || fail "scripts/package says: $said"
done
[[ -f $work/checked/mine ]] || fail "scripts/package removed a file of others"
(cd "$work/first" && sha256sum --quiet --strict -c SHA256SUMS) || fail "SHA256SUMS"
[[ $(wc -l <"$work/first/SHA256SUMS") -eq $(($(find "$work/first" -type f | wc -l) - 1)) ]] || fail "SHA256SUMS lacks files"
/usr/bin/python3 -B "$tests/check.py" "$work/first" "$SOURCE_DATE_EPOCH" || fail "what is in the packages"
done_with "packages: the same bytes twice, complete, with versions and manifests"

exit_code=0
said=$("$tests/spdx-check" "$work/first/"*.spdx.json 2>&1) || exit_code=$?
case $exit_code in
    0) done_with "SPDX's library reads the list: $said" ;;
    77) echo "not shown: $said" ;;
    *) fail "SPDX's library: $said" ;;
esac

# ---- The kit ----

# unpack <folder of packages> <which> <new folder>
unpack() {
    mkdir "$3"
    (cd "$3" && cmake -E tar xf "$1"/*-"$2.zip")
}

# Test only that the kit runs from its package. 58-selftest.sh tests all parts of the kit.
unpack "$work/first" kit "$work/kit"
cd "$work/kit/"*
"$source/tests/wine/install-workaround" "$source/build/mingw/bin/prfdata-wine-workaround.dll"
"$source/tests/wine/run" cmd.exe /c selftest.cmd >"$work/said" 2>&1 </dev/null || true
grep -q 'elevated prompt' "$work/said" || fail "selftest.cmd misses something: $(<"$work/said")"
"$source/tests/wine/run" x64/prfdata-kit.exe -Ask report.txt -Parts product >"$work/said" 2>&1 </dev/null || true
for number in 55 62 66 90 91; do
    grep -q "^Q$number yes: " report.txt || { cat report.txt "$work/said"; fail "the kit of the package: question $number"; }
done
cd "$source"
done_with "the kit for Windows runs from its package"

# ---- Building with them ----

mkdir "$work/user"
for package in all x64; do
    unpack "$work/first" "$package" "$work/unpacked-$package"
    mv "$work/unpacked-$package/"* "$work/$package"
done
cp "$tests/CMakeLists.txt" tests/consumer/consumer.c tests/consumer/shop_map.[ch] "$work/user"

# build_user <package> <tree> <toolchain file>: build the project of a user, and check that the
# package chooses this tree for the compiler.
build_user() {
    local build=$work/build-$2
    quietly cmake -S "$work/user" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
        -DCMAKE_PREFIX_PATH="$work/$1" -DCMAKE_TOOLCHAIN_FILE="$3"
    grep -qE "^PrfData_DIR:PATH=$work/$1/lib/cmake/PrfData\$" "$build/CMakeCache.txt" || fail "another PrfData: $2"
    quietly cmake --build "$build"
    grep -q "/$1/$2/lib/" "$build/build.ninja" || fail "$2 is not linked"
    for file in consumer.exe consumer_installer.exe PrfDataConsumerPrf.dll; do
        [[ -s $build/$file ]] || fail "$2 makes no $file"
    done
}

# refused <package> <text> [<cmake argument>...]: check the package's message for another compiler.
refused() {
    local package=$1 text=$2
    shift 2
    ! cmake -S "$work/user" -B "$work/refused" -G Ninja -DCMAKE_PREFIX_PATH="$work/$package" "$@" \
        >"$work/said" 2>&1 || fail "$package is taken: $*"
    rm -rf "$work/refused"
    tr -s ' \n' ' ' <"$work/said" | grep -F "$text" >/dev/null || fail "$package says: $(<"$work/said")"
}

toolchains=$source/cmake/toolchain
build_user x64 mingw-x64 "$work/x64/mingw-x64/lib/cmake/PrfData/toolchain-mingw-x86_64.cmake"
build_user all mingw-x86 "$work/all/mingw-x86/lib/cmake/PrfData/toolchain-mingw-i686.cmake"
build_user all msvc-x64 "$toolchains-windows-msvc-x64.cmake"
build_user all msvc-arm64 "$toolchains-windows-msvc-arm64.cmake"
refused x64 'this PrfData is for Windows: it has libraries for mingw-x64, msvc-x64.'
refused x64 'this PrfData has libraries for mingw-x64, msvc-x64; the compiler needs mingw-x86.' \
    -DCMAKE_TOOLCHAIN_FILE="$toolchains-mingw-i686.cmake"

flags=$(PKG_CONFIG_LIBDIR=$work/x64/mingw-x64/lib/pkgconfig pkg-config --cflags --libs 'prfdata >= 0.1') ||
    fail "pkg-config"
mkdir "$work/build-pc"
# shellcheck disable=SC2086 # words
x86_64-w64-mingw32-gcc -std=c11 -Wall -Wextra -Werror "$work/user/consumer.c" "$work/user/shop_map.c" \
    -o "$work/build-pc/consumer.exe" $flags || fail "a build with pkg-config: $flags"

for build in mingw-x64 msvc-x64 pc; do
    # Use no pipe, because Wine's services would hold it open.
    tests/wine/run "$work/build-$build/consumer.exe" >"$work/said" || fail "consumer.exe of $build"
    [[ $(tr -d '\r' <"$work/said") == 'counted 42 orders in private' ]] || fail "$build: $(<"$work/said")"
done
done_with "programs with four compilers' libraries and with pkg-config; three of them ran"

# The libraries ask for neither of Visual Studio's two C runtimes, so that a program can use either.
# Only the library for a provider's DLL asks for one.
for name in client mapfile core installer provider; do
    ! grep -aqi 'defaultlib:"*libcmt' "$work/all/msvc-x64/lib/prfdata_$name.lib" || fail "$name names a C runtime"
done
grep -aqi 'defaultlib:"*libcmt' "$work/all/msvc-x64/lib/prfdata_provider_dll.lib" || fail "provider_dll names none"

# ---- Other installers of packages ----

port=$work/port
unpack "$work/first" vcpkg "$port"
quietly cmake -DPORT_FOLDER="$port/prfdata" -DBUILD="$source/build/windows-msvc" -DWORK="$work/vcpkg" \
    -P "$tests/vcpkg.cmake" || fail "the port for vcpkg"
done_with "the port for vcpkg asks for what there is (vcpkg itself is not to be had here)"

version=$(basename "$work/first/"PrfData.*.nupkg .nupkg)
mkdir "$work/home" "$work/result"
export HOME=$work/home # no caches, no settings
quietly nuget install PrfData -Source "$work/first" -OutputDirectory "$work/nuget" -NonInteractive || fail "nuget"
package=$work/nuget/$version
# use_package <platform>: build a project that uses the package. $work/said gets the output.
use_package() {
    xbuild /nologo /p:Platform="$1" /p:PACKAGE="$package" /p:RESULT="$work/result" "$tests/user.proj" >"$work/said" 2>&1
}
for platform in x64 ARM64; do
    use_package "$platform" || fail "the project of $platform: $(<"$work/said")"
    read -r folder libraries < <(sed -n 's/^[[:space:]]*libraries: //p' "$work/said")
    found=0
    for library in ${libraries//;/ }; do
        [[ $library == prfdata_* ]] || continue
        [[ -s $folder/$library ]] || fail "NuGet: no $folder/$library"
        found=$((found + 1))
    done
    [[ $found -eq 4 ]] || fail "NuGet: $platform links $libraries"
    cmp "$work/result/PrfDataConsumerPrf.dll" "$package/build/native/bin/${platform,,}/PrfDataProvider.dll"
    for other in x86 x64 arm64; do
        cmp "$work/result/$other/PrfDataConsumerPrf.dll" "$package/build/native/bin/$other/PrfDataProvider.dll"
    done
done
# The package has libraries for MSVC. Those for x86 need Visual Studio, which is missing here.
! use_package Win32 || fail "NuGet: a platform without libraries"
grep -q 'no libraries for the platform Win32' "$work/said" || fail "NuGet says: $(<"$work/said")"
done_with "nuget installs the package, a project uses it"

# ---- Signatures ----

openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj /CN=PrfData -addext extendedKeyUsage=codeSigning \
    -keyout "$work/key.pem" -out "$work/certificate.pem" 2>/dev/null
openssl pkcs12 -export -inkey "$work/key.pem" -in "$work/certificate.pem" -passout pass:secret -out "$work/key.p12"
printf secret >"$work/password"
printf '#!/bin/sh\necho "$2" >>"%s/called"\nexec "$1" "$2"\n' "$work" >"$work/signer"
chmod +x "$work/signer"
PRFDATA_SIGN_KEY=$work/key.p12 PRFDATA_SIGN_PASSWORD=$work/password \
    PRFDATA_SIGN="$work/signer $source/packaging/sign" quietly scripts/package --out "$work/signed" ||
    fail "scripts/package with a key"
unpack "$work/signed" all "$work/signatures"
unpack "$work/signed" kit "$work/signatures/kit"
count=0
while read -r file; do
    count=$((count + 1))
    osslsigncode verify -CAfile "$work/certificate.pem" -TSA-CAfile "$work/certificate.pem" "$file" \
        >"$work/said" 2>&1 || fail "the signature of $file: $(<"$work/said")"
done < <(find "$work/signatures" -name '*.exe' -o -name '*.dll')
[[ $count -gt 0 && $(sort -u "$work/called" | wc -l) -eq $count && $(wc -l <"$work/called") -eq $count ]] ||
    fail "$count files, the signer was called for $(<"$work/called")"
! osslsigncode verify -CAfile "$work/certificate.pem" "$work/x64/bin/x64/prfread.exe" >/dev/null 2>&1 ||
    fail "a file without a signature passes"
! PRFDATA_SIGN=false scripts/package --out "$work/unsigned" >/dev/null 2>&1 || fail "a signer that fails is ignored"
[[ ! -e $work/unsigned ]] || fail "packages without the signatures that were asked for"
done_with "every program and DLL is signed once"
