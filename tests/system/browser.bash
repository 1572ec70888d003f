# browser.bash - drives a headless Chromium over its debugging pipe: real keys, real clicks, values of expressions.
# SPDX-License-Identifier: GPL-3.0-or-later

chromium_flags=(--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking
    --disable-component-update --disable-sync --hide-scrollbars)

# browse FILE: opens the page at 1400 x 1000 and waits until it has run. The first test of a file starts the browser, as that takes five
# seconds; each page has a tab of its own. Its pipes are opened for both directions, so that no end of a test closes them.
browse() {
    browser=$BATS_FILE_TMPDIR/browser browser_session=
    if [ ! -e "$browser" ]; then
        mkdir "$browser"
        mkfifo "$browser/in" "$browser/out"
        echo 0 >"$browser/id"
        chromium "${chromium_flags[@]}" --user-data-dir="$browser/profile" --window-size=1400,1000 --remote-debugging-pipe \
            3<>"$browser/in" 4<>"$browser/out" >"$browser/log" 2>&1 &
        echo $! >"$browser/process"
    fi
    exec 8>"$browser/in" 9<"$browser/out"
    local target
    target=$(command_browser Target.createTarget '{"url":"about:blank"}' | sed 's/.*"targetId":"\([^"]*\)".*/\1/')
    browser_session=$(command_browser Target.attachToTarget "{\"targetId\":\"$target\",\"flatten\":true}" |
        sed 's/.*"sessionId":"\([^"]*\)".*/\1/')
    send Page.navigate "{\"url\":\"file://$1\"}"
    until [ "$(value 'location.protocol + document.readyState')" = file:complete ]; do sleep 0.05; done
}

# command_browser METHOD PARAMETERS: sends one command and prints its answer; events are skipped.
command_browser() {
    local session=${browser_session:+,\"sessionId\":\"$browser_session\"} answer id
    id=$(($(cat "$browser/id") + 1)) # in a file, for a command may run in a subshell
    echo "$id" >"$browser/id"
    printf '{"id":%d,"method":"%s","params":%s%s}\0' "$id" "$1" "$2" "$session" >&8
    while IFS= read -r -t 30 -d '' answer <&9; do
        [[ $answer == "{\"id\":$id,"* ]] && printf '%s' "$answer" && return 0
    done
    echo "no answer to $1 within 30 s" >&2
    return 1
}

# send METHOD PARAMETERS: a command whose answer does not matter.
send() {
    command_browser "$1" "$2" >"$browser/answer" || return 1
    refute grep '"error"' "$browser/answer"
}

# value EXPRESSION: its value as a text. The expression holds no double quotes and no backslashes.
value() {
    command_browser Runtime.evaluate "{\"expression\":\"String($1)\"}" >"$browser/answer" || return 1
    sed -n 's/.*"type":"string","value":"\(.*\)"}}.*/\1/p' "$browser/answer"
}

# press KEY CODE [TEXT]: one key, e.g. press Tab 9, press Enter 13 '\r'
press() {
    local text=${3:+,\"text\":\"$3\"}
    send Input.dispatchKeyEvent "{\"type\":\"keyDown\",\"key\":\"$1\",\"windowsVirtualKeyCode\":$2$text}"
    send Input.dispatchKeyEvent "{\"type\":\"keyUp\",\"key\":\"$1\",\"windowsVirtualKeyCode\":$2}"
}

# fits WIDTH...: nothing but what scrolls is wider than windows of these widths
fits() {
    local width wide
    for width in "$@"; do
        send Emulation.setDeviceMetricsOverride "{\"width\":$width,\"height\":900,\"deviceScaleFactor\":1,\"mobile\":false}"
        wide=$(value "[...document.querySelectorAll('body *')].filter((e) => !e.closest('.scroll') && e.getBoundingClientRect().right > $width + 1).map((e) => e.tagName + e.className).join(' ')")
        echo "$width: $wide"
        [ -z "$wide" ] || return 1
    done
}

# readable SELECTORS: text and background of what they select differ enough, light and dark (WCAG AA)
readable() {
    local scheme least
    for scheme in light dark; do
        send Emulation.setEmulatedMedia "{\"features\":[{\"name\":\"prefers-color-scheme\",\"value\":\"$scheme\"}]}"
        least=$(value "(() => { const lum = (c) => { const [r, g, b] = c.match(/[0-9.]+/g).map((v) => v / 255).map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b }; const back = (e) => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor; if (c !== 'rgba(0, 0, 0, 0)') return c } return 'rgb(255, 255, 255)' }; return Math.min(...[...document.querySelectorAll('$1')].map((e) => { const [a, b] = [lum(getComputedStyle(e).color), lum(back(e))].sort((x, y) => y - x); return (a + 0.05) / (b + 0.05) })) })()")
        echo "$scheme: $least"
        [ "$(awk -v x="$least" 'BEGIN { print (x >= 4.5) }')" = 1 ] || return 1
    done
}

# close_browser: ends the browser of a file, in its teardown_file.
close_browser() {
    browser=$BATS_FILE_TMPDIR/browser browser_session=
    [ -e "$browser" ] || return 0
    exec 8>"$browser/in" 9<"$browser/out"
    send Browser.close '{}' || kill "$(cat "$browser/process")"
    exec 8>&- 9<&-
    while kill -0 "$(cat "$browser/process")" 2>/dev/null; do sleep 0.05; done
}
