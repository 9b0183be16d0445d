// The view of lines between two token columns: queries on the left, keys on the right.

const faintest = 0.01;  // weaker lines are not drawn

const linesLayout = (view, available) => {
  const rows = Math.max(view.queries.length, view.keys.length);
  const step = Math.max(13, Math.min(28, Math.floor((available.height - 40) / rows)));
  const size = Math.min(13, step - 2);
  const longest = (labels) => Math.max(30, ...labels.map((t) => textWidth(shortened(t, labelLimit), size, true)));
  const room = 58;  // for the numbers of a token that is pointed at
  const left = Math.ceil(longest(view.queries)) + room, right = Math.ceil(longest(view.keys)) + room;
  const middle = Math.max(150, Math.min(420, available.width - left - right - 16));
  return { kind: 'lines', left, step, size, top: 30, room, x1: left, x2: left + middle, width: left + middle + right, height: 36 + rows * step };
};

const lineY = (layout, i) => layout.top + (i + 0.5) * layout.step;

const paintLines = (painter, view, layout, scale, at) => {
  const t = theme(), columns = view.keys.length;
  painter.text('queries', layout.x1 - 8, 13, { size: 11, align: 'right', fill: t.soft });
  painter.text('keys', layout.x2 + 8, 13, { size: 11, fill: t.soft });
  const touched = (q, k) => !at || (at.side === 'q' ? at.i === q : at.i === k);
  const strength = (w) => (scale === 'root' ? Math.sqrt(Math.min(1, w)) : Math.min(1, w));
  for (const pass of at ? [false, true] : [true]) {
    for (let q = 0; q < view.queries.length; q++) for (let k = 0; k < columns; k++) {
      const weight = view.weights[q * columns + k];
      if (weight < faintest || touched(q, k) !== pass) continue;
      const power = strength(weight);
      painter.curve(layout.x1, lineY(layout, q), layout.x2, lineY(layout, k), pass ? t.accent : t.soft, 0.8 + 2.6 * power, pass ? 0.06 + 0.94 * power : 0.06 * power);
    }
  }
  const weightAt = (side, i) => {
    if (!at || at.side === side) return null;
    return side === 'k' ? view.weights[at.i * columns + i] : view.weights[i * columns + at.i];
  };
  const column = (labels, side, x, align, outward) => labels.forEach((label, i) => {
    const own = at && at.side === side && at.i === i, weight = weightAt(side, i), y = lineY(layout, i);
    const text = shortened(label, labelLimit);
    const lit = weight !== null && weight >= 0.05;
    painter.text(text, x, y, { size: layout.size, align, fill: own ? t.mark : t.ink, bold: own || lit });
    if (weight !== null && weight >= faintest) {
      painter.text(weight.toFixed(3), x + outward * (textWidth(text, layout.size, own || lit) + 9), y, { size: Math.min(11, layout.size), align, fill: t.soft });
    }
  });
  column(view.queries, 'q', layout.x1 - 8, 'right', -1);
  column(view.keys, 'k', layout.x2 + 8, 'left', 1);
};

const linesHit = (layout, x, y, view) => {
  const i = Math.floor((y - layout.top) / layout.step);
  if (i < 0) return null;
  if (x < layout.x1 + 6 && i < view.queries.length) return { side: 'q', i };
  if (x > layout.x2 - 6 && i < view.keys.length) return { side: 'k', i };
  return null;
};

const linesMove = (layout, at, key, view) => {
  if (!['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End'].includes(key)) return null;
  if (!at) return { side: 'q', i: 0 };
  const side = key === 'ArrowLeft' ? 'q' : key === 'ArrowRight' ? 'k' : at.side;
  const count = (side === 'q' ? view.queries : view.keys).length;
  const step = { ArrowUp: -1, ArrowDown: 1, Home: -1e9, End: 1e9 }[key] || 0;
  return { side, i: Math.max(0, Math.min(count - 1, at.i + step)) };
};
