# Whole programs on the virtual node next to other counts of them: `make programs`, no part of `make test`.
# ARGS= names some of them, see tests/whole/run.
WHOLE_DIR      := $(BUILD)/tests/whole
WHOLE_PROGRAMS := $(WHOLE_DIR)/branches $(WHOLE_DIR)/channels $(WHOLE_DIR)/sweeps $(WHOLE_DIR)/gradient $(WHOLE_DIR)/heat $(WHOLE_DIR)/ranks \
                  $(WHOLE_DIR)/closures $(WHOLE_DIR)/Sweep.class \
                  $(WHOLE_DIR)/lines $(WHOLE_DIR)/monitor
# no calls of memcpy in the place of loops: those store past the caches when they are long
WHOLE_FLAGS    := $(WARN) -D_GNU_SOURCE -DLIKWID_PERFMON $(LIKWID_CPPFLAGS) -O2 -g -fno-tree-loop-distribute-patterns

$(WHOLE_DIR)/branches $(WHOLE_DIR)/channels $(WHOLE_DIR)/sweeps $(WHOLE_DIR)/gradient: $(WHOLE_DIR)/%: tests/whole/%.c
	@mkdir -p $(@D)
	gcc $(WHOLE_FLAGS) -fopenmp $< -o $@ $(LIKWID_LDFLAGS) -llikwid

$(WHOLE_DIR)/heat: tests/whole/heat.f90
	@mkdir -p $(@D)
	gfortran -Wall -Wextra -O2 -g $< -o $@

$(WHOLE_DIR)/ranks: tests/whole/ranks.c
	@mkdir -p $(@D)
	mpicc $(WHOLE_FLAGS) $< -o $@ $(LIKWID_LDFLAGS) -llikwid

$(WHOLE_DIR)/closures: tests/whole/closures.c
	@mkdir -p $(@D)
	gcc $(WARN) -O2 -g $< -o $@ -lffi

$(WHOLE_DIR)/Sweep.class: tests/whole/Sweep.java
	@mkdir -p $(@D)
	javac -d $(@D) $<

$(WHOLE_DIR)/lines $(WHOLE_DIR)/monitor: $(WHOLE_DIR)/%: tests/whole/%.c
	@mkdir -p $(@D)
	gcc $(WHOLE_FLAGS) $< -o $@ $(LIKWID_LDFLAGS) -llikwid

.PHONY: programs whole_programs
programs:
	@./deps.sh --programs
	@$(MAKE) --no-print-directory -s all whole_programs
	@BUILD=$(BUILD) tests/whole/run $(ARGS)

whole_programs: $(WHOLE_PROGRAMS)
