#!/usr/bin/env python3
"""The attention page in headless Chromium: page_test.py INSPECTION_SAMPLES

Needs Debian's chromium, chromium-driver and python3-selenium. Exit code 77: skipped, with the reason.
"""

import base64
import json
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import time

from browser import By, Keys, Page, Select, start_browser, wait_for
from selenium.webdriver.common.action_chains import ActionChains


class AttentionPage(Page):
    """The page with its controls."""

    def kind(self, name):
        self.find(f'#kind [data-value="{name}"]').click()

    def view(self, name):
        self.find(f'#view [data-value="{name}"]').click()

    def head(self, layer, head):
        self.find(f'.thumb[data-layer="{layer}"][data-head="{head}"]').click()

    def read(self):
        return self.find(".pane.active .readout, .pane .readout").text

    def walk(self, *keys):
        stage = self.find(".stage")
        stage.send_keys(*keys)
        return self.read()

    def weights(self, run, sentence, kind):
        text = self.js("return document.getElementById(arguments[0]).textContent", f"w-{run}-{sentence}-{kind}")
        data = base64.b64decode(text)
        return [value / 65535 for value in struct.unpack(f"<{len(data) // 2}H", data)]

    def data(self):
        return json.loads(self.js("return document.getElementById('data').textContent"))


def test_matrix_values(page):
    """Hover and arrow keys give the exact weight of the cell."""
    weights = page.weights(0, 0, "encoder")
    size = 8  # 7 pieces and the end mark
    stage = page.find(".stage")
    stage.click()
    page.walk(Keys.HOME)
    for _ in range(size):
        page.walk(Keys.ARROW_UP)
    shown = page.walk(Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ARROW_RIGHT)
    assert shown == f"▁s2 → ▁s1 {weights[2 * size + 1]:.4f}", shown
    assert weights[2 * size + 1] > 0.9, "head 0 looks at the previous token"
    assert page.find(".chip").text == "previous"
    canvas = page.find(".stage canvas")
    ActionChains(page.driver).move_to_element_with_offset(canvas, 40, 40).perform()
    wait_for(lambda: page.find("#tooltip").is_displayed(), "tooltip")
    assert re.search(r"▁s\d → \S+\n\d\.\d{4}", page.find("#tooltip").text), page.find("#tooltip").text


def test_heads_and_order(page):
    page.head(0, 1)
    assert page.find(".pane h3").text == "Encoder · layer 0 · head 1"
    assert page.find(".chip").text == "next"
    page.head(0, "mean")
    assert "mean over heads" in page.find(".pane h3").text
    assert not page.find(".chip").is_displayed()
    weights = page.weights(0, 0, "encoder")
    page.find(".stage").send_keys(Keys.ARROW_DOWN)
    mean = (weights[0] + weights[64]) / 2
    assert page.read().endswith(f"{mean:.4f}"), page.read()
    page.js("document.activeElement.blur()")
    page.find("body").send_keys("[")
    assert page.find(".pane h3").text == "Encoder · layer 0 · head 1"
    heads = [h for h in page.data()["runs"][0]["heads"] if h["kind"] == "encoder"]
    Select(page.find("#order")).select_by_value("distance")
    order = [int(b.get_attribute("data-head")) for b in page.all(".thumb")]
    assert order == [h["head"] for h in sorted(heads, key=lambda h: -h["distance"])], order
    Select(page.find("#order")).select_by_value("layer")
    wait_for(lambda: page.js("return [...document.querySelectorAll('.thumb canvas')].every(c => c.dataset.drawn)"), "thumbnails drawn")
    assert "Entropy" in page.find(".numbers").text and "nats" in page.find(".numbers").text


def test_lines(page):
    page.kind("cross")
    page.view("lines")
    assert page.find("#rows-label").is_displayed()
    weights = page.weights(0, 0, "cross")
    page.head(0, 0)
    page.find(".stage").send_keys(Keys.ARROW_DOWN)
    row = weights[:8]
    best = max(range(8), key=lambda k: row[k])
    label = "</s>" if best == 7 else f"▁s{best}"
    assert page.read() == f"▁t0 → {label} {row[best]:.4f}", page.read()
    Select(page.find("#rows")).select_by_value("read")
    page.find(".stage").send_keys(Keys.ARROW_DOWN)
    assert page.read().startswith("<s> →"), page.read()
    page.view("matrix")
    page.kind("encoder")


def test_words(page):
    """Pieces become words: mean keeps rows at 1, max takes the largest."""
    page.find("#sentence-next").click()
    assert page.find("#sentence-count").text == "2 / 2"
    data = page.data()["runs"][0]["sentences"][1]["source"]
    size = len(data["pieces"])
    weights = page.weights(0, 1, "encoder")
    page.head(0, 0)
    word = [i for i, w in enumerate(data["words"]) if w == 1]
    assert len(word) == 2
    expected = {"mean": sum(weights[a * size] for a in word) / 2, "max": max(weights[a * size] for a in word)}
    for rule, value in expected.items():
        Select(page.find("#units")).select_by_value(rule)
        page.find(".stage").send_keys(Keys.ARROW_DOWN, Keys.ARROW_DOWN)
        assert page.read() == f"<b>x</b> → </script> {value:.4f}", page.read()
    Select(page.find("#units")).select_by_value("pieces")


