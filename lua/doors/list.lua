-- list.lua - the doors: all calls from C to Lua. C names a door (script_call() of validate/host/script.h); call.lua checks and calls it.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- An entry is { module =, call = function of the module, takes = fields of its one argument, gives = fields of the result }. A field's
-- type is text, number, whole, flag, list, object or "list of TYPE". A single type may replace the fields. A door with `kinds` has a
-- function for each kind of file or format. C names it "DOOR:KIND"; what all kinds share is next to `kinds`. No door keeps state between
-- calls.
local doors = {}

-- Names of fields that several doors have, by their type.
local NAMES = {
    text = "arch assay codes cores events file format metric program region style text",
    number = "false_alarms limit",
    whole = "processes reps width",
    flag = "all colour scaled threads virtual",
    object = "boxes catalogue checked collection found groups kernels line_cycles machine manifest node plan rates record results said",
    ["list of text"] = "notes verdicts",
    ["list of object"] = "blame candidates concepts files findings jobs laws list metrics names patterns plans records rows source vendor "
        .. "wants",
}
local TYPES = {}
for kind, names in pairs(NAMES) do
    for name in names:gmatch "%S+" do
        TYPES[name] = kind
    end
end

-- { [name] = type, with "?" at its end if the field is optional } of a text of fields, "machine, node?, events: list of text". A field
-- without a type has that of NAMES.
local function fields(text)
    local found = {}
    for field in text:gmatch "[^,]+" do
        local name, optional, kind = field:match "^%s*([%w_]+)(%??):?%s*(.*)$"
        found[name] = (kind ~= "" and kind or TYPES[name]) .. optional
    end
    return found
end

-- The main job, in the order of the data flow.

-- Reads, checks and parses a file that people write.
local FILE = fields "text, file"
local WITH_CONCEPTS = fields "text, file, concepts"
local COUNTED = fields "machine, groups, events, text, listed: text, smt: whole"
local AS_COUNTED = fields "machine, groups"
doors.read = {
    takes = FILE,
    gives = "object",
    kinds = {
        pattern = { module = "input.schema", call = "pattern" },
        machine = { module = "input.schema", call = "machine", takes = fields "text, file, shared: object, likwid?: text" },
        probe = { module = "input.probe", call = "read" },
        group = { module = "input.group", call = "parse" },
        users_group = { module = "input.group", call = "parse_each" },
        laws = { module = "input.laws", call = "summary" },
        concepts = { module = "input.concepts", call = "read", gives = "list of object" },
        documented = { module = "input.concepts", call = "events", takes = WITH_CONCEPTS },
        quantities = { module = "input.concepts", call = "quantities", takes = WITH_CONCEPTS, gives = "list of object" },
        event_list = {
            module = "input.event_list", call = "read",
            takes = fields "text, modelled?: text",
            gives = "list of object",
        },
        listed_machine = { module = "input.event_list", call = "machine", takes = fields "text, arch" },
        vendor = {
            module = "input.vendor", call = "check",
            takes = fields "codes, events, text?, written?: text",
            gives = "list of object",
        },
        absences = {
            module = "input.absences", call = "search",
            takes = fields "machine, patterns: text, list",
            gives = "list of object",
        },
        historical = { module = "exchange.historical", call = "records", gives = "list of object" },
        vendor_registers = { module = "input.vendor", call = "registers", takes = fields "events", gives = fields "text?" },
        -- Machine and groups as another interface than LIKWID counts them. events: of pmu.events; text: of papi.presets or perf.metrics;
        -- listed: by perf list --details.
        perf_groups = { module = "plan.interface", call = "perf", takes = COUNTED, gives = AS_COUNTED },
        papi_groups = { module = "plan.interface", call = "papi", takes = COUNTED, gives = AS_COUNTED },
        perf_metrics_groups = { module = "plan.interface", call = "perf_metrics", takes = COUNTED, gives = AS_COUNTED },
        installed_group = { module = "exchange.catalogue.catalogue", call = "is_own", takes = fields "text", gives = "flag" },
    },
}

-- Raises an error for a metric that is neither judged nor listed as unjudged. Returns the metrics that are not judged.
doors.coverage = { module = "input.coverage", call = "checked", takes = fields "machine, groups", gives = "list of object" }

