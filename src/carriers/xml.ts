import { TextDecoder } from 'node:util';
import { XMLParser, XMLValidator } from 'fast-xml-parser';

/** An element: its text, its children by name (a list for a repeated name), or null when missing. */
export type XmlNode = unknown;

const CDATA = '#cdata';

const parser = new XMLParser({
  ignoreAttributes: true,
  ignoreDeclaration: true,
  processEntities: false,
  parseTagValue: false,
  cdataPropName: CDATA,
});

/**
 * Decodes a reply by the encoding in its XML declaration, else the content type's charset, else UTF-8, else
 * windows-1255, which older servers send undeclared.
 */
export function decodeText(body: Uint8Array, contentType: string): string {
  const head = Buffer.from(body.subarray(0, 200)).toString('latin1');
  const declared =
    /^\s*(?:\xEF\xBB\xBF)?<\?xml[^>]*?encoding=["']([\w-]+)["']/.exec(head)?.[1] ??
    /charset=["']?([\w-]+)/i.exec(contentType)?.[1];
  if (declared !== undefined && !/^utf-?8$/i.test(declared)) {
    const decoder = decoderFor(declared);
    if (decoder !== null) return decoder.decode(body);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return new TextDecoder('windows-1255').decode(body);
  }
}

function decoderFor(label: string): TextDecoder | null {
  try {
    return new TextDecoder(label);
  } catch {
    return null;
  }
}

/** Parses an XML document; null when it is cut short, malformed or has a document type. */
export function parseXml(text: string): XmlNode {
  if (/<!DOCTYPE|<!ENTITY/i.test(text)) return null;
  try {
    if (XMLValidator.validate(text) !== true) return null;
    return parser.parse(text);
  } catch {
    return null;
  }
}

/** All elements of the name at any depth, in document order. */
export function findAll(node: XmlNode, name: string): XmlNode[] {
  if (Array.isArray(node)) return node.flatMap((item) => findAll(item, name));
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) => {
    if (key !== name) return findAll(value, name);
    const found: XmlNode[] = Array.isArray(value) ? value : [value];
    return found;
  });
}

/** Text of the first element of the name at any depth; undefined when there is none. */
export function textOf(node: XmlNode, name: string): string | undefined {
  const [found] = findAll(node, name);
  return found === undefined ? undefined : ownText(found);
}

function ownText(node: XmlNode): string {
  if (typeof node === 'string') return unescapeXml(node).trim();
  if (typeof node !== 'object' || node === null) return '';
  return Object.entries(node)
    .map(([key, value]) => (key === CDATA ? [value].flat().join('') : key === '#text' ? ownText(value) : ''))
    .join('')
    .trim();
}

const PREDEFINED: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

function unescapeXml(text: string): string {
  return text.replace(/&(lt|gt|amp|quot|apos);/g, (whole, name: string) => PREDEFINED[name] ?? whole);
}
