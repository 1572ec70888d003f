# The virtual node's preloaded library, the start of the engine, the agent for perf_event, and the disassembler of instructions that it lacks.

SHIM_DIR := vnode/shim
SHIM_OUT := $(BUILD)/$(SHIM_DIR)
SHIM_SOURCES := $(filter-out $(addprefix $(SHIM_DIR)/,engine_start.c instruction.c perf_agent.c),$(wildcard $(SHIM_DIR)/*.c))
SHIM_SHARED  := $(addprefix $(SHIM_OUT)/,program.o clock_file.o command.o)
SHIM_OBJECTS := $(SHIM_SOURCES:$(SHIM_DIR)/%.c=$(SHIM_OUT)/%.o) $(SHIM_SHARED)
SHIM_LIBRARY := $(BUILD)/vnode/libassay-node.so
ENGINE_START := $(BUILD)/vnode/bin/assay-engine
INSTRUCTION  := $(BUILD)/vnode/bin/assay-instruction
PERF_AGENT   := $(BUILD)/vnode/bin/assay-perf
# The compiler must not replace similar calls by calls of the functions that are defined here.
SHIM_FLAGS   := -fPIC -fvisibility=default -fno-builtin

LIKWID_LIBRARY := $(BUILD)/vnode/libassay-likwid.so
STATISTICS     := $(BUILD)/vnode/statistics.lua

ALL += $(SHIM_LIBRARY) $(LIKWID_LIBRARY) $(STATISTICS) $(ENGINE_START) $(INSTRUCTION) $(PERF_AGENT)
INSTALL_TOOLS += vnode/libassay-node.so vnode/libassay-likwid.so vnode/statistics.lua vnode/bin/assay-engine \
                 vnode/bin/assay-instruction vnode/bin/assay-perf

$(SHIM_LIBRARY): $(SHIM_OBJECTS)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -shared -o $@ $^ -ldl

$(filter-out $(SHIM_SHARED),$(SHIM_OBJECTS)): $(SHIM_OUT)/%.o: $(SHIM_DIR)/%.c
	@mkdir -p $(@D)
	$(CC) $(WARN) $(CPPFLAGS) $(CFLAGS) $(SHIM_FLAGS) -MMD -MP -c -o $@ $<

$(SHIM_SHARED): $(SHIM_OUT)/%.o: vnode/%.c
	@mkdir -p $(@D)
	$(CC) $(WARN) $(CPPFLAGS) $(CFLAGS) $(SHIM_FLAGS) -MMD -MP -c -o $@ $<

# It calls functions of the preloaded library.
$(LIKWID_LIBRARY): $(wildcard $(SHIM_DIR)/likwid/*.c $(SHIM_DIR)/*.h)
	@mkdir -p $(@D)
	$(CC) $(WARN) $(CPPFLAGS) $(CFLAGS) $(SHIM_FLAGS) -Wno-missing-prototypes -shared -o $@ $(filter %.c,$^)

$(STATISTICS): $(SHIM_DIR)/likwid/statistics.lua
	@mkdir -p $(@D)
	cp $< $@

$(ENGINE_START): $(SHIM_DIR)/engine_start.c vnode/command.c vnode/program.c vnode/command.h vnode/program.h
	@mkdir -p $(@D)
	$(CC) $(WARN) $(CPPFLAGS) $(CFLAGS) -static -o $@ $(filter %.c,$^)

$(INSTRUCTION): $(SHIM_DIR)/instruction.c
	@mkdir -p $(@D)
	$(CC) $(WARN) $(CPPFLAGS) $(CFLAGS) $(shell pkg-config --cflags capstone) -o $@ $< $(shell pkg-config --libs capstone)

$(PERF_AGENT): $(SHIM_DIR)/perf_agent.c $(SHIM_DIR)/perf_agent.h
	@mkdir -p $(@D)
	$(CC) $(WARN) $(CPPFLAGS) $(CFLAGS) -o $@ $<

-include $(SHIM_OBJECTS:.o=.d)

CPUID_TEST := $(BUILD)/tests/unit/shim_cpuid
UNIT_TESTS += $(CPUID_TEST)

$(CPUID_TEST): tests/unit/shim_cpuid.c vnode/shim/native_cpuid.c
	@mkdir -p $(@D)
	$(call DEPENDENCIES,$(CPPFLAGS) $(WARN) $(SANITIZE))
	$(CC) $(CPPFLAGS) $(WARN) $(SANITIZE) $(filter %.c,$^) -o $@ -lcmocka

-include $(CPUID_TEST).d
