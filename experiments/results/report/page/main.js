// Starts the page: theme, curves, what printing needs.

const $ = (id) => document.getElementById(id);
const data = JSON.parse($('data').textContent);

const shortened = (text, most) => {
  const characters = Array.from(text);
  return characters.length <= most ? text : characters.slice(0, most - 1).join('') + '…';
};

const showTooltip = (event, lines) => {
  const box = $('tooltip');
  box.replaceChildren(...lines.map((line) => Object.assign(document.createElement('div'), { textContent: line, dir: 'auto' })));
  box.hidden = false;
  const { width, height } = box.getBoundingClientRect();
  const x = event.clientX + 16 + width > innerWidth ? event.clientX - 12 - width : event.clientX + 16;
  const y = event.clientY + 18 + height > innerHeight ? event.clientY - 12 - height : event.clientY + 18;
  box.style.left = `${Math.max(4, x)}px`;
  box.style.top = `${Math.max(4, y)}px`;
};

const setTheme = (name) => {
  document.documentElement.dataset.theme = name;
  $('theme').textContent = name === 'dark' ? 'Light' : 'Dark';
};

const startCharts = () => {
  const settings = { colour: data.chart.colour, logX: false, logY: false };
  const charts = ['valid', 'train'].filter((loss) => $(`chart-${loss}`)).map((loss) => new Chart($(`chart-${loss}`), loss, data, settings));
  const draw = () => charts.forEach((chart) => chart.draw());
  const show = (loss) => charts.forEach((chart) => { chart.svg.closest('figure').hidden = chart.loss !== loss; });
  const colour = $('colour');
  [['each cell', -1], ...data.factors.map((factor, i) => [factor.name, i])].forEach(([name, value]) => colour.append(new Option(name, value)));
  colour.value = settings.colour;
  colour.addEventListener('change', () => { settings.colour = Number(colour.value); draw(); });
  $('log-x').addEventListener('change', (event) => { settings.logX = event.target.checked; draw(); });
  $('log-y').addEventListener('change', (event) => { settings.logY = event.target.checked; draw(); });
  const choices = [...document.querySelectorAll('[data-loss]')];
  const choose = (chosen) => {
    for (const choice of choices) {
      choice.setAttribute('aria-checked', String(choice === chosen));
      choice.tabIndex = choice === chosen ? 0 : -1;
    }
    show(chosen.dataset.loss);
  };
  choices.forEach((choice, i) => {
    choice.addEventListener('click', () => choose(choice));
    choice.addEventListener('keydown', (event) => {
      if (!event.key.startsWith('Arrow')) return;
      event.preventDefault();
      const next = choices[(i + 1) % choices.length];
      choose(next);
      next.focus();
    });
  });
  if (choices.length) choose(choices[0]);
  $('chart-controls').hidden = false;
};

setTheme(matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
$('theme').hidden = false;
$('theme').addEventListener('click', () => setTheme(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark'));
if (data.chart) startCharts();

// Paper has nothing to press: what is folded is opened, and closed again afterwards.
let opened = [];
addEventListener('beforeprint', () => {
  opened = [...document.querySelectorAll('details:not([open])')];
  opened.forEach((part) => { part.open = true; });
});
addEventListener('afterprint', () => opened.forEach((part) => { part.open = false; }));
