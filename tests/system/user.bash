# user.bash - if the tests run as root, runs Assay as an unprivileged user, installed where everybody can read it.
# SPDX-License-Identifier: GPL-3.0-or-later

is_root() { [ "$(id -u)" -eq 0 ]; }

# For setup_file: Assay in a folder that others may enter, and a home in it.
install_for_user() {
    USER_PREFIX=$(mktemp -d /var/tmp/test-user-XXXXXX)
    USER_HOME=$USER_PREFIX/home
    export USER_PREFIX USER_HOME
    chmod 755 "$USER_PREFIX"
    make -s -C "$root" install BUILD="${BUILD:-build}" PREFIX="$USER_PREFIX" >&2
    mkdir -m 777 "$USER_HOME"
}

remove_for_user() {
    [ -z "$USER_PREFIX" ] || rm -rf "$USER_PREFIX"
}

# as_user COMMAND...: with `assay` in PATH.
as_user() {
    local run=()
    if is_root; then run=(setpriv --reuid=65534 --regid=65534 --clear-groups); fi
    env PATH="$USER_PREFIX/bin:$PATH" HOME="$USER_HOME" XDG_CACHE_HOME= TMPDIR="${USER_TMPDIR-$USER_HOME}" "${run[@]}" "$@"
}
