// Colours, and two painters with the same few shapes: one draws on a canvas, one writes SVG, so what is saved is what is seen.

const themes = {
  light: { ramp: ['#ffffff', '#d9e8f6', '#96c3e6', '#3f8dc9', '#0d559f', '#062a57'], ink: '#1b1f24', soft: '#5c6570', faint: '#b4bcc6', panel: '#ffffff', hidden: '#eef0f2', rule: '#dde1e6', accent: '#0a62b8', mark: '#c2410c' },
  dark: { ramp: ['#1e232a', '#173a5a', '#1c659b', '#3097d4', '#84cdf5', '#f0faff'], ink: '#e6e9ed', soft: '#98a2ad', faint: '#4d5763', panel: '#181c21', hidden: '#13161a', rule: '#2a3037', accent: '#6cb6ff', mark: '#ffb454' },
};
const theme = () => themes[document.documentElement.dataset.theme];
const font = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif';

// SentencePiece's sign for a blank is drawn faintly: it tells where words begin and should not be louder than they are.
const markedText = (text) => (text.startsWith('▁') && text.length > 1 ? ['▁', text.slice(1)] : ['', text]);

const channels = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));
const tables = {};
// 256 steps of a theme's ramp as [r, g, b].
const colourTable = (name) => tables[name] ??= Array.from({ length: 256 }, (_, i) => {
  const stops = themes[name].ramp.map(channels);
  const place = (i / 255) * (stops.length - 1);
  const low = Math.min(Math.floor(place), stops.length - 2);
  return stops[low].map((c, n) => Math.round(c + (stops[low + 1][n] - c) * (place - low)));
});
const shadeIndex = (weight, scale) => Math.round(255 * (scale === 'root' ? Math.sqrt(Math.min(1, weight)) : Math.min(1, weight)));
const shade = (weight, scale) => `rgb(${colourTable(document.documentElement.dataset.theme)[shadeIndex(weight, scale)].join(',')})`;

const ruler = document.createElement('canvas').getContext('2d');
const textWidth = (text, size, bold = false) => {
  ruler.font = `${bold ? '600 ' : ''}${size}px ${font}`;
  return ruler.measureText(text).width;
};

class CanvasPainter {
  constructor(context) { this.context = context; }
  rectangle(x, y, width, height, fill) {
    this.context.fillStyle = fill;
    this.context.fillRect(x, y, width, height);
  }
  outline(x, y, width, height, stroke, line = 1) {
    this.context.strokeStyle = stroke;
    this.context.lineWidth = line;
    this.context.strokeRect(x, y, width, height);
  }
  // A rectangle under a turned label: it begins at (x, y) and is centred on the label's line.
  patch(x, y, width, height, angle, fill) {
    this.context.save();
    this.context.translate(x, y);
    this.context.rotate(angle);
    this.rectangle(0, -height / 2, width, height, fill);
    this.context.restore();
  }
  curve(x1, y1, x2, y2, stroke, line, opacity) {
    const c = this.context, bend = (x2 - x1) * 0.45;
    c.globalAlpha = opacity;
    c.strokeStyle = stroke;
    c.lineWidth = line;
    c.beginPath();
    c.moveTo(x1, y1);
    c.bezierCurveTo(x1 + bend, y1, x2 - bend, y2, x2, y2);
    c.stroke();
    c.globalAlpha = 1;
  }
  text(text, x, y, { size = 12, align = 'left', fill = theme().ink, bold = false, angle = 0 } = {}) {
    const c = this.context;
    c.save();
    c.translate(x, y);
    c.rotate(angle);
    c.font = `${bold ? '600 ' : ''}${size}px ${font}`;
    c.textBaseline = 'middle';
    const [mark, rest] = markedText(text);
    const shift = (part) => ({ left: 0, right: -1, center: -0.5 })[align] * c.measureText(part).width;
    c.textAlign = 'left';
    c.fillStyle = theme().faint;
    if (mark) c.fillText(mark, shift(text), 0);
    c.fillStyle = fill;
    c.fillText(rest, shift(text) + (mark ? c.measureText(mark).width : 0), 0);
    c.restore();
  }
}

class SvgPainter {
  constructor() { this.parts = []; }
  rectangle(x, y, width, height, fill) { this.parts.push(`<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}"/>`); }
  outline(x, y, width, height, stroke, line = 1) {
    this.parts.push(`<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="none" stroke="${stroke}" stroke-width="${line}"/>`);
  }
  curve(x1, y1, x2, y2, stroke, line, opacity) {
    const bend = (x2 - x1) * 0.45;
    this.parts.push(`<path d="M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}" fill="none" stroke="${stroke}" stroke-width="${line.toFixed(2)}" stroke-opacity="${opacity.toFixed(3)}"/>`);
  }
  text(text, x, y, { size = 12, align = 'left', fill = theme().ink, bold = false, angle = 0 } = {}) {
    const [mark, rest] = markedText(text);
    const anchor = { left: 'start', right: 'end', center: 'middle' }[align];
    const turn = angle ? ` transform="rotate(${(angle * 180) / Math.PI} ${x} ${y})"` : '';
    this.parts.push(`<text x="${x}" y="${y}" dy="0.35em" font-size="${size}"${bold ? ' font-weight="600"' : ''} text-anchor="${anchor}" fill="${fill}" xml:space="preserve"${turn}>${mark ? `<tspan fill="${theme().faint}">${mark}</tspan>` : ''}${escaped(rest)}</text>`);
  }
  document(width, height, title) {
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family='${font.replaceAll("'", '')}'>` +
      `<title>${escaped(title)}</title><rect width="100%" height="100%" fill="${theme().panel}"/>${this.parts.join('')}</svg>`;
  }
}

// Sizes a canvas for the screen's pixels and gives its context in CSS pixels.
const prepared = (canvas, width, height, ratio = window.devicePixelRatio || 1) => {
  canvas.width = Math.max(1, Math.round(width * ratio));
  canvas.height = Math.max(1, Math.round(height * ratio));
  canvas.style.width = width + 'px';
  canvas.style.height = height + 'px';
  const context = canvas.getContext('2d');
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  return context;
};
