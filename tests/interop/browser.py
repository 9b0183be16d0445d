"""A headless Chromium for the tests of offline pages: one page, its requests and its complaints recorded.

Needs Debian's chromium, chromium-driver and python3-selenium; without them the test ends with exit code 77, skipped, and the reason.
"""

import json
import shutil
import sys
import time


def skip(reason):
    print("skipped:", reason)
    sys.exit(77)


try:
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import Select
except ImportError:
    skip("python3-selenium is not installed (apt-get install chromium chromium-driver python3-selenium)")

__all__ = ["By", "Keys", "Page", "Select", "start_browser", "wait_for"]


class Page:
    """One page in the browser."""

    def __init__(self, driver, path):
        self.driver, self.path = driver, path
        driver.get("about:blank")
        self.complaints()
        self.requests()
        driver.get(path.as_uri())

    def find(self, css):
        return self.driver.find_element(By.CSS_SELECTOR, css)

    def all(self, css):
        return self.driver.find_elements(By.CSS_SELECTOR, css)

    def js(self, code, *arguments):
        return self.driver.execute_script(code, *arguments)

    def complaints(self):
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def requests(self):
        """Addresses that were asked for since the last call."""
        urls = []
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                urls.append(message["params"]["request"]["url"])
        return urls

    def finish(self):
        """No complaint, and no request beyond the file itself and the pictures that were saved."""
        complaints = self.complaints()
        assert not complaints, complaints
        outside = [url for url in self.requests() if url != self.path.as_uri() and not url.startswith(("blob:", "data:", "about:"))]
        assert not outside, outside
        assert self.js("return performance.getEntriesByType('resource').length") == 0


def wait_for(condition, what, seconds=30):
    end = time.time() + seconds
    while time.time() < end:
        if condition():
            return
        time.sleep(0.05)
    raise AssertionError("did not happen: " + what)


def start_browser(downloads):
    chromium = shutil.which("chromium")
    if not chromium or not shutil.which("chromedriver"):
        skip("chromium or chromedriver is not installed (apt-get install chromium chromium-driver)")
    options = Options()
    options.binary_location = chromium
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1400,1000"):
        options.add_argument(argument)
    options.add_experimental_option("prefs", {"download.default_directory": str(downloads)})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
