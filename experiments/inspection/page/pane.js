// One panel: a head's matrix or lines, its read-out and its numbers.

const element = (tag, attributes = {}, ...children) => {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'class') node.className = value; else node.setAttribute(name, value);
  }
  node.append(...children);
  return node;
};
const svgElement = (tag, attributes) => {
  const node = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  return node;
};

const headTitle = (kind, layer, head) =>
  `${kindNames[kind]} · layer ${layer} · ${head === 'mean' ? 'mean over heads' : 'head ' + head}`;

class Pane {
  // `choice` is { run, layer, head }; `settings()` gives kind, view, units, rows, scale and sentence, which all panes share.
  constructor(choice, settings, { activated, runChanged }) {
    this.choice = choice;
    this.settings = settings;
    this.at = null;
    this.title = element('h3');
    this.chip = element('span', { class: 'chip' });
    this.runs = element('select', { 'aria-label': 'Run' });
    model.runs.forEach((run, i) => this.runs.append(element('option', { value: i }, printable(run.name))));
    this.readout = element('span', { class: 'readout', role: 'status', 'aria-live': 'polite' });
    this.base = element('canvas');
    this.over = element('canvas', { class: 'over', 'aria-hidden': 'true' });
    this.stage = element('div', { class: 'stage', tabindex: '0', role: 'application' }, this.base, this.over);
    this.legendBar = element('canvas');
    this.legend = element('div', { class: 'legend' }, '0', this.legendBar, '1');
    this.legendText = element('span');
    this.legend.append(this.legendText);
    this.numbers = element('dl', { class: 'numbers' });
    this.note = element('p', { class: 'numbers-note' });
    this.root = element('article', { class: 'pane' },
      element('div', { class: 'pane-head' }, this.title, this.chip, this.runs, this.readout),
      element('div', { class: 'pane-body' }, element('div', { class: 'drawing' }, this.stage, this.legend), element('div', { class: 'beside' }, this.numbers, this.note)));
    this.root.addEventListener('pointerdown', () => activated(this));
    this.root.addEventListener('focusin', () => activated(this));
    this.runs.addEventListener('change', () => runChanged(this, Number(this.runs.value)));
    this.stage.addEventListener('pointermove', (event) => this.pointed(event));
    this.stage.addEventListener('pointerleave', () => { this.mark(null); hideTooltip(); });
    this.stage.addEventListener('keydown', (event) => this.keyed(event));
  }

  layoutOf(view, available) {
    return this.settings().view === 'lines' ? linesLayout(view, available) : matrixLayout(view, available);
  }

  paint(painter, view, layout, at) {
    const { scale } = this.settings();
    if (layout.kind === 'lines') paintLines(painter, view, layout, scale, at);
    else paintMatrix(painter, view, layout, scale);
  }

  draw() {
    const { kind, sentence, units, rows } = this.settings(), { run, layer, head } = this.choice;
    this.view = viewOf(run, sentence, kind, layer, head, units, rows);
    const available = { width: this.stage.clientWidth || 700, height: Math.max(300, window.innerHeight - 300) };
    this.layout = this.layoutOf(this.view, available);
    this.at = null;
    this.paint(new CanvasPainter(prepared(this.base, this.layout.width, this.layout.height)), this.view, this.layout, null);
    prepared(this.over, this.layout.width, this.layout.height);
    this.title.textContent = headTitle(kind, layer, head);
    this.runs.hidden = model.runs.length < 2;
    this.runs.value = run;
    this.stage.setAttribute('aria-label', `${headTitle(kind, layer, head)}: ${this.view.queries.length} queries, ${this.view.keys.length} keys. Arrow keys move.`);
    this.readout.textContent = '';
    this.drawLegend();
    this.drawNumbers();
  }

  drawLegend() {
    const { scale, view } = this.settings();
    const context = prepared(this.legendBar, 150, 9);
    for (let x = 0; x < 150; x++) {
      context.fillStyle = shade(x / 149, scale);
      context.fillRect(x, 0, 1, 9);
    }
    this.legend.hidden = view === 'lines';
    const masked = this.settings().kind === 'decoder' ? ' · upper right: not visible' : '';
    this.legendText.textContent = (scale === 'root' ? 'shade grows with the square root' : '') + masked;
  }

  drawNumbers() {
    const { kind } = this.settings(), { run, layer, head } = this.choice;
    const own = head === 'mean' ? null : headNumbers(run, kind, layer, head);
    this.chip.hidden = !own;
    this.numbers.hidden = !own;
    this.note.textContent = own ? `${model.runs[run].note}. Ticks: all ${kindNames[kind].toLowerCase()} heads of this run.` : 'The mean over heads has no numbers of its own.';
    if (!own) return;
    this.chip.textContent = own.role;
    const peers = model.runs[run].heads.filter((h) => h.kind === kind);
    this.numbers.replaceChildren(...measures.filter(([key]) => own[key] !== null && own[key] !== undefined).map(([key, name]) => {
      const { number, unit } = measured(key, own[key]);
      const value = element('dd', {}, number);
      if (unit) value.append(element('small', {}, (unit === '%' ? ' ' : ' ') + unit));
      return element('div', {}, element('dt', {}, name), value, this.strip(peers.map((h) => h[key]), own[key]));
    }));
  }

