-- list.lua - the doors: all calls from C to Lua. C names a door (script_call() of validate/host/script.h); call.lua checks and calls it.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- An entry is { module =, call = function of the module, takes = fields of its one argument, gives = fields of the result }. A field is
-- a type: text, number, whole, flag, list, object, "list of TYPE"; a "?" at its end makes it optional. A single type may replace the
-- fields. A door with `kinds` has a function for each kind of file or format. C names it "DOOR:KIND"; what all kinds share is next to
-- `kinds`. No door keeps state between calls.
local doors = {}

-- The main job, in the order of the data flow.

-- Reads, checks and parses a file that people write.
local FILE = { text = "text", file = "text" }
local WITH_CONCEPTS = { text = "text", file = "text", concepts = "list of object" }
local COUNTED = { machine = "object", groups = "object", events = "text", text = "text", listed = "text",
    smt = "whole" }
local AS_COUNTED = { machine = "object", groups = "object" }
doors.read = {
    takes = FILE,
    gives = "object",
    kinds = {
        pattern = { module = "input.schema", call = "pattern" },
        machine = {
            module = "input.schema", call = "machine",
            takes = { text = "text", file = "text", shared = "object", likwid = "text?" },
        },
        probe = { module = "input.probe", call = "read" },
        group = { module = "input.group", call = "parse" },
        users_group = { module = "input.group", call = "parse_each" },
        laws = { module = "input.laws", call = "summary" },
        concepts = { module = "input.concepts", call = "read", gives = "list of object" },
        documented = { module = "input.concepts", call = "events", takes = WITH_CONCEPTS },
        quantities = { module = "input.concepts", call = "quantities", takes = WITH_CONCEPTS, gives = "list of object" },
        event_list = {
            module = "input.event_list", call = "read",
            takes = { text = "text", modelled = "text?" },
            gives = "list of object",
        },
        listed_machine = { module = "input.event_list", call = "machine", takes = { text = "text", arch = "text" } },
        vendor = {
            module = "input.vendor", call = "check",
            takes = { codes = "text", events = "text", text = "text?", written = "text?" },
            gives = "list of object",
        },
        absences = {
            module = "input.absences", call = "search",
            takes = { machine = "object", patterns = "text", list = "list of object" },
            gives = "list of object",
        },
        historical = { module = "exchange.historical", call = "records", gives = "list of object" },
        vendor_registers = { module = "input.vendor", call = "registers", takes = { events = "text" }, gives = { text = "text?" } },
        -- Machine and groups as another interface than LIKWID counts them. events: of pmu.events; text: of papi.presets or perf.metrics;
        -- listed: by perf list --details.
        perf_groups = { module = "plan.interface", call = "perf", takes = COUNTED, gives = AS_COUNTED },
        papi_groups = { module = "plan.interface", call = "papi", takes = COUNTED, gives = AS_COUNTED },
        perf_metrics_groups = { module = "plan.interface", call = "perf_metrics", takes = COUNTED, gives = AS_COUNTED },
        installed_group = { module = "exchange.catalogue.catalogue", call = "is_own", takes = { text = "text" }, gives = "flag" },
    },
}

-- Raises an error for a metric that is neither judged nor listed as unjudged. Returns the metrics that are not judged.
doors.coverage = {
    module = "input.coverage", call = "checked",
    takes = { machine = "object", groups = "object" },
    gives = "list of object",
}

-- Box census. Without `sockets`: returns what to count, if anything. With these counts: returns the boxes that exist.
doors.census = {
    module = "plan.census", call = "take",
    takes = { machine = "object", groups = "object", node = "object", sockets = "list of object?" },
    gives = {
        text = "text?", elements = "whole?",
        boxes = "object?", lacking = "list?", absent = "list of text?", ghosts = "list of text?",
    },
}

doors.overview = {
    module = "plan.overview", call = "make",
    takes = { patterns = "list of object", machine = "object", groups = "object", node = "object" },
    gives = "list of object",
}

doors.plan = {
    module = "plan.plan", call = "make",
    takes = {
        pattern = "object", patterns = "list of object", machine = "object", node = "object", kernels = "object",
        groups = "object", options = "object",
    },
    gives = { jobs = "list of object", skipped = "list of object" },
}

