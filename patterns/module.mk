# Programs that show patterns. stream: runs streaming kernels, many points in one process (BUILD/patterns/stream).

STREAM         := $(BUILD)/patterns/stream
STREAM_SOURCES := $(wildcard patterns/stream/*.c) validate/error.c
STREAM_OBJECTS := $(STREAM_SOURCES:%.c=$(BUILD)/patterns/objects/%.o)

$(STREAM_OBJECTS): $(BUILD)/patterns/objects/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) -DLIKWID_PERFMON $(LIKWID_CPPFLAGS) $(WARN) $(CFLAGS) -pthread -MMD -MP -c $< -o $@

$(STREAM): $(STREAM_OBJECTS)
	$(CC) $(CFLAGS) -pthread $^ -o $@ $(LIKWID_LDFLAGS) -llikwid -ldl

ALL           += $(STREAM)
INSTALL_TOOLS += patterns/stream

-include $(STREAM_OBJECTS:.o=.d)
