-- marker.lua - the first line of every file that `assay tables` writes; files without it are never overwritten.
-- SPDX-License-Identifier: GPL-3.0-or-later
return { LINE = "<!-- made by assay tables; it is made again, so changes are lost -->" }
