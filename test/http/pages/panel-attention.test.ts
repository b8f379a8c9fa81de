import test from 'ava';
import { tellOperators } from '../../../src/services/operations/tell-operators.js';
import { type HttpStack, startHttp } from '../../support/http.js';
import { askPanel, cookieOf } from '../../support/panel.js';

/** More than any list reads at once. */
const MANY = 510;
let http: HttpStack;

test.before(async () => {
  http = await startHttp();
  const { id } = await http.account();
  const license = await http.license(id);
  const first = await http.shipment(id, license, {
    columns: { state: 'reserved', status_code: 'needs_attention', tracking_code: null },
  });
  await http.db.run(
    `INSERT INTO shipments (uuid, short_tracking_code, state, is_active, status_code, status_description, status_at,
       account_id, license_id, carrier_id, order_id, workflow_id, service_type, return_type, recipient_name,
       recipient_phone, recipient_country, details)
     WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
     SELECT UUID(), CONCAT('T', LPAD(i, 9, '0')), s.state, s.is_active, s.status_code, s.status_description, s.status_at,
       s.account_id, s.license_id, s.carrier_id, s.order_id, s.workflow_id, s.service_type, s.return_type,
       s.recipient_name, s.recipient_phone, s.recipient_country, s.details
     FROM n JOIN shipments s ON s.uuid = ?`,
    [MANY - 1, first.uuid],
  );
});
test.after.always(() => http?.close());

test('GET /attention: counts all that wait, and pages through them', async (t) => {
  const cookie = await cookieOf(http, 'operator');
  const seen = new Set<string>();
  let path: string | null = '/panel/attention';
  let pages = 0;
  while (path !== null) {
    const { text } = await askPanel(`${http.url}${path}`, { headers: { cookie } });
    if (pages === 0) t.regex(text, /510 wait in all/);
    for (const [, uuid = ''] of text.matchAll(/type="checkbox"[^>]*value="([0-9a-f-]{36}) \d+"/g))
      seen.add(uuid);
    const [query] = /\?after=\d+/.exec(text) ?? [];
    path = query === undefined ? null : `/panel/attention${query}`;
    pages += 1;
  }

  t.is(seen.size, MANY);
  t.is(pages, Math.ceil(MANY / 25));
});

test.serial('tellOperators: tells of each that waits once, however many wait', async (t) => {
  const config = {
    alertUrl: 'http://hook.example',
    alertMail: null,
    temporalUiUrl: null,
    temporalNamespace: 'default',
  };
  const anywhere = {
    async post({ body }: { body: string }) {
      told.push(JSON.parse(body));
      return { kind: 'answered', status: 200, body: '' };
    },
  };
  const told: { begun: number; waiting: number }[] = [];
  const app = { db: http.db, config, anywhere, mailer: null } as unknown as Parameters<
    typeof tellOperators
  >[0];

  const sent = [await tellOperators(app), await tellOperators(app)];

  t.deepEqual(sent, [1, 0]);
  t.like(told, [{ begun: MANY, waiting: MANY }]);
});
