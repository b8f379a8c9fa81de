import { escapeHtml, NAMED_CHARACTERS } from '../html.js';
import { type Attribute, type Segment, type Template, TemplateError, type Token } from './parse.js';
import type { TemplateValues } from './placeholders.js';

const LINE_TAGS: ReadonlySet<string> = new Set(['br', 'div']);
const PARAGRAPH_TAGS: ReadonlySet<string> = new Set([
  'p',
  'h1',
  'h2',
  'h3',
  'ul',
  'ol',
  'table',
  'blockquote',
  'hr',
]);
/** Characters that change the direction of what follows; values are isolated instead. */
const DIRECTION_MARKS = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Texts whose words may be in another direction than the mail's, as a Hebrew line in an English one. */
const TURNING_TAGS: ReadonlySet<string> = new Set(['p', 'h1', 'h2', 'h3', 'li', 'blockquote']);
const OWN_DIRECTION = ' dir="auto"';

/** Matches only from the first space of a run: otherwise the time is quadratic. */
const SPACES_BEFORE_LINE = /(?<![ \t])[ \t]+\n/g;

/** Maximum length of a rendered body. Only placeholder values can exceed it. */
const MAX_CHARACTERS = 512 * 1024;

/** Renders one line of plain text without control characters. */
export function renderLine(template: Template, values: TemplateValues): string {
  const text = shown(template.tokens, values).map((token) => plainSegment(token, values));
  return text
    .join('')
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
}

/**
 * Renders a body as HTML. Values are escaped and keep their writing direction. @throws TemplateError for more
 * than 524,288 characters
 */
export function renderHtml(template: Template, values: TemplateValues): string {
  const tokens = shown(template.tokens, values);
  if (!template.isHtml) return paragraphs(joined(tokens, (token) => plainHtml(token, values)));
  return joined(tokens, (token, index) => {
    const html = htmlToken(token, values);
    return turnsByItself(tokens, index) ? html.replace(/(?=>$)/, OWN_DIRECTION) : html;
  });
}

/**
 * Renders a body as plain text; links follow their words in parentheses. @throws TemplateError as {@link
 * renderHtml}
 */
