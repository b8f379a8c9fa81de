import { readFileSync } from 'node:fs';
import test from 'ava';
import { LIMIT_TABLE } from '../../src/lib/limits/values.js';
import { projectFolder } from '../../tools/launcher/paths.js';

const UNITS = {
  Ms: [
    [86_400_000, 'd'],
    [3_600_000, 'h'],
    [60_000, 'min'],
    [1000, 's'],
    [1, 'ms'],
  ],
  Bytes: [
    [1024 ** 2, 'MiB'],
    [1024, 'KiB'],
    [1, 'bytes'],
  ],
} as const;

test('configure.md: shows the limits as the code has them, each once', (t) => {
  const [, section = ''] = readFileSync(`${projectFolder}/docs/configure.md`, 'utf8').split(
    '\n## Limits that are no settings\n',
  );
  const shown = section.split(/^## /m)[0]?.match(/^\| `.*$/gm) ?? [];

  const expected = Object.entries(LIMIT_TABLE).flatMap(([group, limits]) =>
    Object.entries(limits).map(
      ([name, [value, of, beyond]]) =>
        `| \`${group}.${name}\` | ${shownAs(name, value)} | ${of} | ${beyond} |`,
    ),
  );

  t.deepEqual(shown, expected);
});

function shownAs(name: string, value: number): string {
  const unit = /(?:Ms|Bytes|Seconds|Kib|Days|Hours|Share|Characters|PerSecond)$/.exec(name)?.[0];
  switch (unit) {
    case 'Share':
      return `${value * 100} %`;
    case 'Seconds':
      return inUnits(value * 1000, UNITS.Ms);
    case 'Ms':
    case 'Bytes':
      return inUnits(value, UNITS[unit]);
    case 'Kib':
      return `${value} KiB`;
    case 'PerSecond':
      return `${value} a second`;
    case 'Days':
    case 'Hours':
    case 'Characters':
      return `${value} ${value === 1 ? unit.toLowerCase().slice(0, -1) : unit.toLowerCase()}`;
    default:
      return value.toLocaleString('en');
  }
}

/** In the largest unit of which it is a whole number, or a half. */
function inUnits(value: number, units: readonly (readonly [number, string])[]): string {
  const [size, unit] = units.find(([one]) => (2 * value) % one === 0 && value >= one) ?? [1, ''];
  return `${(value / size).toLocaleString('en')} ${unit}`;
}
