# shellcheck shell=bash
# What the scripts share. Sourced with the checkout as the working directory.

# One configuration for the program and for its tests, so that nothing is built twice.
# shellcheck disable=SC2034
build_flags=(-c release -Xswiftc -enable-testing)

# That of the program that a city runs (scripts/release), and that is put under load.
release_flags=(-c release --static-swift-stdlib --scratch-path .build/city)

# Builds products in that configuration, and prints in which folder they are.
build_release() {
    local product
    for product; do
        swift build "${release_flags[@]}" --product "$product" >&2 || return
    done
    swift build "${release_flags[@]}" --show-bin-path
}

# What the program is built with.
# shellcheck disable=SC2034
program_packages=(
    zlib1g-dev libzip-dev libsqlite3-dev libpq-dev libargon2-dev libcurl4-openssl-dev
    libnghttp2-dev libjs-leaflet
)

# What its tests are built with besides, and what they need to run.
# shellcheck disable=SC2034
packages=("${program_packages[@]}" libgeos-dev postgresql-15 openssl python3-venv)

# The environment failed: the exit code that all scripts and `viavai` itself use for it.
# shellcheck disable=SC2034
environment_failed=3

# Says what is done next, and in what takes minutes how many have passed since the script began.
step() {
    local passed=""
    [ "$SECONDS" -lt 60 ] || passed=" ($((SECONDS / 60)) min so far)"
    printf '\n== %s%s\n' "$*" "$passed"
}

# Says that something could not be had, and what comes of it; and leaves its name in
# $VIAVAI_WITHOUT for the record of the long door (scripts/test-everything).
do_without() {
    echo "$1 is missing: $2" >&2
    echo "$1" >>"${VIAVAI_WITHOUT:-/dev/null}"
}

# What tells one state of the checkout from any other, and its tools; nothing where something in it
# is not committed, but for the line that a run of the long door has added.
checkout=$PWD
fingerprint() {
    [ -z "$(git -C "$checkout" status --porcelain -- . ':!docs/verification.md')" ] || return 0
    {
        git -C "$checkout" rev-parse HEAD
        cat "$checkout/Package.resolved"
        swift --version
    } 2>/dev/null | sha256sum | cut -c 1-16
}

# Runs a command under a name; not where it has passed before and a list of what has is kept in
# $VIAVAI_PASSED (scripts/test-everything).
once() {
    local name=$1
    shift
    if grep -qxF "$name" "${VIAVAI_PASSED:-/dev/null}" 2>/dev/null; then
        step "Passed before on this commit: $name"
        return
    fi
    "$@" || return
    # Not where somebody has changed something meanwhile.
    if [ -n "${VIAVAI_PASSED:-}" ] && [[ $VIAVAI_PASSED == */"$(fingerprint)".* ]]; then
        echo "$name" >>"$VIAVAI_PASSED"
    fi
}

# Every place where Swift files stand.
# shellcheck disable=SC2034
swift_places=(Sources Tests wasm Package.swift)
[ ! -d Benchmarks ] || swift_places+=(Benchmarks)
