import test from 'ava';
import { normalised } from '../../../src/api/v1/reply.js';
import { openDatabase } from '../../../src/db/database.js';
import { createResponseLog, cutToBytes } from '../../../src/services/accounts/response-log.js';
import { eventually } from '../../support/conditions.js';
import { startHttp } from '../../support/http.js';
import { query, sendV1, setAppSecret } from '../../support/v1.js';

const stack = await startHttp();
test.after.always(() => stack.close());

const rows = (where = 'TRUE') =>
  stack.db.select(`SELECT license_id, route, status, body FROM response_logs WHERE ${where} ORDER BY id`);

test.serial(
  'answers of the shipping group are kept, with their license and without credentials',
  async (t) => {
    const { license } = await stack.own();
    const path = `/shipping/user-by-license${query({ license_key: license.key, domain: 'x' })}`;

    const answer = await sendV1(stack, 'GET', path);
    const refused = await sendV1(stack, 'GET', '/shipping/user-by-license?license_key=nobody&domain=x');
    const kept = await eventually(async () => {
      const found = await rows();
      return found.length === 2 ? found : null;
    }, 'two rows');

    const [first, second] = kept;
    t.deepEqual(
      [first?.license_id, first?.route, first?.status],
      [license.id, 'GET /api/shipping/user-by-license', answer.status],
    );
    const body = JSON.parse(String(first?.body));
    t.is(body.license.id, license.id);
    t.false(String(first?.body).includes(license.key));
    t.is(body.user.client_id, '[left out]');
    t.deepEqual([second?.license_id, second?.status, second?.body], [null, 403, refused.text]);
  },
);

test.serial('answers of other groups, such as tokens, are not kept', async (t) => {
  await setAppSecret(stack, 's');
  const before = (await rows()).length;

  await sendV1(stack, 'GET', '/license/check_license?license_key=x&domain=y');
  await sendV1(stack, 'POST', '/create_app_user', {
    headers: { 'x-app-secret': 's' },
    json: { name: 'a', phone_number: '1', device_name: 'd' },
  });
  await sendV1(stack, 'GET', '/shipping/user-by-license?license_key=x&domain=y');
  await eventually(async () => ((await rows()).length > before ? true : null), 'another row');

  t.is((await rows()).length, before + 1);
});

test.serial('a refusal of the carrier is kept like every other answer in the envelope', async (t) => {
  const { license } = await stack.own();

  const refused = await sendV1(stack, 'POST', '/shipping/open_new_order', {
    json: {
      license_key: license.key,
      domain: 'shop.test',
      ship_data: { contact_name: 'Dana', street: 'Herzl', city: 'Haifa' },
      order: { id: 'carrier_rejected' },
    },
  });
  const [row] = await eventually(async () => {
    const found = await rows(`route = 'POST /api/shipping/open_new_order'`);
    return found.length === 1 ? found : null;
  }, 'the row');

  t.is(refused.status, 500);
  t.deepEqual([row?.license_id, row?.status, row?.body], [license.id, 500, refused.text]);
});

test.serial('a log that cannot be written fails no request and is reported', async (t) => {
  const gone = openDatabase({ url: 'mysql://root@127.0.0.1:1/none', poolSize: 1 });
  t.teardown(() => gone.close());
  const troubles: unknown[] = [];
  const log = createResponseLog(gone, (error) => troubles.push(error));

  for (let n = 0; n < 60; n++) log.add({ licenseId: null, route: 'GET /x', status: 200, body: '{}' });
  await log.settled();

  t.is(troubles.length, 1);
});

test.serial('an answer is given although the log cannot take it', async (t) => {
  const gone = openDatabase({ url: 'mysql://root@127.0.0.1:1/none', poolSize: 1 });
  t.teardown(() => gone.close());
  const troubles: unknown[] = [];
  const responseLog = createResponseLog(gone, (error) => troubles.push(error));
  const broken = await startHttp({ app: () => ({ responseLog }) });
  t.teardown(() => broken.close());
  const account = await broken.account();
  const { key } = await broken.license(account.id);

  const answers = await Promise.all(
    Array.from({ length: 5 }, () =>
      sendV1(broken, 'POST', '/shipping/order', {
        json: { license_key: key, domain: 'shop.test', orders: ['1'] },
      }),
    ),
  );
  await eventually(() => troubles.length > 0, 'the trouble');

  t.deepEqual(
    answers.map(({ status, body }) => [status, body]),
    answers.map(() => [200, { '1': [] }]),
  );
});

test.serial('everything taken before the end is written, cut to 60,000 bytes', async (t) => {
  const log = createResponseLog(stack.db, (error) => t.fail(String(error)));
  for (let n = 0; n < 120; n++) {
    log.add({ licenseId: n, route: 'GET /end', status: 200, body: n === 0 ? 'א'.repeat(40_000) : '{}' });
  }

  await log.settled();

  const kept = await rows(`route = 'GET /end'`);
  t.deepEqual(
    kept.map((row) => row.license_id),
    Array.from({ length: 120 }, (_, n) => n),
  );
  t.is(kept[0]?.body, 'א'.repeat(30_000));
});

test('texts are cut at a whole character', (t) => {
  t.is(cutToBytes('abc', 3), 'abc');
  t.is(cutToBytes('abcd', 3), 'abc');
  t.is(cutToBytes('aאב', 4), 'aא');
  t.is(cutToBytes('a😀b', 4), 'a');
  t.is(cutToBytes('a😀b', 5), 'a😀');
});

test('only a code directly in the data of an envelope becomes a text', (t) => {
  const codeOf = (data: unknown) => normalised({ status: 200, json: { data, success: true } }).json;

  t.deepEqual(codeOf({ code: 123, data: { code: 5 } }), {
    data: { code: '123', data: { code: 5 } },
    success: true,
  });
  t.deepEqual(codeOf({ code: '00123' }), { data: { code: '00123' }, success: true });
  t.deepEqual(codeOf([]), { data: [], success: true });
  t.deepEqual(codeOf({ nested: { code: 1 } }), { data: { nested: { code: 1 } }, success: true });
  t.deepEqual(normalised({ status: 200, json: { code: 1 } }).json, { code: 1 });
});
