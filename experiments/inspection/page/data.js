// The embedded data: one JSON document, and the weights of each run, sentence and kind as 16-bit numbers in base64, unpacked when
// they are first looked at.

const model = JSON.parse(document.getElementById('data').textContent);
const kindNames = { encoder: 'Encoder', decoder: 'Decoder', cross: 'Cross' };

const unpacked = new Map();
const packedWeights = (run, sentence, kind) => {
  const id = `w-${run}-${sentence}-${kind}`;
  if (unpacked.has(id)) return unpacked.get(id);
  const bytes = atob(document.getElementById(id).textContent);
  const buffer = new Uint8Array(bytes.length);
  for (let i = 0; i < bytes.length; i++) buffer[i] = bytes.charCodeAt(i);
  const numbers = new Uint16Array(buffer.buffer);
  unpacked.set(id, numbers);
  if (unpacked.size > 12) unpacked.delete(unpacked.keys().next().value);
  return numbers;
};

const kindsOf = (run) => Object.keys(model.runs[run].kinds);

// The tokens of a kind's rows and columns. Rows of decoder and cross-attention read one token and predict the next.
const tokensOf = (run, sentence, kind, rows) => {
  const s = model.runs[run].sentences[sentence];
  const target = rows === 'predicted' ? s.predicted : s.input;
  return { queries: kind === 'encoder' ? s.source : target, keys: kind === 'decoder' ? s.input : s.source };
};

// One head's weights, or the mean over the heads of a layer (head 'mean'); layer and head are numbers of the model.
const headWeights = (run, sentence, kind, layer, head) => {
  const { layers, heads } = model.runs[run].kinds[kind];
  const { queries, keys } = tokensOf(run, sentence, kind, 'read');
  const size = queries.pieces.length * keys.pieces.length;
  const packed = packedWeights(run, sentence, kind);
  const first = layers.indexOf(layer) * heads.length * size;
  const weights = new Float32Array(size);
  if (head !== 'mean') {
    const start = first + heads.indexOf(head) * size;
    for (let i = 0; i < size; i++) weights[i] = packed[start + i] / 65535;
    return weights;
  }
  for (let h = 0; h < heads.length; h++) {
    for (let i = 0; i < size; i++) weights[i] += packed[first + h * size + i] / 65535 / heads.length;
  }
  return weights;
};

// Groups of neighbouring positions that are one word; special tokens stay alone.
const wordGroups = (tokens) => {
  const groups = [];
  tokens.pieces.forEach((piece, i) => {
    const last = groups[groups.length - 1];
    if (last && tokens.words[i] >= 0 && tokens.words[i] === last.word) {
      last.members.push(i);
      last.text += piece;
    } else {
      groups.push({ word: tokens.words[i], members: [i], text: piece });
    }
  });
  for (const group of groups) if (group.word >= 0) group.text = group.text.replaceAll('▁', ' ').trim() || '␣';
  return groups;
};

const pieceGroups = (tokens) => tokens.pieces.map((piece, i) => ({ word: tokens.words[i], members: [i], text: piece }));

// What a pane shows: labels of rows and columns, weights between them, and which of them the mask allows.
const viewOf = (run, sentence, kind, layer, head, units, rows) => {
  const { queries, keys } = tokensOf(run, sentence, kind, rows);
  const group = units === 'pieces' ? pieceGroups : wordGroups;
  const q = group(queries), k = group(keys);
  const raw = headWeights(run, sentence, kind, layer, head);
  const width = keys.pieces.length;
  const weights = new Float32Array(q.length * k.length);
  const visible = new Uint8Array(q.length * k.length);
  q.forEach((row, i) => k.forEach((column, j) => {
    let sum = 0, largest = 0, seen = 0;
    for (const a of row.members) for (const b of column.members) {
      sum += raw[a * width + b];
      largest = Math.max(largest, raw[a * width + b]);
      if (kind !== 'decoder' || b <= a) seen = 1;
    }
    weights[i * k.length + j] = units === 'max' ? largest : sum / row.members.length;
    visible[i * k.length + j] = seen;
  }));
  return { queries: q.map((g) => printable(g.text)), keys: k.map((g) => printable(g.text)), weights, visible };
};

const headNumbers = (run, kind, layer, head) =>
  model.runs[run].heads.find((h) => h.kind === kind && h.layer === layer && h.head === head);

// The numbers that heads have, in the order in which they are shown: key, name, unit, digits, what it means to be large.
const measures = [
  ['entropy', 'Entropy', 'nats', 2],
  ['relative_entropy', 'Relative entropy', '%', 0],
  ['distance', 'Mean distance', 'positions', 2],
  ['confidence', 'Confidence', '', 3],
  ['special_share', 'On special tokens', '%', 0],
  ['alignment_error_rate', 'Alignment error', '%', 1],
  ['coreference_accuracy', 'Coreference', '%', 1],
  ['importance', 'Importance', '', 4],
  ['loss_change', 'Loss without', 'nats', 4],
  ['bleu_change', 'BLEU without', '', 2],
];
const signed = new Set(['loss_change', 'bleu_change']);

const measured = (key, value) => {
  const measure = measures.find((m) => m[0] === key);
  if (value === null || value === undefined) return { number: '–', unit: '' };
  const scaled = measure[2] === '%' ? value * 100 : value;
  return { number: (signed.has(key) && value > 0 ? '+' : '') + shown(scaled, measure[3]), unit: measure[2] };
};
