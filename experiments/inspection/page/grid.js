// Thumbnails of all layers and heads of one kind, drawn when they come into sight.

// A matrix with at most `most` rows and columns: the largest weight of each block, so that thin diagonals stay to be seen.
const pooled = (weights, rows, columns, most = 40) => {
  const step = Math.max(1, Math.ceil(Math.max(rows, columns) / most));
  const small = { rows: Math.ceil(rows / step), columns: Math.ceil(columns / step) };
  small.weights = new Float32Array(small.rows * small.columns);
  for (let q = 0; q < rows; q++) for (let k = 0; k < columns; k++) {
    const at = Math.floor(q / step) * small.columns + Math.floor(k / step);
    small.weights[at] = Math.max(small.weights[at], weights[q * columns + k]);
  }
  return small;
};

class Grid {
  constructor(root, chosen) {
    this.root = root;
    this.chosen = chosen;
    this.watcher = new IntersectionObserver((entries) => {
      for (const entry of entries) if (entry.isIntersecting) {
        this.watcher.unobserve(entry.target);
        this.paint(entry.target);
      }
    }, { rootMargin: '120px' });
    this.jobs = new Map();
  }

  // `what` is { run, sentence, kind, scale, order }; `current` { layer, head }.
  draw(what, current) {
    this.what = what;
    this.watcher.disconnect();
    this.jobs.clear();
    const { layers, heads } = model.runs[what.run].kinds[what.kind];
    const sorted = what.order !== 'layer';
    const across = sorted ? Math.min(6, Math.max(3, heads.length)) : heads.length + 1;
    this.small = !sorted && across > 9;
    this.root.style.gridTemplateColumns = sorted ? `repeat(${across}, minmax(0, 1fr))` : `auto repeat(${across}, minmax(${this.small ? 22 : 40}px, 1fr))`;
    this.root.replaceChildren(...(sorted ? this.inOrder(layers, heads) : this.byLayer(layers, heads)));
    this.select(current);
  }

  byLayer(layers, heads) {
    const cells = [element('span', { class: 'axis' }), ...heads.map((h) => element('span', { class: 'axis' }, (this.small ? '' : 'head ') + h)), element('span', { class: 'axis' }, this.small ? 'ø' : 'mean')];
    for (const layer of layers) {
      cells.push(element('span', { class: 'axis row', title: 'layer ' + layer }, this.small ? String(layer) : 'layer ' + layer));
      for (const head of [...heads, 'mean']) cells.push(this.thumb(layer, head, null));
    }
    return cells;
  }

  inOrder(layers, heads) {
    const { run, kind, order } = this.what;
    const all = layers.flatMap((layer) => heads.map((head) => ({ layer, head, value: headNumbers(run, kind, layer, head)?.[order] })));
    const known = (v) => v !== null && v !== undefined;
    if (order === 'role') all.sort((a, b) => String(a.value).localeCompare(String(b.value)));
    else all.sort((a, b) => (known(b.value) - known(a.value)) || (b.value - a.value));
    return all.map(({ layer, head, value }) => {
      const text = order === 'role' ? value : measured(order, value).number + (measured(order, value).unit === '%' ? ' %' : '');
      return this.thumb(layer, head, [element('b', {}, text ?? '–'), ` L${layer} H${head}`]);
    });
  }

  thumb(layer, head, caption) {
    const { run, kind } = this.what;
    const own = head === 'mean' ? null : headNumbers(run, kind, layer, head);
    const picture = element('span', { class: 'picture' }, element('canvas', { width: 1, height: 1 }));
    const name = `layer ${layer}, ${head === 'mean' ? 'mean over heads' : 'head ' + head}` + (own ? `: ${own.role}, entropy ${shown(own.entropy, 2)} nats` : '');
    const button = element('button', { type: 'button', class: 'thumb', 'aria-label': name, title: name, 'data-layer': layer, 'data-head': head }, picture);
    if (caption) button.append(element('span', { class: 'caption' }, ...caption));
    else if (!this.small) button.append(element('span', { class: 'caption' }, own ? own.role : ' '));
    button.addEventListener('click', () => this.chosen(layer, head));
    this.jobs.set(picture, { layer, head });
    this.watcher.observe(picture);
    return button;
  }

  paint(picture) {
    const job = this.jobs.get(picture);
    if (!job) return;
    const { run, sentence, kind, scale } = this.what;
    const weights = headWeights(run, sentence, kind, job.layer, job.head);
    const { queries, keys } = tokensOf(run, sentence, kind, 'read');
    const small = pooled(weights, queries.pieces.length, keys.pieces.length);
    const canvas = picture.firstChild;
    canvas.width = small.columns;
    canvas.height = small.rows;
    const context = canvas.getContext('2d');
    const image = context.createImageData(small.columns, small.rows);
    const table = colourTable(document.documentElement.dataset.theme);
    small.weights.forEach((weight, i) => image.data.set([...table[shadeIndex(weight, scale)], 255], 4 * i));
    context.putImageData(image, 0, 0);
    canvas.dataset.drawn = 'true';
  }

  select(current) {
    for (const button of this.root.querySelectorAll('.thumb')) {
      const own = button.dataset.layer === String(current.layer) && button.dataset.head === String(current.head);
      if (own) button.setAttribute('aria-current', 'true'); else button.removeAttribute('aria-current');
    }
  }
}
