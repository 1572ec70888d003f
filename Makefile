# Assay: make | validate | test | bench | install | clean. Each folder with code adds its own rules in module.mk:
# it may use CC, CFLAGS, WARN, BUILD and adds its products to ALL, its test programs to UNIT_TESTS.

BUILD  := build
CC     ?= gcc
WARN   := -std=c17 -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes -Wmissing-prototypes
OPT    ?= -O2
CFLAGS ?= $(OPT) -g
PREFIX ?= /usr/local
CPPFLAGS += -D_GNU_SOURCE -I.
SANITIZE := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer

ALL        :=
UNIT_TESTS :=

.PHONY: default all
default: all

include $(sort $(wildcard vnode/*/module.mk) $(wildcard */module.mk))

all: $(ALL)
