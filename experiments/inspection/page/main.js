// The page: what is chosen, and who has to be drawn again when it changes.

const $ = (id) => document.getElementById(id);
const hash = new URLSearchParams(location.hash.slice(1));

const state = {
  sentence: Math.min(Number(hash.get('sentence')) || 0, model.runs[0].sentences.length - 1),
  kind: kindsOf(0).includes(hash.get('kind')) ? hash.get('kind') : kindsOf(0)[0],
  view: hash.get('view') === 'lines' ? 'lines' : 'matrix',
  units: ['mean', 'max'].includes(hash.get('units')) ? hash.get('units') : 'pieces',
  rows: { encoder: 'read', decoder: 'read', cross: 'predicted' },
  scale: hash.get('scale') === 'root' ? 'root' : 'linear',
  order: 'layer',
};
const settings = () => ({ ...state, rows: state.rows[state.kind] });

const firstHead = (run) => ({ run, layer: model.runs[run].kinds[state.kind].layers[0], head: model.runs[run].kinds[state.kind].heads[0] });
const panes = [];
let active = null;

// Keeps a choice within what its run has of the present kind.
const settled = (choice) => {
  const { layers, heads } = model.runs[choice.run].kinds[state.kind];
  if (!layers.includes(choice.layer)) choice.layer = layers[Math.min(layers.length - 1, choice.layer)] ?? layers[0];
  if (choice.head !== 'mean' && !heads.includes(choice.head)) choice.head = heads[0];
};

const linked = () => panes.length > 1 && model.runs.length > 1 && $('link').checked;

const addPane = (choice) => {
  const pane = new Pane(choice, settings, {
    activated: (own) => activate(own),
    runChanged: (own, run) => { own.choice.run = run; redraw(); },
  });
  panes.push(pane);
  $('panes').append(pane.root);
  return pane;
};

const activate = (pane) => {
  if (pane === active) return;
  active = pane;
  for (const one of panes) one.root.classList.toggle('active', one === active);
  drawGrid();
};

const choose = (layer, head) => {
  for (const pane of linked() ? panes : [active]) {
    pane.choice.layer = layer;
    pane.choice.head = head;
    settled(pane.choice);
    pane.draw();
  }
  grid.select(active.choice);
  remember();
};

const grid = new Grid($('grid'), choose);

const drawGrid = () => {
  const { heads } = model.runs[active.choice.run].kinds[state.kind];
  document.documentElement.style.setProperty('--aside', Math.min(600, Math.max(300, 60 + 62 * (heads.length + 1)), Math.round(window.innerWidth * 0.42)) + 'px');
  grid.draw({ run: active.choice.run, sentence: state.sentence, kind: state.kind, scale: state.scale, order: state.order }, active.choice);
};

const remember = () => {
  const parts = new URLSearchParams({ sentence: state.sentence, kind: state.kind, view: state.view, layer: active.choice.layer, head: active.choice.head, units: state.units, scale: state.scale });
  history.replaceState(null, '', '#' + parts);
};

const drawTexts = () => {
  const sentence = model.runs[active.choice.run].sentences[state.sentence];
  $('source-text').textContent = printable(sentence.source_text);
  $('target-text').textContent = printable(sentence.target_text);
  $('run-title').textContent = model.runs.map((run) => printable(run.name)).join(' | ');
  $('run-title').title = $('run-title').textContent;
  $('sentence').value = state.sentence;
  $('sentence-count').textContent = `${state.sentence + 1} / ${model.runs[0].sentences.length}`;
  $('sentence-previous').disabled = state.sentence === 0;
  $('sentence-next').disabled = state.sentence === model.runs[0].sentences.length - 1;
};

const drawControls = () => {
  for (const [id, value] of [['kind', state.kind], ['view', state.view]]) {
    for (const button of $(id).children) {
      button.setAttribute('aria-checked', String(button.dataset.value === value));
      button.tabIndex = button.dataset.value === value ? 0 : -1;
    }
  }
  $('units').value = state.units;
  $('scale').value = state.scale;
  $('rows').value = state.rows[state.kind];
  $('rows-label').hidden = state.kind === 'encoder';
  $('link-label').hidden = panes.length < 2 || model.runs.length < 2;
  $('compare').setAttribute('aria-pressed', String(panes.length > 1));
  $('panes').style.setProperty('--panes', panes.length);
  $('panes').classList.toggle('several', panes.length > 1);
  $('theme').textContent = document.documentElement.dataset.theme === 'dark' ? 'Light' : 'Dark';
};

