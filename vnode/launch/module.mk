# Launching of virtual nodes: liblaunch.a for the host program, vnode-run, sanitized unit tests.

LAUNCH_DIR := vnode/launch
LAUNCH_OUT := $(BUILD)/$(LAUNCH_DIR)
LAUNCH_SOURCES := $(filter-out $(LAUNCH_DIR)/vnode_run.c,$(wildcard $(LAUNCH_DIR)/*.c)) vnode/program.c vnode/command.c \
                  $(addprefix vnode/pmu/,box_use.c compiled.c counter.c fault.c fault_file.c fault_shuffle.c fields.c formula.c formula_text.c \
                  generic.c moment.c noise.c names.c node_view.c repeat.c scope.c select.c table.c table_file.c total_names.c totals.c \
                  uncore.c) vnode/sim/sim_config.c
LAUNCH_OBJECTS := $(LAUNCH_SOURCES:vnode/%.c=$(LAUNCH_OUT)/%.o)
LAUNCH_CHECKED := $(LAUNCH_SOURCES:vnode/%.c=$(LAUNCH_OUT)/sanitized/%.o)
LAUNCH_GUEST   := $(BUILD)/sandbox/sanitized/guest.o
LAUNCH_TESTS   := $(patsubst tests/unit/%.c,$(BUILD)/tests/unit/%,$(wildcard tests/unit/launch_*.c))
LAUNCH_LUA_FLAGS := $(shell pkg-config --cflags lua5.4 2>/dev/null || echo -I/usr/include/lua5.4)
LAUNCH_LIBS    := $(shell pkg-config --libs lua5.4 hwloc 2>/dev/null || echo -llua5.4 -lhwloc) -lm
VNODE_RUN      := $(BUILD)/vnode/vnode-run

ALL        += $(LAUNCH_OUT)/liblaunch.a $(VNODE_RUN)
UNIT_TESTS += $(LAUNCH_TESTS)

$(LAUNCH_OUT)/liblaunch.a: $(LAUNCH_OBJECTS)
	rm -f $@
	$(AR) rcs $@ $^

$(LAUNCH_OBJECTS): $(LAUNCH_OUT)/%.o: vnode/%.c
	@mkdir -p $(@D)
	$(CC) $(WARN) $(CPPFLAGS) $(CFLAGS) $(LAUNCH_LUA_FLAGS) -MMD -MP -c -o $@ $<

$(LAUNCH_CHECKED): $(LAUNCH_OUT)/sanitized/%.o: vnode/%.c
	@mkdir -p $(@D)
	$(CC) $(WARN) $(CPPFLAGS) $(SANITIZE) $(LAUNCH_LUA_FLAGS) -MMD -MP -c -o $@ $<

$(VNODE_RUN): $(LAUNCH_DIR)/vnode_run.c $(LAUNCH_OUT)/liblaunch.a $(BUILD)/sandbox/libsandbox.a
	@mkdir -p $(@D)
	$(CC) $(WARN) $(CPPFLAGS) $(CFLAGS) -MMD -MP -MF $(LAUNCH_OUT)/vnode_run.d -o $@ $(filter %.c %.a,$^) $(LAUNCH_LIBS)

$(LAUNCH_TESTS): $(BUILD)/tests/unit/%: tests/unit/%.c $(LAUNCH_CHECKED) $(LAUNCH_GUEST) | $(GROUPS_MADE)
	@mkdir -p $(@D)
	$(call DEPENDENCIES,$(WARN) $(CPPFLAGS) $(SANITIZE) -DGROUPS='"$(GROUPS)"')
	$(CC) $(WARN) $(CPPFLAGS) $(SANITIZE) -DGROUPS='"$(GROUPS)"' -o $@ $(filter %.c %.o,$^) -lcmocka $(LAUNCH_LIBS)

-include $(LAUNCH_OBJECTS:.o=.d) $(LAUNCH_CHECKED:.o=.d) $(LAUNCH_TESTS:=.d) $(LAUNCH_OUT)/vnode_run.d
