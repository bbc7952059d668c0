# SPDX-License-Identifier: BSD-3-Clause
# Holds the stacks of a log to what calls.py noted: says what differs, and at last how many
# were the same.
#	compare.py DEPTH NOTED... <JSON
import json
import sys

depth = int(sys.argv[1])
calls = {}
for line in sys.stdin:
    call = json.loads(line)
    name = call["call"].replace("64", "")
    calls.setdefault((name, call.get("path")), []).append(call)


def is_python(frame):
    return frame.get("lang") == "python"


def python_of(stack):
    return [[f["func"], f["file"], f["line"]] for f in stack if is_python(f)]


same = 0
for name in sys.argv[2:]:
    for want in json.load(open(name)):
        found = calls.get((want["call"], want["path"]), [])
        if not found:
            print("not in the log:", want["call"], want["path"])
        for call in found:
            stack = call.get("stack", [])
            has, wants = python_of(stack), want["stack"]
            # as many frames as there is room for; inlined ones take none
            full = sum(not f.get("inlined") for f in stack) == depth
            if has == wants or (full and has == wants[: len(has)]):
                same += 1
            else:
                print(want["call"], want["path"], "\n\thas  ", has, "\n\twants", wants)
            for f in stack:
                if f.get("func") == "_PyEval_EvalFrameDefault":
                    print(want["call"], want["path"], "has a frame of the interpreter's loop")
# the handler of C's may have come anywhere
for (name, path), found in calls.items():
    if name == "write" and (path or "").startswith("pipe:"):
        for call in found:
            funcs = [f.get("func") for f in call.get("stack", [])]
            if any(is_python(f) for f in call.get("stack", [])) and "trip_signal" in funcs:
                print("a handler of C's has frames of Python")
print(same)
