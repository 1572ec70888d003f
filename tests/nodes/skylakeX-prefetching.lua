return { arch = "skylakeX", sockets = 1, cores_per_socket = 2, prefetchers = true, pages = "random" }
