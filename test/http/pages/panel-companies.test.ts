import { randomUUID } from 'node:crypto';
import test from 'ava';
import { allCarriers } from '../../../src/carriers/registry.js';
import { syncCarriers } from '../../../src/db/migrate.js';
import { listAudit } from '../../../src/db/queries/accounts/audit-log.js';
import { insertCarrierLicense } from '../../support/carrier-licenses.js';
import { startHttp } from '../../support/http.js';
import { askPanel, cookieOf } from '../../support/panel.js';

const http = await startHttp();
await syncCarriers(
  http.db,
  allCarriers().map(({ provider, displayName }) => ({ provider, name: displayName })),
);
const cookie = await cookieOf(http, 'administrator');
test.after.always(() => http.close());

function ask(path: string, form?: Record<string, string>) {
  return askPanel(`${http.url}/panel/companies${path}`, {
    ...(form === undefined ? {} : { form }),
    headers: { cookie },
  });
}

async function companyNamed(name: string) {
  const [row] = await http.db.select(
    `SELECT c.id, c.name, c.is_premium AS premium, r.provider FROM companies c
     JOIN carriers r ON r.id = c.carrier_id WHERE c.name = ?`,
    [name],
  );
  return row;
}

/** The newest acts on a company. */
async function actsOn(id: unknown) {
  const entries = await listAudit(http.db, { action: 'companies' }, { limit: 100 });
  return entries.filter(({ target }) => target.id === String(id)).map(({ action }) => action);
}

test('companies: made, listed, changed and deleted, each with its entry in the audit', async (t) => {
  const name = `Blue ${randomUUID()}`;

  const made = await ask('', { carrier: 'run', name, premium: 'on' });
  const { id, ...stored } = (await companyNamed(name)) ?? {};
  const list = await ask('');
  const changed = await ask(`/${id}`, { name: `${name} two` });
  const after = await companyNamed(`${name} two`);
  const deleted = await ask(`/${id}/delete`, {});

  t.is(made.status, 303);
  t.deepEqual({ ...stored }, { name, premium: 1, provider: 'run' });
  t.true(list.text.includes(name));
  t.is(changed.to, `/panel/companies/${id}?notice=saved`);
  t.is(after?.premium, 0);
  t.is(deleted.to, '/panel/companies?notice=deleted');
  t.is(await companyNamed(`${name} two`), undefined);
  t.deepEqual(await actsOn(id), ['companies.delete', 'companies.change', 'companies.create']);
});

test('companies: 422 when the name is empty, and when one with licenses is deleted', async (t) => {
  const { id: accountId } = await http.account();
  const license = await insertCarrierLicense(http, {
    accountId,
    provider: 'run',
    baseUrl: 'http://127.0.0.1:9',
  });
  const [row] = await http.db.select('SELECT company_id AS id FROM licenses WHERE id = ?', [license.id]);
  const page = await ask(`/${row?.id}`);

  const unnamed = await ask('', { carrier: 'run', name: ' ' });
  const used = await ask(`/${row?.id}/delete`, {});

  t.is(unnamed.status, 422);
  t.true(unnamed.text.includes('id="name-error"'));
  t.notRegex(page.text, /\/delete"/);
  t.is(used.status, 422);
  t.is((await http.db.select('SELECT id FROM companies WHERE id = ?', [Number(row?.id)])).length, 1);
});

test('companies: 404 when there is none', async (t) => {
  t.is((await ask('/999999')).status, 404);
  t.is((await ask('/999999', { name: 'x' })).status, 404);
  t.is((await ask('/999999/delete', {})).status, 404);
});
