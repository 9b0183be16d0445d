// The heat map: rows are queries, columns keys.

const labelLimit = 26;

const matrixLayout = (view, available) => {
  const rows = view.queries.length, columns = view.keys.length;
  const longest = (labels, size) => Math.max(20, ...labels.map((t) => textWidth(shortened(t, labelLimit), size)));
  const left = Math.ceil(longest(view.queries, 12)) + 14;
  const cell = Math.max(5, Math.min(38, Math.floor((available.width - left - 40) / columns), Math.max(15, Math.floor((available.height - 90) / rows))));
  const size = Math.min(12.5, Math.max(9, cell - 2));
  const angle = cell >= 17 ? -0.95 : -Math.PI / 2;
  const long = longest(view.keys, size);
  const top = Math.ceil(long * Math.sin(-angle)) + 12;
  const overhang = Math.ceil(Math.cos(angle) * long) + 8;
  return { kind: 'matrix', left, top, cell, size, angle, rows, columns, every: Math.max(1, Math.ceil((size + 1) / cell)),
    width: left + columns * cell + overhang, height: top + rows * cell + 2 };
};

const paintMatrix = (painter, view, layout, scale) => {
  const { left, top, cell, rows, columns, size, angle, every } = layout, t = theme();
  const gap = cell >= 12 ? 1 : 0;
  for (let q = 0; q < rows; q++) {
    if (q % every === 0) painter.text(shortened(view.queries[q], labelLimit), left - 8, top + (q + 0.5) * cell, { size, align: 'right', fill: t.ink });
    for (let k = 0; k < columns; k++) {
      const at = q * columns + k;
      const fill = view.visible[at] ? shade(view.weights[at], scale) : t.hidden;
      painter.rectangle(left + k * cell, top + q * cell, cell - gap, cell - gap, fill);
    }
  }
  for (let k = 0; k < columns; k += every) {
    painter.text(shortened(view.keys[k], labelLimit), left + (k + 0.5) * cell, top - 8, { size, angle, fill: t.ink });
  }
  painter.outline(left - 0.5, top - 0.5, columns * cell + 1 - gap, rows * cell + 1 - gap, t.rule);
};

// The cross hairs of one cell.
const paintMatrixMark = (painter, view, layout, at) => {
  const { left, top, cell, rows, columns, size } = layout, t = theme();
  painter.outline(left - 0.5, top + at.q * cell - 0.5, columns * cell, cell, t.mark, 1);
  painter.outline(left + at.k * cell - 0.5, top - 0.5, cell, rows * cell, t.mark, 1);
  painter.outline(left + at.k * cell, top + at.q * cell, cell - 1, cell - 1, t.mark, 2.5);
  const label = shortened(view.queries[at.q], labelLimit), column = shortened(view.keys[at.k], labelLimit);
  painter.patch(left + (at.k + 0.5) * cell, top - 8, textWidth(column, Math.max(size, 11), true) + 4, size * 1.25, layout.angle, t.panel);
  painter.text(column, left + (at.k + 0.5) * cell, top - 8, { size: Math.max(size, 11), angle: layout.angle, fill: t.mark, bold: true });
  painter.rectangle(0, top + (at.q + 0.5) * cell - size * 0.7, left - 2, size * 1.4, t.panel);
  painter.text(label, left - 8, top + (at.q + 0.5) * cell, { size: Math.max(size, 11), align: 'right', fill: t.mark, bold: true });
};

const matrixHit = (layout, x, y) => {
  const k = Math.floor((x - layout.left) / layout.cell), q = Math.floor((y - layout.top) / layout.cell);
  return q >= 0 && k >= 0 && q < layout.rows && k < layout.columns ? { q, k } : null;
};

const matrixMove = (layout, at, key) => {
  const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1], Home: [0, -1e9], End: [0, 1e9], PageUp: [-10, 0], PageDown: [10, 0] }[key];
  if (!steps) return null;
  if (!at) return { q: 0, k: 0 };
  const within = (value, count) => Math.max(0, Math.min(count - 1, value));
  return { q: within(at.q + steps[0], layout.rows), k: within(at.k + steps[1], layout.columns) };
};
