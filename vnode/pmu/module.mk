# The virtual node's performance monitoring unit: the access daemon, and sanitized unit tests of its register layer.

PMU_DIR := vnode/pmu
PMU_OUT := $(BUILD)/$(PMU_DIR)
PMU_SOURCES := $(wildcard $(PMU_DIR)/*.c)
PMU_OBJECTS := $(PMU_SOURCES:$(PMU_DIR)/%.c=$(PMU_OUT)/%.o)
PMU_CHECKED := $(patsubst $(PMU_DIR)/%.c,$(PMU_OUT)/sanitized/%.o,$(filter-out $(PMU_DIR)/daemon.c,$(PMU_SOURCES)))
PMU_TESTS   := $(patsubst tests/unit/%.c,$(BUILD)/tests/unit/%,$(wildcard tests/unit/pmu_*.c))
ACCESS_DAEMON := $(BUILD)/vnode/bin/likwid-accessD

ALL        += $(ACCESS_DAEMON)
INSTALL_TOOLS += vnode/bin/likwid-accessD
UNIT_TESTS += $(PMU_TESTS)

$(ACCESS_DAEMON): $(PMU_OBJECTS)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -o $@ $^ -lm

$(PMU_OBJECTS): $(PMU_OUT)/%.o: $(PMU_DIR)/%.c
	@mkdir -p $(@D)
	$(CC) $(WARN) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

$(PMU_CHECKED): $(PMU_OUT)/sanitized/%.o: $(PMU_DIR)/%.c
	@mkdir -p $(@D)
	$(CC) $(WARN) $(CPPFLAGS) $(SANITIZE) -MMD -MP -c -o $@ $<

PMU_DEFINES := -DPMU_EVENTS='"$(GROUPS)/haswellEP/pmu.events"' -DGROUPS='"$(GROUPS)"'
$(PMU_TESTS): $(BUILD)/tests/unit/%: tests/unit/%.c $(PMU_CHECKED) | $(GROUPS_MADE)
	@mkdir -p $(@D)
	$(call DEPENDENCIES,$(WARN) $(CPPFLAGS) $(SANITIZE) $(PMU_DEFINES))
	$(CC) $(WARN) $(CPPFLAGS) $(SANITIZE) $(PMU_DEFINES) -o $@ $(filter %.c %.o,$^) -lcmocka -lm

# Sets every fault for every quantity and checks that it is found and named (tests/detection).
.PHONY: detection
detection: all
	@BUILD=$(BUILD) lua5.4 tests/detection/run.lua $(ARGS)

-include $(PMU_OBJECTS:.o=.d) $(PMU_CHECKED:.o=.d) $(PMU_TESTS:=.d)
