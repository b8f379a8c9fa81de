import { type Problem, problem, problemAt, type Rule, type ValuesOf } from '../problems/problem.js';
import { ADDRESS_PLACEHOLDERS, isPlaceholder, type PlaceholderName } from './placeholders.js';

/** Text or a placeholder. */
export type Segment = { kind: 'text'; text: string } | { kind: 'value'; name: PlaceholderName };

/** An attribute of a tag. */
export interface Attribute {
  name: string;
  value: readonly Segment[];
}

/**
 * One piece of a template. Pieces between `section` and `end` are shown only when the placeholder is not empty.
 * `text` is HTML with entities in an HTML body, else plain.
 */
export type Token =
  | PlainToken
  | { kind: 'open'; tag: string; attributes: readonly Attribute[] }
  | { kind: 'close'; tag: string };

type PlainToken =
  | Segment
  | { kind: 'section'; name: PlaceholderName }
  | { kind: 'end'; name: PlaceholderName };

/** A checked template. `isHtml` is false for a body without tags. */
export interface Template {
  isHtml: boolean;
  tokens: readonly Token[];
}

/** An error in a template, for its author. */
export class TemplateError<R extends Rule = Rule> extends Error {
  readonly problemAt: (path: string) => Problem;

  constructor(rule: R, ...values: ValuesOf<R>) {
    super(problem(rule, ...values).text);
    this.problemAt = (path) => problemAt(path, rule, ...values);
  }
}

const BLOCK_TAGS = [
  'p',
  'div',
  'h1',
  'h2',
  'h3',
  'ul',
  'ol',
  'li',
  'blockquote',
  'table',
  'tbody',
  'tr',
  'td',
];
const INLINE_TAGS = ['a', 'b', 'strong', 'i', 'em', 'u', 's', 'small', 'span', 'bdi'];
const VOID_TAGS: ReadonlySet<string> = new Set(['br', 'hr']);
const TAGS: ReadonlySet<string> = new Set([...BLOCK_TAGS, ...INLINE_TAGS, ...VOID_TAGS, 'th']);
const CLASSES: ReadonlySet<string> = new Set(['button', 'facts', 'note', 'muted', 'center']);
const DIRECTIONS: ReadonlySet<string> = new Set(['ltr', 'rtl', 'auto']);
const LINK_STARTS = 'https://, http://, mailto:, tel:, {{ tracking.url }} and {{ pickup_point.map_url }}';
const SAFE_HREF = /^(?:https?:\/\/|mailto:|tel:)/i;
const MAX_DEPTH = 50;
/** As in browsers, a `<` before anything else is text. */
const TAG_START = /<(?=[a-z/!?])/i;

/** Parses a subject: one line of text with placeholders and sections. @throws TemplateError */
export function parseSubject(source: string): Template {
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(source)) throw new TemplateError('subject_line');
  return { isHtml: false, tokens: checkNesting([...plainTokens(source)]) };
}

/**
 * Parses a body. Without tags it is plain text, where an empty line starts a paragraph; else HTML of a few
 * tags, nested correctly, with quoted attributes. A `<` that starts no tag is text. @throws TemplateError
 */
export function parseBody(source: string): Template {
  const isHtml = source.search(TAG_START) >= 0;
  return { isHtml, tokens: checkNesting([...(isHtml ? htmlTokens(source) : plainTokens(source))]) };
}

/** Maximum placeholders and sections of a body: each may become a thousand characters. */
export const MAX_PLACEHOLDERS = 200;

/**
 * Checks a body that is stored or previewed; older stored ones may exceed the limit. @throws TemplateError for
 * more than {@link MAX_PLACEHOLDERS}
 */
export function checkPlaceholders({ tokens }: Template): void {
  const count = tokens.reduce((sum, token) => sum + placeholdersIn(token), 0);
  if (count <= MAX_PLACEHOLDERS) return;
  throw new TemplateError('most_placeholders', { limit: MAX_PLACEHOLDERS, count });
}

/** How placeholders look in other programs, outside addresses, whose escapes look alike. */
const LOOKALIKE = /(?<!\{)\{%?\s*\p{L}[\p{L}\p{N}_.: -]*%?\}(?!\})|%\p{L}[\p{L}\p{N}_.-]*%/u;
const ADDRESSES = /[a-z]+:\/\/\S+/gi;

/**
 * Checks a subject or body that is stored or previewed. @throws TemplateError for `{order_number}`, `%name%` and the
 * like: recipients would read them as they are
 */
export function checkLookalikes({ tokens }: Template): void {
  for (const token of tokens) {
    if (token.kind !== 'text') continue;
    const [found] = LOOKALIKE.exec(token.text.replaceAll(ADDRESSES, ' ')) ?? [];
    if (found === undefined) continue;
    throw new TemplateError('foreign_placeholder', { found: found.slice(0, 60), like: '{{ order.number }}' });
  }
}

function placeholdersIn(token: Token): number {
  if (token.kind !== 'open') return token.kind === 'value' || token.kind === 'section' ? 1 : 0;
  return token.attributes.flatMap(({ value }) => value).filter(({ kind }) => kind === 'value').length;
}

