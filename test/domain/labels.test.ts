import test from 'ava';
import { sortByLocation } from '../../src/domain/labels.js';
import { patient } from '../support/patience.js';

function sorted(...locations: (string | null)[]): (string | null)[] {
  return sortByLocation(
    locations.map((location) => ({ item: location, location })),
    'asc',
  );
}

test('sortByWarehouse: sorts by numbers, ignoring case, in any script', (t) => {
  t.deepEqual(sorted('A-10', null, 'a-2', 'B-1', 'A-1'), ['A-1', 'a-2', 'A-10', 'B-1', null]);
  t.deepEqual(sorted('b', 'B', 'A', 'a'), ['A', 'a', 'b', 'B']);
  t.deepEqual(sorted('מדף 10', 'ב', 'מַדָּף 2', 'א'), ['א', 'ב', 'מַדָּף 2', 'מדף 10']);
  t.deepEqual(sorted('ב-2', 'A-1', '7', 'É', 'f'), ['7', 'A-1', 'É', 'f', 'ב-2']);
  t.deepEqual(sorted('й', 'и\u0306', 'и', 'к'), ['и', 'й', 'и\u0306', 'к']);
  t.deepEqual(sorted('की', 'कि', 'का'), ['का', 'कि', 'की']);
});

test('sortByWarehouse: locations that differ only late keep their order', (t) => {
  const long = 'x'.repeat(64);

  t.deepEqual(sorted(`${long}2`, `${long}1`), [`${long}2`, `${long}1`]);
  t.deepEqual(sorted(`${long.slice(1)}2`, `${long.slice(1)}1`), [`${long.slice(1)}1`, `${long.slice(1)}2`]);
});

for (const [what, marks] of Object.entries({
  'one row of marks': '\u0f71'.repeat(125) + '\u0334'.repeat(125),
  'many rows of marks': 'ྲ\u0f71\u0334\u0f71\u0334'.repeat(50),
})) {
  test(`sortByWarehouse: many locations take little time: ${what}`, (t) => {
    const located = Array.from({ length: 2000 }, (_, item) => {
      const shuffled = (item * 7) % 2000;
      return { item: shuffled, location: `${shuffled % 2 ? 'a' : 'A'}${marks}${shuffled}` };
    });
    const start = performance.now();

    const items = sortByLocation(located, 'asc');

    const spentMs = performance.now() - start;
    t.is(items.length, 2000);
    t.true(spentMs < patient(1500), `${spentMs} ms`);
  });
}
