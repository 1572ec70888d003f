# Programs that show patterns. stream: runs streaming kernels, many points in one process. Any other: patterns/NAME.c with what
# is common to all (patterns/program) becomes BUILD/patterns/NAME; a new one needs nothing here.

PATTERN_OBJECTS := $(BUILD)/patterns/objects
STREAM          := $(BUILD)/patterns/stream
STREAM_PARTS    := $(wildcard patterns/stream/*.c) patterns/program/cpus.c patterns/program/crew.c patterns/program/pages.c validate/host/error.c validate/host/plain.c validate/host/utf8.c
PROGRAM_PARTS   := $(wildcard patterns/program/*.c) validate/host/error.c validate/host/plain.c validate/host/utf8.c
PROGRAM_NAMES   := $(patsubst patterns/%.c,%,$(wildcard patterns/*.c))
PROGRAMS        := $(PROGRAM_NAMES:%=$(BUILD)/patterns/%)
PATTERN_SOURCES := $(sort $(STREAM_PARTS) $(PROGRAM_PARTS) $(wildcard patterns/*.c))

$(PATTERN_SOURCES:%.c=$(PATTERN_OBJECTS)/%.o): $(PATTERN_OBJECTS)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) -DLIKWID_PERFMON $(LIKWID_CPPFLAGS) $(WARN) $(CFLAGS) -pthread -MMD -MP -c $< -o $@

$(STREAM): $(STREAM_PARTS:%.c=$(PATTERN_OBJECTS)/%.o)
$(PROGRAMS): $(BUILD)/patterns/%: $(PATTERN_OBJECTS)/patterns/%.o $(PROGRAM_PARTS:%.c=$(PATTERN_OBJECTS)/%.o)
$(STREAM) $(PROGRAMS):
	$(CC) $(CFLAGS) -pthread $^ -o $@ $(LIKWID_LDFLAGS) -llikwid -ldl

# The parts of programs that can be tested by themselves.
PROGRAM_TESTS := $(patsubst tests/unit/%.c,$(BUILD)/tests/unit/%,$(wildcard tests/unit/program_*.c))

$(PROGRAM_TESTS): $(BUILD)/tests/unit/program_%: tests/unit/program_%.c patterns/program/%.c
	@mkdir -p $(@D)
	$(call DEPENDENCIES,$(CPPFLAGS) $(WARN) $(SANITIZE))
	$(CC) $(CPPFLAGS) $(WARN) $(SANITIZE) $(filter %.c,$^) -o $@ -lcmocka

UNIT_TESTS    += $(PROGRAM_TESTS)
ALL           += $(STREAM) $(PROGRAMS)
INSTALL_TOOLS += patterns/stream $(PROGRAM_NAMES:%=patterns/%)

-include $(PATTERN_SOURCES:%.c=$(PATTERN_OBJECTS)/%.d) $(PROGRAM_TESTS:=.d)