-- Box census. Without `sockets`: returns what to count, if anything. With these counts: returns the boxes that exist.
doors.census = {
    module = "plan.census", call = "take",
    takes = fields "machine, groups, node, sockets?: list of object",
    gives = fields "text?, elements?: whole, boxes?, lacking?: list, absent?: list of text, ghosts?: list of text",
}

doors.overview = {
    module = "plan.overview", call = "make",
    takes = fields "patterns, machine, groups, node",
    gives = "list of object",
}

doors.plan = {
    module = "plan.plan", call = "make",
    takes = fields "patterns, machine, node, kernels, groups, options: object",
    gives = "list of object",
}

-- Companion measurements of planned jobs.
doors.companions = {
    module = "plan.companions",
    takes = fields "jobs",
    gives = "list of object",
    kinds = {
        empty = { call = "empty" },
        clean = { call = "clean" },
        -- Ids of runs that something disturbed: to be measured again.
        disturbed = {
            module = "judge.witness", call = "again",
            takes = fields "plans, results, reps, virtual",
            gives = "list of text",
        },
    },
}

doors.assess = {
    module = "judge.assess", call = "all",
    takes = fields [[
        machine, node, kernels, groups, patterns, plans, results, reps, calibrate: flag, matrix: flag, virtual, vendor?]],
    gives = fields [[
        samples: list of object, metrics, counts: list of object, blame, findings, unjudged: list of object, matrix?: object,
        boxes?]],
}

doors.compact = { module = "record.compact", call = "extremes", takes = fields "record", gives = "list of object" }

-- Text about records or fresh results: a table, a page, a line.
local RECORD = fields "record, width, all, threads, colour, metric?, region?"
local PAGE = fields "record, file, style, program"
local FLEET = fields "collection, false_alarms, width, all, found"
local FINDINGS = fields "findings, program"
local CATALOGUE = fields "catalogue"
doors.report = {
    call = "render",
    gives = fields "text, worse?: whole, good?: flag",
    kinds = {
        metrics = { module = "report.text.report", takes = RECORD },
        why = { module = "report.text.why", takes = RECORD },
        oracles = { module = "report.text.oracles", takes = RECORD },
        commands = { module = "report.text.commands", takes = RECORD },
        record = { module = "report.text.record", takes = RECORD },
        diff = {
            module = "report.text.diff",
            takes = fields "old: object, new: object, old_file: text, new_file: text, width, colour",
        },
        history = { module = "report.text.history", takes = fields "records" },
        plan = {
            module = "report.text.plan",
            takes = fields "node, machine, patterns, plans, jobs, commands: list of object, reps",
        },
        costs = { module = "report.text.costs", takes = fields "jobs, results, reps" },
        vendor = { module = "report.text.vendor", takes = fields "rows, absences: list of object" },
        patterns = { module = "report.text.patterns", takes = fields "patterns, node: text" },
        plot = { module = "report.wiki.plots", call = "finish", takes = fields "svg: text, title: text, about?: text" },
        page = { module = "report.page.page", call = "page", takes = PAGE },
        text_page = { module = "report.page.text", call = "page", takes = PAGE },

        events = { module = "events.report.events", takes = fields "found, rows?" },
        noise = { module = "events.report.noise", takes = fields "events: list of object" },
        curves = { module = "report.text.curves", takes = fields "curves: list of object" },
        curves_page = { module = "report.page.curves", call = "page", takes = PAGE },
        discovery = {
            module = "events.report.discovery",
            takes = fields [[
                found: list of object, unknown: list of object, checked?: list of object, events: whole, distinct: whole]],
        },
        configuration = { module = "events.report.configuration", takes = fields "parts: list of object" },

        analysis = { module = "program.report.analysis", takes = fields "record, width, threads, region?" },
        analysis_page = { module = "program.report.analysis_page", call = "page", takes = PAGE },
        diagnosis = { module = "program.report.diagnosis", takes = fields "record, width" },
        diagnosis_page = { module = "program.report.diagnosis_page", call = "page", takes = PAGE },
        compare = { module = "program.report.compare", takes = fields "records, files: list of text" },
        compare_page = {
            module = "program.report.compare_page", call = "page",
            takes = fields "records, files: list of text, style, program",
        },
        sets = { module = "program.report.sets", takes = fields "plan, metrics" },
        laws = { module = "program.report.laws", takes = fields "record, width, all" },
        law_lines = { module = "program.report.law_lines", takes = fields "laws, events: list of object, blame" },

        health = { module = "fleet.health", call = "compare", takes = fields "record, reference?: object, file?" },
        fleet_status = { module = "fleet.status", takes = fields "status: object" },
        fleet = { module = "fleet.report.text", takes = FLEET },
        fleet_page = { module = "fleet.report.page", takes = fields "collection, false_alarms, width, all, found, style, program" },
        fleet_csv = { module = "fleet.report.csv", takes = FLEET },
        fleet_openmetrics = { module = "fleet.report.openmetrics", takes = FLEET },
        fleet_junit = { module = "fleet.report.junit", takes = FLEET },

        sampling = { module = "sampling.report.text", takes = fields "found" },
        sampling_page = { module = "sampling.report.page", call = "page", takes = PAGE },

        lint = { module = "lint.report", call = "text", takes = FINDINGS },
        lint_sarif = { module = "lint.report", call = "sarif", takes = FINDINGS },
        lint_github = { module = "lint.report", call = "github", takes = FINDINGS },
        lint_junit = { module = "lint.report", call = "junit", takes = FINDINGS },
        lint_rules = { module = "lint.report", call = "rules", takes = {} },

        catalogue = { module = "exchange.catalogue.catalogue", call = "table", takes = CATALOGUE },
        catalogue_csv = { module = "exchange.catalogue.catalogue", call = "csv", takes = CATALOGUE },
    },
}

