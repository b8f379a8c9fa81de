import { posix } from 'node:path';
import { Marked, type Token, type Tokens } from 'marked';
import { escapeHtml, Html } from '../../src/domain/html.js';
import { areAlternatives, type Code, codeBlock, codeTabs, isAlternative } from './code.js';

/** A heading of the second level, for the list beside the page. */
export interface Heading {
  id: string;
  text: string;
}

/** A Markdown file as a page shows it. */
export interface Rendered {
  body: Html;
  headings: readonly Heading[];
}

/** Where the file's links lead: the address of a page or an image; null for what is not served. */
export type Resolve = (file: string) => string | null;

const EXTERNAL = /^[a-z][a-z0-9+.-]*:/i;

/**
 * A Markdown file of ours as HTML, with anchors at its headings. `file`: its path in the repository, from which its links
 * start. Links to what is not served keep their text alone. Raw HTML is taken as it is, except images, which are
 * resolved like those of Markdown.
 */
export function renderMarkdown(source: string, file: string, resolve: Resolve): Rendered {
  const headings: Heading[] = [];
  const ids = new Map<string, number>();
  const parser = new Marked({ gfm: true });
  const target = (href: string) => targetOf(href, file, resolve);
  parser.use({
    renderer: {
      heading({ tokens, depth }) {
        const text = this.parser.parseInline(tokens, this.parser.textRenderer);
        const id = freshId(text, ids);
        if (depth === 2) headings.push({ id, text: plain(text) });
        const anchor =
          depth === 1 ? '' : `<a class="anchor" href="#${id}" aria-label="Link to this section">#</a>`;
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}${anchor}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens);
        const to = target(href);
        return to === null ? text : `<a href="${escapeHtml(to)}">${text}</a>`;
      },
      image({ href, text }) {
        const to = target(href);
        return to === null ? '' : `<img src="${escapeHtml(to)}" alt="${escapeHtml(text)}" loading="lazy">`;
      },
      html({ text }) {
        return text.replace(/(<img\b[^>]*?\bsrc=")([^"]*)(")/g, (_all, before, href, after) => {
          return `${before}${escapeHtml(target(href) ?? '')}${after}`;
        });
      },
      code({ text, lang = '' }) {
        return codeBlock({ text, language: languageOf(lang) }).text;
      },
      table(token) {
        return `<div class="table" tabindex="0">${tableOf(token, (tokens) => this.parser.parseInline(tokens))}</div>\n`;
      },
    },
  });
  const parts = alternativesApart(parser.lexer(source));
  const body = parts.map((part) =>
    part.kind === 'tabs' ? codeTabs(part.blocks).text : parser.parser(part.tokens),
  );
  return { body: new Html(body.join('')), headings };
}

type Part = { kind: 'tokens'; tokens: Token[] } | { kind: 'tabs'; blocks: readonly Code[] };

/** Cuts out the runs of code blocks that are the same in several languages. */
function alternativesApart(tokens: readonly Token[]): Part[] {
  const parts: Part[] = [];
  let rest: Token[] = [];
  for (let index = 0; index < tokens.length; ) {
    const run = codeRun(tokens.slice(index));
    const blocks = run.filter(isCode).map(({ text, lang = '' }) => ({ text, language: languageOf(lang) }));
    const taken = areAlternatives(blocks) ? run : tokens.slice(index, index + 1);
    if (taken === run) {
      parts.push({ kind: 'tokens', tokens: rest }, { kind: 'tabs', blocks });
      rest = [];
    } else {
      rest.push(...taken);
    }
    index += taken.length;
  }
  return [...parts, { kind: 'tokens', tokens: rest }];
}

function isCode(token: Token): token is Tokens.Code {
  return token.type === 'code';
}

/** The code blocks at the start that may be alternatives, with what is blank between them. */
function codeRun(tokens: readonly Token[]): readonly Token[] {
  const isPart = (token: Token) =>
    isCode(token) ? isAlternative(languageOf(token.lang ?? '')) : token.type === 'space';
  const end = tokens.findIndex((token) => !isPart(token));
  return end === -1 ? tokens : tokens.slice(0, end);
}

function languageOf(info: string): string {
  return info.trim().split(/\s+/)[0]?.toLowerCase() ?? '';
}

/** The head of a table's column for contributors, in the repository alone. */
export const UNSHOWN_COLUMN = 'test';

function tableOf({ header, rows }: Tokens.Table, inline: (tokens: Token[]) => string): string {
  const isShown = (_cell: Tokens.TableCell, index: number) => header[index]?.text !== UNSHOWN_COLUMN;
  const titles = header.filter(isShown);
  const head = titles.map(({ text, tokens }) =>
    text === '' ? '<td></td>' : `<th scope="col">${inline(tokens)}</th>`,
  );
  // On a phone a row is a block without its heads: of three cells and more each names its own.
  const label = (column: number) =>
    titles.length < 3 || column === 0 ? '' : ` data-label="${escapeHtml(titles[column]?.text ?? '')}"`;
  const cells = (row: readonly Tokens.TableCell[]) =>
    row.filter(isShown).map(({ tokens }, column) => `<td${label(column)}>${inline(tokens)}</td>`);
  const lines = rows.map((row) => `<tr>${cells(row).join('')}</tr>`);
  return `<table><thead><tr>${head.join('')}</tr></thead><tbody>${lines.join('')}</tbody></table>`;
}

/** Where a link of a file leads; null where that is not served. */
export function targetOf(href: string, file: string, resolve: Resolve): string | null {
  if (EXTERNAL.test(href) || href.startsWith('#') || href.startsWith('/')) return href;
  const [path = '', fragment] = href.split('#');
  const to = resolve(posix.join(posix.dirname(file), path));
  return to === null || fragment === undefined ? to : `${to}#${fragment}`;
}

/** Anchors are those that the repository's own viewer gives the same headings. */
function freshId(text: string, ids: Map<string, number>): string {
  const base = plain(text)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
  const seen = ids.get(base) ?? 0;
  ids.set(base, seen + 1);
  return seen === 0 ? base : `${base}-${seen}`;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** Text without markup. */
function plain(text: string): string {
  return text
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(amp|lt|gt|quot|#39);/g, (all, name) => ENTITIES[name] ?? all);
}
