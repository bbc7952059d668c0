#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""serve.py DIRECTORY REPORT CAT STAT - asks iotrace-report --serve as browsers and others do.

DIRECTORY has logs and talker, a program that writes a line for each line it reads.  Prints "ok what"
and "not ok what", and "end" at the end.
"""
import atexit
import concurrent.futures
import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import threading
import time
import urllib.parse

from assertions import ok, same
from server import Server, cat_says, stat, where


def who_may_ask(s):
    host = {"Host": f"127.0.0.1:{s.port}"}
    same(s.ask("/", {})[0], 401, "without the token there is no page")
    same(s.ask("/api/v1/calls", {})[0], 401, "nor are there calls")
    same(s.ask("/", {"Authorization": "Bearer " + "0" * 32})[0], 401, "another token is none")
    same(s.ask("/", {"Authorization": "Bearer " + s.token[:-1]})[0], 401, "nor is a part of it")
    same(s.ask("/api/v1/state?token=" + s.token, {})[0], 401, "only the page takes it in the address")
    status, headers, _ = s.ask("/?token=" + s.token, {})
    same((status, headers["Location"]), (303, "/"), "the page's address with token leads to that without")
    ok("HttpOnly" in headers["Set-Cookie"] and "SameSite=Strict" in headers["Set-Cookie"], "its cookie is for the server only")
    cookie = {"Cookie": headers["Set-Cookie"].split(";")[0]}
    same(s.ask("/", cookie)[0], 200, "with the cookie there is the page")
    for name in ("evil.example", f"evil.example:{s.port}", "127.0.0.1", f"127.0.0.1:{s.port}.evil.example"):
        same(s.ask("/api/v1/state", {**cookie, "Host": name})[0], 421, f"not as {name.replace(str(s.port), 'PORT')}")
    same(s.ask("/api/v1/state", {**cookie, "Host": f"localhost:{s.port}"})[0], 200, "as localhost")
    for origin in ("http://evil.example", "null", f"https://127.0.0.1:{s.port}", f"http://127.0.0.1:{s.port + 1}"):
        same(s.ask("/api/v1/state", {**cookie, "Origin": origin})[0], 403, "not for " + re.sub(r":\d+", ":PORT", origin))
    same(s.ask("/api/v1/state", {**cookie, **host, "Origin": f"http://127.0.0.1:{s.port}"})[0], 200, "for its own page")
    same(s.ask("/api/v1/state", {**cookie, "Sec-Fetch-Site": "cross-site"})[0], 403, "not for a page from elsewhere")
    same(s.ask("/", {**cookie, "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"})[0], 403, "nor as a part of such a page")
    same(s.ask("/", {**cookie, "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"})[0], 200, "whoever goes to the page sees it")
    headers = s.ask("/")[1]
    ok("Access-Control-Allow-Origin" not in headers and headers["X-Frame-Options"] == "DENY" and headers["Cache-Control"] == "no-store",
       "no other page may read, frame or keep it")
    with open("/proc/net/tcp", encoding="ascii") as lines:
        at = [line.split()[1] for line in lines if line.split()[3] == "0A" and line.split()[1].endswith(f":{s.port:04X}")]
    same(at, [f"0100007F:{s.port:04X}"], "it listens on 127.0.0.1 only")


def what_is_none(s):
    for method in ("POST", "PUT", "DELETE", "OPTIONS"):
        same(s.ask("/api/v1/calls", method=method)[0], 405, f"{method} is not for it")
    same(s.ask("/api/v1/calls", method="POST", body=b"x" * 100000)[0], 405, "whatever it sends")
    same((s.ask("/api/v1/state", method="HEAD")[0], s.ask("/api/v1/state", method="HEAD")[2]), (200, b""), "HEAD is GET without a body")
    for path in ("/etc/passwd", "/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd", "/api/v1/", "/api/v1/calls/", "/api/v2/calls"):
        same(s.ask(path)[0], 404, f"there is no {path}")
    for parameters, why in (({"calls": "nonsense"}, "nonsense"), ({"path": "("}, "regular expression"), ({"from": "x"}, "no time"),
                            ({"limit": "0"}, "limit"), ({"limit": "10001"}, "limit"), ({"limit": "-1"}, "limit"), ({"after": "1"}, ""),
                            ({"after": "-1.1"}, "after"), ({"after": "1.x"}, "after"), ({"after": "9" * 30 + ".1"}, "after"), ({"nonsense": "1"}, "nonsense"),
                            ({"failed": "x"}, "failed"), ({"output": "x"}, "output"), ({"symfs": "/"}, "symfs"), ({"pid": "1\n\x1b[2J"}, "pid")):
        got = s.json("calls", **parameters)
        if parameters == {"after": "1"}:
            ok("calls" in got, "a time is a place, too")
            continue
        ok(isinstance(got, tuple) and got[0] == 400 and why.split()[-1] in got[1].replace("-p", "pid") and "\n" not in got[1] and "\x1b" not in got[1],
           f"{urllib.parse.urlencode(parameters)[:40]}: 400, and why")
    same(s.ask("/api/v1/calls?limit=1&limit=2")[0], 400, "no parameter twice")
    for path in ("state", "report", "stat"):
        same(s.ask(f"/api/v1/{path}?limit=1")[0], 400, f"no parameter of {path}")
    same(s.ask("/api/v1/calls?path=" + "a" * 20000)[0] in (200, 400, 413, 414, 431), True, "a name of 20,000 bytes is an answer or an error")
    try:
        refused = s.ask("/api/v1/calls?path=" + "a" * 10000000)[0] in (413, 414, 431)
    except (BrokenPipeError, ConnectionResetError):
        refused = True
    ok(refused, "one of 10 million is too large")
    same(s.ask("/api/v1/state")[0], 200, "and the server is there")


@contextlib.contextmanager
def dawdlers(s, n):
    """Clients that never let their time run out, each place that one loses taken by another."""
    end = threading.Event()

    def connect():
        c = socket.socket()
        c.setblocking(False)
        c.connect_ex(("127.0.0.1", s.port))
        return c

    def dawdle():
        sockets = [connect() for _ in range(n)]
        while not end.wait(.5):
            for i, c in enumerate(sockets):
                try:
                    c.send(b"G")
                except BlockingIOError:
                    pass
                except OSError:
                    c.close()
                    sockets[i] = connect()
        for c in sockets:
            c.close()

    thread = threading.Thread(target=dawdle)
    thread.start()
    time.sleep(1)
    try:
        yield
    finally:
        end.set()
        thread.join()


def slow_clients(s):
    sockets = []
    for _ in range(40):
        c = socket.create_connection(("127.0.0.1", s.port), 10)
        c.sendall(b"GET / HTTP/1.1\r\nHost")
        sockets.append(c)
    same(s.ask("/api/v1/state")[0], 200, "40 clients that send no whole request do not keep others waiting")
    for c in sockets:
        c.close()
    c = socket.create_connection(("127.0.0.1", s.port), 10)
    c.sendall(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{s.port}\r\nAuthorization: Bearer {s.token}\r\n\r\n".encode())
    same(s.ask("/")[0], 200, "nor one that does not take its page")
    c.close()
    c = socket.create_connection(("127.0.0.1", s.port), 10)
    c.sendall(f"GET /api/v1/calls HTTP/1.1\r\nHost: 127.0.0.1:{s.port}\r\nAuthorization: Bearer {s.token}\r\n\r\n".encode())
    c.close()
    same(s.ask("/api/v1/state")[0], 200, "nor one that is gone before its answer")
    with dawdlers(s, 300):
        same(s.ask("/api/v1/state")[0], 200, "300 clients that send a letter now and then do not keep those out who have the token")
    with concurrent.futures.ThreadPoolExecutor(30) as pool:
        answers = list(pool.map(lambda _: s.ask("/api/v1/calls?limit=10")[0], range(60)))
    ok(set(answers) <= {200, 503} and 200 in answers, "30 at once are answered, or asked to come again")
    same(s.ask("/api/v1/calls?limit=10")[0], 200, "and then there is room again")


def numbers(s):
    mine = json.loads(subprocess.run([stat, "--by=all", "--format=json", "logs"], cwd=where, stdout=subprocess.PIPE, check=True).stdout.decode("utf8", "replace"))
    stat_json = s.json("stat")
    for key in ("job", "files", "calls", "findings", "threads"):
        same(stat_json[key], mine[key], f"{key} are those of iotrace-stat")
    same(s.json("report")["stat"], stat_json, "which the page has, too")
    state = s.json("state")
    same((state["version"], state["generation"], state["running"]), (1, 1, False), "nothing is new")


def calls(s):
    wanted = cat_says()
    pages = s.pages(limit=997)
    same(sum(pages, []), wanted, "calls, a page after another, are those of iotrace-cat")
    ok(all(len(p) == 997 for p in pages[:-1]) and 0 < len(pages[-1]) <= 997, "as many as were asked for on each")
    same(sum(s.pages(limit=1, calls="clone3,execve,pthread_create,waitpid,stat"), []), cat_says("-e", "clone3,execve,pthread_create,waitpid,stat"), "one by one")
    same(sum(s.pages(failed=1, stacks=1), []), cat_says("-Z", "-k"), "those that failed, with stacks")
    same(sum(s.pages(path="table", exclude="nothing", **{"min-size": "16", "no-mpi-own": ""}), []),
         cat_says("-P", "table", "--min-size=16"), "of a file")
    middle = wanted[len(wanted) // 2]["start"]
    at = f"@{middle // 10 ** 9}.{middle % 10 ** 9:09}"
    same(sum(s.pages(**{"from": at}), []), [c for c in wanted if c["start"] >= middle], "from a time on")
    same(sum(s.pages(to=at, successful=0), []), [c for c in wanted if c["start"] < middle], "until a time")
    same(s.pages(calls="mkdir"), [[]], "of which there are none")


def lists(s):
    """Files and so on, of which there is no end, down to each call."""
    mine = json.loads(subprocess.run([stat, "--by=all", "--format=json", "logs"], cwd=where, stdout=subprocess.PIPE, check=True).stdout.decode("utf8", "replace"))
    for name in ("files", "sites", "processes", "threads", "ranks", "regions"):
        same(sum(s.pages(name), []), mine[name], f"{name} are those of iotrace-stat")
    pages = s.pages("files", limit=3)
    same(sum(pages, []), mine["files"], "a page after another")
    ok(all(len(p) == 3 for p in pages[:-1]) and 0 < len(pages[-1]) <= 3, "with as many as were asked for")
    page = s.json("files", limit=2, after=1)
    same((page["total"], page["next"], page["generation"]), (len(mine["files"]), "3", 1), "how many there are, and where it goes on")
    same(s.json("files", after=10 ** 9)["files"], [], "behind the last one there is none")
    for parameters, why in (({"limit": "0"}, "limit"), ({"limit": "10001"}, "limit"), ({"after": "-1"}, "after"), ({"after": "1.2"}, "after"),
                            ({"after": "9" * 30}, "after"), ({"nonsense": "1"}, "nonsense"), ({"limit": ""}, "limit")):
        got = s.json("files", **parameters)
        ok(isinstance(got, tuple) and got[0] == 400 and why in got[1], f"files?{urllib.parse.urlencode(parameters)[:30]}: 400, and why")
    same(s.ask("/api/v1/files?limit=1&limit=2")[0], 400, "no parameter twice")
    same(s.ask("/api/v1/nothing")[0], 404, "there is no list of nothing")
    site = max((row for row in mine["sites"] if row["site"] != "(no stack)"), key=lambda row: row["calls"])
    made = sum(s.pages(site=site["site"], limit=500), [])
    same(len([c for c in made if c.get("status") != "inferred"]), site["calls"], "the calls of a line are as many as it has made")
    same({c["family"] for c in s.pages(site=site["site"], calls="stdio", limit=10000)[0]} - {"stdio"}, set(), "of which some can be asked for")
    same(s.pages(site="nowhere"), [[]], "another line has made none")


def say(talker, lines):
    for _ in range(lines):
        talker.stdin.write("x\n")
    talker.stdin.flush()
    for _ in range(lines):
        talker.stdout.readline()


def follows_for_a_program(s, talker):
    """One that wants a table again and again, and nothing else."""
    def is_there():
        return [f["writes"] for f in s.json("files")["files"] if f["path"].endswith("/talk")] == [20]

    say(talker, 20)
    for _ in range(3000):
        if is_there():
            break
        time.sleep(.1)
    ok(is_there(), "a table has what the program did since, if only the table is asked for")


def follows(s, talker):
    def until(is_it):
        for _ in range(3000):
            if is_it(s.json("state")):
                return True
            time.sleep(.1)
        return False

    def written():
        return [f["writes"] for f in s.json("stat")["files"] if f["path"].endswith("/talk")]

    before = s.json("state")["generation"]
    ok(s.json("state")["running"], "a program runs")
    say(talker, 50)
    ok(until(lambda state: state["generation"] > before and written() == [70]), "what it did since is there")
    same(len(sum(s.pages(calls="write", path="/talk$"), [])), 70, "so are its calls")
    say(talker, 30)
    ok(until(lambda state: written() == [100]), "and once more")
    talker.stdin.close()
    talker.wait()
    ok(until(lambda state: not state["running"]), "that it ended, too")
    same(written(), [100], "and all that it did")


def children_of(pid):
    found = set()
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat", encoding="ascii", errors="replace") as f:
                if int(f.read().rpartition(")")[2].split()[1]) == pid:
                    found.add(int(name))
        except OSError:
            pass  # it has ended
    return found


def until_done(answer, pids):
    """Children of the server stand still where they begin, and go on."""
    while not answer.done():
        for pid in pids():
            with contextlib.suppress(ProcessLookupError):  # it has ended
                os.kill(pid, signal.SIGCONT)
        time.sleep(.05)
    return answer.result()


def early():
    """What is answered while the logs are read for the first time."""
    s = Server("logs", program=where + "/stopped", wait=False)
    reader, = children_of(s.process.pid)
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        summed, files, listed = (pool.submit(s.json, what) for what in ("stat", "files", "calls"))
        same(until_done(listed, lambda: children_of(s.process.pid) - {reader})["calls"], cat_says()[:1000], "before all is read there are calls")
        state = s.json("state")
        same((state["generation"], state["running"], state["percent"]), (0, False, 0), "and how far it is")
        page = s.ask("/")[2]
        ok(b"<progress" in page and b'http-equiv="refresh"' in page, "which the page shows, and comes again")
        ok(not summed.done() and not files.done(), "sums wait")
        sums = until_done(summed, lambda: [reader])
        same((sums["job"]["calls"], len(files.result()["files"])), (s.json("stat")["job"]["calls"], files.result()["total"]), "until they are there")
    same(s.json("state"), {"version": 1, "generation": 1, "running": False}, "all is read then")
    ok(b'id="data"' in s.ask("/")[2], "and there is the page")
    same(s.end(signal.SIGTERM), 0, "SIGTERM ends it")
    s = Server("logs", program=where + "/stopped", wait=False)
    reader, = children_of(s.process.pid)
    same((s.end(signal.SIGINT), os.path.exists(f"/proc/{reader}")), (0, False), "SIGINT ends it before all is read, and who reads")


early()
s = Server("logs")
who_may_ask(s)
what_is_none(s)
numbers(s)
calls(s)
lists(s)
slow_clients(s)
same(s.end(signal.SIGTERM), 0, "SIGTERM ends it, and all is well")

os.mkdir(where + "/live")
talker = subprocess.Popen([where + "/talker"], cwd=where, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                          env={**os.environ, "IOTRACE_DIR": where + "/live"})
atexit.register(talker.kill)
talker.stdout.readline()
s = Server("live")
follows_for_a_program(s, talker)
follows(s, talker)
same(s.end(signal.SIGINT), 0, "so does SIGINT")
print("end")