-- Exports of records for other programs: files, or their contents.
local DRAWN = fields "record, file"
doors.export = {
    kinds = {
        wiki = {
            module = "report.wiki.pages", call = "render",
            takes = fields "records, catalogues: object",
            gives = fields "pages: list of object, plots: list of object",
        },
        curves = { module = "report.page.curves", call = "files", takes = DRAWN, gives = "list of object" },
        sampling = { module = "sampling.report.page", call = "files", takes = DRAWN, gives = "list of object" },
        cube = { module = "program.report.cube", call = "export", takes = DRAWN, gives = "object" },
        groups = {
            module = "exchange.catalogue.catalogue", call = "make",
            takes = fields "records, groups: list of object, assay, verdicts?, newest: flag",
            gives = fields "catalogue, files",
        },
        formats = {
            module = "exchange.formats.formats", call = "write",
            takes = fields "catalogue, events?, machine?, format",
            gives = fields "text, notes",
        },
        signatures = {
            module = "exchange.signatures.signatures", call = "make",
            takes = fields "records, groups: list of object, events, format, patterns, machine, costs: text, limit",
            gives = fields "table?: text, files?, notes?",
        },
    },
}

-- All that is known of groups.
doors.passport = {
    module = "exchange.passport.passport", call = "make",
    takes = fields [[
        arch, archs: list of text, group?: text, metric?, machine?, groups?, patterns?, files?, records?, codes?, events?,
        likwid?: list of object, findings?, unlisted?: flag, fixes?: text, style?, program?, assay]],
    gives = fields "passports: list of object, text",
}

-- events/: single events.

doors.event_plan = {
    module = "events.plan.events", call = "make",
    takes = fields [[
        probes: list of object, machine, node, kernels, groups, concepts, said, events: list of text, list, all, look: flag,
        curves: flag, alone: flag, absent?: object, chosen?: list of object, checked?, names?]],
    gives = "object",
}

doors.event_judge = {
    takes = fields "plan, results?, reps, concepts, said, groups, machine, node, list, named: flag, findings?, checked?, names?",
    gives = "list of object",
    kinds = {
        absent = { module = "events.judge.events", call = "absent", gives = "object" },
        survey = { module = "events.judge.events", call = "survey", gives = "object" },
        unsteady = { module = "events.judge.noise", call = "choose" },
        noise = { module = "events.judge.noise", call = "find" },
        curves = { module = "events.judge.curves", call = "find" },
        discovery = { module = "events.discovery.discovery", call = "find", gives = "object" },
    },
}

