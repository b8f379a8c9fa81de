import type { Words } from './words/en.js';

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** A duration in its largest unit of which it has two or more, such as 3 hours, in the language's own form. */
export function duration(seconds: number, { locale }: Words): string {
  const [unit, size] = UNITS.find(([, one]) => seconds >= 2 * one) ?? (['second', 1] as const);
  const format = new Intl.NumberFormat(locale, {
    style: 'unit',
    unit,
    unitDisplay: 'long',
    maximumFractionDigits: 0,
    numberingSystem: 'latn',
  });
  return format.format(Math.floor(seconds / size));
}
