# Programs that the system tests measure.
TEST_PROGRAMS := $(patsubst tests/programs/%.c,$(BUILD)/tests/programs/%,$(wildcard tests/programs/*.c))

$(TEST_PROGRAMS): $(BUILD)/tests/programs/%: tests/programs/%.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) -DLIKWID_PERFMON $(LIKWID_CPPFLAGS) $(WARN) $(CFLAGS) -pthread $< -o $@ $(LIKWID_LDFLAGS) -llikwid

built: $(TEST_PROGRAMS)