-- Returns the jobs of the next round, or the findings.
doors.configuration = {
    module = "events.configuration.compare", call = "next",
    takes = fields "machine, node, groups, list, said, rounds: list of object",
    gives = fields "jobs?, findings?",
}

-- program/: a user's program.

-- The events that files of metrics or laws, or patterns, need counted.
doors.wants = {
    takes = fields "files, list",
    kinds = {
        hierarchy = {
            module = "input.hierarchy", call = "read",
            takes = fields "files, list, arch, trees?: text",
            gives = fields "metrics, wants, hierarchy: list of text",
        },
        laws = {
            module = "program.plan.laws", call = "of_files",
            takes = fields "files, list, node",
            gives = fields "laws, wants, left_out: list of object",
        },
        diagnosis = {
            module = "program.plan.diagnosis", call = "of_files",
            takes = fields "files, patterns, groups, machine, node, record, cores?, processes, threads: whole, scaled?",
            gives = fields "candidates, wants, line_cycles, rates",
        },
    },
}

doors.program_plan = {
    module = "program.plan.program", call = "on_cores",
    takes = fields [[
        wants, machine, node, list, command: list of text, cores?, processes, threads: whole, marker: flag,
        launcher?: list of text, scaled?]],
    gives = "object",
}

-- Counts and, with `metrics`, the metrics' values.
doors.program_counts = {
    module = "program.judge.metrics", call = "of_results",
    takes = fields "plan, results, reps, machine, node, metrics?",
    gives = "object",
}

-- What counts say of laws, or of patterns.
doors.program_judge = {
    kinds = {
        laws = {
            module = "program.laws.laws", call = "examine",
            takes = fields "laws, plan, results, reps, machine, node",
            gives = fields "laws, events: list of object, blame",
        },
        diagnosis = {
            module = "program.judge.diagnosis", call = "judge",
            takes = fields "candidates, line_cycles, rates, counted: object, node, limit",
            gives = fields "findings, rates: list of object",
        },
    },
}

doors.algebra = {
    module = "program.judge.algebra", call = "combine",
    takes = fields "records, files: list of text, name: text",
    gives = "object",
}

-- fleet/: many nodes.

doors.fleet_plan = {
    module = "fleet.plan", call = "make",
    takes = fields [[
        hosts: list of text, node_options?: object, cores?, id: text, dir: text, assay, version: text, data: text, node: text,
        patterns: list of text, options: list of text, minutes: whole, partition?: text, launcher: text, broadcast?: text,
        first: whole, script: text]],
    gives = fields "text, manifest",
}

-- Without a manifest, for records that no fleet run made: returns only `verdicts`, which gather.h needs.
doors.fleet_status = {
    module = "fleet.status", call = "judge",
    takes = fields [[
        manifest?, sent?: flag, queue?: text, nodes?: text, ends?: object, started?: list of text, records?: list of text]],
    gives = fields "hosts?: list of object, counts?: object, over?: flag, text?, verdicts",
}

doors.fleet_judge = { module = "fleet.judge", call = "judge", takes = fields "collection, false_alarms", gives = "object" }

-- sampling/

doors.sampling_plan = {
    module = "sampling.plan", call = "make",
    takes = fields [[
        events: list of text, codes: object, said, groups, list, arch, periods?: list of whole, native: flag, own: flag]],
    gives = "object",
}

doors.sampling_judge = {
    module = "sampling.judge", call = "find",
    takes = fields "plan, runs: list of object, said",
    gives = "object",
}

-- lint/: group files and event tables.

doors.lint = {
    takes = fields "files, source, listed: list of object, vendor, perfmon: list of object, tree?: text",
    kinds = {
        perfmon = { module = "lint.perfmon", call = "files", takes = fields "mapfile: text, source", gives = "list of object" },
        findings = { module = "lint.lint", call = "findings", gives = "list of object" },
        fix = { module = "lint.fix", call = "patch", gives = fields "text, mended: whole, findings: whole" },
    },
}

return doors
