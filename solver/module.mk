# Linear programs for the judge: libsolver.a for programs, and the module for the Lua interpreter that runs the tests.
SOLVER_OUT     := $(BUILD)/solver
SOLVER_LIBS    := -lglpk
SOLVER_SRC     := $(wildcard solver/*.c)
SOLVER_OBJ     := $(SOLVER_SRC:%.c=$(BUILD)/%.o)
SOLVER_CHECKED := $(SOLVER_SRC:solver/%.c=$(SOLVER_OUT)/sanitized/%.o)

$(SOLVER_OBJ): $(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) $(WARN) -fPIC $(shell pkg-config --cflags $(LUA_PKG)) -MMD -MP -c $< -o $@

$(SOLVER_CHECKED): $(SOLVER_OUT)/sanitized/%.o: solver/%.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(SANITIZE) $(WARN) $(shell pkg-config --cflags $(LUA_PKG)) -MMD -MP -c $< -o $@

$(SOLVER_OUT)/libsolver.a: $(SOLVER_OBJ)
	rm -f $@
	$(AR) rcs $@ $^

$(SOLVER_OUT)/linear.so: $(SOLVER_OBJ)
	$(CC) -shared $(LDFLAGS) $^ $(SOLVER_LIBS) -o $@

-include $(SOLVER_OBJ:.o=.d) $(SOLVER_CHECKED:.o=.d)
ALL += $(SOLVER_OUT)/libsolver.a $(SOLVER_OUT)/linear.so
