"""longpole.h for ctypes: where the library is, its structs by value, its functions.

Structs have the fields of longpole.h, in its order and under its names; tests compare the two.
"""

import ctypes
import os
import pathlib
from ctypes import POINTER, c_bool, c_char, c_char_p, c_double, c_int, c_int64, c_uint, c_uint32, \
    c_void_p

_MISSING = ("liblongpole.so is not found: build longpole and install it (meson install), "
            "put the library beside this package, or name it in LONGPOLE_LIBRARY")


class Error(Exception):
    """What the library said."""


class _Error(ctypes.Structure):
    _fields_ = [("text", c_char * 512)]


class Column(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("title", c_char_p), ("help", c_char_p), ("type", c_int),
                ("unit", c_int), ("flags", c_uint), ("data", c_void_p)]


class TableStruct(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("nrows", c_uint32), ("ncols", c_uint32),
                ("cols", POINTER(Column)), ("parent", POINTER(c_uint32))]  # the rest is for people


class Answer(ctypes.Structure):
    _fields_ = [("headline", c_char_p), ("doubts", POINTER(c_char_p)), ("next", POINTER(c_char_p)),
                ("tables", POINTER(POINTER(TableStruct))), ("ntables", c_uint32), ("no", c_bool)]


class OpenOptions(ctypes.Structure):
    _fields_ = [("threads", c_uint), ("strict", c_bool), ("again", c_bool), ("progress", c_void_p),
                ("ctx", c_void_p)]


class TimelineOptions(ctypes.Structure):
    _fields_ = [("linked", c_bool), ("window", c_char_p)]


class KernelsOptions(ctypes.Structure):
    _fields_ = [("link", c_int), ("window", c_char_p)]


class OpsOptions(ctypes.Structure):
    _fields_ = [("by", c_int), ("rows", c_bool), ("no_comm", c_bool), ("link", c_int),
                ("window", c_char_p), ("arch", c_char_p), ("models", c_char_p)]


class StepsOptions(ctypes.Structure):
    _fields_ = [("markers", POINTER(c_char_p)), ("nmarkers", c_uint)]


class ReportOptions(ctypes.Structure):
    _fields_ = [("style", c_int), ("arch", c_char_p), ("page", c_bool), ("recompute", c_bool),
                ("unlinked", c_bool),
                ("micro_idle_ns", c_int64), ("first_occurrence", c_bool), ("num_kernels", c_bool),
                ("modules", c_bool), ("call_stack", c_bool), ("overlap", c_bool),
                ("no_collectives", c_bool), ("short_kernel_ns", c_int64), ("short_bins", c_int64),
                ("short_top", c_int64), ("models", c_char_p)]


class SplitOptions(ctypes.Structure):
    _fields_ = [("out_dir", c_char_p), ("iterations", c_char_p), ("markers", POINTER(c_char_p)),
                ("nmarkers", c_uint), ("allow_degraded", c_bool), ("steady", c_bool),
                ("steady_steps", c_uint), ("phases", c_bool), ("llm_inference", c_bool),
                ("max_num_seq", c_uint), ("concurrency", c_int64), ("output_tokens", c_double),
                ("range_ratio", c_double), ("threads", c_uint)]


class DiffOptions(ctypes.Structure):
    _fields_ = [("align", c_int), ("python", c_bool), ("tree", c_bool), ("compat_roots", c_bool),
                ("prune_non_gpu", c_bool), ("gates", POINTER(c_char_p)), ("ngates", c_uint),
                ("gate_file", c_char_p), ("window", c_char_p)]


class CriticalPathOptions(ctypes.Structure):
    _fields_ = [("model", c_int), ("what_if", POINTER(c_char_p)), ("nwhat_if", c_uint),
                ("window", c_char_p)]


class CompareOptions(ctypes.Structure):
    _fields_ = [("names", POINTER(c_char_p)), ("nnames", c_uint), ("style", c_int),
                ("arch", c_char_p), ("open", OpenOptions)]


