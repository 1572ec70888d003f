# The engine is built against the installed Valgrind and adapts to its headers, not to its version number.
load common

# Copies Valgrind's headers into ./include, VG_(am_shadow_alloc) returning the given type.
headers_with() {
    cp -r /usr/include/valgrind include
    chmod -R u+w include
    sed -i "s/^extern [A-Za-z]*[ *]*VG_(am_shadow_alloc)/extern $1 VG_(am_shadow_alloc)/" include/pub_tool_aspacemgr.h
    grep -F "extern $1 VG_(am_shadow_alloc)" include/pub_tool_aspacemgr.h
}

# engine_object COMPILER [OPTION]...: makes the engine's object that maps the node.
engine_object() {
    local compiler=$1
    shift
    env -u MAKEFLAGS -u MAKELEVEL make -C "$root" CC="$compiler" BUILD="$PWD/made-$compiler" VALGRIND_INCLUDE="$PWD/include" \
        "$@" "$PWD/made-$compiler/vnode/engine/node.o"
}

# bats test_tags=elsewhere
@test "Valgrinds that return memory as a pointer or in a SysRes both compile, with gcc and with clang" {
    for type in 'void*' SysRes; do
        rm -rf include made-*
        headers_with "$type"
        engine_object gcc
        engine_object clang
    done
}

# bats test_tags=elsewhere
@test "another Valgrind causes a rebuild, whatever the age of its files; the same one does not" {
    headers_with 'void*'
    engine_object gcc
    engine_object gcc -q
    headers_with SysRes
    find include -exec touch -d 2001-01-01 {} +
    run -1 engine_object gcc -q
    engine_object gcc
    engine_object gcc -q
}
