-- One socket with a small last level, 2 MiB, so that sweeps over memory are short. SPDX-License-Identifier: GPL-3.0-or-later
return { arch = "haswellEP", sockets = 1, cores_per_socket = 2, l3 = { size = 1 << 20, ways = 16 } }
