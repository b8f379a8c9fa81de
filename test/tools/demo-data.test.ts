import { randomBytes } from 'node:crypto';
import test from 'ava';
import { allCarriers } from '../../src/carriers/registry.js';
import { findByClientId } from '../../src/db/queries/accounts/credentials.js';
import { resolveToken } from '../../src/services/accounts/access-tokens.js';
import { accountList } from '../../src/services/admin/accounts.js';
import { rotateCredentials } from '../../src/services/admin/credentials.js';
import { licenseList, showLicense } from '../../src/services/admin/licenses.js';
import { sealedSettings } from '../../src/services/admin/settings.js';
import { tokenList } from '../../src/services/admin/tokens.js';
import { signIn } from '../../src/services/panel/sign-in.js';
import { demoCarrier } from '../../tools/demo/carriers.js';
import { seedDemo } from '../../tools/demo/data.js';
import { codeOf, PANEL_EMAILS } from '../../tools/demo/panel.js';
import { isSandboxProvider, sandboxProviders } from '../../tools/doubles/carriers/server.js';
import { TEST_ACTOR } from '../support/actor.js';
import { createTestDatabase } from '../support/database.js';
import { demoSecrets } from '../support/demo.js';
import { appKeysOf } from '../support/factories.js';

const appKey = randomBytes(32);
const appKeys = appKeysOf(appKey);

function sandboxesFrom(port: number): Record<string, string> {
  return Object.fromEntries(
    sandboxProviders().map((name, index) => [name, `http://127.0.0.1:${port + index}`]),
  );
}

for (const adapter of allCarriers()) {
  test(`the demo's settings of ${adapter.provider} fit the carrier, and name its sandbox`, (t) => {
    const url = 'http://127.0.0.1:4010';
    const settings = demoCarrier(adapter).settings(url);

    const stored = sealedSettings({ appKeys }, adapter, { settings });

    t.is(stored.settings.base_url, isSandboxProvider(adapter.provider) ? url : undefined);
  });
}

test('every sandbox stands in for a carrier of the registry', (t) => {
  const providers = new Set(allCarriers().map(({ provider }) => provider));
  t.deepEqual(
    sandboxProviders().filter((provider) => !providers.has(provider)),
    [],
  );
});

test('a second start changes nothing but what has to: the ports of sandboxes, and replaced credentials', async (t) => {
  const { db, drop } = await createTestDatabase();
  t.teardown(drop);
  const app = {
    db,
    config: {
      appKeys,
      webhookAllowCidrs: ['127.0.0.0/8'],
      webhookRetrySeconds: 1,
      baseUrl: 'http://127.0.0.1',
    },
    adapters: allCarriers(),
    actor: TEST_ACTOR,
  };
  const secrets = demoSecrets(appKey);
  const seed = {
    app,
    secrets,
    sandboxes: sandboxesFrom(4010),
    callbackUrl: 'http://127.0.0.1:8025/callbacks',
  };
  const first = await seedDemo(seed);
  const before = await licenseList(app, {});
  await rotateCredentials(app, { clientId: secrets.first.clientId, overlap: 'none' });

  const { userToken, recipientToken } = first;
  const kept = { ...secrets, userToken, recipientToken };
  const second = await seedDemo({ ...seed, secrets: kept, sandboxes: sandboxesFrom(5010) });

  t.deepEqual(second, first);
  t.deepEqual(await licenseList(app, {}), before);
  t.is((await accountList(app, {})).length, 3);
  t.is((await tokenList(app, {})).length, 2);
  t.truthy(await findByClientId(db, secrets.first.clientId));
  const run = await showLicense(app, { license: 'demo-run' });
  t.is(run.settings?.base_url, sandboxesFrom(5010).run);
  const host = sandboxesFrom(5010).run;
  t.deepEqual(
    (await accountList(app, {})).map((shop) => [shop.companyName, shop.companyLogo, shop.companyColor]),
    [
      ['Demo Shop', `${host}/__logo.png`, ''],
      ['החנות השנייה', `${host}/__logo-second.png`, '#1b7a4b'],
      ['תה ועוד', '', '#8a4b08'],
    ],
  );
  const other = await showLicense(app, { license: 'demo-second' });
  t.deepEqual([run.collectCompany, run.collectCity], ['Demo Shop', 'Tel Aviv']);
  t.deepEqual([other.collectCompany, other.collectCity], ['החנות השנייה', 'חיפה']);
  t.is(run.settings?.customer_number, '1234');
  t.deepEqual(run.secrets, ['token']);
  t.like(await resolveToken(db, second.userToken), { kind: 'user', isPremium: true });
  t.like(await resolveToken(db, second.recipientToken), { kind: 'recipient', phone: '0501234567' });
});

test('the users of the panel can sign in with the code of now, also at a second start', async (t) => {
  const { db, drop } = await createTestDatabase();
  t.teardown(drop);
  const config = { appKeys, webhookAllowCidrs: [], webhookRetrySeconds: 1, baseUrl: 'http://127.0.0.1' };
  const app = { db, config, adapters: allCarriers(), actor: TEST_ACTOR };
  const secrets = demoSecrets(appKey);
  const seed = { app, secrets, sandboxes: sandboxesFrom(4010), callbackUrl: null };
  await seedDemo(seed);
  await seedDemo(seed);
  const { password, totpSecret } = secrets.panel;

  for (const email of Object.values(PANEL_EMAILS)) {
    const visitor = { address: '127.0.0.1', browser: 'test' };
    const session = await signIn(app, { email, password, code: codeOf(totpSecret) }, visitor);

    t.true('token' in session, email);
  }
});
