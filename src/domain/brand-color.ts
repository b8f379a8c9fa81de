type Rgb = readonly [number, number, number];

const LEGIBLE = 4.5;
const STEPS = 20;

/** Whether the text is `#rrggbb`, the stored form of colors. */
export function isColor(text: string): boolean {
  return /^#[0-9a-f]{6}$/i.test(text);
}

/**
 * Readable variants of a color. `ink`: for texts, moved towards black or white until its contrast on ground and wash
 * is at least 4.5 to 1 (WCAG 2). `wash`: the ground, tinted with that share of the color.
 */
export function accentOn(color: string, ground: string, wash: number): { ink: string; wash: string } {
  const washed = mix(rgbOf(ground), rgbOf(color), wash);
  const end: Rgb = luminance(washed) > 0.18 ? [0, 0, 0] : [255, 255, 255];
  let ink = rgbOf(color);
  for (let step = 1; step <= STEPS && contrast(ink, washed) < LEGIBLE; step += 1) {
    ink = mix(rgbOf(color), end, step / STEPS);
  }
  return { ink: hexOf(ink), wash: hexOf(washed) };
}

/** A button in the color, with the more readable text color. */
export function buttonOf(color: string): { ground: string; ink: string } {
  const ground = rgbOf(color);
  const isDark = contrast(ground, [255, 255, 255]) >= contrast(ground, [0, 0, 0]);
  return { ground: hexOf(ground), ink: isDark ? '#ffffff' : '#000000' };
}

function rgbOf(color: string): Rgb {
  const part = (at: number) => Number.parseInt(color.slice(at, at + 2), 16);
  return [part(1), part(3), part(5)];
}

function hexOf(color: Rgb): string {
  return `#${color.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;
}

function mix(one: Rgb, other: Rgb, part: number): Rgb {
  const of = (index: 0 | 1 | 2) => one[index] + (other[index] - one[index]) * part;
  return [of(0), of(1), of(2)];
}

/** Relative luminance as WCAG 2 defines it. */
function luminance(color: Rgb): number {
  const linear = (part: number) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(color[0]) + 0.7152 * linear(color[1]) + 0.0722 * linear(color[2]);
}

function contrast(one: Rgb, other: Rgb): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05);
}
