# Assay: make | validate | test | test-long | test-full | bench | pages | install | clean. Each folder with code adds its own rules in
# module.mk: it may use CC, CFLAGS, WARN, BUILD and SANITIZE, and adds its products to ALL and its test programs to UNIT_TESTS.

BUILD    := build
PREFIX   ?= /usr/local
CC       ?= gcc
WARN     := -std=c17 -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes -Wmissing-prototypes
CFLAGS   ?= -O2 -g
CPPFLAGS += -D_GNU_SOURCE -I.
SANITIZE := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
LUA_PKG  := $(shell pkg-config --exists lua5.4 2>/dev/null && echo lua5.4 || echo lua)

# LIKWID may sit in a prefix of its own: LIKWID_PREFIX=, or where likwid-perfctr was found in PATH.
LIKWID_PREFIX   ?= $(patsubst %/bin/likwid-perfctr,%,$(shell command -v likwid-perfctr))
LIKWID_SYSTEM   := /usr /usr/local
LIKWID_OWN      := $(filter-out $(LIKWID_SYSTEM),$(LIKWID_PREFIX))
LIKWID_CPPFLAGS := $(LIKWID_OWN:%=-I%/include)
LIKWID_LDFLAGS  := $(LIKWID_OWN:%=-L%/lib) $(LIKWID_OWN:%=-Wl,-rpath,%/lib)

# On all cores, unless make was told otherwise.
PARALLEL = $(if $(filter -j% --jobserver%,$(MAKEFLAGS)),,-j$(shell nproc))

ALL        :=
UNIT_TESTS :=

.PHONY: default all deps validate built test-programs test test-elsewhere test-full test-long check pages bench install clean
default: all

# $(call DEPENDENCIES,FLAGS): of what is made of several sources at once; -MMD -MF would keep those of the last one only.
DEPENDENCIES = @$(CC) $(1) -MM -MP -MT $@ $(filter %.c,$^) >$@.d

# A dependency file that names a source which was moved or removed stops make: "No rule to make target". Such files are removed here,
# together with what was made of the source.
$(shell find $(BUILD) -name '*.d' -exec awk -f tests/stale.awk {} + 2>/dev/null | \
    while read -r file; do rm -f "$$file.d" "$$file.o" "$$file"; done)

include $(sort $(wildcard vnode/*/module.mk) $(wildcard */module.mk))
include tests/fuzz/module.mk tests/whole/module.mk # last: they use what the others make

all: $(ALL)

deps:
	@./deps.sh

# Builds, installs what is missing where it may, validates, prints the table, leaves a record.
validate:
	@./deps.sh
	@$(MAKE) --no-print-directory -s $(PARALLEL) all
	@$(BUILD)/assay validate --out $(BUILD)/record.json $(ARGS)

# Each behaviour once, in minutes.
test: export WITHOUT = long
test: export NODES = first
test:
	@./deps.sh --test
	@$(MAKE) --no-print-directory -s $(PARALLEL) test-programs $(SHORT_UNIT_TESTS)
	@BUILD=$(BUILD) tests/run $(SHORT_UNIT_TESTS)

# What `make test` leaves out: campaigns, matrices, swaps, odd environments, other architectures, fuzzing; then a second distribution
# (DISTRIBUTION= leaves it out).
DISTRIBUTION := trixie
test-long: export ONLY = long architectures
test-long: export NODES = others
test-long:
	@./deps.sh --test
	@$(MAKE) --no-print-directory -s $(PARALLEL) built
	@BUILD=$(BUILD) tests/long.sh $(DISTRIBUTION) -- $(LONG_UNIT_TESTS)

# By hand, hours: the tests in tests/full, and random tests with all their cases.
test-full: export FOLDER = tests/full
test-full: export TEST_FULL = 1
test-full: export PART_SECONDS = 14400
test-full:
	@./deps.sh --test
	@$(MAKE) --no-print-directory -s $(PARALLEL) built
	@BUILD=$(BUILD) tests/run $(foreach test,$(UNIT_TESTS),$(if $(filter sim_random_% fuzz_%,$(notdir $(test))),$(test)))

# On a second distribution: what its LIKWID, Valgrind, C library and compiler decide.
test-elsewhere: export ONLY = elsewhere
test-elsewhere:
	@./deps.sh --test
	@$(MAKE) --no-print-directory -s $(PARALLEL) test-programs $(ELSEWHERE_UNIT_TESTS)
	@BUILD=$(BUILD) tests/run $(ELSEWHERE_UNIT_TESTS)

# Programs that .bats files start; modules add theirs.
test-programs: $(ALL)

built: test-programs $(UNIT_TESTS)

bench: all
	@$(MAKE) --no-print-directory -s $(BUILD)/tests/whole/gradient
	@BUILD=$(BUILD) tests/bench/programs $(ARGS)
	@BUILD=$(BUILD) tests/bench/kernels
	@BUILD=$(BUILD) tests/bench/starts

# Style: formatting, lint, tests that assert nothing, the man page, and what another compiler warns of, in tests, too.
check:
	@./deps.sh --check
	@./deps.sh --test
	@$(MAKE) --no-print-directory -s $(GROUPS_MADE)
	@BUILD=$(BUILD) tests/style

# The patterns' pages, from their specification; a test says when they differ.
pages: all
	@BUILD=$(BUILD) lua5.4 docs/pages.lua

DATA := hierarchies kernels lua patterns probes results
install: export TO = $(DESTDIR)$(PREFIX)
install: all # a prefix may have any character: the shell has it from the environment
	install -D $(BUILD)/assay "$$TO/bin/assay"
	install -D -m 644 docs/assay.1 "$$TO/share/man/man1/assay.1"
	install -D -m 644 docs/completion/assay.bash "$$TO/share/bash-completion/completions/assay"
	for file in $$(find $(DATA) -type f ! -name '*.[chS]' ! -name '*.mk'); do \
	    install -D -m 644 "$$file" "$$TO/share/assay/$$file"; done
	for file in $$(cd $(BUILD) && find groups -type f); do install -D -m 644 "$(BUILD)/$$file" "$$TO/share/assay/$$file"; done
	for file in $(INSTALL_TOOLS); do install -D "$(BUILD)/$$file" "$$TO/lib/assay/$$file"; done

clean:
	rm -rf $(BUILD)
