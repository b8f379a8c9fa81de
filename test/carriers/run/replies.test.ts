import test from 'ava';
import {
  readBooking,
  readCancellation,
  readLabel,
  readPoints,
  readStatus,
} from '../../../src/carriers/run/replies.js';
import { encodeWindows1255 } from '../../../src/carriers/windows-1255.js';
import { patient } from '../../support/patience.js';

const NOW = '2026-11-21T12:00:00.000000Z';

function reply(body: string | Uint8Array) {
  return { status: 200, contentType: 'text/xml', body: Buffer.from(body) };
}

function created(number: string, random: string, code = '', shgiya = 'n', error = '') {
  return reply(
    `<root><result>ok</result><mydata><shgiya_yn><![CDATA[${shgiya}]]></shgiya_yn><message/><answer>` +
      `<ship_create_num>${number}</ship_create_num><ship_num_rand>${random}</ship_num_rand>` +
      `<ship_create_error>${error}</ship_create_error><ship_create_error_code>${code}</ship_create_error_code>` +
      `</answer></mydata></root>`,
  );
}

function statusReply(inner: string) {
  return reply(`<root><result>ok</result><mydata>${inner}</mydata></root>`);
}

function event(code: string, date: string, time: string) {
  return `<status><status_code>${code}</status_code><status_desc>s${code}</status_desc><status_date>${date}</status_date><status_time>${time}</status_time></status>`;
}

test('readBooking: returns the number and the random code', (t) => {
  t.deepEqual(readBooking(created('94040383', '5551234')), {
    kind: 'accepted',
    value: { trackingCode: '94040383', carrierReference: '5551234', description: null },
  });
  t.like(readBooking(created('94040383', '<!$MG_rand>')), { value: { carrierReference: null } });
  t.like(readBooking(created('94040383', '5'.repeat(65))), { value: { carrierReference: null } });
});

test('readBooking: errors inside HTTP 200 are refusals with code and text', (t) => {
  t.deepEqual(readBooking(created('0', '', '100', 'y', 'עיר לא קיימת')), {
    kind: 'rejected',
    code: '100',
    text: 'עיר לא קיימת',
  });
  t.like(readBooking(created('0', '', '1500')), {
    kind: 'rejected',
    code: '1500',
    text: 'The customer is not allowed to book.',
  });
});

test('readBooking: a number with an error flag is no booking', (t) => {
  t.is(readBooking(created('94040383', '', '200', 'y')).kind, 'rejected');
});

test('readBooking: repeated references are duplicates', (t) => {
  for (const code of ['500', '600']) t.is(readBooking(created('0', '', code, 'y')).kind, 'duplicate');
});

test('readBooking: a reply with neither number nor error is unknown', (t) => {
  const strange = ['', 'OK', '<html><body>Login</body></html>', '<root><result>ok</result></root>', '<root>'];

  for (const body of strange) t.is(readBooking(reply(body)).kind, 'unknown', body);
  t.is(readBooking(created('12ab', '')).kind, 'unknown');
  t.is(readBooking(created('-5', '')).kind, 'unknown');
  t.is(readBooking(created('', '')).kind, 'unknown');
  t.is(readBooking(created('', '', '0')).kind, 'unknown');
  t.is(readBooking(created('<!$MG_ship_create_num>', '')).kind, 'unknown');
});

test('readBooking: a refusal has no number or an empty one', (t) => {
  t.like(readBooking(created('', '', '100')), { kind: 'rejected', code: '100' });
  t.like(readBooking(created('', '', '', 'n', 'No such city.')), { kind: 'rejected', text: 'No such city.' });
  t.is(readBooking(created('0', '')).kind, 'rejected');
});

test('a truncated reply is never a booking or a refusal', (t) => {
  const { body } = created('94040383', '5551234');

  for (let length = 0; length < body.length; length += 1) {
    t.is(readBooking(reply(body.subarray(0, length))).kind, 'unknown');
  }
});

test('unclosed placeholders are read in linear time', (t) => {
  const body = reply(`<root><ship_no>77</ship_no>${'<!$MG_'.repeat(40_000)}`);
  const start = performance.now();

  const outcome = readStatus(body, '7001', undefined, NOW);

  const spentMs = performance.now() - start;
  t.is(outcome.kind, 'unknown');
  t.true(spentMs < patient(1000), `${spentMs} ms`);
});

test('readStatus: maps, orders and dates statuses in UTC', (t) => {
  const xml = `<ship_no>77</ship_no>${event('40', '21/11/2026', '11:00')}${event('5', '20/11/2026', '09:00')}${event('77', '20/11/2026', '10:00')}`;

  const outcome = readStatus(statusReply(xml), '7001', undefined, NOW);

  if (outcome.kind !== 'accepted') return t.fail();
  t.deepEqual(
    outcome.value?.status.events.map(({ code, carrierCode, occurredAt }) => [code, carrierCode, occurredAt]),
    [
      ['created', '5', '2026-11-20T07:00:00.000000Z'],
      [undefined, '77', '2026-11-20T08:00:00.000000Z'],
      ['delivered', '40', '2026-11-21T09:00:00.000000Z'],
    ],
  );
});

test("readStatus: the license's table replaces the built-in one", (t) => {
  const xml = `<ship_no>77</ship_no>${event('99', '20/11/2026', '09:00')}${event('40', '20/11/2026', '10:00')}`;

  const outcome = readStatus(statusReply(xml), '7001', new Map([['99', 'delivered']]), NOW);

  if (outcome.kind !== 'accepted') return t.fail();
  t.deepEqual(
    outcome.value?.status.events.map(({ code }) => code),
    ['delivered', undefined],
  );
});

