import test from 'ava';
import { messagesOf, pointsOf } from '../../src/carriers/json.js';
import { jsonReply, saidIn } from '../../src/carriers/json-api.js';

test('messagesOf: joins nested messages into one line', (t) => {
  t.is(messagesOf({ a: ['x', 'y'], b: 'z', c: [], d: false }), 'a: x; y; b: z');
  t.is(messagesOf([' x ', null]), 'x');
  for (const nothing of [null, undefined, true, 5, {}, []]) t.is(messagesOf(nothing), '');
  t.is(messagesOf(JSON.parse(`${'['.repeat(5000)}"x"${']'.repeat(5000)}`)), '');
});

test("pointsOf: fills all fields by the carrier's names", (t) => {
  const list = [{ no: 7, name: 'A\nB', city: null }, { name: 'no number' }, null];
  const point = {
    id: '7',
    name: 'A B',
    city: '',
    street: '',
    number: '',
    streetCode: '',
    latitude: '',
    longitude: '',
    remarks: '',
  };

  t.deepEqual(pointsOf(list, 'data', { id: 'no' }), { kind: 'accepted', value: [point] });
  t.deepEqual(pointsOf({ data: list }, 'data', { id: 'no' }), { kind: 'accepted', value: [point] });
  t.is(pointsOf({ points: list }, 'data', { id: 'no' }).kind, 'unknown');
});

test("saidIn: a refusal comes in the carrier's words, wherever they stand", (t) => {
  const said = (body: string, ...places: unknown[]) => saidIn(jsonReply(422, Buffer.from(body)), ...places);

  t.is(said('{"message":"no such city"}', 'no such street', 'later'), 'no such street');
  t.is(said('{"problem":{"city":["is not served"]}}', undefined, ''), 'problem: city: is not served');
  t.is(said('העיר אינה בשירות'), 'העיר אינה בשירות');
  t.is(said('<html><body>nginx</body></html>'), 'The carrier answered HTTP 422.');
  t.is(said(''), 'The carrier answered HTTP 422.');
});
