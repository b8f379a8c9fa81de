import test from 'ava';
import { duration } from '../../../src/http/pages/panel/duration.js';
import { WORDS } from '../../../src/http/pages/panel/words/words.js';
import { insertCarrierLicense } from '../../support/carrier-licenses.js';
import { insertTestShipment } from '../../support/factories.js';
import { startHttp } from '../../support/http.js';
import { askAs } from '../../support/panel.js';

const http = await startHttp();
test.after.always(() => http.close());

test('GET /panel/overview: counts lead to what they count, and carriers have the names that people read', async (t) => {
  const { id: accountId } = await http.account();
  const baseUrl = 'http://127.0.0.1:9';
  const license = await insertCarrierLicense(http, { accountId, provider: 'getpackage', baseUrl });
  await insertTestShipment(
    http.db,
    { accountId, licenseId: license.id, carrierId: license.carrierId },
    { state: 'reserved', status_code: 'needs_attention', tracking_code: null },
  );

  const { text } = await askAs(http, 'operator', '/overview');

  t.regex(text, /<b><a href="\/panel\/attention"[^>]*>[1-9]\d*<\/a><\/b>/);
  t.true(text.includes('<bdi>GetPackage</bdi>'));
  t.false(text.includes('>getpackage<'));
});

test('duration: in the largest unit of which there are two, in words', (t) => {
  const told = [0, 59, 119, 120, 7199, 7200, 172_800].map((seconds) => duration(seconds, WORDS.en));

  t.deepEqual(told, [
    '0 seconds',
    '59 seconds',
    '119 seconds',
    '2 minutes',
    '119 minutes',
    '2 hours',
    '2 days',
  ]);
  t.is(duration(7200, WORDS.he), 'שעתיים');
});
