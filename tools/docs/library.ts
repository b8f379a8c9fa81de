import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Rendered, renderMarkdown } from './markdown.js';
import { plainMarkdown } from './plain-markdown.js';

/** The repository, seen from the compiled file. */
export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const FOLDERS = ['docs', 'docs/guides'];
const FRONT = 'docs/README.md';
export const IMAGES = '.github/images';

/** The readers of a section: callers of a running API, or also the people who run and change it. */
export type Audience = 'integrators' | 'all';

/** The order of the named pages; others follow in the last section, by name. */
const SECTIONS: readonly { title: string; audience: Audience; files: readonly string[] }[] = [
  {
    title: 'Integrate',
    audience: 'integrators',
    files: [
      'guides/first-shipment',
      'guides/idempotency-and-errors',
      'guides/typescript-client',
      'guides/php-client',
      'guides/limits',
      'guides/lists',
      'guides/labels',
      'guides/tracking',
      'guides/pickup-points',
      'guides/batches',
      'guides/exports',
      'guides/webhooks',
      'guides/mails',
      'guides/mcp',
      'guides/woocommerce',
      'guides/store-plugin-v1',
      'guides/v1-to-v2',
      'v1-contract',
    ],
  },
  {
    title: 'Administer',
    audience: 'all',
    files: ['guides/set-up-a-merchant', 'guides/carrier-webhooks', 'configure', 'operate'],
  },
  {
    title: 'Understand',
    audience: 'all',
    files: [
      'guides/test-mode',
      'glossary',
      'architecture',
      'decisions',
      'reliability',
      'guides/add-a-carrier',
    ],
  },
];
const OTHERS = { title: 'More', audience: 'all' } as const;

/** A page whose Markdown is served beside it. */
export interface WrittenPage {
  /** Where it is served. */
  path: string;
  title: string;
  /** A sentence about it, without markup. */
  lead?: string;
  markdown: string;
}

/** A Markdown file that is a page. */
interface Guide extends Rendered, WrittenPage {
  /** Its first sentence, without markup. */
  lead: string;
}

/** Guides under a heading. */
export interface Section {
  title: string;
  guides: readonly Guide[];
}

/** Everything that the repository says of itself. */
export interface Library {
  /** `docs/README.md`, which is about the demo; null where there is none, and for integrators. */
  front: Guide | null;
  sections: readonly Section[];
}

/** Renders the Markdown files of `docs/` that are for these. */
export function readLibrary(audience: Audience): Library {
  const isShown = (key: string) =>
    audience === 'all' || SECTIONS.some((one) => one.audience === audience && one.files.includes(key));
  const files = FOLDERS.flatMap((folder) =>
    namesIn(folder, '.md')
      .toSorted()
      .map((name) => `${folder}/${name}`)
      .filter((file) => isShown(keyOf(file))),
  );
  const images = new Set(namesIn(IMAGES, '.png').map((name) => `${IMAGES}/${name}`));
  const resolve = (file: string): string | null => {
    if (files.includes(file)) return pathOf(file);
    return images.has(file) ? `/docs/images/${basename(file)}` : null;
  };
  const guides = new Map(files.map((file) => [keyOf(file), readGuide(file, resolve)]));
  const known = new Set(SECTIONS.flatMap((section) => section.files));
  const others = [...guides.keys()].filter((key) => !known.has(key) && key !== keyOf(FRONT));
  const sections = [...SECTIONS, { ...OTHERS, files: others }].map((section) => ({
    title: section.title,
    guides: section.files.flatMap((key) => guides.get(key) ?? []),
  }));
  return {
    front: guides.get(keyOf(FRONT)) ?? null,
    sections: sections.filter((section) => section.guides.length > 0),
  };
}

function namesIn(folder: string, ending: string): string[] {
  return readdirSync(join(ROOT, folder)).filter((name) => name.endsWith(ending));
}

function keyOf(file: string): string {
  return file.slice('docs/'.length, -'.md'.length);
}

function pathOf(file: string): string {
  return file === FRONT ? '/docs' : `/docs/${keyOf(file)}`;
}

function readGuide(file: string, resolve: (file: string) => string | null): Guide {
  const source = readFileSync(join(ROOT, file), 'utf8');
  const title = /^# (.+)$/m.exec(source)?.[1] ?? keyOf(file);
  return {
    path: pathOf(file),
    title,
    lead: leadOf(source),
    markdown: plainMarkdown(source, file, resolve),
    ...renderMarkdown(source, file, resolve),
  };
}

/** The first sentence behind the title. */
function leadOf(source: string): string {
  const paragraph = source.replace(/^# .+\n+/, '').split(/\n\s*\n/)[0] ?? '';
  const text = paragraph
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return /^.+?[.:](?=\s|$)/.exec(text)?.[0].replace(/:$/, '.') ?? text;
}
