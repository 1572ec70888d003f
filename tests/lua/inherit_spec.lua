-- What architectures inherit (inherit/): changes of texts, family files, group files with placeholders, and all of these together.
package.path = "inherit/?.lua;tests/vendor/?.lua;" .. package.path
local changes = require "changes"
local compact = require "compact"
local family = require "family"
local fixture = require "fixture"
local group_text = require "group_text"
local lines_of = require "lines"
local meanings = require "meanings"
local vendor_codes = require "vendor_codes"

local function message(what)
    return select(2, pcall(what))
end

local MACHINE = [[
return machine {
    arch = "one",
    counts = {
        count {
            quantity = "a",
        },
        count {
            quantity = "b",
        },
    },
    mca = "x",
}
]]

describe("changes of a text", function()
    local function changed(text, by)
        local lines = lines_of(text)
        changes.apply(lines, by, "c", "t")
        return table.concat(lines, "\n") .. "\n"
    end

    it("replace, leave out and add lines, in the order of the text", function()
        assert.equal("A = 2\nC: 3\n    why\nD x\nE\n", changed("A = 1\nB = 1\nC: 3\n    why\nD y\n", "= A = 2\n- B\n= D x\n+ E\n"))
        assert.equal("A\nnew\n    deep\nB\n", changed("A\n    block\nB\n", "# a comment\n- A\n+ A\n+ new\n      deep\n"))
        assert.equal("A\n    block\nnew\nB\n", changed("A\n    block\nB\n", "@ A\n+ new\n"))
        assert.equal("A\nD\n", changed("A\nB\nC\nD\n", "@ A\n~ D\n"))
        assert.equal("A\n", changed("A\nB\nC\n", "@ A\n~\n"))
    end)

    it("replace one line with a name, or with further lines its whole block", function()
        assert.equal("law: x\n    why\n", changed("law: y\n    why\n", "= law: x\n"))
        assert.equal("law: x\n    because\n", changed("law: y\n    why\n    native\n", "= law: x\n      because\n"))
        assert.equal("laws: y\nlaw: x\n", changed("laws: y\nlaw: y\n", "= law: x\n"))
    end)

    it("go into blocks and out of them", function()
        local expected = MACHINE:gsub('count {\n            quantity = "a",\n        },', "count { c },", 1)
        assert.equal(expected, changed(MACHINE, '- count { quantity = "a"\n+ count { c },\n= mca = "x",\n'))
        expected = MACHINE:gsub("counts = {\n", "counts = {\n        count { c },\n"):gsub('    mca', '    d = 1,\n    mca')
        assert.equal(expected, changed(MACHINE, "> counts = {\n+ count { c },\n<\n+ d = 1,\n"))
    end)

    it("report the line of a change that matches nothing", function()
        assert.matches("^c:2: t has no line 'C' behind 'its begin'; ", message(function() changed("A\nB\n", "- A\n- C\n") end))
        assert.matches("^c:2: t has no line 'A' behind 'B'; ", message(function() changed("A\nB\n", "@ B\n- A\n") end))
        assert.matches("^c:1: 'A' begins with none of ", message(function() changed("A\n", "A\n") end))
        assert.matches("^c:2: '  more' begins with none of ", message(function() changed("A\n", "- A\n  more\n") end))
        for _, change in ipairs { "=", "= ", "= : B" } do
            assert.matches("^c:2: '=.*' names no line to replace ", message(function() changed("A\nB\n", "- A\n" .. change .. "\n") end))
        end
        for _, change in ipairs { "@", "> ", "-" } do
            assert.matches("^c:2: '" .. change:gsub("%-", "%%-") .. "' needs the start of a line ",
                message(function() changed("A\nB\n", "- A\n" .. change .. "\n") end))
        end
    end)
end)

