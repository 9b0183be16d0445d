// Tables sort by the column whose head is pressed: ascending, then descending. Rows without a value stay last.

const valueOf = (row, column) => {
  const cell = row.cells[column];
  if (!cell) return null;
  if (cell.dataset.sort !== undefined) return Number(cell.dataset.sort);
  const text = cell.textContent.trim();
  return text === '' || text === '–' || text === '-' ? null : text;
};

const compareValues = (a, b) => {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return String(a).localeCompare(String(b), undefined, { numeric: true });
};

const sortTable = (table, column) => {
  const head = table.tHead.rows[0].cells[column];
  const descending = head.getAttribute('aria-sort') === 'ascending';
  for (const other of table.tHead.rows[0].cells) other.removeAttribute('aria-sort');
  head.setAttribute('aria-sort', descending ? 'descending' : 'ascending');
  const body = table.tBodies[0];
  const keyed = [...body.rows].map((row) => ({ row, value: valueOf(row, column) }));
  keyed.sort((a, b) => {
    if (a.value === null || b.value === null) return (a.value === null) - (b.value === null);
    return descending ? compareValues(b.value, a.value) : compareValues(a.value, b.value);
  });
  body.append(...keyed.map(({ row }) => row));
};

for (const table of document.querySelectorAll('table.sortable'))
  [...table.tHead.rows[0].cells].forEach((head, column) =>
    head.querySelector('button').addEventListener('click', () => sortTable(table, column)));
