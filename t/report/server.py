# SPDX-License-Identifier: BSD-3-Clause
"""server.py - a server of iotrace-report --serve, and what is asked of it: for serve.py and db.py."""
import atexit
import http.client
import json
import re
import subprocess
import sys
import urllib.parse

where, report, cat, stat = sys.argv[1:5]


class Server:
    def __init__(self, *arguments, program=report, wait=True):
        self.process = subprocess.Popen([program, "--serve", *arguments], stdout=subprocess.PIPE, text=True, cwd=where)
        atexit.register(self.process.kill)
        line = self.process.stdout.readline()
        self.url = re.search(r"http://127\.0\.0\.1:(\d+)/\?token=([0-9a-f]+)", line)
        self.port, self.token = int(self.url[1]), self.url[2]
        self.own = {"Authorization": "Bearer " + self.token}
        if wait:
            self.ask("/api/v1/stat")  # until the logs have been read

    def ask(self, path, headers=None, method="GET", body=None):
        """Status, headers and body."""
        c = http.client.HTTPConnection("127.0.0.1", self.port, timeout=600)
        c.request(method, path, headers=self.own if headers is None else headers, body=body)
        answer = c.getresponse()
        text = answer.read()
        c.close()
        return answer.status, answer.headers, text

    def json(self, name, **parameters):
        status, _, text = self.ask("/api/v1/" + name + "?" + urllib.parse.urlencode(parameters))
        return json.loads(text) if status == 200 else (status, json.loads(text)["error"])

    def pages(self, name="calls", **parameters):
        """All pages of a list."""
        pages, after = [], {}
        while True:
            page = self.json(name, **parameters, **after)
            pages.append(page[name])
            if page["next"] is None:
                return pages
            after = {"after": page["next"]}

    def end(self, sig):
        self.process.send_signal(sig)
        return self.process.wait()


def cat_says(*options, logs="logs"):
    text = subprocess.run([cat, "--format=json", *options, logs], cwd=where, stdout=subprocess.PIPE, check=False).stdout
    return [json.loads(line) for line in text.decode("utf8", "replace").splitlines()]