describe("a family file", function()
    it("names the family, what is left out, renamed and not listed, and texts", function()
        local found = family.read("# c\nfamily one\nwithout A B\nunlisted E\nrename X Y\nrename P_* Q_*\ntext T\n\n    T1\n    T2\n\n", "f")
        assert.equal("one", found.parent)
        assert.same({ A = 3, B = 3 }, found.without)
        assert.same({ E = true }, found.unlisted)
        assert.same({ "", "T1", "T2" }, found.texts.T)
        local used = {}
        assert.equal("Y Q_1 XX Y:P", family.renamed("X P_1 XX X:P", found.renames, used))
        family.check(found, used, { A = true, B = true }, "f")
        local has = { A = true, B = true }
        assert.matches("^f:5: nothing inherited has the word X; ", message(function() family.check(found, {}, has, "f") end))
        assert.matches("^f:3: one has no file B; ", message(function() family.check(found, used, { A = true }, "f") end))
    end)

    it("is refused with file and line", function()
        for text, wanted in pairs {
            ["family\n"] = "^f:1: 'family' is not in the syntax of ", ["\nfamily a b\n"] = "^f:2: ", ["rename A* B\n"] = "^f:1: 'rename",
            ["rename A\n"] = "^f:1: ", ["without\n"] = "^f:1: ", ["take one\n"] = "^f:1: ", ["also one\n"] = "^f:1: ",
            ["text low\n"] = "^f:1: ",
            ["parent x\n"] = "^f:1: unknown line 'parent x'; ",
        } do
            assert.matches(wanted, message(function() family.read(text, "f") end))
        end
    end)
end)

describe("a group file", function()
    local GIVEN = { arch = "one", boxes = { BOX = 2, CBOX = 3 }, texts = { EVENTS = { "", "EVENTSET", "F" } },
        place = function(word) return "g:" .. word end }

    local function expanded(text)
        return table.concat(group_text.expand(lines_of(text), GIVEN), "\n") .. "\n"
    end

    it("has a line for each box, together in the event set, one after the other in the metrics", function()
        assert.equal("SHORT\n\nEVENTSET\nF\nBOX0C0 R\nBOX0C1 W\nBOX1C0 R\nBOX1C1 W\nMETRICS\nBOX0 a\nBOX1 a\nB0 b BOX0\nB1 b BOX1\n",
            expanded "SHORT\n{EVENTS}\n{BOX}C0 R\n{BOX}C1 W\nMETRICS\n{BOX} a\nB{BOX#} b {BOX}\n")
    end)

    it("has sums over boxes", function()
        assert.equal("v 2*(BOX0C0+BOX0C1+BOX1C0+BOX1C1+CBOX0C0+CBOX1C0+CBOX2C0)\n", expanded "v 2*(sum({BOX}C0+{BOX}C1)+sum({CBOX}C0))\n")
    end)

    it("names boxes of the machine", function()
        local machine = 'counters { name = "MBOX", boxes = 8 },\ncounters {\n  name = "CBOX",\n  boxes = 18,'
        assert.same({ MBOX = 8, CBOX = 18 }, group_text.boxes(machine))
        assert.matches("^g:{DBOX: {DBOX} is neither .* of one$", message(function() expanded "S\n{DBOX}C0 R\n" end))
        assert.matches("^g:{DBOX: {DBOX} is neither .* of one$", message(function() expanded "v sum({DBOX}C0)\n" end))
    end)
end)

describe("an event without a code", function()
    local CODES = meanings.codes("event PMC 0xc4 0x20 A COUNTERS=1 = V.A\nevent PMC 0x01 0x02 B = V.B\n"
        .. "event QBOX 0x00 0x08 L EXTSEL=0x1 = V.L\nevent BOX 0xb0 {B:0-2} R_{B} = V.R{B}\n")

    local function joined(text, own)
        return table.concat(meanings.joined(lines_of(text), CODES, own and { lines = lines_of(text), path = "e" }), "\n")
    end

    it("has the vendor's", function()
        assert.equal("event PMC 0xc4 0x20 A cycles once = F # why\nfield PMC 1 2 = 0",
            joined "event PMC A cycles once = F # why\nfield PMC 1 2 = 0\n")
        assert.equal("event PMC 0xc4 0x20 A\nevent PMC 0x01 0x02 B", joined "event PMC A B\n")
        assert.equal("event PMC 0xc4 0x20 A = F + G\nevent PMC 0x01 0x02 B = F + G", joined "event PMC A B = F + G\n")
        assert.equal("event QBOX 0x100 0x08 L", joined "event QBOX L\n")
        assert.equal("event BOX 0xb0 0x01 R_1 = F1\nevent BOX 0xb0 0x02 R_2 = F2", joined "event BOX R_{N:1-2} = F{N}\n")
    end)

    it("leaves lines with codes as they are", function()
        local text = "event PMC 0x05 0x01 A = F\nevent BOX 0xb0+{R:0-7} {B:0-15} R{R}_{B} = F"
        assert.equal(text, joined(text .. "\n", true))
    end)

    it("is left out if the vendor has none for this unit, but not in the architecture's own lines", function()
        assert.equal("event PMC 0xc4 0x20 A = F", joined "event PMC C A L = F\nevent PMC C\n")
        assert.matches("^e:2: pmu.vendor has no event L of PMC; state its code ",
            message(function() joined("# c\nevent PMC A L\n", true) end))
        assert.matches("^e:1: pmu.vendor has no event R_3 of BOX; ", message(function() joined("event BOX R_{N:1-3}\n", true) end))
        for _, change in ipairs { "+ ", "= " } do
            assert.matches("^e:1: pmu.vendor has no event C ", message(function() joined(change .. "event PMC C\n", true) end))
        end
        assert.equal("- event PMC C", joined("- event PMC C\n", true))
    end)
end)

