# The library that reads, assembles, counts and checks kernels (validate/kernel): BUILD/validate/kernel/libkernel.a

KERNEL_DIR     := $(BUILD)/validate/kernel
KERNEL_SOURCES := $(wildcard validate/kernel/*.c)
KERNEL_OBJECTS := $(KERNEL_SOURCES:validate/kernel/%.c=$(KERNEL_DIR)/%.o)
KERNEL_LIBRARY := $(KERNEL_DIR)/libkernel.a
KERNEL_LIBS    := -lcapstone -ldl -lm

$(KERNEL_DIR)/%.o: validate/kernel/%.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(WARN) $(CFLAGS) -MMD -MP -c $< -o $@

$(KERNEL_LIBRARY): $(KERNEL_OBJECTS)
	$(AR) rcs $@ $^

# The library is compiled again with the sanitizers for its tests.
KERNEL_TESTS   := $(patsubst tests/unit/%.c,$(BUILD)/tests/unit/%,$(wildcard tests/unit/kernel_*.c))

$(KERNEL_TESTS): $(BUILD)/tests/unit/%: tests/unit/%.c $(KERNEL_SOURCES) validate/error.c validate/process.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(WARN) $(SANITIZE) -MMD -MP -MF $@.d -MT $@ $^ -o $@ -lcmocka $(KERNEL_LIBS)

ALL        += $(KERNEL_LIBRARY)
UNIT_TESTS += $(KERNEL_TESTS)

-include $(KERNEL_OBJECTS:.o=.d) $(KERNEL_TESTS:=.d)
