# The architectures as the programs and LIKWID read them: groups/ with what each inherits (inherit/make.lua).

GROUPS       := $(BUILD)/groups
GROUP_FILES  := $(wildcard groups/*/*)
SHARED_FILES := $(wildcard groups/*.*)
GROUPS_MADE  := $(GROUPS)/counts.lua
LUA          := $(shell command -v lua5.4 || echo lua)
ALL          += $(GROUPS_MADE)

# Folders as well: a file that was removed changes what is inherited.
$(GROUPS_MADE): $(SHARED_FILES) $(GROUP_FILES) $(wildcard groups/*/.) $(wildcard inherit/*.lua)
	rm -rf $(GROUPS).new
	mkdir -p $(patsubst groups/%,$(GROUPS).new/%,$(sort $(dir $(GROUP_FILES))))
	$(LUA) inherit/make.lua groups $(GROUPS).new $(GROUP_FILES)
	cp $(SHARED_FILES) $(GROUPS).new
	rm -rf $(GROUPS)
	mv $(GROUPS).new $(GROUPS)

# What is inherited against the LIKWID tables of the architectures that inherit (inherit/likwid.lua), with the LIKWID that is here.
.PHONY: families
families: all
	@failed=0; for file in $$(grep -l '^family ' groups/*/family); do arch=$$(basename $${file%/family}); \
	    node=$(GROUPS)/$$arch/listed.lua; [ -e $$node ] || node=$$arch-2x1; \
	    $(BUILD)/assay vnode --node $$node -- true 2>/dev/null || node=$$arch-1x2; \
	    $(BUILD)/assay vnode --node $$node -- likwid-perfctr -e 2>/dev/null | $(LUA) inherit/likwid.lua $(GROUPS) $$arch || failed=1; \
	done; exit $$failed
