import test from 'ava';
import {
  checkLookalikes,
  parseBody,
  parseSubject,
  TemplateError,
} from '../../src/domain/mail-template/parse.js';
import { PLACEHOLDERS, type TemplateValues } from '../../src/domain/mail-template/placeholders.js';
import { renderHtml, renderLine, renderText } from '../../src/domain/mail-template/render.js';
import { patient } from '../support/patience.js';

const HOSTILE = `<img src=x onerror=alert(1)>"'&</p>{{ order.id }}`;

test('renderHtml: escapes values and keeps their writing direction', (t) => {
  const html = renderHtml(parseBody('<p>Hi {{recipient.name}}!</p>'), values({ 'recipient.name': HOSTILE }));

  t.is(
    html,
    '<p dir="auto">Hi <bdi>&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;&lt;/p&gt;{{ order.id }}</bdi>!</p>',
  );
});

test('renderHtml: a paragraph has the direction of its words, one of values alone that of the mail', (t) => {
  const filled = values({ 'order.number': '1001' });
  const html = (source: string) => renderHtml(parseBody(source), filled);

  t.is(html('לפרטים:\n\n{{ order.number }}'), '<p dir="auto">לפרטים:</p>\n<p><bdi>1001</bdi></p>');
  t.is(
    html('<p>לפרטים:</p><p>{{ order.number }}</p><p dir="rtl">Hi</p>'),
    '<p dir="auto">לפרטים:</p><p><bdi>1001</bdi></p><p dir="rtl">Hi</p>',
  );
});

test('renderHtml: drops characters that change the direction', (t) => {
  const turned = values({ 'recipient.name': '\u202eDana\u2066' });

  t.is(renderLine(parseSubject('To {{ recipient.name }}: news'), turned), 'To Dana: news');
  t.is(renderHtml(parseBody('<b>{{ recipient.name }}</b>'), turned), '<b><bdi>Dana</bdi></b>');
});

test('renderLine: a subject stays one line with any values', (t) => {
  const subject = renderLine(
    parseSubject('News for {{ recipient.name }}'),
    values({ 'recipient.name': 'Dana\r\nBcc: all@example.test\u2028x' }),
  );

  t.is(subject, 'News for Dana Bcc: all@example.test x');
});

test('parseBody: a body without tags is plain text', (t) => {
  const body = parseBody('Hello {{ recipient.name }} & Co,\nline two\n\nBye > now');

  t.is(
    renderHtml(body, values({ 'recipient.name': 'Dana' })),
    '<p dir="auto">Hello <bdi>Dana</bdi> &amp; Co,<br>line two</p>\n<p dir="auto">Bye &gt; now</p>',
  );
  t.is(renderText(body, values({ 'recipient.name': 'Dana' })), 'Hello Dana & Co,\nline two\n\nBye > now');
});

test('parseBody: a < that starts no tag is text', (t) => {
  const html = (source: string) => renderHtml(parseBody(source), values({ 'recipient.name': 'b>' }));

  t.is(html('I <3 you'), '<p dir="auto">I &lt;3 you</p>');
  t.is(html('<p>1 < 2 &amp; 3</p>'), '<p>1 &lt; 2 &amp; 3</p>');
  t.is(html('<p>a<{{ recipient.name }}</p>'), '<p dir="auto">a&lt;<bdi>b&gt;</bdi></p>');
  t.is(renderText(parseBody('<p>1 < 2 &amp; 3 &lt; 4</p>'), values({})), '1 < 2 & 3 < 4');
});

test("renderText: an HTML body's text has lines, list marks and links", (t) => {
  const body = parseBody(
    '<h1>News</h1><p>Order <b>{{ order.number }}</b>:&nbsp;<a href="{{ tracking.url }}">follow</a> &amp; wait</p>' +
      '<ul><li>one</li><li>two</li></ul><table><tbody><tr><td>Code</td><td>{{ shipment.tracking_code }}</td></tr></tbody></table>',
  );

  const text = renderText(
    body,
    values({
      'order.number': '#1',
      'tracking.url': 'https://x.test/track/A',
      'shipment.tracking_code': 'T9',
    }),
  );

  t.is(text, 'News\n\nOrder #1: follow (https://x.test/track/A) & wait\n\n- one\n- two\n\nCode T9');
});

