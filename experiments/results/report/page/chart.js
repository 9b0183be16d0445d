// Learning curves: the picture that is in the page already, drawn again for other axes and colours, and read by pointer or keys.

const seriesColours = 7;
const dashes = ['', '6 3', '2 3'];
const mostEntries = 18;

const svgElement = (tag, attributes = {}, text = '') => {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== '') made.setAttribute(name, value);
  if (text) made.textContent = text;
  return made;
};

const inkOf = (series) => ({ class: `s${series % seriesColours} stroke`, fill: 'none', 'stroke-dasharray': dashes[Math.floor(series / seriesColours) % 3] });

class Chart {
  constructor(svg, loss, data, settings) {
    Object.assign(this, { svg, loss, data, settings, spot: null });
    [this.left, this.top, this.right, this.bottom] = data.chart.frame;
    this.marker = svgElement('circle', { r: 4.5, class: 'ink stroke', fill: 'none', 'stroke-width': 2, visibility: 'hidden' });
    svg.append(this.marker);
    this.scales();
    svg.addEventListener('pointermove', (event) => this.pointed(event));
    svg.addEventListener('pointerleave', () => this.leave());
    svg.addEventListener('blur', () => this.leave());
    svg.addEventListener('keydown', (event) => this.keyed(event));
  }

  curves() { return this.data.lines.map((line) => line[this.loss]); }

  series(line) { return this.settings.colour < 0 ? line.cell : line.levels[this.settings.colour]; }

  scales() {
    const { logX, logY } = this.settings;
    const values = (lines) => lines.flatMap((line) => [...(line[this.loss].low || line[this.loss].mean), ...(line[this.loss].high || [])]);
    const done = values(this.data.lines.filter((line) => !line.unfinished));
    let shown = done.length ? done : values(this.data.lines);
    if (logY) shown = shown.filter((v) => v > 0);
    const low = shown.reduce((a, b) => Math.min(a, b), Infinity), high = shown.reduce((a, b) => Math.max(a, b), -Infinity);
    const steps = this.curves().flatMap((curve) => curve.steps);
    const last = steps.reduce((a, b) => Math.max(a, b), 1), first = steps.reduce((a, b) => Math.min(a, b), last);
    const more = high > low ? 0.04 * (high - low) : 1;
    this.x = new Scale(logX ? first : 0, last, this.left, this.right, logX);
    this.y = logY ? new Scale(low * (low / high) ** 0.03, high * (high / low) ** 0.03, this.bottom, this.top, true)
      : new Scale(low - more, high + more, this.bottom, this.top, false);
  }

  draw() {
    this.scales();
    this.drawAxes();
    for (const group of this.svg.querySelectorAll('.line')) this.drawLine(group, this.data.lines[Number(group.dataset.line)]);
    this.drawLegend();
    this.leave();
  }

  drawAxes() {
    const text = (x, y, anchor, content, more = {}) => svgElement('text', { x, y, class: 'soft fill', 'font-size': 11, 'text-anchor': anchor, ...more }, content);
    const parts = [svgElement('line', { x1: this.left, x2: this.right, y1: this.bottom, y2: this.bottom, class: 'soft stroke' })];
    for (const value of this.y.ticks()) {
      const y = this.y.at(value);
      parts.push(svgElement('line', { x1: this.left, x2: this.right, y1: y, y2: y, class: 'rule stroke' }), text(this.left - 8, y + 4, 'end', numberText(value)));
    }
    for (const value of this.x.ticks()) parts.push(text(this.x.at(value), this.bottom + 17, 'middle', numberText(value)));
    const middle = (this.top + this.bottom) / 2;
    parts.push(text(16, middle, 'middle', this.data.labels[this.loss], { transform: `rotate(-90 16 ${middle})`, 'font-size': 11.5 }));
    parts.push(text((this.left + this.right) / 2, this.bottom + 36, 'middle', 'optimizer step', { 'font-size': 11.5 }));
    this.svg.querySelector('.axes').replaceChildren(...parts);
  }

  drawLine(group, line) {
    const curve = line[this.loss], ink = inkOf(this.series(line)), crowded = this.data.cells.length > seriesColours;
    const path = (values) => values.map((v, i) => `${this.x.at(curve.steps[i]).toFixed(1)} ${this.y.at(v).toFixed(1)}`);
    const parts = [], points = path(curve.mean);
    if (curve.high && points.length > 1)
      parts.push(svgElement('path', { d: `M${[...path(curve.high), ...path(curve.low).reverse()].join('L')}Z`, class: ink.class.replace('stroke', 'fill'), 'fill-opacity': crowded ? 0.06 : 0.16 }));
    if (points.length > 1)
      parts.push(svgElement('path', { d: `M${points.join('L')}`, ...ink, 'stroke-width': line.unfinished ? 1.1 : crowded ? 1.3 : 1.8, 'stroke-linejoin': 'round' }));
    if (points.length) {
      const [x, y] = points[points.length - 1].split(' ').map(Number);
      if (line.unfinished) parts.push(svgElement('path', { d: `M${x - 3.5} ${y - 3.5}l7 7m-7 0l7 -7`, ...ink, 'stroke-width': 1.8 }));
      else if (points.length === 1) parts.push(svgElement('circle', { cx: x, cy: y, r: 3, class: ink.class.replace('stroke', 'fill') }));
    }
    group.replaceChildren(...parts);
  }

