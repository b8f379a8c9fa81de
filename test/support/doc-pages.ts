import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../../tools/launcher/paths.js';

/** A fenced block of a page. */
export interface Block {
  language: string;
  text: string;
  /** What the page shows as this block's outcome, as lines: the `json` or `output` block right behind it. */
  shown: readonly string[];
}

/** A page of Markdown. */
export interface DocPage {
  /** From the project's folder. */
  path: string;
  text: string;
  blocks: readonly Block[];
}

const FENCE = /^```(\w*)\n(.*?)^```$/gms;
const OUTCOMES = ['json', 'output'];

/** README, CONTRIBUTING and everything below docs. */
export function docPages(): DocPage[] {
  const below = readdirSync(join(projectFolder, 'docs'), { recursive: true, encoding: 'utf8' });
  const docs = below.filter((file) => file.endsWith('.md')).map((file) => `docs/${file}`);
  return ['README.md', 'CONTRIBUTING.md', ...docs.sort()].map(readPage);
}

function readPage(path: string): DocPage {
  const text = readFileSync(join(projectFolder, path), 'utf8');
  return { path, text, blocks: blocksOf(text) };
}

function blocksOf(text: string): Block[] {
  const fences = [...text.matchAll(FENCE)];
  return fences.map((fence, index) => {
    const next = fences[index + 1];
    const between = next === undefined ? 'nothing' : text.slice(fence.index + fence[0].length, next.index);
    const isShown = between.trim() === '' && OUTCOMES.includes(next?.[1] ?? '');
    return {
      language: fence[1] ?? '',
      text: fence[2] ?? '',
      shown: isShown ? (next?.[2] ?? '').split('\n').flatMap(shownLine) : [],
    };
  });
}

/** What an output must hold for a line of a page: up to its first `…`, without the comma that may follow or not. */
function shownLine(line: string): string[] {
  const [said = ''] = line.trim().split('…');
  const text = said.replace(/,$/, '');
  return /[\w%]/.test(text) ? [text] : [];
}

/** The anchors that GitHub gives to a page's headings. */
export function anchorsOf({ text }: Pick<DocPage, 'text'>): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of text.replaceAll(FENCE, '').matchAll(/^#{1,6} (.+)$/gm)) {
    const name = heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, '')
      .replaceAll(' ', '-');
    let anchor = name;
    for (let count = 1; anchors.has(anchor); count += 1) anchor = `${name}-${count}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** Where a page's links and pictures lead that stay in the project. */
export function linksOf({ text }: Pick<DocPage, 'text'>): string[] {
  const prose = text.replaceAll(FENCE, '').replaceAll(/`[^`\n]*`/g, '');
  const targets = [...prose.matchAll(/\]\(([^)\s]+)\)|(?:src|href)="([^"]+)"/g)];
  return targets.map(([, link, source]) => link ?? source ?? '').filter((target) => !/^[a-z]+:/.test(target));
}