test('a section is shown only when its placeholder is not empty', (t) => {
  const body = parseBody('<p>Hi{{# shipment.cod }}, have {{ shipment.cod }} ready{{/ shipment.cod }}.</p>');

  t.is(renderText(body, values({ 'shipment.cod': '5.00 ILS' })), 'Hi, have 5.00 ILS ready.');
  t.is(renderText(body, values({ 'shipment.cod': '' })), 'Hi.');
});

test("a value cannot change a link's target", (t) => {
  const body = parseBody(
    '<a href="https://shop.test/o?id={{ order.id }}&amp;x=1">a</a><a href="mailto:{{ merchant.email }}">b</a><a href="{{ tracking.url }}">c</a>',
  );

  const html = renderHtml(
    body,
    values({
      'order.id': '1&next=//evil.test" onclick="x',
      'merchant.email': 'a@b.test',
      'tracking.url': 'https://p.test/track/"x',
    }),
  );

  t.is(
    html,
    '<a href="https://shop.test/o?id=1%26next%3D%2F%2Fevil.test%22%20onclick%3D%22x&amp;x=1">a</a>' +
      '<a href="mailto:a@b.test">b</a><a href="https://p.test/track/&quot;x">c</a>',
  );
});

const REFUSED: readonly [string, RegExp][] = [
  ['Hello {{ recipient.nam }}', /unknown placeholder \{\{ recipient\.nam \}\}/],
  ['{{ constructor }}', /unknown placeholder/],
  ['{{ __proto__ }}', /unknown placeholder/],
  ['Hello {{ recipient.name', /\{\{ without its \}\}/],
  ['<script>alert(1)</script>', /<script>, which is not allowed/],
  ['<p>a</p', /"<" that begins no tag/],
  ['</>', /"<" that begins no tag/],
  ['<?php x ?>', /"<" that begins no tag/],
  ['<!-- x --><p>a</p>', /"<" that begins no tag/],
  ['<p onclick="x()">a</p>', /onclick="x\(\)" in <p>, which is not allowed/],
  ['<p style="color:red">a</p>', /style=.* not allowed/],
  ['<img src="https://x.test/a.png">', /<img>, which is not allowed/],
  ['<a href="javascript:alert(1)">a</a>', /has a link that begins with none of/],
  ['<a href="{{ recipient.name }}">a</a>', /has a link that begins with none of/],
  ['<a href=https://x.test>a</a>', /malformed attribute/],
  ['<p class="{{ order.id }}">a</p>', /class=.* not allowed/],
  ['<p>a', /does not close <p>/],
  ['<p>a</div></p>', /closes <\/?div> where <p> is open/],
  ['a</p>', /closes <p> where nothing is open/],
  ['{{# shipment.cod }}x', /does not close \{\{ shipment\.cod \}\}/],
  ['{{# shipment.cod }}<p>{{/ shipment.cod }}</p>', /closes \{\{ shipment\.cod \}\} where <p> is open/],
  ['<a href="{{# tracking.url }}x{{/ tracking.url }}">a</a>', /section inside an attribute/],
  ['<div>'.repeat(51) + '</div>'.repeat(51), /nested more than 50 deep/],
];

for (const [source, message] of REFUSED) {
  test(`parseBody: refuses ${source.slice(0, 60)}`, (t) => {
    const error = t.throws(() => parseBody(source), { instanceOf: TemplateError });

    t.regex(error?.message ?? '', message);
  });
}

test('parseSubject: refuses two lines', (t) => {
  t.throws(() => parseSubject('one\r\nBcc: x@y.test'), { instanceOf: TemplateError, message: /one line/ });
});

test('parseBody: judges a large hostile body at once', (t) => {
  const started = performance.now();

  t.throws(() => parseBody(`<a ${'b="c" '.repeat(10_000)}`), { instanceOf: TemplateError });
  t.throws(() => parseBody('</'.repeat(30_000)), { instanceOf: TemplateError });
  t.true(renderHtml(parseBody('<'.repeat(60_000)), values({})).startsWith('<p>&lt;'));
  t.throws(() => parseBody('{{'.repeat(30_000)), { instanceOf: TemplateError });
  t.is(renderText(parseBody(`<p>${'&'.repeat(60_000)}</p>`), values({})).length, 60_000);

  t.true(performance.now() - started < patient(1000));
});

