# SPDX-License-Identifier: BSD-3-Clause
"""marionette.py - Firefox by its own protocol, which needs no driver: as much of selenium's
interface as browser.py uses.

A message is its length, a colon and JSON: [0, id, command, parameters], answered by
[1, id, error, result].  Firefox writes the port that it listens on to its profile.
"""
import ctypes
import json
import os
import signal
import socket
import subprocess
import time

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
PREFERENCES = {
    "marionette.port": 0,
    "app.update.enabled": False,
    "app.normandy.enabled": False,
    "browser.safebrowsing.malware.enabled": False,
    "browser.safebrowsing.phishing.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.page": 0,
    "dom.max_script_run_time": 0,  # it counts the time for which others have the processor
    "datareporting.policy.dataSubmissionEnabled": False,
    "extensions.update.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "network.proxy.type": 1,  # whatever is asked of a network is asked of this, where nobody is
    "network.proxy.http": "127.0.0.1",
    "network.proxy.http_port": 9,
    "network.proxy.ssl": "127.0.0.1",
    "network.proxy.ssl_port": 9,
    "services.settings.server": "data:,none",
    "toolkit.telemetry.enabled": False,
}


class Element:
    def __init__(self, browser, number):
        self.browser, self.number = browser, number

    def ask(self, command, **more):
        return self.browser.ask("WebDriver:" + command, id=self.number, **more)

    @property
    def text(self):
        return self.ask("GetElementText")

    def get_attribute(self, name):
        return self.ask("GetElementAttribute", name=name)

    def send_keys(self, keys):
        self.ask("ElementSendKeys", text=keys)

    def click(self):
        # for Firefox an element is in view that the page's head covers, and can't be clicked
        self.browser.execute_script("(arguments[0].closest('select') || arguments[0]).scrollIntoView({block: 'center'})", self)
        self.ask("ElementClick")

    def is_displayed(self):
        return self.ask("IsElementDisplayed")

    def find_elements(self, by, value):
        return self.browser.ask("WebDriver:FindElements", using=by, value=value, element=self.number)


def end_with_parent():
    """A script that is killed leaves no browser behind."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


class Firefox:
    def __init__(self, program, profile):
        os.makedirs(profile)
        with open(profile + "/user.js", "w") as f:
            for name, value in PREFERENCES.items():
                f.write(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n")
        self.process = subprocess.Popen([program, "--headless", "--marionette", "--remote-allow-system-access", "--no-remote",
                                         "--profile", profile], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=end_with_parent)
        try:
            self.connect(profile + "/MarionetteActivePort")
        except Exception:
            self.process.kill()
            raise

    def connect(self, file):
        port = ""
        for _ in range(3000):
            if os.path.exists(file):
                port = open(file).read().strip()
            if port or self.process.poll() is not None:
                break
            time.sleep(0.2)
        self.socket = socket.create_connection(("127.0.0.1", int(port)))
        self.number = 0
        self.receive()
        self.ask("WebDriver:NewSession", capabilities={})
        self.ask("WebDriver:SetTimeouts", script=300000, pageLoad=300000)
        self.set_window_size(1280, 720)

    def receive(self):
        length = b""
        while not length.endswith(b":"):
            byte = self.socket.recv(1)
            if not byte:
                raise RuntimeError("Firefox has gone")
            length += byte
        left, parts = int(length[:-1]), []
        while left:
            parts.append(self.socket.recv(left))
            if not parts[-1]:
                raise RuntimeError("Firefox has gone")
            left -= len(parts[-1])
        return json.loads(b"".join(parts))

    def ask(self, command, **parameters):
        self.number += 1
        text = json.dumps([0, self.number, command, parameters]).encode()
        self.socket.sendall(b"%d:%s" % (len(text), text))
        _, _, error, result = self.receive()
        if error:
            raise RuntimeError(f"{command}: {error['message']}")
        if isinstance(result, dict) and list(result) == ["value"]:
            result = result["value"]
        return self.taken(result)

    def taken(self, value):
        if isinstance(value, list):
            return [self.taken(v) for v in value]
        if isinstance(value, dict):
            return Element(self, value[ELEMENT]) if ELEMENT in value else {k: self.taken(v) for k, v in value.items()}
        return value

    def get(self, url):
        self.ask("WebDriver:Navigate", url=url)

    def execute_script(self, script, *args):
        args = [{ELEMENT: a.number} if isinstance(a, Element) else a for a in args]
        return self.ask("WebDriver:ExecuteScript", script=script, args=args, sandbox=None)

    def find_element(self, by, value):
        return self.ask("WebDriver:FindElement", using=by, value=value)

    def find_elements(self, by, value):
        return self.ask("WebDriver:FindElements", using=by, value=value)

    def set_window_size(self, width, height):
        self.ask("WebDriver:SetWindowRect", width=width, height=height)

    def chrome(self, script):
        """Run with the browser's own rights."""
        self.ask("Marionette:SetContext", value="chrome")
        try:
            return self.execute_script(script)
        finally:
            self.ask("Marionette:SetContext", value="content")

    def said(self):
        """Errors and warnings on the console, of pages from the disk."""
        return self.chrome("""return Services.console.getMessageArray()
            .filter(m => m instanceof Ci.nsIScriptError && m.sourceName.startsWith('file:')).map(m => m.errorMessage)""")

    def set_colours(self, scheme):
        self.chrome(f"Services.prefs.setIntPref('layout.css.prefers-color-scheme.content-override', {0 if scheme == 'dark' else 1})")

    def drag(self, element, by):
        middle = {ELEMENT: element.number}
        moves = [{"type": "pointerMove", "origin": middle, "x": 0, "y": 0}, {"type": "pointerDown", "button": 0},
                 {"type": "pointerMove", "origin": "pointer", "x": by, "y": 0, "duration": 50}, {"type": "pointerUp", "button": 0}]
        self.ask("WebDriver:PerformActions", actions=[{"type": "pointer", "id": "mouse", "actions": moves}])

    def quit(self):
        try:
            self.ask("Marionette:Quit", flags=["eForceQuit"])
        except (RuntimeError, OSError):
            pass
        try:
            self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()
