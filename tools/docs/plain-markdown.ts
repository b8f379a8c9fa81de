import { Marked, type Token, type Tokens } from 'marked';
import { type Resolve, targetOf, UNSHOWN_COLUMN } from './markdown.js';

/**
 * A Markdown file of ours for programs that read it beside its page: links lead to the Markdown of their pages, those to
 * what is not served keep their text alone, and tables lack what only contributors need.
 */
export function plainMarkdown(source: string, file: string, resolve: Resolve): string {
  const marked = new Marked({ gfm: true });
  const changes = new Map<string, string>();
  void marked.walkTokens(marked.lexer(source), (token: Token) => {
    if (isTable(token)) changes.set(token.raw, shownTable(token));
  });
  const shown = changed(source, changes);
  const links = new Map<string, string>();
  void marked.walkTokens(marked.lexer(shown), (token: Token) => {
    if (isLink(token)) links.set(token.raw, linkOf(token, targetOf(token.href, file, resolve)));
  });
  return changed(shown, links);
}

/** The address of a page's Markdown. Other addresses stay. */
export function markdownOf(to: string): string {
  const [path = '', fragment] = to.split('#');
  if (!/^\/docs\/(?!images\/|.*\.[a-z]+$)/.test(path)) return to;
  return fragment === undefined ? `${path}.md` : `${path}.md#${fragment}`;
}

function isLink(token: Token): token is Tokens.Link | Tokens.Image {
  return token.type === 'link' || token.type === 'image';
}

function isTable(token: Token): token is Tokens.Table {
  return token.type === 'table';
}

function linkOf(token: Tokens.Link | Tokens.Image, to: string | null): string {
  const mark = token.type === 'image' ? '!' : '';
  if (to === null) return mark === '' ? token.text : '';
  return token.raw.startsWith('[') || mark !== '' ? `${mark}[${token.text}](${markdownOf(to)})` : token.raw;
}

function shownTable({ raw, header, rows }: Tokens.Table): string {
  const hidden = header.findIndex(({ text }) => text === UNSHOWN_COLUMN);
  if (hidden === -1) return raw;
  const line = (cells: readonly string[]) => `| ${cells.filter((_, at) => at !== hidden).join(' | ')} |`;
  const body = rows.map((row) => line(row.map(({ text }) => text)));
  return `${[line(header.map(({ text }) => text)), line(header.map(() => '---')), ...body].join('\n')}\n\n`;
}

function changed(source: string, changes: ReadonlyMap<string, string>): string {
  let text = source;
  for (const [from, to] of changes) text = text.replaceAll(from, () => to);
  return text;
}
