-- The doors from C to Lua (lua/doors/): exactly those that C calls, each a function; their arguments and results are checked.
require "fixture"
local call = require "doors.call"
local doors = require "doors.list"

local function lines_of(command)
    local pipe <close> = assert(io.popen(command))
    return pipe:read "a"
end

-- All names of doors that C may use.
local function names()
    local list = {}
    for own, door in pairs(doors) do
        for kind in pairs(door.kinds or {}) do
            list[own .. ":" .. kind] = true
        end
        list[own] = not door.kinds or nil
    end
    return list
end

-- Names of doors in C: all texts WORD:WORD, first arguments of script calls, and of a struct look (validate/command/).
local function called()
    local list, text = {}, lines_of "cat validate/*/*.c"
    for name in text:gmatch '"(%l[%l_]*:%l[%l_]*)"' do
        list[name] = true
    end
    for name in text:gmatch 'script_call[%l_]*%([^,]+,%s+"(%l[%l_]*)"' do
        list[name] = true
    end
    for name in text:gmatch 'struct look look = {"(%l[%l_]*)"' do
        list[name] = true
    end
    return list
end

describe("the doors", function()
    it("are the ones that C calls", function()
        assert.are.same(names(), called())
    end)

    it("are at most 25", function()
        local count = 0
        for _ in pairs(doors) do
            count = count + 1
        end
        assert.is_true(count <= 25, count)
    end)

    it("lead to functions, with fields of known types", function()
        local types = { text = 1, number = 1, whole = 1, flag = 1, list = 1, object = 1 }
        local function check(name, kind)
            local word = kind:gsub("%?$", ""):gsub("^list of ", "")
            assert.is_truthy(types[word], name .. ": " .. kind)
        end
        for name in pairs(names()) do
            local door = call.find(name)
            assert.is_function(require(door.module)[door.call], name)
            for _, declared in ipairs { door.takes, door.gives } do
                for _, kind in pairs(type(declared) == "string" and { declared } or declared) do
                    check(name, kind)
                end
            end
        end
    end)

    describe("check", function()
        local TAKES = { name = "text", count = "whole?", all = "list of object" }
        local function refusal(argument, result)
            package.loaded["doors.tried"] = { call = function() return result or { text = "" } end }
            doors.tried = { module = "doors.tried", call = "call", takes = TAKES, gives = { text = "text" } }
            local ok, text = pcall(call.call, "tried", argument)
            doors.tried = nil
            return not ok and text
        end

        it("accepts declared arguments", function()
            assert.is_false(refusal { name = "a", all = {} })
            assert.is_false(refusal { name = "a", count = 1, all = { {}, { b = 1 } } })
        end)

        it("names door and field of other arguments", function()
            local TAIL = "; correct it or lua/doors/list.lua"
            for text, argument in pairs {
                ["the argument has no field 'all'"] = { name = "a" },
                ["the argument has an unknown field 'more'"] = { name = "a", all = {}, more = 1 },
                ["the argument has a boolean in the field 'name', not a text"] = { name = true, all = {} },
                ["the argument has a number in the field 'count', not a whole"] = { name = "a", all = {}, count = 1.5 },
                ["the argument has a table in the field 'all', not a list of object"] = { name = "a", all = { 1 } },
                ["the argument is no object"] = { 1 },
            } do
                assert.are.equal("door tried: " .. text .. TAIL, refusal(argument))
            end
            assert.are.equal("door tried: the result has no field 'text'" .. TAIL, refusal({ name = "a", all = {} }, {}))
            assert.are.equal("door tried: the result has a table in the field 'text', not a text" .. TAIL,
                refusal({ name = "a", all = {} }, { text = {} }))
        end)

        it("refuses names that are not declared", function()
            for _, name in ipairs { "none", "report", "report:none", "plan:none", "" } do
                assert.has_error(function() call.call(name, {}) end,
                    ("door %s: lua/doors/list.lua declares none of that name"):format(name))
            end
        end)
    end)
end)
