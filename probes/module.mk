# Probes: probes/NAME.c, which defines probe_NAME, and NAME.S where it needs one. All of them are one program,
# BUILD/patterns/probes, so that an event is measured over all of them at once. A new probe needs nothing here.

PROBE_NAMES   := $(sort $(patsubst probes/%.c,%,$(wildcard probes/*.c)))
PROBE_LIST    := $(BUILD)/probes/list.c
PROBE_SOURCES := $(wildcard probes/*.c) $(filter-out patterns/program/single.c,$(PROGRAM_PARTS))
PROBE_CODE    := $(wildcard probes/*.S)
PROBES        := $(BUILD)/patterns/probes
PROBE_OBJECTS := $(PROBE_SOURCES:%.c=$(PATTERN_OBJECTS)/%.o) $(PROBE_CODE:%=$(PATTERN_OBJECTS)/%.o) $(PROBE_LIST:.c=.o)

$(patsubst %.c,$(PATTERN_OBJECTS)/%.o,$(wildcard probes/*.c)): $(PATTERN_OBJECTS)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(WARN) $(CFLAGS) -MMD -MP -c $< -o $@

$(PROBE_CODE:%=$(PATTERN_OBJECTS)/%.o): $(PATTERN_OBJECTS)/%.o: %
	@mkdir -p $(@D)
	$(CC) -c $< -o $@

$(PROBE_LIST): probes probes/module.mk
	@mkdir -p $(@D)
	@{ printf '#include "patterns/program/program.h"\n'; \
	  printf 'extern const struct pattern_program probe_%s;\n' $(PROBE_NAMES); \
	  printf 'const struct pattern_program *const pattern_programs[] = {\n'; \
	  printf '    &probe_%s,\n' $(PROBE_NAMES); \
	  printf '    NULL,\n};\n'; } >$@

$(PROBE_LIST:.c=.o): $(PROBE_LIST)
	$(CC) $(CPPFLAGS) $(WARN) $(CFLAGS) -c $< -o $@

$(PROBES): $(PROBE_OBJECTS)
	$(CC) $(CFLAGS) -pthread $^ -o $@ $(LIKWID_LDFLAGS) -llikwid -ldl

# What `assay sampling` runs: functions of which it is known what they do, without LIKWID.
SAMPLED         := $(BUILD)/patterns/sampled
SAMPLED_OBJECTS := $(PATTERN_OBJECTS)/probes/sampled/sampled.o $(PATTERN_OBJECTS)/probes/sampled/sampled.S.o

$(PATTERN_OBJECTS)/probes/sampled/sampled.o: probes/sampled/sampled.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(WARN) $(CFLAGS) -MMD -MP -c $< -o $@

$(PATTERN_OBJECTS)/probes/sampled/sampled.S.o: probes/sampled/sampled.S
	@mkdir -p $(@D)
	$(CC) -c $< -o $@

$(SAMPLED): $(SAMPLED_OBJECTS)
	$(CC) $(CFLAGS) $^ -o $@

ALL           += $(PROBES) $(SAMPLED)
INSTALL_TOOLS += patterns/probes patterns/sampled

-include $(PROBE_SOURCES:%.c=$(PATTERN_OBJECTS)/%.d) $(PATTERN_OBJECTS)/probes/sampled/sampled.d
