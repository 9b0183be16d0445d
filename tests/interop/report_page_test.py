#!/usr/bin/env python3
"""The report page in headless Chromium: report_page_test.py RESULTS_SAMPLES

Needs Debian's chromium, chromium-driver and python3-selenium. Exit code 77: skipped, with the reason.
"""

import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as tree

from browser import Page, By, Keys, Select, start_browser


def column(page, table, index):
    return page.js("return [...document.querySelectorAll(arguments[0])[arguments[1]].tBodies[0].rows].map((r) => r.cells[arguments[2]].textContent)", "table.sortable", table, index)


def test_parts(page):
    titles = [h.text for h in page.all("h2")]
    assert titles == ["Question", "Results", "Factors", "Learning curves", "Differences by sentence", "Runs without a result", "Runs and files",
                      "Environment", "Reproduce", "Conventions"], titles
    for link in page.all("nav a"):
        assert page.find(link.get_attribute("href")[link.get_attribute("href").index("#"):])


def test_sorting(page):
    """A press sorts, another turns the order; Enter and Space do the same."""
    heads = page.all("table.sortable")[0].find_elements(By.CSS_SELECTOR, "th button")
    names = [h.text for h in heads]
    bleu = names.index("BLEU (n)")
    heads[bleu].click()
    up = column(page, 0, bleu)
    values = [float(text.split()[0]) for text in up]
    assert values == sorted(values) and len(values) == 12, up
    assert heads[bleu].find_element(By.XPATH, "..").get_attribute("aria-sort") == "ascending"
    heads[bleu].send_keys(Keys.ENTER)
    assert [float(text.split()[0]) for text in column(page, 0, bleu)] == sorted(values, reverse=True)
    delta = next(i for i, name in enumerate(names) if name.startswith("Δ"))
    heads[delta].send_keys(Keys.SPACE)
    deltas = [0.0 if t == "baseline" else float(t.split()[0].replace("−", "-")) for t in column(page, 0, delta)]
    assert deltas == sorted(deltas), deltas
    assert not heads[bleu].find_element(By.XPATH, "..").get_attribute("aria-sort")
    heads[names.index("placement")].click()
    texts = column(page, 0, names.index("placement"))
    assert texts == sorted(texts), texts


def path_of(page, chart, line):
    return page.js("return document.querySelector(`#chart-${arguments[0]} .line[data-line=\"${arguments[1]}\"] path:last-of-type`).getAttribute('d')", chart, line)


def test_curves(page):
    assert page.find("#chart-valid").is_displayed() and not page.find("#chart-train").is_displayed()
    chart = page.find("#chart-valid")
    chart.send_keys(Keys.ARROW_RIGHT)
    words = page.find("#readout").text
    assert "step 400" in words and "3 seeds" in words, words
    chart.send_keys(Keys.ARROW_LEFT)
    assert "step 350" in page.find("#readout").text
    first = page.find("#readout").text.split(" · ")[0]
    chart.send_keys(Keys.ARROW_UP)
    assert page.find("#readout").text.split(" · ")[0] != first
    before = path_of(page, "valid", 0)
    page.find("#log-y").click()
    assert path_of(page, "valid", 0) != before
    page.find("#log-x").click()
    ticks = [float(t.text) for t in page.all("#chart-valid .axes text") if t.text.replace(".", "").isdigit()]
    assert 50 in ticks and 200 in ticks, ticks
    page.find("#log-x").click()
    page.find("#log-y").click()
    assert path_of(page, "valid", 0) == before
    Select(page.find("#colour")).select_by_visible_text("heads")
    legend = [t.text for t in page.all("#chart-valid .legend text")]
    assert legend == ["heads", "1", "2", "4"], legend
    page.find('[data-loss="train"]').click()
    assert page.find("#chart-train").is_displayed() and not page.find("#chart-valid").is_displayed()
    page.js("const b = document.querySelector('#chart-train').getBoundingClientRect();"
            "document.querySelector('#chart-train').dispatchEvent(new PointerEvent('pointermove', {clientX: b.left + 300, clientY: b.top + 200, bubbles: true}))")
    assert page.find("#tooltip").is_displayed() and "step" in page.find("#tooltip").text
    labels = page.js("return JSON.parse(document.getElementById('data').textContent).lines.filter((l) => l.unfinished).map((l) => l.unfinished)")
    assert labels == ["seed 2 diverged"], labels


