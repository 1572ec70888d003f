# Records over time: results/ARCH/NODE/DATE.json. `make tables` takes the newest of every node, or those of RECORDS=.
.PHONY: tables history reference historical
RECORDS ?= $(foreach node,$(wildcard results/*/*/),$(lastword $(sort $(wildcard $(node)*.json))))
TABLES  ?= $(BUILD)/tables

tables:
	@./deps.sh
	@$(MAKE) --no-print-directory -s $(BUILD)/assay
	@$(BUILD)/assay tables $(RECORDS) --out $(TABLES)

history: $(BUILD)/assay
	@$(BUILD)/assay history results

# The record of the virtual node that the system tests compare with: made again when patterns, groups or models change on purpose.
REFERENCE := haswellEP/haswellEP-1x2
reference: all
	@mkdir -p results/$(REFERENCE)
	@$(BUILD)/assay validate --quick --node virtual:$(notdir $(REFERENCE)) \
	    --out $(BUILD)/reference.json >/dev/null
	@$(BUILD)/assay compact $(BUILD)/reference.json --out results/$(REFERENCE)/$$(date -u +%Y-%m-%d).json
	@$(BUILD)/assay history results

# Historical records, from published figures: made again when the judgement or the table changes on purpose.
historical: $(BUILD)/assay
	@for record in $$($(BUILD)/assay historical results/published/likwid-2014.tsv --out $(BUILD)/historical); do \
	    kept=results/$${record#$(BUILD)/historical/}; mkdir -p "$${kept%/*}"; \
	    $(BUILD)/assay compact "$$record" --out "$$kept" && echo "$$kept"; done
