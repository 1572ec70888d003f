# The engine: a Valgrind tool, and the folder that VALGRIND_LIB names.

ENGINE_TRIPLET := amd64-linux
ENGINE_DIR     := $(BUILD)/vnode/valgrind
ENGINE_TOOL    := $(ENGINE_DIR)/assay-$(ENGINE_TRIPLET)
ENGINE_SRC     := $(wildcard vnode/engine/*.c) vnode/program.c vnode/clock_file.c
ENGINE_PMU     := $(addprefix vnode/pmu/,box_use.c core_use.c fault.c fields.c formula.c response.c scope.c select.c table.c totals.c)
ENGINE_OBJ     := $(ENGINE_SRC:%.c=$(BUILD)/%.o) $(ENGINE_PMU:%.c=$(BUILD)/vnode/engine/%.o)
ENGINE_SIM     ?= $(BUILD)/vnode/sim/libsim.a

# Folders of Valgrind's headers, static libraries and tools.
VALGRIND_INCLUDE ?= /usr/include/valgrind
VALGRIND_LIBDIR  ?= $(firstword $(wildcard /usr/lib/x86_64-linux-gnu/valgrind /usr/lib64/valgrind /usr/lib/valgrind))
VALGRIND_TOOLS   ?= $(firstword $(wildcard /usr/libexec/valgrind /usr/lib/x86_64-linux-gnu/valgrind /usr/lib/valgrind))

# Valgrind's files have the dates of its package, so make would not notice an upgrade: the stamp that everything built from
# them depends on is named by their content.
VALGRIND_LIBS  := $(patsubst %,$(VALGRIND_LIBDIR)/lib%-$(ENGINE_TRIPLET).a,coregrind vex gcc-sup)
VALGRIND_CORE  := default.supp vgpreload_core-$(ENGINE_TRIPLET).so
VALGRIND_FOUND := $(firstword $(shell find -L $(VALGRIND_INCLUDE) $(VALGRIND_LIBS) $(VALGRIND_CORE:%=$(VALGRIND_TOOLS)/%) \
	-type f 2>/dev/null | LC_ALL=C sort | xargs -r cat 2>/dev/null | cksum))
VALGRIND_STAMP := $(ENGINE_DIR)/of-$(VALGRIND_FOUND)

# A tool has no libc; Valgrind's headers need -std=gnu.
ENGINE_CFLAGS := -std=gnu17 -O2 -g -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
	-fno-builtin -fno-stack-protector -fno-pie -fno-strict-aliasing -fomit-frame-pointer \
	-DVGA_amd64=1 -DVGO_linux=1 -DVGP_amd64_linux=1 -DVGPV_amd64_linux_vanilla=1 \
	-isystem $(VALGRIND_INCLUDE) -I.
# No debug information: Valgrind would read its tool's at every start, which takes time, and 3.19 fails on clang's.
ENGINE_LDFLAGS := -static -nodefaultlibs -nostartfiles -u _start -Wl,--build-id=none -Wl,-Ttext=0x58000000 \
	-Wl,--strip-debug -Wl,--wrap=vgPlain_client_syscall \
	-Wl,--wrap=vgPlain_machine_get_VexArchInfo -Wl,--wrap=vgPlain_di_notify_mmap -Wl,--wrap=LibVEX_Translate \
	-Wl,--wrap=vgModuleLocal_am_barf_toolow -Wl,--wrap=vgPlain_synth_sigill \
	-Wl,--wrap=h_generic_calc_GetMSBs8x16 -Wl,--wrap=h_generic_calc_MAddF64 -Wl,--wrap=h_generic_calc_MAddF32 \
	-Wl,--wrap=sanityCheckIRSB -Wl,--wrap=vgPlain_am_mmap_anon_float_valgrind -Wl,--wrap=vgPlain_poll_signals \
	-Wl,--wrap=vgPlain_gettid -Wl,--wrap=vgPlain_do_atfork_child

ALL += $(ENGINE_TOOL) $(VALGRIND_CORE:%=$(ENGINE_DIR)/%)

INSTALL_TOOLS += vnode/valgrind/assay-$(ENGINE_TRIPLET) $(VALGRIND_CORE:%=vnode/valgrind/%)

$(VALGRIND_STAMP):
	@mkdir -p $(@D)
	@rm -f $(@D)/of-*
	@touch $@

$(filter $(BUILD)/vnode/engine/vnode/%,$(ENGINE_OBJ)): $(BUILD)/vnode/engine/%.o: %.c $(VALGRIND_STAMP)
	@mkdir -p $(@D)
	$(CC) $(ENGINE_CFLAGS) -MMD -MP -c -o $@ $<

$(ENGINE_SRC:%.c=$(BUILD)/%.o): $(BUILD)/%.o: %.c $(VALGRIND_STAMP)
	@mkdir -p $(@D)
	$(CC) $(ENGINE_CFLAGS) -MMD -MP -c -o $@ $<

$(ENGINE_TOOL): $(ENGINE_OBJ) $(ENGINE_SIM)
	@mkdir -p $(@D)
	$(CC) $(ENGINE_LDFLAGS) -o $@ $(ENGINE_OBJ) $(ENGINE_SIM) $(VALGRIND_LIBS) -lgcc

$(VALGRIND_CORE:%=$(ENGINE_DIR)/%): $(VALGRIND_STAMP)
	@mkdir -p $(@D)
	rm -f $@
	cp $(VALGRIND_TOOLS)/$(@F) $@

-include $(ENGINE_OBJ:.o=.d)

# Programs of tests/system/engine.bats. exact.c needs fixed flags: its cases are subtracted from each other.
ENGINE_TESTS := $(patsubst tests/engine/%.c,$(BUILD)/tests/engine/%,$(wildcard tests/engine/*.c))
test-programs: $(ENGINE_TESTS)

$(ENGINE_TESTS): $(BUILD)/tests/engine/%: tests/engine/%.c
	@mkdir -p $(@D)
	$(CC) $(WARN) $(CPPFLAGS) -O1 -pthread -MMD -MP -o $@ $<

-include $(ENGINE_TESTS:=.d)

# The decoder's unit test, sanitized.
DECODE_TEST := $(BUILD)/tests/unit/engine_decode
UNIT_TESTS += $(DECODE_TEST)

$(DECODE_TEST): tests/unit/engine_decode.c vnode/engine/decode.c validate/kernel/effect.c $(VALGRIND_STAMP)
	@mkdir -p $(@D)
	$(call DEPENDENCIES,$(WARN) $(CPPFLAGS) $(SANITIZE) $(filter -DV%,$(ENGINE_CFLAGS)) -isystem $(VALGRIND_INCLUDE) $(shell pkg-config --cflags capstone))
	$(CC) $(WARN) $(CPPFLAGS) $(SANITIZE) $(filter -DV%,$(ENGINE_CFLAGS)) -isystem $(VALGRIND_INCLUDE) \
		-o $@ $(filter %.c,$^) $(shell pkg-config --cflags --libs capstone) -lcmocka -lm

-include $(DECODE_TEST).d