test('readStatus: a flag without an equal event counts, dated when first seen', (t) => {
  const flags = '<ship_delivered_yn>n</ship_delivered_yn><ship_canceled_yn>Y</ship_canceled_yn>';

  const outcome = readStatus(statusReply(`<ship_no>77</ship_no>${flags}`), '7001', undefined, NOW);

  if (outcome.kind !== 'accepted') return t.fail();
  t.true(outcome.value?.cancelled);
  t.like(outcome.value?.status.events[0], { code: 'cancelled', occurredAt: NOW });
});

/** Status codes in a reply of the status program, oldest first. */
function codesOf(xml: string, now = NOW) {
  const outcome = readStatus(statusReply(`<ship_no>77</ship_no>${xml}`), '7001', undefined, now);
  return outcome.kind === 'accepted' ? outcome.value?.status.events.map(({ code }) => code) : outcome.kind;
}

test('readStatus: planned events have not happened and hide nothing', (t) => {
  const planned = event('88', '25/11/2026', '08:00');
  const collected = event('10', '21/11/2026', '13:00');

  t.deepEqual(codesOf(collected + planned), ['collected']);
  t.deepEqual(codesOf(collected + planned, '2026-11-25T06:00:00.000000Z'), ['collected', undefined]);
});

test('readStatus: a flag counts when its event is older than a newer one', (t) => {
  const late = event('40', '21/11/2026', '12:00') + event('20', '21/11/2026', '13:00');
  const flag = '<ship_delivered_yn>y</ship_delivered_yn>';

  t.deepEqual(codesOf(late + flag), ['delivered', 'in_transit', 'delivered']);
  t.deepEqual(codesOf(event('40', '21/11/2026', '12:00') + event('99', '21/11/2026', '13:00') + flag), [
    'delivered',
    undefined,
  ]);
});

test("readStatus: events of one minute keep the list's order, whichever end it starts at", (t) => {
  const [first, second, third] = ['10', '20', '30'].map((code, index) =>
    event(code, '21/11/2026', index === 0 ? '10:00' : '10:05'),
  );

  t.deepEqual(codesOf(`${first}${second}${third}`), ['collected', 'in_transit', 'out_for_delivery']);
  t.deepEqual(codesOf(`${third}${second}${first}`), ['collected', 'in_transit', 'out_for_delivery']);
});

test("readStatus: another customer's parcel and a missing one are null; an error is not", (t) => {
  const foreign = '<ship_no>77</ship_no><master_customer_id>8002</master_customer_id>';
  const none = ['<ship_no>0</ship_no>', '<ship_no/>', '<ship_no><!$MG_ship_no></ship_no>', foreign];

  for (const xml of none) {
    t.deepEqual(readStatus(statusReply(xml), '7001', undefined, NOW), { kind: 'accepted', value: null });
  }
  t.is(readStatus(statusReply(''), '7001', undefined, NOW).kind, 'unknown');
  t.is(readStatus(reply('<html></html>'), '7001', undefined, NOW).kind, 'unknown');
  t.is(readStatus(reply('<root><result>error</result></root>'), '7001', undefined, NOW).kind, 'rejected');
});

test('readStatus: drops events without a readable time', (t) => {
  const xml = `<ship_no>77</ship_no>${event('10', '2026-11-20', '09:00')}${event('10', '<!$MG_d>', '<!$MG_t>')}`;

  const outcome = readStatus(statusReply(xml), '7001', undefined, NOW);

  t.like(outcome, { value: { status: { events: [] } } });
});

test('readCancellation: OK, ERROR or unreadable', (t) => {
  const body =
    '<?xml version="1.0" encoding="windows-1255"?><root><status>ERROR</status><status_desc>המשלוח נאסף</status_desc></root>';

  t.is(readCancellation(reply('<root><status>OK</status><status_desc/></root>')).kind, 'accepted');
  t.deepEqual(readCancellation(reply(encodeWindows1255(body))), {
    kind: 'rejected',
    code: 'ERROR',
    text: 'המשלוח נאסף',
  });
  t.is(readCancellation(reply('<root/>')).kind, 'unknown');
});

test('readLabel: a PDF or none', (t) => {
  t.is(readLabel(reply('%PDF-1.4 …\n%%EOF\n')).kind, 'accepted');
  t.is(readLabel(reply('%PDF-1.4 cut')).kind, 'unknown');
  t.is(readLabel(reply('<html>%PDF-</html>')).kind, 'rejected');
  t.is(readLabel(reply('<root><result>error</result><message>no</message></root>')).kind, 'rejected');
  t.is(
    readLabel(reply(`<root><result>error</result>${'<message/>'.repeat(100_000)}</root>`)).kind,
    'rejected',
    'far too long for an error',
  );
});

test('readPoints: drops points without a code or without deliveries', (t) => {
  const spot = (code: string, yn: string) =>
    `<spot_detail><n_code>${code}</n_code><name><![CDATA[A & B]]></name><mesirot_yn>${yn}</mesirot_yn></spot_detail>`;
  const xml = `<root><spots>${spot('1', 'y')}${spot('2', 'n')}${spot('', 'y')}</spots></root>`;

  const outcome = readPoints(reply(xml));

  if (outcome.kind !== 'accepted') return t.fail();
  t.deepEqual(
    outcome.value.map(({ id, name, city }) => [id, name, city]),
    [['1', 'A & B', '']],
  );
  t.deepEqual(readPoints(reply('<root><spots/></root>')), { kind: 'accepted', value: [] });
  t.is(readPoints(reply('<root/>')).kind, 'unknown');
});
