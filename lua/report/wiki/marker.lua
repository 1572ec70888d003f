-- marker.lua - the first line of every file that `assay tables` makes: only files that begin with it are ever replaced.
-- SPDX-License-Identifier: GPL-3.0-or-later
return { LINE = "<!-- made by assay tables; it is made again, so changes are lost -->" }
