import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parser } from '@prometheus-io/lezer-promql';
import test from 'ava';
import { projectFolder } from '../../tools/launcher/paths.js';
import { metricNames } from '../support/metric-names.js';

const OBSERVE = join(projectFolder, 'docker/observe');
/** Labels that Prometheus adds. */
const ADDED = ['job', 'instance'];

/** The metrics of a query, and the labels by which it groups. */
interface Asked {
  selectors: { metric: string; labels: string[] }[];
  groups: string[];
}

/** @throws Error for a query that is not PromQL */
function askedBy(query: string): Asked {
  const asked: Asked = { selectors: [], groups: [] };
  let selectorEnd = 0;
  parser.parse(query).iterate({
    enter({ type, node, from, to }) {
      if (type.isError) throw new Error(`not PromQL at ${from}: ${query}`);
      if (type.name === 'VectorSelector') {
        const name = node.getChild('Identifier');
        asked.selectors.push({ metric: query.slice(name?.from, name?.to), labels: [] });
        selectorEnd = to;
      }
      if (type.name !== 'LabelName') return;
      const label = query.slice(from, to);
      if (from < selectorEnd) asked.selectors.at(-1)?.labels.push(label);
      else asked.groups.push(label);
    },
  });
  if (asked.selectors.length === 0) throw new Error(`asks for nothing: ${query}`);
  return asked;
}

interface Dashboard {
  title: string;
  panels: {
    title: string;
    gridPos: { x: number; y: number; w: number; h: number };
    targets: { expr: string }[];
  }[];
}

function dashboards(): Dashboard[] {
  const folder = join(OBSERVE, 'dashboards');
  return readdirSync(folder).map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Dashboard);
}

function queriesOfAlerts(): string[] {
  const rules = readFileSync(join(OBSERVE, 'alerts.yaml'), 'utf8');
  return [...rules.matchAll(/ expr: (?:\|\n)?([^]*?)\n {8}(?:for|labels):/g)].map(([, query = '']) =>
    query.trim(),
  );
}

async function unknownIn(queries: readonly string[]): Promise<string[]> {
  const known = await metricNames();
  return queries.flatMap((query) => {
    const { selectors, groups } = askedBy(query);
    const missing = selectors.filter(({ metric }) => !known.has(metric)).map(({ metric }) => metric);
    const labelsOf = (metric: string) => known.get(metric) ?? null;
    const wrong = selectors.flatMap(({ metric, labels }) => {
      const own = labelsOf(metric);
      return own === null ? [] : labels.filter((label) => ![...own, ...ADDED].includes(label));
    });
    const grouped = selectors.flatMap(({ metric }) => labelsOf(metric) ?? []);
    const isAllOurs = selectors.every(({ metric }) => labelsOf(metric) !== null);
    const ungrouped = groups.filter((label) => isAllOurs && ![...grouped, ...ADDED].includes(label));
    return [...missing, ...wrong, ...ungrouped].map((name) => `${name} in ${query}`);
  });
}

test('dashboards: each query asks for figures and labels that exist', async (t) => {
  const boards = dashboards();
  const queries = boards.flatMap(({ panels }) =>
    panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  );

  t.is(boards.length, 2);
  t.true(queries.length >= 25);
  t.deepEqual(await unknownIn(queries), []);
});

test('dashboards: no two panels lie on each other', (t) => {
  for (const { title, panels } of dashboards()) {
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, index) => `${x + (index % w)},${y + Math.floor(index / w)}`),
    );
    t.is(new Set(cells).size, cells.length, title);
    t.true(
      panels.every(({ gridPos: { x, w } }) => x + w <= 24),
      title,
    );
  }
});

test('alerts: each query asks for figures and labels that exist', async (t) => {
  const queries = queriesOfAlerts();
  const rules = readFileSync(join(OBSERVE, 'alerts.yaml'), 'utf8');

  t.is(queries.length, [...rules.matchAll(/- alert:/g)].length);
  t.deepEqual(await unknownIn(queries), []);
});

test('a query that is none, and one for what does not exist, are found', async (t) => {
  t.throws(() => askedBy('sum(rate(up[5m])'), { message: /not PromQL/ });
  const wrong = [
    'parcelworks_nothing{carrier="run"}',
    'parcelworks_figures_up{carrier="run"}',
    'sum by (carrier) (parcelworks_figures_up)',
  ];
  t.is((await unknownIn(wrong)).length, 3);
});
