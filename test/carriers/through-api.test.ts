import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { allCarriers } from '../../src/carriers/registry.js';
import { projectFolder } from '../../tools/launcher/paths.js';
import { run } from '../../tools/launcher/run.js';
import { startApiStack } from '../support/api-client.js';
import { docPages } from '../support/doc-pages.js';

const { stack, api } = await startApiStack();
test.after.always(() => stack.close());

/** A shipment that every carrier accepts. */
function body(licenseKey: string | undefined) {
  return {
    license_key: licenseKey,
    ship_data: {
      type: 1,
      return: 1,
      contact_name: 'Dana Levi',
      contact_phone: '0501234567',
      street: 'Dizengoff',
      number: '99',
      city: 'Tel Aviv',
    },
    order: { id: randomUUID(), total: '120.00', currency: 'ILS' },
  };
}

for (const { provider, cancel } of allCarriers()) {
  if (cancel === undefined) continue;
  test(`${provider}: books and cancels a parcel through the API`, async (t) => {
    const booked = await api.create(body(stack.account.licenseKeys[provider]), randomUUID());
    const cancelled = await api.post(`/shipments/${booked.body.data?.uuid}/cancel`, {});

    t.is(booked.status, 201, booked.text);
    t.is(cancelled.status, 200, cancelled.text);
    t.is(cancelled.body.data.status.code, 'cancelled');
    const ledger = await stack.sandboxes.get(provider)?.ledger();
    if (ledger === undefined) return;
    const ours = ledger.filter(({ code }) => code === booked.body.data.tracking_code);
    t.deepEqual(
      ours.map(({ status }) => status),
      ['cancelled'],
    );
  });
}

/** The carrier that the guide adds; when it is not registered, another one is used. */
const GUIDES = 'acme_express';
const tried = allCarriers().some(({ provider }) => provider === GUIDES) ? GUIDES : 'getpackage';

test(`${tried}: the guide's commands book and cancel a parcel`, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'parcelworks-guide-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, '.dev'));
  const { clientId, clientSecret, licenseKeys } = stack.account;
  const demo = {
    base_url: api.url,
    client_id: clientId,
    client_secret: clientSecret,
    sandboxes: { [GUIDES]: stack.sandboxes.get(tried)?.url },
  };
  writeFileSync(join(folder, '.dev', 'demo.json'), JSON.stringify(demo));
  const guide = docPages().find(({ path }) => path === 'docs/guides/add-a-carrier.md');
  const commands = guide?.blocks.find(({ language }) => language === 'sh')?.text ?? 'false';

  const { code, output } = await run(
    'bash',
    [
      '-euc',
      `. '${projectFolder}/docs/helpers.sh'\n${commands.replace('demo-acme-express', licenseKeys[tried] ?? '')}`,
    ],
    { cwd: folder },
  );

  t.is(code, 0, output);
  t.regex(output, /"code": "created".*"code": "cancelled"/s);
  const ledger = (await stack.sandboxes.get(tried)?.ledger()) ?? [];
  t.is(ledger.at(-1)?.status, 'cancelled');
});
