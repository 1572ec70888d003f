-- Two sockets of one core with a small last level each, 2 MiB. SPDX-License-Identifier: GPL-3.0-or-later
return { arch = "haswellEP", sockets = 2, cores_per_socket = 1, l3 = { size = 2 << 20, ways = 16 } }
