-- A Xeon Max in flat mode with two sockets. LIKWID from 5.5 on counts 16 channels of high-bandwidth memory; the processor has 32.
return { arch = "SPR", sockets = 2, cores_per_socket = 2, hbm = "flat", hbm_channels = 16 }
