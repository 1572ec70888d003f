#!/usr/bin/env bats
# Data files (patterns, machines, nodes) run in a sandbox. Whatever they try, the program is not affected, or ends with one line that
# names file and line.
load common

# limited COMMAND...: in 20 s of processor time, of which a data file may have half.
limited() {
    (
        ulimit -t 20
        exec "$@"
    )
}

# attack WHAT LUA: a pattern file whose third line is LUA is refused with its name, line 3 and WHAT, in seconds.
attack() {
    { printf -- '-- an attack\nlocal _\n%s\n' "$2" && cat "$root/patterns/long_latency.lua"; } >data/patterns/long_latency.lua
    fails_with 2 "patterns/long_latency.lua:3: $1" limited "$assay" tables "$(reference)" --out tables
    [ ! -e tables ]
}

@test "a pattern that replaces a library function does not change it for others" {
    copy_data
    # first by name, so that every other file is read after it
    sed 's/^local function is_wide/math.abs = function() return 0 end math.min = math.abs string.format = nil\n&/' \
        "$root/patterns/avx_flops.lua" >data/patterns/avx_flops.lua
    run -1 cmp data/patterns/avx_flops.lua "$root/patterns/avx_flops.lua"
    small_reference
    "$assay" tables small_reference.json --out poisoned
    unset ASSAY_DATA
    "$assay" tables small_reference.json --out clean
    diff -r poisoned clean
}

# bats test_tags=long
@test "a wrong counter is found although a pattern redefines math.abs" {
    copy_data
    { echo 'math.abs = function() return 0 end'; cat "$root/patterns/long_latency.lua"; } >data/patterns/long_latency.lua
    echo 'ARITH_DIVIDER_UOPS scale 3' >faults.txt
    run --separate-stderr "$assay" validate long_latency --quick --only div_avx --node virtual --fault faults.txt --out r.json
    echo "$stderr"
    [ "$status" -eq 0 ]
    run grep -c '"verdict": "validated"' r.json
    [ "$output" -eq 0 ]
}

# bats test_tags=long
@test "a model's changes to its argument do not reach the caller" {
    copy_data
    sed 's/^local function divider_uops(at)/&\n    at.machine.divider_uops.bits256 = 1 at.code.bits = 0 at.point.elements = 1 at.node.sockets = 77/' \
        "$root/patterns/long_latency.lua" >data/patterns/long_latency.lua
    sed -i 's/local divides = /at.code.bits = nil local divides = /' data/patterns/long_latency.lua
    run -0 --separate-stderr "$assay" validate long_latency --quick --only div_avx --node virtual --out r.json
    # the measured sizes are those of the file, and the node is unchanged
    run grep -c '"elements": 1,' r.json
    [ "$output" -eq 0 ]
    run grep -c '"sockets": 1,' r.json
    [ "$output" -ge 1 ]
}

# bats test_tags=long
@test "a data file cannot reach anything outside of its sandbox" {
    copy_data
    attack "attempt to index a nil value (global 'io')" "_ = io.x"
    attack "attempt to call a nil value (global 'load')" "load('x')"
    names="io os debug package coroutine utf8 _G load loadstring loadfile dofile require getmetatable setmetatable rawset rawget rawequal
        collectgarbage pcall xpcall print warn"
    # shellcheck disable=SC2046,SC2086 # words
    attack "none" "error($(printf '%s\n' $names | sed 's/.*/& and "&" or/') 'none')"
}

# bats test_tags=long
@test "strings give no access to the host's string library, and have no pattern matching" {
    copy_data
    attack "none" "error($(printf '%s\n' find match gmatch gsub dump pack unpack packsize | sed 's/.*/("x").& and "&" or/') 'none')"
    attack "attempt to call a nil value (method 'find')" '_ = ("a"):rep(30):find(("a?"):rep(30) .. ("a"):rep(30))'
    # the metatable of strings belongs to the file
    attack "mine" 'string.rep = function() error("mine", 2) end _ = ("x"):rep(3)'
}

@test "memory and long calls are limited at load" {
    copy_data
    attack "takes more than 16 MiB of memory" 'local s = "x" while true do s = s .. s end'
    attack "takes more than 16 MiB of memory" 'local t = {} while true do t[#t + 1] = {} end'
    attack "takes more than 16 MiB of memory" 'local function f() return f() + 1 end f()'
    attack "rep makes a text of more than 1 MiB" '_ = ("x"):rep(1 << 30)'
    attack "rep makes a text of more than 1 MiB" '_ = (""):rep(1 << 62)'
    attack "attempt to call a nil value (field 'move')" 'table.move({}, 1, 1 << 60, 2)'
    attack "attempt to call a nil value (field 'insert')" 'local t = {} for i = 0, 61 do t[1 << i] = 1 end table.insert(t, 1, 1)'
    attack "attempt to call a nil value (field 'sort')" 'table.sort({ 1 }, function() return true end)'
}

