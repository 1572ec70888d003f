# The architectures as the programs and LIKWID read them: groups/ with what each inherits (inherit/make.lua).

GROUPS       := $(BUILD)/groups
GROUP_FILES  := $(wildcard groups/*/*)
GROUPS_MADE  := $(GROUPS)/counts.lua
LUA          := $(shell command -v lua5.4 || echo lua)
ALL          += $(GROUPS_MADE)

# Folders as well: a file that was removed changes what is inherited.
$(GROUPS_MADE): groups/counts.lua $(GROUP_FILES) $(wildcard groups/*/.) $(wildcard inherit/*.lua)
	rm -rf $(GROUPS).new
	mkdir -p $(patsubst groups/%,$(GROUPS).new/%,$(sort $(dir $(GROUP_FILES))))
	$(LUA) inherit/make.lua groups $(GROUPS).new $(GROUP_FILES)
	cp groups/counts.lua $(GROUPS).new
	rm -rf $(GROUPS)
	mv $(GROUPS).new $(GROUPS)
