import test from 'ava';
import { encodeWindows1255 } from '../../src/carriers/windows-1255.js';
import { decodeText, findAll, parseXml, textOf } from '../../src/carriers/xml.js';

test('decodeText: the declared encoding wins over the content type', (t) => {
  const text = '<?xml version="1.0" encoding="windows-1255"?><a>שלום</a>';

  t.is(decodeText(encodeWindows1255(text), 'text/xml; charset=utf-8'), text);
});

test('decodeText: reads undeclared Hebrew in either encoding', (t) => {
  const text = '<a>שלום</a>';

  t.is(decodeText(encodeWindows1255(text), ''), text);
  t.is(decodeText(Buffer.from(text), ''), text);
  t.is(decodeText(encodeWindows1255(text), 'text/xml; charset=windows-1255'), text);
});

test('decodeText: an unknown encoding falls back and never throws', (t) => {
  const text = '<?xml version="1.0" encoding="klingon"?><a>x</a>';

  t.is(decodeText(Buffer.from(text), ''), text);
});

test('textOf: reads plain content, entities and CDATA', (t) => {
  const xml = parseXml('<r><a> 0012 </a><b>q &amp; &lt;r&gt;</b><c><![CDATA[x &amp; <y>]]></c><d/></r>');

  t.is(textOf(xml, 'a'), '0012');
  t.is(textOf(xml, 'b'), 'q & <r>');
  t.is(textOf(xml, 'c'), 'x &amp; <y>');
  t.is(textOf(xml, 'd'), '');
  t.is(textOf(xml, 'e'), undefined);
});

test('findAll: finds all repeated elements', (t) => {
  const xml = parseXml('<r><s><c>1</c></s><s><c>2</c></s><x><s><c>3</c></s></x></r>');

  t.deepEqual(
    findAll(xml, 's').map((node) => textOf(node, 'c')),
    ['1', '2', '3'],
  );
});

test('parseXml: every truncated document is unreadable, and so are document types', (t) => {
  const whole = '<?xml version="1.0"?><root><a><![CDATA[n]]></a><b>123</b></root>';

  t.not(parseXml(whole), null);
  for (let length = 0; length < whole.length; length += 1) t.is(parseXml(whole.slice(0, length)), null);
  t.is(parseXml('<!DOCTYPE r [<!ENTITY e SYSTEM "file:///etc/passwd">]><r>&e;</r>'), null);
  t.is(parseXml('not xml'), null);
});

test('parseXml: survives very deep documents', (t) => {
  const depth = 20_000;

  t.notThrows(() => textOf(parseXml('<a>'.repeat(depth) + '</a>'.repeat(depth)), 'b'));
});
