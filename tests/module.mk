# Programs that the system tests measure.
TEST_PROGRAMS := $(patsubst tests/programs/%.c,$(BUILD)/tests/programs/%,$(wildcard tests/programs/*.c))
TEST_LIBRARIES = $(LIKWID_LDFLAGS) -llikwid

$(TEST_PROGRAMS): $(BUILD)/tests/programs/%: tests/programs/%.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) -DLIKWID_PERFMON $(LIKWID_CPPFLAGS) $(WARN) $(CFLAGS) -pthread $< -o $@ $(TEST_LIBRARIES)

$(BUILD)/tests/programs/affinity: CFLAGS += -static
$(BUILD)/tests/programs/affinity: TEST_LIBRARIES :=
$(BUILD)/tests/programs/bound: CFLAGS += -fopenmp

# The same with LLVM's OpenMP, where it is installed.
ifneq ($(wildcard /usr/lib/llvm-*/lib/libomp.so),)
test-programs: $(BUILD)/tests/programs/bound-llvm
$(BUILD)/tests/programs/bound-llvm: tests/programs/bound.c
	@mkdir -p $(@D)
	clang $(CPPFLAGS) -DLIKWID_PERFMON $(LIKWID_CPPFLAGS) $(CFLAGS) -fopenmp $< -o $@ $(TEST_LIBRARIES)
endif

test-programs: $(TEST_PROGRAMS)

# Of MPI, where it is installed.
ifneq ($(shell command -v mpicc),)
test-programs: $(BUILD)/tests/mpi/phases
$(BUILD)/tests/mpi/phases: tests/mpi/phases.c
	@mkdir -p $(@D)
	mpicc $(CPPFLAGS) -DLIKWID_PERFMON $(LIKWID_CPPFLAGS) $(WARN) $(CFLAGS) -fopenmp $< -o $@ $(TEST_LIBRARIES)
endif

# The virtual nodes' noise, for tests in Lua.
test-programs: $(BUILD)/tests/lua/node_noise.so
$(BUILD)/tests/lua/node_noise.so: tests/lua/node_noise.c vnode/pmu/noise.c vnode/pmu/fault.c
	@mkdir -p $(@D)
	$(call DEPENDENCIES,$(CPPFLAGS) $(shell pkg-config --cflags $(LUA_PKG)))
	$(CC) $(CPPFLAGS) $(CFLAGS) $(WARN) -fPIC -shared $(shell pkg-config --cflags $(LUA_PKG)) $(filter %.c,$^) -o $@ -lm

# Differences on random traces are told by the totals' names.
$(patsubst %.c,$(BUILD)/%,$(wildcard tests/unit/sim_random*.c tests/unit/sim_trace.c)): $(BUILD)/vnode/pmu/sanitized/total_names.o $(BUILD)/vnode/pmu/sanitized/totals.o

# Of the unit tests: those of `make test`, and those whose results a second distribution's compiler, assembler or libraries decide.
SHORT_UNIT_TESTS     = $(filter-out $(LONG_UNIT_TESTS),$(UNIT_TESTS))
ELSEWHERE_UNIT_TESTS = $(HOST_TESTS) $(KERNEL_TESTS) $(DECODE_TEST)

# The rules of `assay lint` on the faults of LIKWID's history: make corpus LIKWID_SOURCE=a clone of github RRZE-HPC/likwid
.PHONY: corpus
corpus: $(GROUPS_MADE)
	@lua5.4 tests/corpus/run.lua $(LIKWID_SOURCE) $(ARGS)

# Another LIKWID on our virtual architectures: make check-likwid LIKWID_PREFIX=PREFIX, ARGS=architectures (all)
.PHONY: check-likwid
check-likwid: all
	@tests/check_likwid $(LIKWID_PREFIX) $(ARGS)

# Findings in LIKWID's master that were judged: make judged LIKWID_SOURCE=as above PERFMON=a clone of github intel/perfmon
.PHONY: judged
judged: $(BUILD)/assay $(GROUPS_MADE)
	@lua5.4 tests/corpus/judged.lua $(LIKWID_SOURCE) $(PERFMON)

# What `assay diagnose` tells of the programs of tests/diagnosis: make confusion [ARCH=haswellEP] [HALF=open|kept|packages] [ARGS="MOST PROGRAM"]
.PHONY: confusion
confusion: all
	@$(if $(filter packages,$(HALF)),./deps.sh --programs)
	@$(MAKE) --no-print-directory -s -C tests/diagnosis OUT=$(abspath $(BUILD))/tests/diagnosis LIKWID=$(LIKWID_OWN) \
	    $(filter packages,$(HALF))
	@BUILD=$(BUILD) lua5.4 tests/diagnosis/run.lua $(or $(ARCH),haswellEP) $(or $(HALF),open) $(ARGS)

# Which wrong counter flips which of these diagnoses, by their stored counts: make confusion-faults [ARCH=haswellEP]
.PHONY: confusion-faults
confusion-faults:
	@BUILD=$(BUILD) lua5.4 tests/diagnosis/faults.lua $(or $(ARCH),haswellEP)

# Other projects' tests of perf_event and PAPI, on virtual nodes (tests/clients/run):
# make clients [PAPI_SOURCE=DIR] [PERF_EVENT_TESTS=DIR] [LIBPFM4_SOURCE=DIR] [ARCHS="haswellEP zen3"] [PATIENCE=4] [ARGS=TESTS]
.PHONY: clients
clients: all
	@BUILD=$(BUILD) tests/clients/run $(ARGS)

# The judge under attack; not in `make test`: hundreds of changes of the sources, each with the tests that must see it.
.PHONY: mutation
mutation: built
	@BUILD=$(BUILD) tests/mutation/run $(ARGS)