  // Where a head stands among all of its kind.
  strip(values, own) {
    const numbers = values.filter((v) => Number.isFinite(v));
    const low = Math.min(...numbers), high = Math.max(...numbers), span = high - low || 1;
    const place = (v) => `${(2 + 96 * (v - low) / span).toFixed(2)}%`;
    const svg = svgElement('svg', { 'aria-hidden': 'true' });
    for (const v of numbers) svg.append(svgElement('line', { x1: place(v), x2: place(v), y1: 1, y2: 9, class: 'all' }));
    svg.append(svgElement('circle', { cx: place(own), cy: 5, r: 4, class: 'own' }));
    return svg;
  }

  weightText(q, k) {
    return { row: this.view.queries[q], column: this.view.keys[k], weight: this.view.weights[q * this.view.keys.length + k], visible: this.view.visible[q * this.view.keys.length + k] };
  }

  mark(at) {
    this.at = at;
    if (this.layout.kind === 'lines') {
      const painter = new CanvasPainter(prepared(this.base, this.layout.width, this.layout.height));
      this.paint(painter, this.view, this.layout, at);
      this.describeSide(at);
      return;
    }
    const context = prepared(this.over, this.layout.width, this.layout.height);
    this.readout.replaceChildren();
    if (!at) return;
    paintMatrixMark(new CanvasPainter(context), this.view, this.layout, at);
    const { row, column, weight, visible } = this.weightText(at.q, at.k);
    this.readout.append(element('bdi', {}, row), ' → ', element('bdi', {}, column), ' ', element('b', {}, visible ? weight.toFixed(4) : 'not visible'));
  }

  describeSide(at) {
    this.readout.replaceChildren();
    if (!at) return;
    const columns = this.view.keys.length;
    const others = at.side === 'q' ? this.view.keys : this.view.queries;
    const weight = (i) => (at.side === 'q' ? this.view.weights[at.i * columns + i] : this.view.weights[i * columns + at.i]);
    const best = others.map((label, i) => [weight(i), label]).sort((a, b) => b[0] - a[0])[0];
    const own = (at.side === 'q' ? this.view.queries : this.view.keys)[at.i];
    this.readout.append(element('bdi', {}, own), at.side === 'q' ? ' → ' : ' ← ', element('bdi', {}, best[1]), ' ', element('b', {}, best[0].toFixed(4)));
  }

  pointed(event) {
    const box = this.base.getBoundingClientRect();
    const x = event.clientX - box.left, y = event.clientY - box.top;
    const at = this.layout.kind === 'lines' ? linesHit(this.layout, x, y, this.view) : matrixHit(this.layout, x, y);
    if (JSON.stringify(at) !== JSON.stringify(this.at)) this.mark(at);
    if (at && this.layout.kind === 'matrix') this.tooltip(event, at); else hideTooltip();
  }

  tooltip(event, at) {
    const { row, column, weight, visible } = this.weightText(at.q, at.k);
    showTooltip(event, [element('bdi', {}, row), ' → ', element('bdi', {}, column), element('br'), element('b', {}, visible ? weight.toFixed(4) : 'not visible')]);
  }

  keyed(event) {
    const move = this.layout.kind === 'lines' ? linesMove : matrixMove;
    const at = move(this.layout, this.at, event.key, this.view);
    if (!at) return;
    event.preventDefault();
    this.mark(at);
    const { left, top, cell, step } = this.layout;
    if (this.layout.kind === 'matrix') this.reveal(left + at.k * cell, top + at.q * cell, cell); else this.reveal(this.stage.scrollLeft, top + at.i * step, step);
  }

  reveal(x, y, size) {
    const s = this.stage, margin = 40;
    if (x < s.scrollLeft + margin) s.scrollLeft = x - margin;
    if (x + size > s.scrollLeft + s.clientWidth - margin) s.scrollLeft = x + size + margin - s.clientWidth;
    if (y < s.scrollTop + margin) s.scrollTop = y - margin;
    if (y + size > s.scrollTop + s.clientHeight - margin) s.scrollTop = y + size + margin - s.clientHeight;
  }

  fileName(ending) {
    const { kind, view, sentence } = this.settings(), { layer, head } = this.choice;
    return `attention-sentence${sentence}-${kind}-layer${layer}-${head === 'mean' ? 'mean' : 'head' + head}-${view}.${ending}`;
  }

  svg() {
    const painter = new SvgPainter();
    this.paint(painter, this.view, this.layout, this.at);
    const { kind } = this.settings(), { layer, head } = this.choice;
    return painter.document(this.layout.width, this.layout.height, headTitle(kind, layer, head));
  }

  saveSvg() { download(this.fileName('svg'), new Blob([this.svg()], { type: 'image/svg+xml' })); }

  savePng() {
    const canvas = element('canvas');
    const context = prepared(canvas, this.layout.width, this.layout.height, 2);
    const painter = new CanvasPainter(context);
    painter.rectangle(0, 0, this.layout.width, this.layout.height, theme().panel);
    this.paint(painter, this.view, this.layout, this.at);
    canvas.toBlob((blob) => download(this.fileName('png'), blob), 'image/png');
  }
}

const download = (name, blob) => {
  const link = element('a', { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
};

const tooltipBox = document.getElementById('tooltip');
const hideTooltip = () => { tooltipBox.hidden = true; };
const showTooltip = (event, children) => {
  tooltipBox.replaceChildren(...children);
  tooltipBox.hidden = false;
  const box = tooltipBox.getBoundingClientRect();
  const x = event.clientX + 16 + box.width > window.innerWidth ? event.clientX - 12 - box.width : event.clientX + 16;
  const y = event.clientY + 18 + box.height > window.innerHeight ? event.clientY - 12 - box.height : event.clientY + 18;
  tooltipBox.style.left = Math.max(4, x) + 'px';
  tooltipBox.style.top = Math.max(4, y) + 'px';
};
