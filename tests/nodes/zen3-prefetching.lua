return { arch = "zen3", sockets = 1, cores_per_socket = 2, prefetchers = true, pages = "random" }
