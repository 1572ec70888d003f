-- published.lua - where a historical record's figures were published. SPDX-License-Identifier: GPL-3.0-or-later

-- "PATH of REPOSITORY at commit COMMIT"; "an unknown place" for a record that does not say; nil for a record that is not historical.
return function(record)
    local source = record.source
    if record.node.kind ~= "historical" then
        return nil
    end
    return source and ("%s of %s at commit %s"):format(source.path, source.repository, source.commit:sub(1, 12)) or "an unknown place"
end
