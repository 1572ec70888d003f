# Fuzzing. Every parser has a harness, tests/fuzz/NAME.c, made twice from the same objects: with driver.c, which mutates
# the seeds the same way every time, for `make test-long`; and with libFuzzer, in a build folder of its own, for `make fuzz`.
# Comes after all other rules: the sanitized objects are theirs.

FUZZ_OUT     := $(BUILD)/tests/fuzz
FUZZ_COMMON  := tests/fuzz/fuzz.c tests/fuzz/driver.c tests/fuzz/mutate.c
FUZZ_NAMES   := $(filter-out $(basename $(notdir $(FUZZ_COMMON))),$(basename $(notdir $(wildcard tests/fuzz/*.c))))
FUZZ_TESTS   := $(FUZZ_NAMES:%=$(FUZZ_OUT)/fuzz_%)
UNIT_TESTS   += $(FUZZ_TESTS)
LONG_UNIT_TESTS := $(FUZZ_TESTS)

# What calls the harness.
FUZZ_DRIVER  := $(FUZZ_OUT)/driver.o $(FUZZ_OUT)/mutate.o

FUZZ_CPPFLAGS = $(CPPFLAGS) -Itests/fuzz $(PMU_DEFINES) -isystem $(VALGRIND_INCLUDE) \
                -DVGA_amd64=1 -DVGO_linux=1 -DVGP_amd64_linux=1 -DVGPV_amd64_linux_vanilla=1 \
                $(shell pkg-config --cflags $(VALIDATE_PKGS))
FUZZ_LIBS     = $(shell pkg-config --libs $(VALIDATE_PKGS)) $(SOLVER_LIBS) -lcmocka -ldl -lm

# The parts behind each harness; messages.c holds assemble.c, protocol.c the daemon.
$(foreach name,faults events protocol,$(eval FUZZ_PARTS_$(name) := $(PMU_CHECKED)))
$(foreach name,csv options record group hierarchy machine pattern laws historical samples symbols,$(eval FUZZ_PARTS_$(name) := $(HOST_CHECKED) $(SANDBOX_CHECKED) $(SOLVER_CHECKED)))
FUZZ_PARTS_ptt         := $(KERNEL_CHECKED) $(KERNEL_HOST)
FUZZ_PARTS_messages    := $(filter-out %/assemble.o,$(KERNEL_CHECKED)) $(KERNEL_HOST)
FUZZ_PARTS_node_desc   := $(LAUNCH_CHECKED) $(LAUNCH_GUEST) $(FUZZ_OUT)/topology.o $(BUILD)/validate/sanitized/host/error.o $(BUILD)/validate/sanitized/host/plain.o $(BUILD)/validate/sanitized/host/utf8.o
FUZZ_PARTS_instruction := $(KERNEL_DIR)/sanitized/effect.o $(FUZZ_OUT)/decode.o
FUZZ_PARTS_sim         := $(SIM_CHECKED)

FUZZ_OBJECTS := $(patsubst %.c,$(FUZZ_OUT)/%.o,$(notdir $(FUZZ_COMMON)) $(FUZZ_NAMES:%=harness_%.c) topology.c decode.c)
FUZZ_COMPILE  = $(CC) $(FUZZ_CPPFLAGS) $(SANITIZE) $(WARN) -MMD -MP -c -o $@ $<

$(FUZZ_COMMON:tests/fuzz/%.c=$(FUZZ_OUT)/%.o): $(FUZZ_OUT)/%.o: tests/fuzz/%.c
	@mkdir -p $(@D)
	$(FUZZ_COMPILE)

$(FUZZ_NAMES:%=$(FUZZ_OUT)/harness_%.o): $(FUZZ_OUT)/harness_%.o: tests/fuzz/%.c
	@mkdir -p $(@D)
	$(FUZZ_COMPILE)

$(FUZZ_OUT)/topology.o: validate/node/topology.c
	@mkdir -p $(@D)
	$(FUZZ_COMPILE)

$(FUZZ_OUT)/decode.o: vnode/engine/decode.c
	@mkdir -p $(@D)
	$(FUZZ_COMPILE)

define FUZZ_RULE
$(FUZZ_OUT)/fuzz_$(1): $(FUZZ_OUT)/harness_$(1).o $(FUZZ_OUT)/fuzz.o $(filter %.o,$(FUZZ_DRIVER)) $(FUZZ_PARTS_$(1)) | $(GROUPS_MADE)
	$$(CC) $$(SANITIZE) -o $$@ $$(filter %.o,$$^) $$(filter-out %.o,$$(FUZZ_DRIVER)) $$(FUZZ_LIBS)
endef
$(foreach name,$(FUZZ_NAMES),$(eval $(call FUZZ_RULE,$(name))))

-include $(FUZZ_OBJECTS:.o=.d)

# The same with libFuzzer: the objects are compiled again, in a build folder of their own. FUZZ_MINUTES is the time in all.
FUZZ_MINUTES ?= 60
FUZZ_CLANG   := $(BUILD)/fuzz/clang
FUZZ_RUNTIME := $(wildcard /usr/lib/llvm-*/lib/clang/*/lib/linux/libclang_rt.fuzzer-x86_64.a)

.PHONY: fuzz fuzzers
fuzz:
	@./deps.sh --test
	@$(if $(FUZZ_RUNTIME),,$(error make fuzz: clang's fuzzer runtime is missing; install libclang-rt-dev))
	@$(MAKE) --no-print-directory -s all # seeds are in its groups
	@$(MAKE) --no-print-directory -s BUILD=$(FUZZ_CLANG) CC=clang FUZZ_DRIVER=-fsanitize=fuzzer \
	    SANITIZE='-O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer' \
	    fuzzers
	@tests/fuzz/run $(BUILD)/fuzz $(FUZZ_MINUTES) $(FUZZ_NAMES:%=$(FUZZ_CLANG)/tests/fuzz/fuzz_%)
	@BUILD=$(BUILD) tests/fuzz/records $$(($(FUZZ_MINUTES) / 10 + 1))

fuzzers: $(FUZZ_TESTS)
