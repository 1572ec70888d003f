# lua/ has nothing to compile: the host loads it as it is. `make` finds errors of form here.
.PHONY: luacheck test-lua
luacheck:
	luacheck -q lua inherit patterns probes groups tests/lua tests/events
test-lua:
	busted
