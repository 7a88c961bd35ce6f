# shellcheck shell=bash
# Settings and functions that the scripts share. Source it with the checkout as the working
# directory.

# The program and its tests share one configuration, so that nothing is built twice.
# shellcheck disable=SC2034
build_flags=(-c release -Xswiftc -enable-testing)

# The configuration of the program that a city runs (scripts/release), and of the load tests.
release_flags=(-c release --static-swift-stdlib --scratch-path .build/city)

# Builds products in the release configuration and prints the folder that holds them.
build_release() {
    local product
    for product; do
        swift build "${release_flags[@]}" --product "$product" >&2 || return
    done
    swift build "${release_flags[@]}" --show-bin-path
}

# The packages that the program is built with.
# shellcheck disable=SC2034
program_packages=(
    zlib1g-dev libzip-dev libsqlite3-dev libpq-dev libargon2-dev libcurl4-openssl-dev
    libnghttp2-dev libjs-leaflet
)

# The packages that its tests need in addition.
# shellcheck disable=SC2034
packages=("${program_packages[@]}" libgeos-dev openssl python3-venv)

# The exit code of all scripts, and of `viavai` itself, when the environment failed.
# shellcheck disable=SC2034
environment_failed=3

# Announces the next step, with the minutes since the script began if it is slow.
step() {
    local passed=""
    [ "$SECONDS" -lt 60 ] || passed=" ($((SECONDS / 60)) min so far)"
    printf '\n== %s%s\n' "$*" "$passed"
}

# Prints where a suite writes its results for scripts/test-report, and creates the file: one that
# stays empty shows that the suite did not finish.
results() {
    local file=/dev/null
    if [ -n "${VIAVAI_RESULTS:-}" ]; then
        mkdir -p "$VIAVAI_RESULTS"
        file=$VIAVAI_RESULTS/$1
        : >"$file"
    fi
    echo "$file"
}

# Reports a missing tool and the consequence. The tests that need it are skipped, and the report of
# the run and docs/verification.md name it; under CI it fails the run instead.
do_without() {
    echo "$1 is missing: $2" >&2
    echo "$1" >>"${VIAVAI_WITHOUT:-/dev/null}"
    [ -z "${VIAVAI_RESULTS:-}" ] || printf '%s\t%s\n' "$1" "$2" >>"$VIAVAI_RESULTS/missing.tsv"
    if [ -n "${CI:-}" ]; then
        echo "CI is set: the run fails without $1." >&2
        exit "$environment_failed"
    fi
}

# Installs the packages that the tests need. Without PostgreSQL the tests on SQLite still run.
prepare_packages() {
    scripts/prepare "${packages[@]}"
    scripts/prepare nodejs || do_without "Node.js" "simulated drives are skipped."
    scripts/prepare postgresql-15 || do_without "PostgreSQL" "the tests on it are skipped."
}

# Prints a hash of the commit and the tools; nothing if the checkout has uncommitted changes other
# than the line that scripts/test-everything adds to docs/verification.md.
checkout=$PWD
fingerprint() {
    [ -z "$(git -C "$checkout" status --porcelain -- . ':!docs/verification.md')" ] || return 0
    {
        git -C "$checkout" rev-parse HEAD
        cat "$checkout/Package.resolved"
        swift --version
    } 2>/dev/null | sha256sum | cut -c 1-16
}

# Runs a command under a name, unless $VIAVAI_PASSED (scripts/test-everything) lists the name as
# passed before.
once() {
    local name=$1
    shift
    if grep -qxF "$name" "${VIAVAI_PASSED:-/dev/null}" 2>/dev/null; then
        step "Passed before on this commit: $name"
        return
    fi
    "$@" || return
    # If the checkout has changed in the meantime, the result says nothing about either state.
    if [ -n "${VIAVAI_PASSED:-}" ] && [[ $VIAVAI_PASSED == */"$(fingerprint)".* ]]; then
        echo "$name" >>"$VIAVAI_PASSED"
    fi
}

# All places that contain Swift files.
# shellcheck disable=SC2034
swift_places=(Sources Tests wasm Package.swift)
[ ! -d Benchmarks ] || swift_places+=(Benchmarks)
