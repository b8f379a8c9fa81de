import test from 'ava';
import { insertAudit } from '../../../src/db/queries/accounts/audit-log.js';
import { LIMITS } from '../../../src/lib/limits/values.js';
import { auditCsv } from '../../../src/services/admin/audit.js';
import { TEST_ACTOR } from '../../support/actor.js';
import { startHttp } from '../../support/http.js';
import { askAs, askPanel, cookieOf } from '../../support/panel.js';

const http = await startHttp();
test.after.always(() => http.close());

const ask = (path: string) => askAs(http, 'operator', path);

test('audit: the filtered list as a CSV file, for operators alone', async (t) => {
  const { id: accountId } = await http.account();
  for (const name of ['=1+1', 'דנה']) {
    await insertAudit(http.db, TEST_ACTOR, {
      action: 'accounts.change',
      target: { kind: 'account', id: accountId },
      accountId,
      before: null,
      after: { name },
    });
  }
  const cookie = await cookieOf(http, 'operator');
  const address = `${http.url}/panel/audit.csv?account=${accountId}&action=accounts`;
  const file = await fetch(address, { headers: { cookie } });
  const lines = (await file.text()).trimEnd().split('\n');
  const page = await ask(`/audit?account=${accountId}`);
  const wrong = await ask('/audit.csv?since=yesterday');

  t.is(file.headers.get('content-type'), 'text/csv; charset=utf-8');
  t.regex(file.headers.get('content-disposition') ?? '', /^attachment; filename="audit-[\d-]{10}\.csv"$/);
  t.is(file.headers.get('cache-control'), 'no-store');
  t.is(lines.length, 3);
  t.regex(lines[1] ?? '', /דנה/);
  t.true(page.text.includes(`href="/panel/audit.csv?account=${accountId}"`));
  t.true(page.text.includes(`href="/panel/a/${accountId}/shipments"`), 'names the merchant');
  t.is(wrong.status, 422);
  t.regex(wrong.text, /id="since-error"/);
  const staff = await cookieOf(http, 'owner', accountId);
  t.is((await askPanel(address, { headers: { cookie: staff } })).status, 404);
});

test('audit: a CSV file ends at its bound', async (t) => {
  const { id: accountId } = await http.account();
  await http.db.run(
    `INSERT INTO audit_log (actor_kind, actor_name, actor_origin, action, target_kind, target_id, account_id)
     WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 700)
     SELECT 'admin', 'dana', 'host', 'accounts.change', 'account', i, ? FROM n`,
    [accountId],
  );
  const linesOf = async (most?: number) => {
    let text = '';
    for await (const piece of auditCsv(http, { account: accountId }, most)) text += piece;
    return text.trimEnd().split('\n').length - 1;
  };

  t.is(await linesOf(), 700);
  t.is(await linesOf(500), 500);
  t.is(await linesOf(501), 501);
  t.is(await linesOf(20), 20);
  t.true(LIMITS.panel.auditRows > 700);
});
