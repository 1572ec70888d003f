# Data files' own Lua states: libsandbox.a for programs, and the module for the Lua interpreter that runs the tests.
SANDBOX_OUT     := $(BUILD)/sandbox
SANDBOX_SRC     := $(wildcard sandbox/*.c)
SANDBOX_OBJ     := $(SANDBOX_SRC:%.c=$(BUILD)/%.o)
SANDBOX_CHECKED := $(SANDBOX_SRC:sandbox/%.c=$(SANDBOX_OUT)/sanitized/%.o)

$(SANDBOX_OBJ): $(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) $(WARN) -fPIC $(shell pkg-config --cflags $(LUA_PKG)) -MMD -MP -c $< -o $@

$(SANDBOX_CHECKED): $(SANDBOX_OUT)/sanitized/%.o: sandbox/%.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(SANITIZE) $(WARN) $(shell pkg-config --cflags $(LUA_PKG)) -MMD -MP -c $< -o $@

$(SANDBOX_OUT)/libsandbox.a: $(SANDBOX_OBJ)
	rm -f $@
	$(AR) rcs $@ $^

$(SANDBOX_OUT)/sandbox.so: $(SANDBOX_OBJ)
	$(CC) -shared $(LDFLAGS) $^ -o $@

-include $(SANDBOX_OBJ:.o=.d) $(SANDBOX_CHECKED:.o=.d)
ALL += $(SANDBOX_OUT)/libsandbox.a $(SANDBOX_OUT)/sandbox.so