const redraw = () => {
  for (const pane of panes) settled(pane.choice);
  drawControls();
  drawTexts();
  for (const pane of panes) pane.draw();
  drawGrid();
  remember();
};

const set = (changes) => { Object.assign(state, changes); redraw(); };

const goto = (sentence) => {
  if (sentence >= 0 && sentence < model.runs[0].sentences.length) set({ sentence });
};

const stepHead = (by) => {
  const { layers, heads } = model.runs[active.choice.run].kinds[state.kind];
  const all = layers.flatMap((layer) => [...heads, 'mean'].map((head) => [layer, head]));
  const now = all.findIndex(([layer, head]) => layer === active.choice.layer && head === active.choice.head);
  choose(...all[(now + by + all.length) % all.length]);
};

const toggleCompare = () => {
  if (panes.length > 1) {
    panes.pop().root.remove();
    activate(panes[0]);
  } else {
    const other = model.runs.length > 1 ? 1 : 0;
    const choice = { run: other, layer: panes[0].choice.layer, head: panes[0].choice.head };
    addPane(choice);
    if (model.runs.length < 2) activate(panes[1]);
  }
  redraw();
};

const setTheme = (name) => {
  document.documentElement.dataset.theme = name;
};
const toggleTheme = () => {
  setTheme(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark');
  redraw();
};

// A row of buttons of which one is on; arrow keys go through them.
const segments = (root, options, chosen) => {
  for (const [value, name] of options) {
    const button = element('button', { type: 'button', role: 'radio', 'data-value': value }, name);
    button.addEventListener('click', () => chosen(value));
    root.append(button);
  }
  root.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const buttons = [...root.children];
    const next = buttons[(buttons.indexOf(document.activeElement) + step + buttons.length) % buttons.length];
    next.click();
    next.focus();
  });
};

const orders = () => {
  const present = (key) => model.runs.some((run) => run.heads.some((h) => h[key] !== null && h[key] !== undefined));
  $('order').append(element('option', { value: 'layer' }, 'layer and head'), element('option', { value: 'role' }, 'role'));
  for (const [key, name] of measures) if (present(key)) $('order').append(element('option', { value: key }, name.toLowerCase()));
};

const start = () => {
  setTheme(hash.get('theme') || (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'));
  model.runs[0].sentences.forEach((s, i) => $('sentence').append(element('option', { value: i }, `${i + 1}. ${shortened(printable(s.source_text), 90)}`)));
  segments($('kind'), kindsOf(0).map((kind) => [kind, kindNames[kind]]), (kind) => set({ kind }));
  segments($('view'), [['matrix', 'Matrix'], ['lines', 'Lines']], (view) => set({ view }));
  orders();
  $('facts').textContent = model.facts;
  $('sentence').addEventListener('change', () => goto(Number($('sentence').value)));
  $('sentence-previous').addEventListener('click', () => goto(state.sentence - 1));
  $('sentence-next').addEventListener('click', () => goto(state.sentence + 1));
  $('units').addEventListener('change', () => set({ units: $('units').value }));
  $('rows').addEventListener('change', () => { state.rows[state.kind] = $('rows').value; redraw(); });
  $('scale').addEventListener('change', () => set({ scale: $('scale').value }));
  $('order').addEventListener('change', () => { state.order = $('order').value; drawGrid(); });
  $('compare').addEventListener('click', toggleCompare);
  $('link').addEventListener('change', () => choose(active.choice.layer, active.choice.head));
  $('theme').addEventListener('click', toggleTheme);
  $('save-svg').addEventListener('click', () => active.saveSvg());
  $('save-png').addEventListener('click', () => active.savePng());
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || ['SELECT', 'INPUT'].includes(document.activeElement.tagName)) return;
    const actions = { '[': () => stepHead(-1), ']': () => stepHead(1), n: () => goto(state.sentence + 1), p: () => goto(state.sentence - 1), t: toggleTheme,
      v: () => set({ view: state.view === 'lines' ? 'matrix' : 'lines' }) };
    if (actions[event.key]) { event.preventDefault(); actions[event.key](); }
  });
  let waiting = 0;
  window.addEventListener('resize', () => { clearTimeout(waiting); waiting = setTimeout(redraw, 120); });
  const choice = firstHead(0);
  if (hash.has('layer')) choice.layer = Number(hash.get('layer'));
  if (hash.has('head')) choice.head = hash.get('head') === 'mean' ? 'mean' : Number(hash.get('head'));
  settled(choice);
  activate(addPane(choice));
  if (model.runs.length > 1) toggleCompare(); else redraw();
};

start();
