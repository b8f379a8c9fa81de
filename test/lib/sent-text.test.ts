import test from 'ava';
import { withoutMarks, wordsOf } from '../../src/lib/sent-text.js';

const MARKS = [
  '\u00ad',
  '\u034f',
  '\u061c',
  '\u115f',
  '\u1160',
  '\u180b',
  '\u200b',
  '\u200e',
  '\u200f',
  '\u202a',
  '\u202e',
  '\u2060',
  '\u2066',
  '\u2069',
  '\u3164',
  '\ufe0f',
  '\ufeff',
  '\uffa0',
  '\ufff9',
  '\u{e0041}',
  '\u{e0100}',
];

test('withoutMarks: leaves out what nobody sees, wherever it stands', (t) => {
  for (const mark of MARKS) {
    t.is(withoutMarks(`${mark}חיפה${mark}`), 'חיפה', mark.codePointAt(0)?.toString(16));
    t.is(withoutMarks(`a${mark}b`), 'ab');
    t.is(withoutMarks(` ${mark} `), '');
  }
});

test('withoutMarks: keeps joiners inside words, and those of emoji, and none at an end', (t) => {
  const persian = 'می\u200cخواهم';
  const family = '👩\u200d👧';

  const kept = [persian, `${persian} ${family}`].map(withoutMarks);
  const ends = ['\u200dab\u200c', 'a\u200d b', 'a \u200c\u200db', '\u200c\u200d'].map(withoutMarks);

  t.deepEqual(kept, [persian, `${persian} ${family}`]);
  t.deepEqual(ends, ['ab', 'a b', 'a b', '']);
});

test('withoutMarks, wordsOf: take time in proportion to a text of any kind', (t) => {
  const length = 400_000;
  const texts = ['\u200d', '\u200f', '<br ', '&#', '<', ' \u200c', '&amp;'].map(
    (part) => `a${part.repeat(Math.ceil(length / part.length))}b`,
  );

  const start = performance.now();
  for (const text of texts) wordsOf(text);
  const took = performance.now() - start;

  t.true(took < 5000, `${took} ms`);
});

test("wordsOf: decodes HTML's entities once, tags become lines or nothing, other text stays", (t) => {
  const cases: [sent: string, read: string][] = [
    ['O&#039;Connor &amp; Sons', "O'Connor & Sons"],
    ['חולצה &amp; מכנס &#8211; M', 'חולצה & מכנס – M'],
    ['&lt;&gt;&quot;&apos;&#x27;', "<>\"''"],
    ['a&nbsp;b&rlm;', 'a\u00a0b'],
    ['&amp;amp; AT&T &copy 5 &#0;', '&amp; AT&T &copy 5 \ufffd'],
    ['<p>Ring <b>twice</b>.</p><p>Code<br />12</p>', 'Ring twice.\n\nCode\n12'],
    [
      '<a href="https://x.test">here</a> a < b > c <dana@example.com> <3',
      'here a < b > c <dana@example.com> <3',
    ],
  ];

  for (const [sent, read] of cases) t.is(wordsOf(sent), read, sent);
});