class ProfileOptions(ctypes.Structure):
    _fields_ = [("weight", c_char_p), ("kernels", c_bool), ("instances", c_bool),
                ("firefox", c_bool), ("sums", c_bool), ("threads", c_uint), ("strict", c_bool),
                ("progress", c_void_p), ("ctx", c_void_p)]


class TreeOptions(ctypes.Structure):
    _fields_ = [("invert", c_bool), ("thread", c_char_p), ("transforms", c_void_p),
                ("ntransforms", c_uint), ("root", c_char_p), ("firefox_order", c_bool)]


class TreeFilter(ctypes.Structure):
    _fields_ = [("window", c_char_p), ("search", POINTER(c_char_p)), ("nsearch", c_uint),
                ("no_waits", c_bool)]


class TreeShow(ctypes.Structure):
    _fields_ = [("roots", c_uint), ("depth", c_uint), ("min_percent", c_double),
                ("max_nodes", c_uint), ("forks", c_bool), ("functions", c_bool),
                ("pairs", c_bool), ("plain", c_bool), ("runs", c_bool)]


# Question: how many traces, its options.
QUESTIONS = {
    "info": (1, None), "check": (1, None), "idle": (1, None), "memory": (1, None),
    "timeline": (1, TimelineOptions), "kernels": (1, KernelsOptions), "ops": (1, OpsOptions),
    "steps": (1, StepsOptions), "critical_path": (1, CriticalPathOptions),
    "split": (1, SplitOptions), "report": (1, ReportOptions), "diff": (2, DiffOptions),
}


def _load():
    """A library that is named must be there; else the one beside the package, else the linker's."""
    named = os.environ.get("LONGPOLE_LIBRARY")
    if named:
        try:
            return ctypes.CDLL(named)
        except OSError as e:
            raise ImportError(f"LONGPOLE_LIBRARY={named}: {e}") from None
    why = []
    for name in (pathlib.Path(__file__).parent / "liblongpole.so", "liblongpole.so.0",
                 "liblongpole.so"):
        try:
            return ctypes.CDLL(str(name))
        except OSError as e:
            if isinstance(name, pathlib.Path) and name.exists():
                why.append(str(e))
    raise ImportError(". ".join([_MISSING, *why]))


def _declare(lib):
    lib.lp_open.restype = c_void_p
    lib.lp_open.argtypes = [c_char_p, OpenOptions, POINTER(_Error)]
    lib.lp_close.argtypes = [c_void_p]
    lib.lp_answer_free.argtypes = [POINTER(Answer)]
    lib.lp_version.restype = c_char_p
    for name, result, *arguments in (
            ("compare", POINTER(Answer), POINTER(c_char_p), c_uint, CompareOptions),
            ("profile_open", c_void_p, c_char_p, ProfileOptions),
            ("tree_open", c_void_p, c_void_p, TreeOptions),
            ("tree_filter", c_bool, c_void_p, TreeFilter),
            ("tree_answer", POINTER(Answer), c_void_p, TreeShow)):
        f = getattr(lib, "lp_" + name)
        f.restype, f.argtypes = result, [*arguments, POINTER(_Error)]
    lib.lp_profile_close.argtypes = lib.lp_tree_close.argtypes = [c_void_p]
    for name, (ntraces, options) in QUESTIONS.items():
        f = getattr(lib, "lp_" + name)
        f.restype = POINTER(Answer)
        f.argtypes = [c_void_p] * ntraces + ([options] if options else []) + [POINTER(_Error)]
    return lib


try:
    library = _declare(_load())
except AttributeError as e:
    raise ImportError(f"the library found is older than this package: {e}") from None


def encode(value):
    """Text or a path as the library takes it."""
    return None if value is None else os.fsencode(value)


def texts(values):
    """An array of texts and its length; one text is an array of one."""
    values = [values] if isinstance(values, (str, bytes)) else list(values)
    return (c_char_p * len(values))(*map(encode, values)), len(values)


def call(name, *args):
    """What lp_NAME gives, which is the caller's to free; Error if it fails."""
    err = _Error()
    result = getattr(library, "lp_" + name)(*args, ctypes.byref(err))
    if not result:
        raise Error(err.text.decode("utf-8", "replace"))
    return result