describe("the vendor's codes", function()
    local function read(text, inherited)
        local lines, stale = vendor_codes.read(text, "v", inherited and lines_of(inherited))
        return table.concat(lines, "\n") .. "\n", stale
    end

    it("are lists of events, which become a line each", function()
        assert.equal("event PMC 0x24 0x01 L2_A = L2.A\nevent PMC 0x24 0x03 L2_ALL = L2.A+B\n",
            read "# c\nevent PMC 0x24 L2_*: 0x01 A,\n    0x03 ALL=A+B\n")
        assert.equal("event CBOX 0x36 0xff T_X EXT=0xc0 COUNTERS=0 = U.T.X\nevent CBOX 0x36 0xff T_Y EXT=0x1 COUNTERS=0 = U.T.Z\n",
            read "event CBOX 0x36 T_* EXT=* COUNTERS=0 = U.T.*: 0xc0ff X, 0x1ff Y=Z\n")
        assert.equal("event M 0xb0 0x09 R_K0 = U.R.0\nevent M 0xb0 0x0a R_K1 = U.R.1\n",
            read "event M 0xb0 R_* = U.R.*: 0x09-0x0a K0-1=0-1\n")
        assert.equal("event DFC 0x11f 0x7fe C4 = cs4\nevent DFC 0x1f 0x7fe C0 = cs0\n",
            read "event DFC C* = cs*: 0x1f:0x7fe 0, 0x11f:0x7fe 4\n")
        assert.equal("event PMC 0x07 0x01 A_B EXTSEL=0x1 = A.B\n", read "event PMC 7 1 A_B EXTSEL=0x1 = A.B\n")
    end)

    it("are refused with the wrong line", function()
        for _, line in ipairs { "event PMC 0x24 L2_*: A", "event PMC 0x24 L2_*: 0x01 A B", "event PMC L2_*: 0x01 A", "event PMC 1 A = B",
            "event PMC 0x24 L2_*: 0x01-0x03 A0-1", "event PMC 0x24 L2_*: 0x01-0x02 A", "event PMC 0x24 L2_*: 0x01-0x02 A0-1=B",
            "    0x01 A", "without PMC", "e" } do
            local ok, why = pcall(read, "\n" .. line .. "\n")
            assert.is_false(ok, line)
            assert.matches("^v:2: '.*' is not in the syntax of inherit/vendor_codes.lua; run tests/vendor/generate.lua ", why)
        end
    end)

    it("leave out and replace what is inherited, and say for which result they were made", function()
        local stays = "event BOX 0x01 0x01 A_X = A.X\nevent PMC 0x00 0x01 C = C\n"
        local inherited = stays .. "event PMC 0x01 0x01 A_X = A.X\nevent PMC 0x02 0x01 A_Y = A.Y\nevent PMC 0x03 0x01 B = B\n"
        local wanted = stays .. "event PMC 0x03 0x02 B = B\n"
        local text = "without PMC A_*\nevent PMC 0x03 0x02 B = B\nchecked " .. vendor_codes.digest(lines_of(wanted)) .. "\n"
        assert.same({ wanted }, { read(text, inherited) })
        assert.same(text, table.concat(compact.changes(lines_of(inherited), lines_of(wanted)), "\n") .. "\n")
        assert.matches("^v:1: nothing inherited is named C_%*; ", select(2, read(text:gsub("A_%*", "C_*"), inherited)))
        assert.matches("^v:3: these events are not those that were compared ", select(2, read(text:gsub("0x03", "0x04"), inherited)))
        assert.matches("^v:1: these events are not those ", select(2, read(text:gsub("checked.*", ""), inherited)))
    end)

    it("are written as lists that give the same lines: all architectures, and what differs between any two", function()
        local built = {}
        for _, arch in ipairs(fixture.architectures "machine.lua") do
            built[arch] = read(fixture.text("groups/" .. arch .. "/pmu.vendor"))
            assert.equal(built[arch], (read(table.concat(compact.lines(lines_of(built[arch])), "\n") .. "\n")))
        end
        for arch, own in pairs(built) do
            local base = next(built, arch) or next(built)
            assert.same({ own }, { read(table.concat(compact.changes(lines_of(built[base]), lines_of(own)), "\n") .. "\n", built[base]) })
        end
    end)
end)

