import test from 'ava';
import { accentOn, buttonOf, isColor } from '../../src/domain/brand-color.js';

test('accentOn: a readable color is unchanged', (t) => {
  t.deepEqual(accentOn('#0b57b7', '#ffffff', 0), { ink: '#0b57b7', wash: '#ffffff' });
});

test('accentOn: darkens a color too light for white paper, lightens one too dark for a dark card', (t) => {
  const yellow = accentOn('#ffe14d', '#ffffff', 0);
  const night = accentOn('#101418', '#1a212b', 0);

  t.true(lightness(yellow.ink) < lightness('#ffe14d') && yellow.ink !== '#000000');
  t.true(lightness(night.ink) > lightness('#101418') && night.ink !== '#ffffff');
});

test('accentOn: the wash is the ground, slightly tinted', (t) => {
  t.is(accentOn('#000000', '#ffffff', 0.1).wash, '#e6e6e6');
});

test('buttonOf: chooses the more readable letters', (t) => {
  t.deepEqual(buttonOf('#FFE14D'), { ground: '#ffe14d', ink: '#000000' });
  t.deepEqual(buttonOf('#123456'), { ground: '#123456', ink: '#ffffff' });
});

test('isColor: # and six hexadecimal digits', (t) => {
  t.deepEqual(['#0A7d55', '#fff', 'red', '', '#0a7d55;'].map(isColor), [true, false, false, false, false]);
});

function lightness(color: string): number {
  return [1, 3, 5].reduce((sum, at) => sum + Number.parseInt(color.slice(at, at + 2), 16), 0);
}
