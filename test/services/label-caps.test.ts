import type { Client } from '@temporalio/client';
import test from 'ava';
import { textsOf } from '../../src/domain/problems/problem.js';
import { createLabelParts } from '../../src/services/labels/label-parts.js';
import { labelsOfShipments } from '../../src/services/labels/labels.js';
import { startRenderLabels } from '../../src/temporal/starters.js';
import { createTestDatabase } from '../support/database.js';
import { insertTestAccount, insertTestLicense, insertTestShipment } from '../support/factories.js';
import { labelApp } from '../support/label-app.js';

test('POST /shipments/labels: refuses more than 500 packages before printing', async (t) => {
  const { db, drop } = await createTestDatabase();
  t.teardown(drop);
  const { accountId } = await insertTestAccount(db);
  const license = await insertTestLicense(db, { accountId });
  const uuids: string[] = [];
  for (let n = 0; n < 6; n++) {
    uuids.push((await insertTestShipment(db, license, { packages: 99 })).uuid);
  }
  const labels = createLabelParts(labelApp(db));
  const options = { labelType: null, position: 1, sort: undefined };

  const error: any = await t.throwsAsync(
    labelsOfShipments({ labels }, { accountId, shipments: uuids, options }),
  );

  t.is(error.code, 'validation_failed');
  t.deepEqual(textsOf(error.fields ?? {}), {
    shipments: ['The shipments field must not have more than 500 packages in all; these have 594.'],
  });
});

test('POST /shipments/labels: large documents wait behind small ones, fairly between accounts', async (t) => {
  const started: { priority?: object }[] = [];
  const client = {
    workflow: { start: async (_type: string, options: object) => started.push(options) },
  } as unknown as Client;
  const input = {
    accountId: 7,
    labelSetUuid: 'set',
    options: { labelType: null, position: 1, sort: undefined },
    baseUrl: 'https://x.test',
    contentHash: 'hash',
    shipmentUuid: null,
  };

  await startRenderLabels(client, { ...input, labels: 10 });
  await startRenderLabels(client, { ...input, labels: 11 });

  t.deepEqual(
    started.map(({ priority }) => priority),
    [
      { priorityKey: 1, fairnessKey: 'account-7' },
      { priorityKey: 4, fairnessKey: 'account-7' },
    ],
  );
});
