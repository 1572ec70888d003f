# The library that reads, assembles, counts and checks kernels (validate/kernel): BUILD/validate/kernel/libkernel.a

KERNEL_DIR     := $(BUILD)/validate/kernel
KERNEL_NAMES   := $(notdir $(basename $(wildcard validate/kernel/*.c)))
KERNEL_OBJECTS := $(KERNEL_NAMES:%=$(KERNEL_DIR)/%.o)
KERNEL_LIBRARY := $(KERNEL_DIR)/libkernel.a

$(KERNEL_OBJECTS): $(KERNEL_DIR)/%.o: validate/kernel/%.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(WARN) $(CFLAGS) -MMD -MP -c $< -o $@

$(KERNEL_LIBRARY): $(KERNEL_OBJECTS)
	$(AR) rcs $@ $^

# The same with sanitizers, for the tests; the parts of the host come from validate/module.mk.
KERNEL_TESTS   := $(patsubst tests/unit/%.c,$(BUILD)/tests/unit/%,$(wildcard tests/unit/kernel_*.c))
KERNEL_CHECKED := $(KERNEL_NAMES:%=$(KERNEL_DIR)/sanitized/%.o)
KERNEL_HOST    := $(foreach part,error fresh plain process search stop symbols text utf8,$(BUILD)/validate/sanitized/host/$(part).o)

$(KERNEL_CHECKED): $(KERNEL_DIR)/sanitized/%.o: validate/kernel/%.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(WARN) $(SANITIZE) -MMD -MP -c $< -o $@

$(KERNEL_TESTS): $(BUILD)/tests/unit/%: tests/unit/%.c $(KERNEL_CHECKED) $(KERNEL_HOST)
	@mkdir -p $(@D)
	$(call DEPENDENCIES,$(CPPFLAGS) $(WARN) $(SANITIZE))
	$(CC) $(CPPFLAGS) $(WARN) $(SANITIZE) $(filter %.c %.o %.a,$^) -o $@ -lcmocka -lcapstone -ldl

ALL        += $(KERNEL_LIBRARY)
UNIT_TESTS += $(KERNEL_TESTS)

-include $(KERNEL_OBJECTS:.o=.d) $(KERNEL_CHECKED:.o=.d) $(KERNEL_TESTS:=.d)
