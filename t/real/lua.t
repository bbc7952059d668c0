#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# lua: stdio line by line, seeking, popen and system from an interpreter.
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/family.sh"
. "${0%/*}/../lib/real.sh"

real_build lua5.4
cat >"$T/script.lua" <<'EOF'
local f = assert(io.open("data", "w+"))
f:setvbuf("full", 1000)
for i = 1, 500 do f:write(i, " ", i * i, "\n") end
print(f:seek("set", 10), f:read("n", "n", "l", "L", 7))
print(f:seek("cur"), f:seek("end"))
f:setvbuf("no")
f:write("unbuffered")
f:close()
local n = 0
for line in io.lines("data") do n = n + #line end
print(n, io.open("missing"))
print(os.rename("data", "data2"), os.remove("missing"))
local p = io.popen("cat >&2; echo from a child; exit 3", "r")
print(p:read("a"), p:close())
print(os.execute("exit 4"))
local t = os.tmpname()
print(os.remove(t))
io.stderr:write("to standard error\n")
print(pcall(error, "protected"))
local co = coroutine.wrap(function() for i = 1, 3 do coroutine.yield(io.write(i, "\n")) end end)
co() co() co()
os.exit(5, true)
EOF
real_run 'a script' "$T/script.lua"
printf 'print(1 + 1)\nio.write("x")\nerror("wrong")\n' >"$T/stdin.lua"
run_stdin=$T/stdin.lua
real_run 'standard input' -
done_testing
