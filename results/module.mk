# Records over time: results/ARCH/NODE/DATE.json, or .json.gz. `make tables` takes the newest of every node, or those of RECORDS=.
.PHONY: tables history reference historical
RECORDS ?= $(foreach node,$(wildcard results/*/*/),$(lastword $(sort $(wildcard $(node)*.json $(node)*.json.gz))))
TABLES  ?= $(BUILD)/tables

tables:
	@./deps.sh
	@$(MAKE) --no-print-directory -s $(BUILD)/assay
	@$(BUILD)/assay tables $(RECORDS) --out $(TABLES)

history: $(BUILD)/assay
	@$(BUILD)/assay history results

# Records of virtual nodes, which tests compare with: made again when patterns, groups or models change on purpose. Of NODES=, or of one
# node of each architecture that is simulated and that LIKWID knows, and of those with two sockets, which have records already. These show
# only what needs two sockets. Records of the same node are replaced.
reference: all
	@status=0; for node in $(or $(NODES),$$($(BUILD)/assay list archs | awk '$$2 == "virtual" { print $$1 "-1x2" }') \
	        $(notdir $(wildcard results/*/*-2x2))); do \
	    kept=results/$${node%-*}/$$node; case $$node in *-2x2) place="--placement S0:1@S1:1" ;; *) place= ;; esac; \
	    $(BUILD)/assay validate --quick $$place --node virtual:$$node --out $(BUILD)/reference.json >/dev/null && \
	        $(BUILD)/assay compact $(BUILD)/reference.json --out $(BUILD)/reference.json.gz && \
	        mkdir -p $$kept && rm -f $$kept/*.json* && \
	        mv $(BUILD)/reference.json.gz $$kept/$$(date -u +%Y-%m-%d).json.gz || \
	        { echo "$$node: no new record" >&2; status=1; }; \
	done; $(BUILD)/assay history results && exit $$status

# Historical records, from published figures: made again when the judgement or the table changes on purpose.
historical: $(BUILD)/assay
	@for record in $$($(BUILD)/assay historical results/published/likwid-2014.tsv --out $(BUILD)/historical); do \
	    kept=results/$${record#$(BUILD)/historical/}; mkdir -p "$${kept%/*}"; \
	    $(BUILD)/assay compact "$$record" --out "$$kept" && echo "$$kept"; done
