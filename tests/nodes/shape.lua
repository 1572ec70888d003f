-- A node file with a shape of its own, three sockets.
return { arch = "haswellEP", cpu = "three", sockets = 3, cores_per_socket = 2 }
