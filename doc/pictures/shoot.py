#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""shoot.py PAGE DIRECTORY - parts of a page as PNG files in the directory."""
import base64
import sys

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

PICTURES = {  # from the top of which element to the bottom of which
    "report-timeline.png": ("#timeline", "#processes"),
    "report-mpi.png": ("#mpi", "#mpi .meets:nth-of-type(5)"),
}

options = Options()
for argument in ("headless", "no-sandbox", "disable-gpu", "hide-scrollbars", "window-size=1100,2600"):
    options.add_argument("--" + argument)
browser = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
try:
    browser.get("file://" + sys.argv[1])
    WebDriverWait(browser, 60).until(lambda b: b.find_elements(By.ID, "calls-found"))
    # what the job does comes after what MPI does to start it
    browser.execute_script("""
        const picture = JSON.parse(document.getElementById('data').textContent).picture;
        location.hash = 'from=' + Math.max(0, picture.calls[0] - 2e7) + '&to=' + picture.wall;""")
    for name, (first, last) in PICTURES.items():
        box = browser.execute_script("""
            const first = document.querySelector(arguments[0]).getBoundingClientRect();
            const last = document.querySelector(arguments[1]).getBoundingClientRect();
            return {x: first.left - 16, y: first.top + scrollY, width: first.width + 32, height: last.bottom - first.top + 8, scale: 1};
            """, first, last)
        picture = browser.execute_cdp_cmd("Page.captureScreenshot", {"format": "png", "clip": box, "captureBeyondViewport": True})
        with open(sys.argv[2] + "/" + name, "wb") as f:
            f.write(base64.b64decode(picture["data"]))
finally:
    browser.quit()
