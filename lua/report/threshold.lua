-- threshold.lua - the threshold between presence and absence of a pattern, as a text. SPDX-License-Identifier: GPL-3.0-or-later

-- A record's metric, and amount(value, unit) -> text: "above 12.5 GB/s (2049 times apart)"; nil for metrics without a threshold.
return function(metric, amount)
    local found = metric.threshold
    if not found then
        return nil
    elseif not found.value then
        return "none: the controls are not clearly apart"
    end
    local margin = found.margin and ("%s times apart"):format(amount(found.margin)) or "absent is 0"
    return ("%s %s (%s)"):format(found.present_is, amount(found.value, metric.unit), margin)
end
