import { type Html, html } from '../../../domain/html.js';

const WIDTH = 720;
const HEIGHT = 180;
const FOOT = 24;
/** Room above the highest column, for its number. */
const HEAD = 20;

/** One column or bar. */
interface Bar {
  name: string;
  count: number;
}

/** Columns side by side, the first where the language begins (`rtl`: on the right). Drawn by attributes alone: the page takes no styles. */
export function columnChart(label: string, bars: readonly Bar[], direction: string): Html {
  const most = Math.max(1, ...bars.map(({ count }) => count));
  const step = WIDTH / Math.max(1, bars.length);
  const every = Math.ceil(bars.length / 10);
  const columns = bars.map(({ name, count }, index) => {
    const place = direction === 'rtl' ? bars.length - 1 - index : index;
    const height = ((HEIGHT - FOOT - HEAD) * count) / most;
    const top = HEIGHT - FOOT - height;
    const middle = (place + 0.5) * step;
    return html`<g><title>${name}: ${count}</title>
<rect x="${tenth(place * step + step * 0.12)}" y="${tenth(top)}" width="${tenth(step * 0.76)}" height="${tenth(height)}"/>
${count === 0 ? null : html`<text x="${tenth(middle)}" y="${tenth(top - 4)}" text-anchor="middle">${count}</text>`}
${index % every === Math.floor(every / 2) ? html`<text x="${tenth(middle)}" y="${HEIGHT - 6}" text-anchor="middle">${name}</text>` : null}</g>`;
  });
  return html`<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${label}">${columns}</svg>`;
}

/** A bar as long as its share of the largest. */
export function shareBar(count: number, most: number, direction: string): Html {
  const width = tenth((100 * count) / Math.max(1, most));
  const x = direction === 'rtl' ? tenth(100 - Number(width)) : '0';
  return html`<svg class="chart share" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true"><rect x="${x}" y="0" width="${width}" height="6"/></svg>`;
}

function tenth(value: number): string {
  return value.toFixed(1);
}