test('renderText: spaces take linear time', (t) => {
  const body = parseBody('<p>{{ recipient.name }}</p>');
  const msOf = (length: number) => {
    const name = `a${' '.repeat(length)}\t\n${' '.repeat(length)}b`.repeat(2);
    const times = Array.from({ length: 5 }, () => {
      const started = performance.now();
      t.is(renderText(body, values({ 'recipient.name': name })), 'a\nba\nb');
      t.is(renderText(body, values({ 'recipient.name': name.replaceAll('\n', '') })).length, 4 * length + 6);
      return performance.now() - started;
    });
    return Math.min(...times);
  };

  const ratio = msOf(16_000) / msOf(1_000);

  t.true(ratio < 80, `sixteen times the text takes ${ratio} times the time`);
});

const QUOTES = values({ 'order.id': '"'.repeat(191) });

for (const [what, source] of [
  ['a plain body', '{{order.id}}'.repeat(5461)],
  ['HTML', `<p>${'{{order.id}}'.repeat(5400)}</p>`],
  ['a link', `<a href="https://x.test/${'{{order.id}}'.repeat(5400)}">x</a>`],
] as const) {
  test(`the result of ${what} is limited`, (t) => {
    const body = parseBody(source);

    for (const render of [renderHtml, renderText]) {
      const error = t.throws(() => render(body, QUOTES), { instanceOf: TemplateError });
      t.is(error?.message, 'makes a mail of more than 524288 characters');
    }
  });
}

test('no body is too long by itself or with the maximum of placeholders', (t) => {
  const longest = parseBody('"'.repeat(65_536));
  const fullest = parseBody('{{order.id}}'.repeat(200));

  t.is(renderHtml(longest, values({})).length, 65_536 * 6 + 7);
  t.is(renderHtml(fullest, QUOTES).length, 200 * (191 * 6 + 11) + 7);
});

test('renderText: drops spaces at line ends and repeated empty lines', (t) => {
  const text = (name: string) =>
    renderText(parseBody('<p>{{ recipient.name }}</p>'), values({ 'recipient.name': name }));

  t.is(text('a \t\n\t b'), 'a\nb');
  t.is(text('a\n \n \n \nb'), 'a\n\nb');
  t.is(text('a \n  \n b  c'), 'a\n\nb  c');
  t.is(text('a\u00a0\nb'), 'a\u00a0\nb');
});

function values(given: Partial<TemplateValues>): TemplateValues {
  const empty = Object.fromEntries(Object.keys(PLACEHOLDERS).map((name) => [name, ''])) as TemplateValues;
  return { ...empty, ...given };
}

const LOOKALIKES: [written: string, named: string][] = [
  ['Hello {name}', '{name}'],
  ['Order { order.number }', '{ order.number }'],
  ['$' + '{order_id}', '{order_id}'],
  ['{שם}', '{שם}'],
  ['{% if cod %}', '{% if cod %}'],
  ['%name%', '%name%'],
  ['50% off, %order_number%!', '%order_number%'],
];

for (const [written, named] of LOOKALIKES) {
  test(`checkLookalikes: ${written} is named, as it would be sent as it is`, (t) => {
    const template = parseBody(`<p>${written}</p>`);

    const error = t.throws(() => checkLookalikes(template), { instanceOf: TemplateError });

    t.true(error.message.startsWith(`has ${named}, which would be sent as it is`), error.message);
  });
}

test('checkLookalikes: placeholders, percentages and addresses are none', (t) => {
  for (const written of [
    '{{ recipient.name }}, 50% off, 20% more, 100%',
    'https://shop.example/%D7%A0%abc%20?x={a}',
    '{ } {1} :-}',
  ])
    t.notThrows(() => checkLookalikes(parseBody(`<p>${written}</p>`)), written);
});