describe("architectures", function()
    local folder

    local function put(name, text)
        os.execute(("mkdir -p %s/in/%s %s/out/%s"):format(folder, name:match "^[^/]+", folder, name:match "^[^/]+"))
        local file = assert(io.open(("%s/in/%s"):format(folder, name), "w"))
        file:write(text)
        file:close()
    end

    local function made(name)
        local files = io.popen(("cd %s/in && echo */*"):format(folder)):read "l"
        local pipe = io.popen(("lua5.4 inherit/make.lua %s/in %s/out %s 2>&1"):format(folder, folder, files))
        local said = pipe:read "a"
        local file = said == "" and io.open(("%s/out/%s"):format(folder, name))
        return file and file:read "a" or said:gsub(folder .. "/in/", "")
    end

    before_each(function()
        folder = io.popen("mktemp -d"):read "l"
        put("one/machine.lua", '-- One.\ncounters { name = "BOX", boxes = 2 }\n')
        put("one/G.txt", "EVENTSET\n{BOX}C0 OLD\n")
        put("two/family", "family one\nrename OLD NEW\n")
    end)
    after_each(function() os.execute("rm -r " .. folder) end)

    it("inherit files, which are expanded for their own boxes", function()
        put("two/machine.lua.changes", '= counters { name = "BOX", boxes = 3 }\n')
        put("three/family", "family two\n")
        assert.equal("EVENTSET\nBOX0C0 OLD\nBOX1C0 OLD\n", made "one/G.txt")
        assert.equal("EVENTSET\nBOX0C0 NEW\nBOX1C0 NEW\nBOX2C0 NEW\n", made "three/G.txt")
        assert.matches('^%-%- Made from .*one/machine.lua, .*two/machine.lua.changes: change these.\n'
            .. 'counters { name = "BOX", boxes = 3 }\n$', made "two/machine.lua")
    end)

    it("take single files of another one, with their own words and boxes", function()
        put("three/machine.lua", 'counters { name = "BOX", boxes = 1 }\n')
        put("three/H.txt", "EVENTSET\n{BOX}C0 OLD\n")
        put("two/family", "family one\ntake three H.txt\nrename OLD NEW\n")
        assert.equal("EVENTSET\nBOX0C0 NEW\nBOX1C0 NEW\n", made "two/H.txt")
        put("two/family", "family one\ntake three I.txt\nrename OLD NEW\n")
        assert.equal("two/family:2: there is no I.txt of three\n", made "two/H.txt")
    end)

    it("name file and line of a bad expansion, wherever it was inherited from", function()
        put("one/G.txt", "# One's events.\nEVENTSET\nPMC0 OLD\n{BOX}C0 OLD\n")
        put("two/machine.lua", 'counters { name = "CBOX", boxes = 1 }\n')
        assert.equal("one/G.txt:4: {BOX} is neither a text of the family file nor a box of machine.lua, of two\n", made "two/G.txt")
        for word, line in pairs { ["{CBOX"] = "{CBOX C0 A", ["{cbox}C0"] = "{cbox}C0 A", ["CBOX}"] = "CBOX}C0 A",
            ["{X#}C1"] = "V {CBOX}C0+{X#}C1" } do
            put("two/G.txt.changes", "# Two's.\n- {BOX}C0\n+ " .. line .. "\n")
            assert.matches("^two/G.txt.changes:3: " .. word .. " is not expanded; ", made "two/G.txt")
        end
    end)

    it("change a file first as another one does, and leave out its events without codes", function()
        put("one/pmu.events", "event PMC 9 1 D = 0\n")
        put("three/family", "family one\n")
        put("three/pmu.vendor", "event PMC 1 1 A = A\nevent PMC 2 1 B = B\n")
        put("three/pmu.events.changes", "- event PMC 9\n+ event PMC A B = X\n")
        put("two/family", "family one\nalso three pmu.events\n")
        put("two/pmu.vendor", "event PMC 5 1 A = A\n")
        assert.matches("^# [^\n]*three/pmu.events.changes: change these.\nevent PMC 0x05 0x01 A = X\n$", made "two/pmu.events")
        put("two/pmu.events.changes", "@ event PMC A\n+ event PMC 7 1 C = 0\n")
        assert.matches("three/pmu.events.changes, .*two/pmu.events.changes: .*\nevent PMC 0x05 0x01 A = X\nevent PMC 7 1 C = 0\n$",
            made "two/pmu.events")
        put("two/family", "family one\nalso three G.txt\n")
        assert.equal("two/family:2: three has no changes of G.txt\n", made "two/G.txt")
    end)

    it("inherit the vendor's codes, not renamed, only with changes of their own, which were made for these codes", function()
        local A, B = "event PMC 0x01 0x01 OLD = A\n", "event PMC 0x02 0x01 B = B\n"
        put("one/pmu.vendor", A)
        assert.matches("^# Made from one/pmu.vendor: change these.\n" .. A .. "$", made "one/pmu.vendor":gsub(folder .. "/in/", ""))
        assert.equal("", made "two/pmu.vendor")
        put("two/pmu.vendor.changes", B .. "checked " .. vendor_codes.digest { A:sub(1, -2), B:sub(1, -2) } .. "\n")
        assert.matches("one/pmu.vendor, .*two/pmu.vendor.changes: change these.\n" .. A .. B .. "$", made "two/pmu.vendor")
        put("three/family", "family one\ntake two pmu.vendor\n")
        put("three/pmu.vendor.changes", "without PMC OLD\nchecked " .. vendor_codes.digest { B:sub(1, -2) } .. "\n")
        assert.matches("three/pmu.vendor.changes: change these.\n" .. B .. "$", made "three/pmu.vendor")
        put("one/pmu.vendor", "event PMC 0x01 0x03 OLD = A\n")
        assert.matches("^two/pmu.vendor.changes:2: these events are not those that were compared ", made "two/pmu.vendor")
        put("two/pmu.vendor", A)
        assert.equal("two/pmu.vendor.changes:1: there is pmu.vendor, too; tests/vendor/generate.lua writes one of them\n",
            made "two/pmu.vendor")
        os.remove(folder .. "/in/two/pmu.vendor")
        os.remove(folder .. "/in/one/pmu.vendor")
        assert.equal("two/pmu.vendor.changes:1: the family has no pmu.vendor to change\n", made "two/pmu.vendor")
    end)

    it("give inherited events their own codes, and leave out those that they do not have", function()
        put("one/pmu.vendor", "event PMC 1 1 A = A\nevent PMC 2 1 OLD = B\nevent PMC 3 1 C = C\n")
        put("one/pmu.events", "event PMC A OLD\nevent PMC 9 1 D = 0\nevent PMC C = X\n")
        put("two/pmu.vendor", "event PMC 5 1 NEW = B\nevent PMC 6 1 E = C\n")
        put("two/pmu.events.changes", "@ event PMC 9\n+ event PMC E = Y\n")
        assert.equal("event PMC 0x01 0x01 A\nevent PMC 0x02 0x01 OLD\nevent PMC 9 1 D = 0\nevent PMC 0x03 0x01 C = X\n",
            made "one/pmu.events")
        assert.matches("\nevent PMC 0x05 0x01 NEW\nevent PMC 9 1 D = 0\nevent PMC 0x06 0x01 E = Y\n$", made "two/pmu.events")
        put("two/pmu.events.changes", "\n+ event PMC C = Y\n")
        assert.matches("^two/pmu.events.changes:2: pmu.vendor has no event C of PMC; ", made "two/pmu.events")
    end)

    it("are refused with the wrong line", function()
        put("two/H.txt.changes", "= A\n")
        assert.equal("two/H.txt.changes:1: the family has no H.txt to change\n", made "one/G.txt")
        os.remove(folder .. "/in/two/H.txt.changes")
        put("two/family", "family four\n")
        assert.matches("^two/family: there is no .*four\n$", made "one/G.txt")
        put("two/family", "family one\n")
        put("one/family", "family two\n")
        assert.matches("^%w+/family: %w+ is its own family\n$", made "one/G.txt")
    end)
end)
