// How tokens are shown: as they are, but for characters that have no shape of their own or turn the direction of what follows.

const invisible = /[\u0000-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g;

const printable = (text) =>
  text.replace(invisible, (c) => '⟨U+' + c.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0') + '⟩');

const shortened = (text, most) => {
  const characters = Array.from(text);
  return characters.length <= most ? text : characters.slice(0, most - 1).join('') + '…';
};

// A number for a person: four decimals for weights, fewer for large amounts.
const shown = (value, digits = 3) => {
  if (value === null || value === undefined || !Number.isFinite(value)) return '–';
  const magnitude = Math.abs(value);
  if (magnitude !== 0 && magnitude < 10 ** -digits) return value.toExponential(1).replaceAll('-', '−');
  return value.toFixed(magnitude >= 100 ? 1 : digits).replace('-', '−');
};

const escaped = (text) =>
  printable(text).replace(/[&<>"']/g, (c) => '&#' + c.charCodeAt(0) + ';');