def test_hostile_text(page):
    """Tokens are text: nothing of them runs, directions are kept, invisible characters are shown by number."""
    assert page.js("return document.querySelectorAll('script:not([type])').length") == 1
    assert page.js("return document.title").startswith("Attention · neighbours </title><script>alert(2)")
    assert page.find("#source-text").text == "</script><script>alert(1)</script> ⟨U+202E⟩ שלום"
    pieces = page.data()["runs"][0]["sentences"][1]["source"]["pieces"]
    assert pieces[5:8] == ["▁שלום", "▁مرحبا", "▁👩\u200d👧"] and pieces[8] == "▁a\0b" and pieces[11] == "▁\ufffd\ufffd"
    read = [page.walk(Keys.HOME).split(" → ")[0]]
    for _ in pieces:
        read.append(page.walk(Keys.ARROW_DOWN).split(" → ")[0])
    assert "▁</script>" in read and "▁שלום" in read and "▁a⟨U+0000⟩b" in read and "▁⟨U+202E⟩back" in read and "⟨U+2028⟩" in read, read


def saved(folder, ending):
    files = []
    wait_for(lambda: files.extend(folder.glob("*." + ending)) or files, "download of " + ending)
    return files[0]


def test_saving(page, downloads):
    page.find("#sentence-previous").click()
    page.find("#save-svg").click()
    svg = saved(downloads, "svg").read_text()
    assert svg.startswith("<svg") and svg.count("<rect") >= 64 and ">s3</text>" in svg
    page.find("#save-png").click()
    png = saved(downloads, "png")
    wait_for(lambda: png.stat().st_size > 1000, "whole PNG")
    assert png.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    page.find("#sentence-next").click()
    page.find("#save-svg").click()
    wait_for(lambda: len(list(downloads.glob("*.svg"))) == 2, "second SVG")
    import xml.etree.ElementTree as tree

    text = "".join(tree.parse(max(downloads.glob("*.svg"), key=lambda f: f.stat().st_mtime)).getroot().itertext())
    assert "</script>" in text and "שלום" in text


def test_themes(page):
    seen = {}
    for _ in range(2):
        theme = page.js("return document.documentElement.dataset.theme")
        seen[theme] = page.js("return getComputedStyle(document.body).backgroundColor")
        page.find("#theme").click()
    assert set(seen) == {"light", "dark"} and len(set(seen.values())) == 2, seen


def test_two_runs(driver, folder):
    page = AttentionPage(driver, folder / "two.html")
    panes = page.all(".pane")
    assert len(panes) == 2
    assert [Select(p.find_element(By.CSS_SELECTOR, "select")).first_selected_option.text for p in panes] == ["first", "second"]
    page.head(0, 1)
    assert [p.find_element(By.CSS_SELECTOR, "h3").text for p in panes] == ["Encoder · layer 0 · head 1"] * 2
    page.find("#link").click()
    panes[1].find_element(By.CSS_SELECTOR, "h3").click()
    page.head(0, 0)
    assert [p.find_element(By.CSS_SELECTOR, "h3").text[-6:] for p in panes] == ["head 1", "head 0"]
    page.find("#compare").click()
    assert len(page.all(".pane")) == 1
    page.finish()


def test_large(driver, folder):
    driver.set_window_size(1200, 560)
    page = AttentionPage(driver, folder / "large.html")
    start = time.time()
    wait_for(lambda: page.js("return !!document.querySelector('.thumb canvas[data-drawn]')"), "first thumbnails", 20)
    assert len(page.all(".thumb")) == 24 * 17
    drawn = page.js("return document.querySelectorAll('.thumb canvas[data-drawn]').length")
    assert drawn < 24 * 17, "thumbnails out of sight wait"
    page.head(3, 5)
    assert time.time() - start < 20
    size = 200
    weights = page.weights(0, 0, "encoder")
    page.find(".stage").send_keys(Keys.ARROW_DOWN, Keys.ARROW_DOWN)
    assert page.read().endswith(f"{weights[(3 * 16 + 5) * size * size + size]:.4f}"), page.read()
    page.finish()


def main():
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = pathlib.Path(name)
        downloads = folder / "downloads"
        downloads.mkdir()
        subprocess.run([sys.argv[1], name], check=True)
        driver = start_browser(downloads)
        try:
            page = AttentionPage(driver, folder / "page.html")
            for test in (test_matrix_values, test_heads_and_order, test_lines, test_words, test_hostile_text, test_themes):
                test(page)
                print("ok", test.__name__)
            test_saving(page, downloads)
            print("ok test_saving")
            page.finish()
            for test in (test_two_runs, test_large):
                test(driver, folder)
                print("ok", test.__name__)
        finally:
            driver.quit()


if __name__ == "__main__":
    main()
