# SPDX-License-Identifier: BSD-3-Clause
"""tab.py - the browser that browser.py names, and what is asked of its page."""
import json
import sys
import time

from selenium import webdriver
from selenium.common.exceptions import JavascriptException, StaleElementReferenceException
from selenium.webdriver import ActionChains
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By

import marionette

where = sys.argv[2]


class Chromium(webdriver.Chrome):
    def __init__(self, profile):
        options = Options()
        for argument in ("headless", "no-sandbox", "disable-gpu", "disable-quic", "no-first-run", "disable-dev-shm-usage",
                         "disable-background-networking", "disable-component-update", "disable-sync",
                         "window-size=1280,720", "user-data-dir=" + profile):
            options.add_argument("--" + argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        super().__init__(service=Service("/usr/bin/chromedriver"), options=options)
        self.set_page_load_timeout(3600)  # a busy machine takes its time
        self.set_script_timeout(3600)

    def said(self):
        return [e["message"] for e in self.get_log("browser") if e["level"] in ("SEVERE", "WARNING")]

    def set_colours(self, scheme):
        self.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})

    def paper(self, width):
        """As it is printed by somebody who likes the screen dark; 0: on the screen again."""
        self.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print" if width else "", "features": [
            {"name": "prefers-color-scheme", "value": "dark" if width else ""}]})
        if width:
            self.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": 1040, "deviceScaleFactor": 1, "mobile": False})
        else:
            self.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        self.execute_script("window.dispatchEvent(new Event('resize'))")

    def drag(self, element, by):
        ActionChains(self).move_to_element_with_offset(element, 0, 0).click_and_hold().move_by_offset(by, 0).release().perform()


if sys.argv[1] == "firefox":
    browser = marionette.Firefox("firefox-esr", where + "/firefox")
else:
    browser = Chromium(where + "/chromium")


def find(css):
    return browser.find_element(By.CSS_SELECTOR, css)


def every(css):
    return browser.find_elements(By.CSS_SELECTOR, css)


def text(css):
    return find(css).text


def open_page(name, state=""):
    browser.get("about:blank")
    browser.get("file://" + where + "/" + name + state)
    until(lambda: every("#calls-found"))


def page_with(name, change):
    """A page as page.html is, with other data."""
    with open(where + "/page.html", encoding="utf8", errors="surrogateescape", newline="") as f:
        before, rest = f.read().split('<script type="application/json" id="data">')
    text, after = rest.split("</script>", 1)
    all_of = json.loads(text)
    change(all_of)
    with open(where + "/" + name, "w", encoding="utf8", errors="surrogateescape", newline="") as f:
        f.write(before + '<script type="application/json" id="data">' + json.dumps(all_of).replace("<", "\\u003c") + "</script>" + after)


def data():
    return json.loads(browser.execute_script("return document.getElementById('data').textContent"))


def state():
    return browser.execute_script("return decodeURIComponent(location.hash)")


def click(element):
    # Firefox takes rows of tables for nothing that can be clicked, but their cells
    browser.execute_script("""arguments[0].scrollIntoView({block: 'center'});
                           return arguments[0].cells ? arguments[0].cells[0] : arguments[0]""", element).click()


def cells(css):
    """The texts of a table's cells, by row."""
    return browser.execute_script(
        "return [...document.querySelectorAll(arguments[0])].map(r => [...r.cells].map(c => c.textContent))", css)


def resized(width):
    """The window is as wide, and the page drawn anew for that, which it does some time after the last change."""
    browser.set_window_size(width, 720)
    drawn()


def drawn():
    until(lambda: browser.execute_script("""const view = document.getElementById('timeline-view');
        return Number(view.querySelector('.picture svg').getAttribute('width')) ===
            Math.max(600, view.clientWidth - 2 - (window.innerWidth - document.documentElement.clientWidth))"""))


def colours(scheme):
    browser.set_colours(scheme)
    until(lambda: browser.execute_script("return matchMedia('(prefers-color-scheme: ' + arguments[0] + ')').matches", scheme))


def until(done):
    """Until that is so.  Looks are counted, not seconds: the page answers each of them, and a busy machine slows that down
    as it slows down what is waited for."""
    for _ in range(1000):
        try:
            if done():
                return
        except (StaleElementReferenceException, JavascriptException):
            pass
        time.sleep(.1)
    raise TimeoutError("1000 looks did not see it")
