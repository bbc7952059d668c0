# SPDX-License-Identifier: BSD-3-Clause
"""look_served.py - pages of iotrace-report --serve: calls that are fetched, a program that runs."""
import os
import re
import subprocess
import sys
import urllib.request

from assertions import ok, same
from tab import browser, cells, click, data, every, find, text, until, where


def serve(*arguments):
    """A server, and the address of its page."""
    process = subprocess.Popen([sys.argv[4], "--serve", *arguments], cwd=where, stdout=subprocess.PIPE, text=True)
    url = re.search(r"http:\S+", process.stdout.readline())[0]
    server, token = url.split("/?token=")
    with urllib.request.urlopen(urllib.request.Request(server + "/api/v1/stat", headers={"Authorization": "Bearer " + token})) as answer:
        answer.read()  # until the logs have been read
    return process, url


def found_calls():
    return text("#calls-found")


def single_calls():
    """A page that has 50 of all calls fetches others."""
    server, url = serve("--max-calls=50", "logs")
    browser.get(url)
    ok("token" not in browser.current_url, "the token is not in the address")
    until(lambda: found_calls().startswith("4,000 calls, the first ones there are"))
    stat = data()["stat"]
    calls = stat["job"]["calls"]
    while every("#fetch-calls") or every("#more-calls"):
        before = found_calls()
        browser.execute_script("document.querySelector('#more-calls, #fetch-calls').click()")
        until(lambda: found_calls() != before)
    ok(found_calls().startswith(f"{calls:,} calls, all there are"), "each call of the job can be seen")
    same(len(every("#table-of-calls tbody tr")), calls, "and is in the table")
    at = next(i for i, f in enumerate(stat["files"]) if f["path"].endswith("/journal.db"))
    browser.execute_script(f"location.hash = 'file={at}'")
    until(lambda: found_calls().startswith(f"{stat['files'][at]['calls']:,} calls, all"))
    ok(text("#seeks-found").startswith("200 reads and writes of 1 file"), "other views have them, too")
    find("#search-calls").send_keys("^fsync")
    ok(found_calls().startswith("200 calls"), "they can be searched")
    find("#search-calls").clear()
    browser.execute_script("location.hash = 'file=" + str(next(i for i, f in enumerate(stat["files"]) if "window.broken" in f["path"])) + "'")
    until(lambda: "all there are" in found_calls() and not found_calls().startswith("4"))
    same(browser.execute_script("return window.broken"), None, "names are names")
    server.terminate()
    same(server.wait(), 0, "the server ends")
    until(lambda: text("#following").startswith("The server has ended"))
    ok(True, "which the page says")


def unnamed():
    """Functions without names are told apart by their places."""
    server, url = serve("--max-calls=1", "unnamed")
    browser.get(url)
    until(lambda: found_calls().startswith("4,000 calls, the first ones there are"))
    titles, rows = cells("#table-of-calls thead tr")[0], cells("#table-of-calls tbody tr")
    lines = {row[titles.index("line")] for row in rows}
    ok(len(lines) > 3 and all(re.fullmatch(r"hidden \+ 0x[0-9a-f]+", line) for line in lines), "a function without a name has its place")
    browser.get("about:blank")
    server.terminate()
    server.wait()


def live():
    os.mkdir(where + "/live")
    talker = subprocess.Popen([where + "/talker"], cwd=where, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                              env={**os.environ, "IOTRACE_DIR": where + "/live"})
    talker.stdout.readline()
    server, url = serve("live")
    browser.get(url)
    until(lambda: "follows" in text("#following"))
    before = len(every("#calls-view tbody tr"))
    find("#search-files").send_keys("talk$")
    browser.execute_script("document.getElementById('search-files').focus()")
    for _ in range(20):
        talker.stdin.write("x\n")
    talker.stdin.flush()
    until(lambda: (rows := cells("#table-of-files tbody tr")) and rows[0][7] == "20")
    ok(len(every("#calls-view tbody tr")) > before, "a page shows what a program does while it runs")
    same(browser.execute_script("const e = document.activeElement; return [e.id, e.value, e.selectionStart]"), ["search-files", "talk$", 5],
         "and leaves alone where somebody types")
    click(every("#table-of-files tbody tr")[0])
    talker.stdin.write("x\n")
    talker.stdin.flush()
    until(lambda: cells("#table-of-files tbody tr")[0][7] == "21")
    ok(text("#chosen-file").endswith("/talk"), "what is chosen stays")
    talker.stdin.close()
    talker.wait()
    until(lambda: not find("#following").is_displayed())
    ok(True, "when the program has ended the page says so no more")
    server.terminate()
    server.wait()
