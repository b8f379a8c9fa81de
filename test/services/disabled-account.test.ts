import test from 'ava';
import { issueToken, resolveToken } from '../../src/services/accounts/access-tokens.js';
import { setAccountDisabled } from '../../src/services/admin/accounts.js';
import { TEST_ACTOR } from '../support/actor.js';
import { ApiClient } from '../support/api-client.js';
import { send } from '../support/http-send.js';
import { startStack, type TestStack } from '../support/stack.js';
import { insertUser } from '../support/v1.js';
import { subscribe } from '../support/webhooks.js';

let stack: TestStack;
let url: string;
test.before(async () => {
  stack = await startStack({ env: { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' } });
  url = await stack.startApi();
});
test.after.always(() => stack?.close());

test('a disabled account may do nothing, and everything again once it is enabled', async (t) => {
  const { db, account } = stack;
  const api = new ApiClient(url, account);
  const on = await subscribe(stack, api, { url: 'http://127.0.0.1:9/on' });
  const off = await subscribe(stack, api, { url: 'http://127.0.0.1:9/off' });
  await db.run('UPDATE webhook_subscriptions SET is_active = FALSE WHERE id = ?', [off.id]);
  const token = await issueToken(db, { userId: await insertUser(stack, account.id), name: 'plugin' });
  const seen = async () => ({
    v2: (await api.get('/account')).status,
    v1: (
      await send(`${url}/api/shipping/pickup_locations`, 'POST', {
        headers: { accept: 'application/json' },
        json: { license_key: account.licenseKeys.independent, domain: 'shop.test' },
      })
    ).status,
    token: (await resolveToken(db, token)) !== null,
    webhooks: (
      await db.select('SELECT is_active FROM webhook_subscriptions WHERE id IN (?, ?) ORDER BY url', [
        off.id,
        on.id,
      ])
    ).map((row) => row.is_active),
  });
  const set = (isDisabled: boolean) =>
    setAccountDisabled({ db, actor: TEST_ACTOR }, { id: account.id, isDisabled });

  const before = await seen();
  const disabled = await set(true);
  await set(true);
  const without = await seen();
  const enabled = await set(false);
  const after = await seen();

  t.truthy(disabled.disabledAt);
  t.is(enabled.disabledAt, null);
  t.deepEqual([before.v2, before.token, before.webhooks], [200, true, [0, 1]]);
  t.is(before.v1, 400);
  t.deepEqual(without, { v2: 401, v1: 403, token: false, webhooks: [0, 0] });
  t.deepEqual(after, before);
  const rows = await db.select('SELECT action FROM audit_log ORDER BY id');
  t.deepEqual(
    rows.map(({ action }) => action),
    ['accounts.disable', 'accounts.enable'],
  );
});
