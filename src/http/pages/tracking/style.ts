import { accentOn } from '../../../domain/brand-color.js';

/** Default color of a merchant. */
export const STANDARD_COLOR = '#0b57b7';
/** The background of text: by day the page, the darker one; by night the card, the lighter one. */
const SURFACE = { light: '#f3f5f8', dark: '#1a212b' };

/** Directions are logical, so the layout follows the language. */
const STYLE = `
:root { color-scheme: light dark; --ground: ${SURFACE.light}; --card: #fff; --ink: #16202e; --soft: #55606f; --line: #dde2e9;
  --link: ${STANDARD_COLOR}; --active: ${STANDARD_COLOR}; --active-wash: #e6f0fc; --done: #146c3c; --done-wash: #e4f4ea;
  --problem: #96400a; --problem-wash: #fdeedf; --ended: #4a5361; --ended-wash: #e9ecf0; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #11161d; --card: ${SURFACE.dark}; --ink: #eef2f7; --soft: #aab4c2; --line: #303a48;
    --link: #8fc1ff; --active: #8fc1ff; --active-wash: #15304f; --done: #7fd6a2; --done-wash: #12351f;
    --problem: #ffb877; --problem-wash: #42270f; --ended: #c2cad5; --ended-wash: #2a323d; }
}
*, ::before, ::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--ground); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Noto Sans Hebrew", "Noto Sans Arabic", Arial, sans-serif; }
.page { max-width: 40rem; margin: 0 auto; padding: 0 1rem 2rem; }
.head { display: flex; align-items: center; min-height: 4.5rem; padding: 1rem 0; }
.head img { display: block; max-width: 12rem; max-height: 2.75rem; object-fit: contain; }
.name { margin: 0; font-size: 1.15rem; font-weight: 700; overflow-wrap: anywhere; }
.card { margin: 0 0 1rem; padding: 1.25rem; background: var(--card); border: 1px solid var(--line); border-radius: .9rem; }
.tone-active { --tone: var(--active); --wash: var(--active-wash); }
.tone-done { --tone: var(--done); --wash: var(--done-wash); }
.tone-problem { --tone: var(--problem); --wash: var(--problem-wash); }
.tone-ended { --tone: var(--ended); --wash: var(--ended-wash); }
.status { display: grid; grid-template-columns: auto 1fr; column-gap: 1rem; align-items: center; }
.badge { display: grid; place-items: center; width: 3.25rem; height: 3.25rem; border-radius: 50%;
  background: var(--wash); color: var(--tone); }
.badge svg { width: 1.75rem; height: 1.75rem; fill: none; stroke: currentColor; stroke-width: 1.8;
  stroke-linecap: round; stroke-linejoin: round; }
h1 { margin: 0; font-size: 1.5rem; line-height: 1.25; }
.since { margin: .15rem 0 0; color: var(--soft); font-size: .925rem; }
.say { grid-column: 1 / -1; margin: .9rem 0 0; }
h2 { margin: 0 0 .75rem; font-size: 1.05rem; }
.steps { display: grid; grid-template-columns: repeat(4, 1fr); gap: .375rem; margin: 1.25rem 0 0; padding: 0; list-style: none; }
.steps li { padding-top: .5rem; border-top: .3125rem solid var(--line); color: var(--soft); font-size: .8125rem; line-height: 1.3; }
.steps .reached { border-color: var(--tone); color: var(--ink); }
.steps [aria-current] { font-weight: 700; }
dl { display: grid; grid-template-columns: minmax(7rem, auto) 1fr; gap: .5rem 1rem; margin: 0; }
dt { color: var(--soft); }
dd { margin: 0; font-weight: 600; overflow-wrap: anywhere; }
.place { margin: 0; overflow-wrap: anywhere; }
.place a { display: inline-block; padding: .45rem 0; color: var(--link); font-weight: 600; }
.history { margin: 0; padding: 0; list-style: none; }
.history li { position: relative; padding: 0 0 1.1rem; padding-inline-start: 1.75rem; }
.history li:last-child { padding-bottom: 0; }
.history li::before { content: ""; position: absolute; inset-inline-start: .25rem; top: .3rem; width: .875rem; height: .875rem;
  border: 2px solid var(--soft); border-radius: 50%; background: var(--card); }
.history li:first-child::before { border-color: var(--tone); background: var(--tone); }
.history li:not(:last-child)::after { content: ""; position: absolute; inset-inline-start: calc(.6875rem - 1px); top: 1.4rem;
  bottom: -.05rem; width: 2px; background: var(--line); }
.history strong { display: block; line-height: 1.35; }
.history time, .note { color: var(--soft); font-size: .875rem; }
.note { margin: 1rem 0 0; }
.contacts { display: grid; gap: .625rem; margin: 0; padding: 0; list-style: none; }
.contacts a { display: grid; justify-items: start; padding: .65rem .9rem;
  border: 1px solid var(--line); border-radius: .6rem; color: var(--link); text-decoration: none; }
.contacts a:hover { text-decoration: underline; }
.contacts span { color: var(--soft); font-size: .875rem; line-height: 1.35; }
.contacts bdi { font-weight: 600; overflow-wrap: anywhere; }
.act { padding: .65rem 1.25rem; border: 2px solid var(--link); border-radius: .6rem; background: none; color: var(--link);
  font: inherit; font-weight: 600; cursor: pointer; }
.languages { display: flex; flex-wrap: wrap; justify-content: center; gap: .25rem 1.25rem; padding: .5rem 0; }
.languages a { padding: .45rem .25rem; color: var(--link); }
.languages [aria-current] { color: var(--soft); text-decoration: none; }
a:focus-visible, .act:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: .3rem; }
@media (min-width: 48rem) {
  .page { padding-bottom: 3rem; }
  .card { padding: 1.75rem; }
  h1 { font-size: 1.85rem; }
  .badge { width: 4rem; height: 4rem; }
  .badge svg { width: 2.1rem; height: 2.1rem; }
  .contacts { grid-template-columns: 1fr 1fr; }
  .contacts a { flex-direction: column; }
}
/* Logos are mostly drawn for white paper. */
@media (prefers-color-scheme: dark) { .head img { padding: .4rem .65rem; border-radius: .5rem; background: #fff; } }
@media (forced-colors: active) { .steps .reached { border-color: Highlight; } }
@media print { body { background: #fff; } .languages { display: none; } }
`;

/** The page's whole style. `color`: the merchant's, `#rrggbb`; null for the standard one. */
export function styleOf(color: string | null): string {
  if (color === null) return STYLE;
  const accent = (surface: string, wash: number) => {
    const { ink, wash: washed } = accentOn(color, surface, wash);
    return `:root { --link: ${ink}; --active: ${ink}; --active-wash: ${washed}; }`;
  };
  return `${STYLE}${accent(SURFACE.light, 0.1)}
@media (prefers-color-scheme: dark) { ${accent(SURFACE.dark, 0.2)} }
`;
}
