import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../../tools/launcher/paths.js';

/** A fenced block of a page. */
export interface Block {
  language: string;
  text: string;
  /** The lines of its documented output: the `json` or `output` block that follows. */
  shown: readonly string[];
}

export interface DocPage {
  /** Relative to the project's folder. */
  path: string;
  text: string;
  blocks: readonly Block[];
}

const FENCE = /^```(\w*)\n(.*?)^```$/gms;
const OUTCOMES = ['json', 'output'];

/** README, CONTRIBUTING and all pages in docs. */
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

/** The part of a documented line that the output must contain: up to the first `…`, without a trailing comma. */
function shownLine(line: string): string[] {
  const [said = ''] = line.trim().split('…');
  const text = said.replace(/,$/, '');
  return /[\w%]/.test(text) ? [text] : [];
}

/** GitHub's anchors of the page's headings. */
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

/** Targets of links and images within the project. */
export function linksOf({ text }: Pick<DocPage, 'text'>): string[] {
  const prose = text.replaceAll(FENCE, '').replaceAll(/`[^`\n]*`/g, '');
  const targets = [...prose.matchAll(/\]\(([^)\s]+)\)|(?:src|href)="([^"]+)"/g)];
  return targets.map(([, link, source]) => link ?? source ?? '').filter((target) => !/^[a-z]+:/.test(target));
}
