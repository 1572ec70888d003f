# The host program `assay`.
VALIDATE_SRC := $(filter-out validate/kernel/% validate/exec/%,$(wildcard validate/*/*.c))
VALIDATE_OBJ := $(VALIDATE_SRC:%.c=$(BUILD)/%.o)
VALIDATE_PKGS := $(LUA_PKG) hwloc jansson capstone zlib

$(VALIDATE_OBJ): $(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) $(WARN) $(shell pkg-config --cflags $(VALIDATE_PKGS)) -MMD -MP -c $< -o $@

ASSAY_LIBRARIES := $(BUILD)/validate/kernel/libkernel.a $(BUILD)/vnode/launch/liblaunch.a $(BUILD)/sandbox/libsandbox.a $(BUILD)/solver/libsolver.a

$(BUILD)/assay: $(VALIDATE_OBJ) $(ASSAY_LIBRARIES)
	$(CC) $(CFLAGS) $(LDFLAGS) $^ $(shell pkg-config --libs $(VALIDATE_PKGS)) $(SOLVER_LIBS) -lm -o $@

# The same with the CPUID of the node in which it runs natively, for tests (tests/system/rig.bash).
$(BUILD)/assay-rig: tests/system/processor.c $(filter-out %/node/processor.o,$(VALIDATE_OBJ)) $(ASSAY_LIBRARIES)
	$(call DEPENDENCIES,$(CPPFLAGS))
	$(CC) $(CPPFLAGS) $(CFLAGS) $(WARN) $(LDFLAGS) $(filter %.c %.o %.a,$^) $(shell pkg-config --libs $(VALIDATE_PKGS)) $(SOLVER_LIBS) -lm -o $@
test-programs: $(BUILD)/assay-rig

-include $(VALIDATE_OBJ:.o=.d) $(BUILD)/assay-rig.d
ALL += $(BUILD)/assay

# What LIKWID starts in the place of commands whose words have blanks in them.
$(BUILD)/validate/exec_words: validate/exec/exec_words.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) $(WARN) -ffreestanding -fno-stack-protector -fno-pie -nostdlib -static $< -o $@
ALL += $(BUILD)/validate/exec_words
INSTALL_TOOLS += validate/exec_words

# What starters of MPI programs start in the place of each rank's command.
$(BUILD)/validate/exec_rank: validate/exec/exec_rank.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) $(WARN) $< -o $@
ALL += $(BUILD)/validate/exec_rank
INSTALL_TOOLS += validate/exec_rank

# What is preloaded into programs of patterns that count through perf_event or PAPI instead of LIKWID.
MARKER_SRC := $(wildcard validate/exec/marker*.c)
$(BUILD)/validate/marker.so: $(MARKER_SRC) validate/exec/marker.h
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) $(WARN) -fPIC -shared -pthread $(MARKER_SRC) -o $@ -ldl
ALL += $(BUILD)/validate/marker.so
INSTALL_TOOLS += validate/marker.so

# The records' schemas are part of the program.
$(BUILD)/validate/record/record.o $(BUILD)/validate/sanitized/record/record.o: docs/record.schema.json docs/curves.schema.json docs/sampling.schema.json docs/analysis.schema.json docs/findings.schema.json

# Unit tests of the host, sanitized: every test with the parts that need no other library.
HOST_TESTS := $(patsubst tests/unit/%.c,$(BUILD)/tests/unit/%,$(wildcard tests/unit/host_*.c))
HOST_PARTS := command/arguments run/options host/ask host/conceal host/error host/exclusive host/fresh host/paths host/plain host/plain_json host/process host/progress host/script host/search host/stop host/symbols host/system host/tar host/text host/utf8 likwid/complaint likwid/csv likwid/likwid likwid/remembered node/finding node/settings node/state record/indices record/record record/shape run/stale_files sampling/native sampling/perf sampling/samples
HOST_CHECKED := $(HOST_PARTS:%=$(BUILD)/validate/sanitized/%.o)

$(HOST_CHECKED): $(BUILD)/validate/sanitized/%.o: validate/%.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(SANITIZE) $(WARN) $(shell pkg-config --cflags $(VALIDATE_PKGS)) -MMD -MP -c $< -o $@

$(HOST_TESTS): CPPFLAGS += -DGROUPS='"$(GROUPS)"'
$(HOST_TESTS): $(BUILD)/tests/unit/%: tests/unit/%.c $(HOST_CHECKED) $(SANDBOX_CHECKED) $(SOLVER_CHECKED) | $(GROUPS_MADE)
	@mkdir -p $(@D)
	$(call DEPENDENCIES,$(CPPFLAGS) $(SANITIZE) $(WARN))
	$(CC) $(CPPFLAGS) $(SANITIZE) $(WARN) $(filter %.c %.o %.a,$^) $(shell pkg-config --libs $(VALIDATE_PKGS)) $(SOLVER_LIBS) -lcmocka -lm -o $@

-include $(HOST_CHECKED:.o=.d) $(HOST_TESTS:=.d)
UNIT_TESTS += $(HOST_TESTS)
