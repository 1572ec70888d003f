# The simulated hardware: libsim.a for the engine, a sanitized copy for the unit tests, and a benchmark.

SIM_DIR := vnode/sim
SIM_OUT := $(BUILD)/$(SIM_DIR)
SIM_SOURCES := $(filter-out $(SIM_DIR)/sim_bench.c,$(wildcard $(SIM_DIR)/*.c))
SIM_CHECKED := $(SIM_SOURCES:$(SIM_DIR)/%.c=$(SIM_OUT)/sanitized/%.o)
SIM_TESTS   := $(patsubst tests/unit/%.c,$(BUILD)/tests/unit/%,$(wildcard tests/unit/sim_*.c))
# As a Valgrind tool needs it: static, not position-independent, no stack protector, no libc.
# No automatic vectors: a cache row is often read just after it was written word by word, and a wide load then waits for all
# these stores (no store forwarding). That costs L1- and L2-resident streams a third of their time.
SIM_FLAGS   := -O3 -fno-tree-vectorize -g -ffreestanding -fno-pie -fno-strict-aliasing -fno-stack-protector

ALL        += $(SIM_OUT)/libsim.a $(SIM_OUT)/sim_bench
UNIT_TESTS += $(SIM_TESTS)

# A single compilation unit, so that the compiler inlines across files: a third faster.
$(SIM_OUT)/unit.c: $(SIM_SOURCES) $(SIM_DIR)/module.mk
	@mkdir -p $(@D)
	printf '#include "%s"\n' $(SIM_SOURCES) > $@

$(SIM_OUT)/unit.o: $(SIM_OUT)/unit.c
	$(CC) $(WARN) $(CPPFLAGS) $(SIM_FLAGS) -MMD -MP -c -o $@ $<

$(SIM_OUT)/libsim.a: $(SIM_OUT)/unit.o
	rm -f $@
	$(AR) rcs $@ $^

$(SIM_CHECKED): $(SIM_OUT)/sanitized/%.o: $(SIM_DIR)/%.c
	@mkdir -p $(@D)
	$(CC) $(WARN) $(CPPFLAGS) $(SANITIZE) -MMD -MP -c -o $@ $<

$(SIM_OUT)/sim_bench: $(SIM_DIR)/sim_bench.c $(SIM_OUT)/libsim.a
	@mkdir -p $(@D)
	$(CC) $(WARN) $(CPPFLAGS) $(CFLAGS) -MMD -MP -no-pie -o $@ $(filter %.c %.a,$^)

$(SIM_TESTS): $(BUILD)/tests/unit/%: tests/unit/%.c $(SIM_CHECKED)
	@mkdir -p $(@D)
	$(call DEPENDENCIES,$(WARN) $(CPPFLAGS) $(SANITIZE))
	$(CC) $(WARN) $(CPPFLAGS) $(SANITIZE) -o $@ $(filter %.c %.o,$^) -lcmocka

-include $(SIM_OUT)/unit.d $(SIM_CHECKED:.o=.d) $(SIM_TESTS:=.d) $(SIM_OUT)/sim_bench.d
