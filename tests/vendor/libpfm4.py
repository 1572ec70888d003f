#!/usr/bin/python3
"""libpfm4.py - prints libpfm4's codes, without a PMU: lines "PMU EVENT[.UMASK] SELECT", for PMUs that begin with the arguments.

usage: libpfm4.py PMU...        SELECT is the event select register's value, without its enable bits

SPDX-License-Identifier: GPL-3.0-or-later
"""
import ctypes
import sys
from ctypes import POINTER, Structure, byref, c_char_p, c_int, c_size_t, c_uint64, c_void_p, sizeof

PLM_USER, OS_NONE, UMASK = 8, 0, 1
ENABLE = 0x510000  # user, interrupt, enable


# perfmon/pfmlib.h
class Pmu(Structure):
    _fields_ = [("name", c_char_p), ("desc", c_char_p), ("size", c_size_t), ("pmu", c_int), ("type", c_int),
                ("nevents", c_int), ("first", c_int), ("rest", c_int * 4)]


class Event(Structure):
    _fields_ = [("name", c_char_p), ("desc", c_char_p), ("equiv", c_char_p), ("size", c_size_t), ("code", c_uint64),
                ("pmu", c_int), ("dtype", c_int), ("idx", c_int), ("nattrs", c_int), ("reserved", c_int), ("flags", c_int)]


class Attribute(Structure):
    _fields_ = [("name", c_char_p), ("desc", c_char_p), ("equiv", c_char_p), ("size", c_size_t), ("code", c_uint64),
                ("type", c_int), ("idx", c_int), ("ctrl", c_int), ("flags", c_int), ("default", c_uint64)]


class Encoding(Structure):
    _fields_ = [("codes", POINTER(c_uint64)), ("text", c_void_p), ("size", c_size_t), ("count", c_int), ("idx", c_int)]


def sized(kind):
    made = kind()
    made.size = sizeof(kind)
    return made


def select_of(library, name):
    """The first register's value; None if libpfm4 wants more attributes."""
    made = sized(Encoding)
    status = library.pfm_get_os_event_encoding(name.encode(), PLM_USER, OS_NONE, byref(made))
    return made.codes[0] if status == 0 and made.count > 0 else None


def names_of(library, event):
    info = sized(Event)
    library.pfm_get_event_info(event, OS_NONE, byref(info))
    masks = []
    for i in range(info.nattrs):
        attribute = sized(Attribute)
        if library.pfm_get_event_attr_info(event, i, OS_NONE, byref(attribute)) == 0 and attribute.type == UMASK:
            masks.append(attribute.name.decode())
    name = info.name.decode()
    return [(name + "." + mask, name + ":" + mask) for mask in masks] or [(name, name)]


def events_of(library, pmu):
    event = pmu.first
    while event != -1:
        yield event
        event = library.pfm_get_event_next(event)


def main():
    library = ctypes.CDLL("libpfm.so.4")
    ctypes.CDLL(None).setenv(b"LIBPFM_ENCODE_INACTIVE", b"1", 1)
    if library.pfm_initialize() != 0:
        sys.exit("libpfm4.py: the library does not start")
    for number in range(1024):
        pmu = sized(Pmu)
        known = library.pfm_get_pmu_info(number, byref(pmu)) == 0 and pmu.name.decode() in sys.argv[1:]
        for event in events_of(library, pmu) if known else ():
            for name, words in names_of(library, event):
                value = select_of(library, pmu.name.decode() + "::" + words)
                if value is not None:
                    is_core = "_unc_" not in pmu.name.decode()
                    print(pmu.name.decode(), name, hex(value & ~ENABLE if is_core else value))


main()