def test_drawing_agrees(page):
    """The script's first drawing is the one that the program put there."""
    drawn = page.js("return [...document.querySelectorAll('#chart-valid .line path')].map((p) => p.getAttribute('d'))")
    page.js("document.getElementById('log-x').click(); document.getElementById('log-x').click();")
    numbers = lambda paths: [float(n) for p in paths for n in p.replace("M", " ").replace("L", " ").replace("Z", " ").split() if n[0].isdigit()]
    again = page.js("return [...document.querySelectorAll('#chart-valid .line path')].map((p) => p.getAttribute('d'))")
    a, b = numbers(p for p in drawn if "l" not in p), numbers(p for p in again if "l" not in p)
    a, b = a[:200], b[:200]
    assert len(a) == len(b) and max(abs(x - y) for x, y in zip(a, b)) < 0.21, (a[:12], b[:12])


def test_links(page):
    """Every link is relative and leads to a file, or into the page."""
    for address in page.js("return [...document.querySelectorAll('main a')].map((a) => a.href)"):
        assert address.startswith(page.path.parent.as_uri()), address
        assert pathlib.Path(page.js("return decodeURIComponent(new URL(arguments[0]).pathname)", address)).exists(), address


def test_themes_and_width(page):
    seen = set()
    for _ in range(2):
        seen.add(page.js("return getComputedStyle(document.body).backgroundColor"))
        page.find("#theme").click()
    assert len(seen) == 2
    for width in (1400, 760, 420):
        page.driver.set_window_size(width, 900)
        assert page.js("return document.documentElement.scrollWidth <= document.documentElement.clientWidth"), width
    page.driver.set_window_size(1400, 1000)


def test_hostile(driver, folder):
    page = Page(driver, folder / "hostile" / "report.html")
    assert page.js("return document.querySelectorAll('script').length") == 2
    assert "</script><script>alert(1)</script>\"'<b>&amp;" in page.find("h1").text, page.find("h1").text
    assert page.js("return document.title").startswith("Report · </script>")
    assert "مرحبا" in page.find("table").text and not page.all("h1 b")
    test_links(page)
    page.finish()


def test_single(driver, folder):
    page = Page(driver, folder / "single" / "report.html")
    page.find("#chart-valid").send_keys(Keys.ARROW_RIGHT)
    assert "step 400" in page.find("#readout").text and "seeds" not in page.find("#readout").text
    assert "±" not in page.find("table").text
    page.finish()


def test_large(driver, folder):
    page = Page(driver, folder / "large" / "report.html")
    assert page.js("return performance.now()") < 15000
    assert len(page.all("#chart-valid .line")) == 128
    page.find("table.sortable th button").click()
    page.find("#chart-valid").send_keys(Keys.ARROW_RIGHT)
    assert "step" in page.find("#readout").text
    page.finish()


def test_figures(folder):
    files = list(folder.glob("*/figures/*.svg"))
    assert len(files) > 10
    for file in files:
        assert tree.parse(file).getroot().tag.endswith("svg"), file


def main():
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = pathlib.Path(name)
        driver = start_browser(folder)
        try:
            subprocess.run([sys.argv[1], name], check=True)
            test_figures(folder)
            print("ok test_figures")
            page = Page(driver, folder / "ordinary" / "report.html")
            for test in (test_drawing_agrees, test_parts, test_sorting, test_curves, test_links, test_themes_and_width):
                test(page)
                print("ok", test.__name__)
            page.finish()
            for test in (test_hostile, test_single, test_large):
                test(driver, folder)
                print("ok", test.__name__)
        finally:
            driver.quit()


if __name__ == "__main__":
    main()