  drawLegend() {
    const factor = this.data.factors[this.settings.colour];
    const names = factor ? factor.levels : this.data.cells;
    const parts = [];
    let y = this.top + 8;
    const text = (x, content, ink) => parts.push(svgElement('text', { x, y, class: `${ink} fill`, 'font-size': 11.5 }, content));
    if (factor) { text(this.right + 16, shortened(factor.name, 42), 'soft'); y += 18; }
    names.slice(0, mostEntries).forEach((name, i) => {
      parts.push(svgElement('path', { d: `M${this.right + 16} ${y - 4}h18`, ...inkOf(i), 'stroke-width': 2.4 }));
      text(this.right + 40, shortened(name, 38), 'ink');
      y += 18;
    });
    if (names.length > mostEntries) text(this.right + 40, `and ${names.length - mostEntries} more`, 'soft');
    this.svg.querySelector('.legend').replaceChildren(...parts);
  }

  // The nearest point of the nearest line.
  nearest(x, y) {
    let best = null;
    this.curves().forEach((curve, line) => curve.steps.forEach((step, i) => {
      const dx = this.x.at(step) - x, dy = this.y.at(curve.mean[i]) - y, distance = 4 * dx * dx + dy * dy;
      if (!best || distance < best.distance) best = { line, i, distance };
    }));
    return best;
  }

  pointed(event) {
    const box = this.svg.getBoundingClientRect(), view = this.svg.viewBox.baseVal;
    const x = (event.clientX - box.left) * view.width / box.width, y = (event.clientY - box.top) * view.height / box.height;
    const spot = x >= this.left - 6 && x <= this.right + 6 ? this.nearest(x, y) : null;
    if (!spot) { this.leave(); return; }
    this.show(spot);
    showTooltip(event, this.words(spot));
  }

  keyed(event) {
    const moves = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [1, 0], ArrowDown: [-1, 0] };
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    const curves = this.curves(), drawn = curves.findIndex((curve) => curve.steps.length);
    if (drawn < 0) return;
    if (!this.spot) { this.show({ line: drawn, i: curves[drawn].steps.length - 1 }); return; }
    let { line, i } = this.spot;
    if (move[0]) line = this.neighbour(line, i, move[0]);
    i = Math.min(curves[line].steps.length - 1, Math.max(0, i + move[1]));
    this.show({ line, i });
  }

  // The next line above or below at the same step.
  neighbour(line, i, direction) {
    const curves = this.curves(), step = curves[line].steps[i];
    const heights = curves.map((curve, l) => ({ l, y: curve.mean[Math.max(0, curve.steps.findLastIndex((s) => s <= step))] })).filter(({ y }) => y !== undefined);
    heights.sort((a, b) => a.y - b.y || a.l - b.l);
    const place = heights.findIndex(({ l }) => l === line) + direction;
    return (heights[place] || heights[place - direction]).l;
  }

  words({ line, i }) {
    const about = this.data.lines[line], curve = about[this.loss];
    let text = `step ${curve.steps[i]}: ${numberText(curve.mean[i])}`;
    if (curve.low) text += ` (${numberText(curve.low[i])} to ${numberText(curve.high[i])}, ${about.runs} seeds)`;
    return [about.label + (about.unfinished ? ` · ${about.unfinished}` : ''), text];
  }

  show(spot) {
    this.spot = spot;
    const curve = this.curves()[spot.line], lines = this.svg.querySelector('.lines');
    lines.classList.add('lit');
    for (const group of lines.children) group.classList.toggle('on', Number(group.dataset.line) === spot.line);
    this.marker.setAttribute('cx', this.x.at(curve.steps[spot.i]));
    this.marker.setAttribute('cy', this.y.at(curve.mean[spot.i]));
    this.marker.setAttribute('visibility', 'visible');
    document.getElementById('readout').textContent = this.words(spot).join(' · ');
  }

  leave() {
    this.spot = null;
    this.svg.querySelector('.lines').classList.remove('lit');
    this.marker.setAttribute('visibility', 'hidden');
    document.getElementById('readout').textContent = '';
    document.getElementById('tooltip').hidden = true;
  }
}