@test "an error of any kind is reported in one line" {
    copy_data
    attack "raises a table" 'error({})'
    attack "raises a nil" 'error()'
    attack "first" 'error("first\nsecond", 0)'
    # a text chunk only: no bytecode
    printf '\033Lua' >data/patterns/long_latency.lua
    fails_with 2 "long_latency.lua:1: attempt to load a binary chunk" "$assay" tables "$(reference)" --out tables
}

# returns WHAT LUA: a pattern file that is only LUA is refused with WHAT.
returns() {
    echo "$2" >data/patterns/long_latency.lua
    fails_with 2 "$1" "$assay" tables "$(reference)" --out tables
}

@test "the size of a file's result is checked before it is copied" {
    copy_data
    returns "long_latency.lua:1: the file returns more than a million values" \
        'local t = {} for i = 1, 30 do t = { t, t } end return pattern { name = t }'
    returns "long_latency.lua:1: the file returns nested too deeply" 'local t = {} t[1] = t return pattern { name = t }'
    returns "long_latency.lua:1: the file returns a table with keys" 'return pattern { [{}] = 1 }'
    returns "long_latency.lua:1: the file returns more than a million values" \
        'local s, t = ("x"):rep(1 << 20), {} for i = 1, 100 do t[i] = s end return pattern { name = t }'
    returns "long_latency.lua:1: the file must return pattern" 'return 5'
    returns "long_latency.lua:1: the file must return pattern" 'return { name = "x" }'
}

# model WHAT LUA: a model whose body is LUA stops the planning with WHAT.
model() {
    sed "s/^local function divider_uops(at)/&\n$2/" "$root/patterns/long_latency.lua" >data/patterns/long_latency.lua
    fails_with 2 "$1" limited "$assay" validate long_latency --quick --node virtual
}

# bats test_tags=long
@test "the limits hold when a file's functions are called" {
    copy_data
    model "long_latency.lua:6: takes more than " 'while true do end'
    model "long_latency.lua:6: takes more than 16 MiB of memory" 'local s = "x" while true do s = s .. s end'
    model "long_latency.lua:6: attempt to index a nil value (global 'os')" 'os.exit(0)'
    model "long_latency.lua:6: kernel div_scalar: no count of 'no such'" 'at.count("no such")'
    model "long_latency.lua:5: this function returns a function" 'do return function() end end'
    model "long_latency.lua:5: this function returns nested too deeply" 'local t = {} t[1] = t do return t end'
}

# bats test_tags=long
@test "a function lent for one call cannot be called afterwards" {
    copy_data
    sed 's/^local function divider_uops(at)/local kept\n&\nif kept then kept("flops") end kept = at.count/' \
        "$root/patterns/long_latency.lua" >data/patterns/long_latency.lua
    fails_with 2 "long_latency.lua:7: a function may be called only before the call ends" \
        "$assay" validate long_latency --quick --node virtual
}

# machine WHAT LUA: a machine file whose first line is LUA is refused with WHAT.
machine() {
    copy_data
    { echo "$2"; cat "$build/groups/haswellEP/machine.lua"; } >data/groups/haswellEP/machine.lua
    fails_with 2 "machine.lua:1: $1" "$assay" tables "$(reference)" --out tables
    unset ASSAY_DATA
}

# bats test_tags=long
@test "instructions are limited at load, of patterns and of machine files" {
    machine "takes more than " 'while true do end'
    cp "$build/groups/haswellEP/machine.lua" data/groups/haswellEP/
    ASSAY_DATA=$PWD/data attack "takes more than " 'local function f() return f() end f()' # 500 million instructions; on a slow host these are 10 seconds first
}

@test "machine files and nodes have the same limits" {
    machine "takes more than 16 MiB of memory" 'local s = "x" while true do s = s .. s end'
    node() {
        echo "$2" >node.lua
        fails_with 2 "node.lua:1: $1" limited "$assay" vnode --node "$PWD/node.lua" -- true
    }
    node "takes more than 1 million instructions" 'while true do end'
    node "takes more than 16 MiB of memory" 'local s = "x" while true do s = s .. s end'
    node "attempt to index a nil value (global 'os')" 'os.exit(0)'
    node "rep makes a text of more than 1 MiB" 'return { arch = ("x"):rep(1 << 30) }'
    head -c 2000000 /dev/zero >node.lua
    fails_with 2 "node.lua:1: too large" "$assay" vnode --node "$PWD/node.lua" -- true
}
