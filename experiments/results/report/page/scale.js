// Axes: from values to pixels, linear or logarithmic, and round numbers to write beside them.

const tickStep = (low, high) => {
  const rough = (high - low) / 5;
  if (!(rough > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  return (([1, 2, 5].find((factor) => rough <= factor * power)) || 10) * power;
};

const linearTicks = (low, high) => {
  const step = tickStep(low, high), values = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; i++) values.push(i * step);
  return values;
};

// 1, 2 and 5 times powers of ten, or only the powers where there are many; linear ticks where a decade is not filled.
const logTicks = (low, high) => {
  for (const factors of [[1, 2, 5], [1]]) {
    const values = [];
    for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); power++)
      for (const factor of factors) {
        const value = factor * 10 ** power;
        if (value >= low * 0.999999 && value <= high * 1.000001) values.push(value);
      }
    if (values.length < 3) return linearTicks(low, high).filter((v) => v > 0);
    if (values.length <= 12) return values;
    if (factors.length === 1) return values.filter((_, i) => i % Math.ceil(values.length / 10) === 0);
  }
  return [];
};

class Scale {
  constructor(low, high, from, to, logarithmic) {
    this.log = logarithmic && low > 0;
    Object.assign(this, { low, high, from, to });
  }

  at(value) {
    const share = this.log
      ? (Math.log(Math.max(value, this.low)) - Math.log(this.low)) / (Math.log(this.high) - Math.log(this.low) || 1)
      : (value - this.low) / (this.high - this.low || 1);
    return this.from + (this.to - this.from) * Math.min(1, Math.max(0, share));
  }

  ticks() { return this.log ? logTicks(this.low, this.high) : linearTicks(this.low, this.high); }
}

const numberText = (value) => Number(value.toPrecision(6)).toString().replace('-', '−');