-- Companion measurements of planned jobs.
doors.companions = {
    module = "plan.companions",
    takes = { jobs = "list of object" },
    gives = "list of object",
    kinds = {
        empty = { call = "empty" },
        clean = { call = "clean" },
        -- Ids of runs that something disturbed: to be measured again.
        disturbed = {
            module = "judge.witness", call = "again",
            takes = { plans = "list of object", results = "object", reps = "whole", virtual = "flag" },
            gives = "list of text",
        },
    },
}

doors.assess = {
    module = "judge.assess", call = "all",
    takes = {
        machine = "object", node = "object", kernels = "object", groups = "object", patterns = "list of object",
        plans = "list of object", results = "object", reps = "whole", calibrate = "flag", matrix = "flag",
        virtual = "flag", vendor = "list of object?",
    },
    gives = {
        samples = "list of object", metrics = "list of object", counts = "list of object", blame = "list of object",
        findings = "list of object", unjudged = "list of object", matrix = "object?", boxes = "object?",
    },
}

doors.compact = { module = "record.compact", call = "extremes", takes = { record = "object" }, gives = "list of object" }

-- Text about records or fresh results: a table, a page, a line.
local RECORD = {
    record = "object", width = "whole", all = "flag", threads = "flag", colour = "flag", metric = "text?",
    region = "text?",
}
local PAGE = { record = "object", file = "text", style = "text", program = "text" }
local FLEET = { collection = "object", false_alarms = "number", width = "whole", all = "flag", found = "object" }
local FINDINGS = { findings = "list of object", program = "text" }
local CATALOGUE = { catalogue = "object" }
doors.report = {
    call = "render",
    gives = { text = "text", worse = "whole?", good = "flag?" },
    kinds = {
        metrics = { module = "report.text.report", takes = RECORD },
        why = { module = "report.text.why", takes = RECORD },
        oracles = { module = "report.text.oracles", takes = RECORD },
        commands = { module = "report.text.commands", takes = RECORD },
        record = { module = "report.text.record", takes = RECORD },
        diff = {
            module = "report.text.diff",
            takes = { old = "object", new = "object", old_file = "text", new_file = "text", width = "whole", colour = "flag" },
        },
        history = { module = "report.text.history", takes = { records = "list of object" } },
        plan = {
            module = "report.text.plan",
            takes = {
                node = "object", machine = "object", patterns = "list of object", plans = "list of object", jobs = "list of object",
                commands = "list of object", reps = "whole",
            },
        },
        costs = { module = "report.text.costs", takes = { jobs = "list of object", results = "object", reps = "whole" } },
        vendor = { module = "report.text.vendor", takes = { rows = "list of object", absences = "list of object" } },
        patterns = { module = "report.text.patterns", takes = { patterns = "list of object", node = "text" } },
        plot = { module = "report.wiki.plots", call = "finish", takes = { svg = "text", title = "text", about = "text?" } },
        page = { module = "report.page.page", call = "page", takes = PAGE },
        text_page = { module = "report.page.text", call = "page", takes = PAGE },

        events = { module = "events.report.events", takes = { found = "object", rows = "list of object?" } },
        noise = { module = "events.report.noise", takes = { events = "list of object" } },
        curves = { module = "report.text.curves", takes = { curves = "list of object" } },
        curves_page = { module = "report.page.curves", call = "page", takes = PAGE },
        discovery = {
            module = "events.report.discovery",
            takes = {
                found = "list of object", unknown = "list of object", checked = "list of object?", events = "whole",
                distinct = "whole",
            },
        },
        configuration = { module = "events.report.configuration", takes = { parts = "list of object" } },

        analysis = {
            module = "program.report.analysis",
            takes = { record = "object", width = "whole", threads = "flag", region = "text?" },
        },
        analysis_page = { module = "program.report.analysis_page", call = "page", takes = PAGE },
        diagnosis = { module = "program.report.diagnosis", takes = { record = "object", width = "whole" } },
        diagnosis_page = { module = "program.report.diagnosis_page", call = "page", takes = PAGE },
        compare = { module = "program.report.compare", takes = { records = "list of object", files = "list of text" } },
        compare_page = {
            module = "program.report.compare_page", call = "page",
            takes = { records = "list of object", files = "list of text", style = "text", program = "text" },
        },
        sets = { module = "program.report.sets", takes = { plan = "object", metrics = "list of object" } },
        laws = { module = "program.report.laws", takes = { record = "object", width = "whole", all = "flag" } },
        law_lines = {
            module = "program.report.law_lines",
            takes = { laws = "list of object", events = "list of object", blame = "list of object" },
        },

        health = { module = "fleet.health", call = "compare", takes = { record = "object", reference = "object?", file = "text?" } },
        fleet_status = { module = "fleet.status", takes = { status = "object" } },
        fleet = { module = "fleet.report.text", takes = FLEET },
        fleet_page = {
            module = "fleet.report.page",
            takes = {
                collection = "object", false_alarms = "number", width = "whole", all = "flag", found = "object",
                style = "text", program = "text",
            },
        },
        fleet_csv = { module = "fleet.report.csv", takes = FLEET },
        fleet_openmetrics = { module = "fleet.report.openmetrics", takes = FLEET },
        fleet_junit = { module = "fleet.report.junit", takes = FLEET },

        sampling = { module = "sampling.report.text", takes = { found = "object" } },
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
local DRAWN = { record = "object", file = "text" }
doors.export = {
    kinds = {
        wiki = {
            module = "report.wiki.pages", call = "render",
            takes = { records = "list of object", catalogues = "object" },
            gives = { pages = "list of object", plots = "list of object" },
        },
        curves = { module = "report.page.curves", call = "files", takes = DRAWN, gives = "list of object" },
        sampling = { module = "sampling.report.page", call = "files", takes = DRAWN, gives = "list of object" },
        cube = { module = "program.report.cube", call = "export", takes = DRAWN, gives = "object" },
        groups = {
            module = "exchange.catalogue.catalogue", call = "make",
            takes = {
                records = "list of object", groups = "list of object", assay = "text", verdicts = "list of text?",
                newest = "flag",
            },
            gives = { catalogue = "object", files = "list of object" },
        },
        formats = {
            module = "exchange.formats.formats", call = "write",
            takes = { catalogue = "object", events = "text?", machine = "object?", format = "text" },
            gives = { text = "text", notes = "list of text" },
        },
        signatures = {
            module = "exchange.signatures.signatures", call = "make",
            takes = {
                records = "list of object", groups = "list of object", events = "text", format = "text", patterns = "list of object",
                machine = "object", costs = "text", limit = "number",
            },
            gives = { table = "text?", files = "list of object?", notes = "list of text?" },
        },
    },
}

-- All that is known of groups.
doors.passport = {
    module = "exchange.passport.passport", call = "make",
    takes = {
        arch = "text", archs = "list of text", group = "text?", metric = "text?", machine = "object?", groups = "object?",
        patterns = "list of object?", files = "list of object?", records = "list of object?", codes = "text?", events = "text?",
        likwid = "list of object?", findings = "list of object?", unlisted = "flag?", fixes = "text?", style = "text?",
        program = "text?", assay = "text",
    },
    gives = { passports = "list of object", text = "text" },
}

-- events/: single events.

doors.event_plan = {
    module = "events.plan.events", call = "make",
    takes = {
        probes = "list of object", machine = "object", node = "object", kernels = "object", groups = "object",
        concepts = "list of object", said = "object", events = "list of text", list = "list of object", all = "flag",
        look = "flag", curves = "flag", alone = "flag", absent = "object?", chosen = "list of object?",
        checked = "object?", names = "list of object?",
    },
    gives = "object",
}

doors.event_judge = {
    takes = {
        plan = "object", results = "object?", reps = "whole", concepts = "list of object", said = "object",
        groups = "object", machine = "object", node = "object", list = "list of object", named = "flag",
        findings = "list of object?", checked = "object?", names = "list of object?",
    },
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
    takes = {
        machine = "object", node = "object", groups = "object", list = "list of object", said = "object",
        rounds = "list of object",
    },
    gives = { jobs = "list of object?", findings = "list of object?" },
}

-- program/: a user's program.

-- The events that files of metrics or laws, or patterns, need counted.
doors.wants = {
    takes = { files = "list of object", list = "list of object" },
    kinds = {
        hierarchy = {
            module = "input.hierarchy", call = "read",
            takes = { files = "list of object", list = "list of object", arch = "text", trees = "text?" },
            gives = { metrics = "list of object", wants = "list of object", hierarchy = "list of text" },
        },
        laws = {
            module = "program.plan.laws", call = "of_files",
            takes = { files = "list of object", list = "list of object", node = "object" },
            gives = { laws = "list of object", wants = "list of object", left_out = "list of object" },
        },
        diagnosis = {
            module = "program.plan.diagnosis", call = "of_files",
            takes = {
                files = "list of object", patterns = "list of object", groups = "object", machine = "object", node = "object",
                record = "object", cores = "text?", processes = "whole", threads = "whole", scaled = "flag?",
            },
            gives = { candidates = "list of object", wants = "list of object", line_cycles = "object", rates = "object" },
        },
    },
}

doors.program_plan = {
    module = "program.plan.program", call = "on_cores",
    takes = {
        wants = "list of object", machine = "object", node = "object", list = "list of object",
        command = "list of text", cores = "text?", processes = "whole", threads = "whole", marker = "flag",
        launcher = "list of text?", scaled = "flag?",
    },
    gives = "object",
}

-- Counts and, with `metrics`, the metrics' values.
doors.program_counts = {
    module = "program.judge.metrics", call = "of_results",
    takes = {
        plan = "object", results = "object", reps = "whole", machine = "object", node = "object",
        metrics = "list of object?",
    },
    gives = "object",
}

-- What counts say of laws, or of patterns.
doors.program_judge = {
    kinds = {
        laws = {
            module = "program.laws.laws", call = "examine",
            takes = {
                laws = "list of object", plan = "object", results = "object", reps = "whole", machine = "object",
                node = "object",
            },
            gives = { laws = "list of object", events = "list of object", blame = "list of object" },
        },
        diagnosis = {
            module = "program.judge.diagnosis", call = "judge",
            takes = {
                candidates = "list of object", line_cycles = "object", rates = "object", counted = "object", node = "object",
                limit = "number",
            },
            gives = { findings = "list of object", rates = "list of object" },
        },
    },
}

doors.algebra = {
    module = "program.judge.algebra", call = "combine",
    takes = { records = "list of object", files = "list of text", name = "text" },
    gives = "object",
}

-- fleet/: many nodes.

doors.fleet_plan = {
    module = "fleet.plan", call = "make",
    takes = {
        hosts = "list of text", node_options = "object?", cores = "text?", id = "text", dir = "text", assay = "text",
        version = "text", data = "text", node = "text", patterns = "list of text", options = "list of text",
        minutes = "whole", partition = "text?", launcher = "text", broadcast = "text?", first = "whole", script = "text",
    },
    gives = { text = "text", manifest = "object" },
}

-- Without a manifest, for records that no fleet run made: returns only `verdicts`, which gather.h needs.
doors.fleet_status = {
    module = "fleet.status", call = "judge",
    takes = {
        manifest = "object?", sent = "flag?", queue = "text?", nodes = "text?", ends = "object?",
        started = "list of text?", records = "list of text?",
    },
    gives = { hosts = "list of object?", counts = "object?", over = "flag?", text = "text?", verdicts = "list of text" },
}

doors.fleet_judge = {
    module = "fleet.judge", call = "judge",
    takes = { collection = "object", false_alarms = "number" },
    gives = "object",
}

-- sampling/

doors.sampling_plan = {
    module = "sampling.plan", call = "make",
    takes = {
        events = "list of text", codes = "object", said = "object", groups = "object", list = "list of object",
        arch = "text", periods = "list of whole?", native = "flag", own = "flag",
    },
    gives = "object",
}

doors.sampling_judge = {
    module = "sampling.judge", call = "find",
    takes = { plan = "object", runs = "list of object", said = "object" },
    gives = "object",
}

-- lint/: group files and event tables.

doors.lint = {
    takes = {
        files = "list of object", source = "list of object", listed = "list of object", vendor = "list of object",
        perfmon = "list of object", tree = "text?",
    },
    kinds = {
        perfmon = {
            module = "lint.perfmon", call = "files", takes = { mapfile = "text", source = "list of object" },
            gives = "list of object",
        },
        findings = { module = "lint.lint", call = "findings", gives = "list of object" },
        fix = { module = "lint.fix", call = "patch", gives = { text = "text", mended = "whole", findings = "whole" } },
    },
}

return doors