function* htmlTokens(source: string): Generator<Token> {
  const start = new RegExp(TAG_START, 'gi');
  let at = 0;
  for (let match = start.exec(source); match !== null; match = start.exec(source)) {
    yield* plainTokens(source.slice(at, match.index));
    const close = source.indexOf('>', match.index);
    const inside = close < 0 ? '' : source.slice(match.index + 1, close);
    yield tagToken(inside, source.slice(match.index, match.index + 20));
    at = close + 1;
    start.lastIndex = at;
  }
  yield* plainTokens(source.slice(at));
}

function tagToken(inside: string, excerpt: string): Token {
  const isClosing = inside.startsWith('/');
  const rest = isClosing ? inside.slice(1) : inside.replace(/\/$/, '');
  const [name = ''] = /^[a-z][a-z0-9]*/i.exec(rest) ?? [];
  const tag = name.toLowerCase();
  if (tag === '') throw new TemplateError('no_tag', { at: excerpt });
  if (!TAGS.has(tag)) throw new TemplateError('unknown_tag', { tag: tag.slice(0, 40) });
  if (!isClosing) return { kind: 'open', tag, attributes: attributesOf(tag, rest.slice(name.length)) };
  if (rest.trim() !== name) throw new TemplateError('malformed_tag', { tag });
  return { kind: 'close', tag };
}

function attributesOf(tag: string, text: string): Attribute[] {
  const attributes: Attribute[] = [];
  const pattern = /\s+([a-z][a-z-]*)="([^"]*)"/iy;
  let at = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    at = pattern.lastIndex;
    const [, name = '', value = ''] = match;
    attributes.push({ name: name.toLowerCase(), value: attributeValue(tag, name.toLowerCase(), value) });
  }
  if (text.slice(at).trim() !== '') {
    throw new TemplateError('malformed_attribute', { tag });
  }
  return attributes;
}

function attributeValue(tag: string, name: string, value: string): Segment[] {
  const segments = [...segmentsOf(value)];
  const allowed =
    (name === 'href' && tag === 'a' && isSafeHref(value, segments)) ||
    (name === 'class' && CLASSES.has(value)) ||
    (name === 'dir' && DIRECTIONS.has(value));
  if (allowed) return segments;
  if (name === 'href' && tag === 'a') throw new TemplateError('link_start', { starts: LINK_STARTS });
  const attribute = `${name.slice(0, 40)}="${value.slice(0, 40)}"`;
  throw new TemplateError('unknown_attribute', { attribute, tag });
}

function isSafeHref(value: string, segments: readonly Segment[]): boolean {
  const [first] = segments;
  return SAFE_HREF.test(value) || (first?.kind === 'value' && ADDRESS_PLACEHOLDERS.has(first.name));
}

function* segmentsOf(text: string): Generator<Segment> {
  for (const token of plainTokens(text)) {
    if (token.kind === 'section' || token.kind === 'end') throw new TemplateError('section_in_attribute');
    yield token;
  }
}

const KINDS = { '': 'value', '#': 'section', '/': 'end' } as const;

function* plainTokens(text: string): Generator<PlainToken> {
  let at = 0;
  for (;;) {
    const open = text.indexOf('{{', at);
    if (open < 0) break;
    if (open > at) yield { kind: 'text', text: text.slice(at, open) };
    const close = text.indexOf('}}', open);
    if (close < 0) throw new TemplateError('open_placeholder', { open: '{{', close: '}}' });
    const inside = text.slice(open + 2, close).trim();
    const sigil = inside.startsWith('#') ? '#' : inside.startsWith('/') ? '/' : '';
    const name = inside.slice(sigil.length).trim();
    if (!isPlaceholder(name))
      throw new TemplateError('unknown_placeholder', { name: `{{ ${name.slice(0, 60)} }}` });
    yield { kind: KINDS[sigil], name };
    at = close + 2;
  }
  if (at < text.length) yield { kind: 'text', text: text.slice(at) };
}

/** Tags and sections must nest, or a template could break the page around it. */
function checkNesting(tokens: Token[]): Token[] {
  const open: string[] = [];
  for (const token of tokens) {
    const name = nameOf(token);
    if (token.kind === 'section' || (token.kind === 'open' && !VOID_TAGS.has(token.tag))) open.push(name);
    if (token.kind === 'end' || token.kind === 'close') {
      const expected = open.pop();
      if (expected === undefined) throw new TemplateError('nothing_open', { name });
      if (expected !== name) throw new TemplateError('wrong_close', { name, expected });
    }
    if (open.length > MAX_DEPTH) throw new TemplateError('nested', { limit: MAX_DEPTH });
  }
  const left = open.pop();
  if (left !== undefined) throw new TemplateError('not_closed', { name: left });
  return tokens;
}

function nameOf(token: Token): string {
  if (token.kind === 'open' || token.kind === 'close') return `<${token.tag}>`;
  return token.kind === 'text' ? '' : `{{ ${token.name} }}`;
}