export function renderText(template: Template, values: TemplateValues): string {
  const tokens = shown(template.tokens, values);
  if (!template.isHtml) return joined(tokens, (token) => plainSegment(token, values)).trim();
  const links: string[] = [];
  return joined(tokens, (token) => textToken(token, values, links))
    .replaceAll(SPACES_BEFORE_LINE, '\n')
    .replaceAll(/\n[ \t]+/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

/** Joins the pieces' texts; throws as soon as they are too long. */
function joined<T>(pieces: readonly T[], textOf: (piece: T, index: number) => string): string {
  let text = '';
  for (const [index, piece] of pieces.entries()) {
    text += textOf(piece, index);
    if (text.length > MAX_CHARACTERS) {
      throw new TemplateError('long_mail', { limit: MAX_CHARACTERS });
    }
  }
  return text;
}

/** The tokens without section marks and without sections whose placeholder is empty. */
function shown(tokens: readonly Token[], values: TemplateValues): Token[] {
  const result: Token[] = [];
  let hidden = 0;
  for (const token of tokens) {
    if (token.kind === 'section') {
      if (hidden > 0 || clean(values[token.name]) === '') hidden += 1;
    } else if (token.kind === 'end') {
      if (hidden > 0) hidden -= 1;
    } else if (hidden === 0) {
      result.push(token);
    }
  }
  return result;
}

/**
 * Whether an opened tag has words that tell its direction. One that only holds values keeps the mail's: browsers do
 * not count what is isolated.
 */
function turnsByItself(tokens: readonly Token[], index: number): boolean {
  const opened = tokens[index];
  if (opened?.kind !== 'open' || !TURNING_TAGS.has(opened.tag)) return false;
  if (opened.attributes.some(({ name }) => name === 'dir')) return false;
  let depth = 0;
  for (let at = index; at < tokens.length; at++) {
    const token = tokens[at];
    if (token?.kind === 'open' && token.tag === opened.tag) depth += 1;
    if (token?.kind === 'close' && token.tag === opened.tag) depth -= 1;
    if (depth === 0) return false;
    if (token?.kind === 'text' && /\p{L}/u.test(decodeEntities(token.text))) return true;
  }
  return false;
}

function clean(value: string): string {
  return value.replaceAll(DIRECTION_MARKS, '').trim();
}

function plainSegment(token: Token, values: TemplateValues): string {
  if (token.kind === 'text') return token.text;
  return token.kind === 'value' ? clean(values[token.name]) : '';
}

function plainHtml(token: Token, values: TemplateValues): string {
  return token.kind === 'text' ? escapeHtml(token.text) : htmlToken(token, values);
}

function paragraphs(html: string): string {
  return html
    .trim()
    .split(/\r?\n[ \t]*\r?\n\s*/)
    .map((paragraph) => {
      const own = paragraph.replaceAll(/<bdi>.*?<\/bdi>|<[^>]*>|&\w+;/gs, '');
      return `<p${/\p{L}/u.test(own) ? OWN_DIRECTION : ''}>${paragraph.replaceAll(/\r?\n/g, '<br>')}</p>`;
    })
    .join('\n');
}

function htmlToken(token: Token, values: TemplateValues): string {
  switch (token.kind) {
    case 'text':
      return token.text.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    case 'value':
      return `<bdi>${escapeHtml(clean(values[token.name]))}</bdi>`;
    case 'open':
      return `<${token.tag}${token.attributes.map((each) => attribute(each, values)).join('')}>`;
    case 'close':
      return `</${token.tag}>`;
    default:
      return '';
  }
}

function attribute({ name, value }: Attribute, values: TemplateValues): string {
  const text =
    name === 'href' ? href(value, values) : value.map((each) => plainSegment(each, values)).join('');
  return ` ${name}="${escapeHtml(decodeEntities(text))}"`;
}

/** Percent-encodes values, so that none can change a link's target; only our own URLs are kept whole. */
function href(value: readonly Segment[], values: TemplateValues): string {
  const [first] = value;
  const isAddress = first?.kind === 'text' && /^(?:mailto|tel):/i.test(first.text);
  return joined(value, (segment, index) => {
    if (segment.kind === 'text') return segment.text;
    const text = clean(values[segment.name]);
    if (index === 0) return text;
    const encoded = encodeURIComponent(text);
    return isAddress ? encoded.replaceAll('%40', '@').replaceAll('%2B', '+') : encoded;
  });
}

function textToken(token: Token, values: TemplateValues, links: string[]): string {
  switch (token.kind) {
    case 'text':
      return decodeEntities(token.text).replaceAll(/\s+/g, ' ');
    case 'value':
      return clean(values[token.name]);
    case 'open': {
      const target = token.attributes.find(({ name }) => name === 'href');
      if (token.tag === 'a')
        links.push(target === undefined ? '' : decodeEntities(href(target.value, values)));
      if (token.tag === 'li') return '\n- ';
      return breakFor(token.tag);
    }
    case 'close': {
      const link = token.tag === 'a' ? (links.pop() ?? '') : '';
      if (link !== '') return ` (${link.replace(/^(?:mailto|tel):/i, '')})`;
      if (token.tag === 'td' || token.tag === 'th') return ' ';
      return token.tag === 'tr' ? '\n' : breakFor(token.tag);
    }
    default:
      return '';
  }
}

function breakFor(tag: string): string {
  if (PARAGRAPH_TAGS.has(tag)) return '\n\n';
  return LINE_TAGS.has(tag) ? '\n' : '';
}

function decodeEntities(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return NAMED_CHARACTERS[String(name).toLowerCase()] ?? whole;
    const code = decimal === undefined ? Number.parseInt(String(hex), 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
      ? String.fromCodePoint(code)
      : whole;
  });
}
