import test from 'ava';
import { ensureLabelSet, type LabelSet } from '../../src/db/queries/labels/labels.js';
import { DEFAULT_LABEL_OPTIONS } from '../../src/domain/labels.js';
import { createLabelDocuments } from '../../src/services/labels/label-documents.js';
import { createLabelParts } from '../../src/services/labels/label-parts.js';
import { htmlLabels } from '../../src/services/labels/labels.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { insertTestLicense, insertTestShipment } from '../support/factories.js';
import { labelApp } from '../support/label-app.js';

let database: TestDatabase;
let license: Awaited<ReturnType<typeof insertTestLicense>>;
/** Number of started reads of label sources. */
let reads = 0;
let onRead: () => void = () => undefined;

test.before(async () => {
  database = await createTestDatabase(undefined, (sql) => {
    if (!sql.includes('o.warehouse_location')) return;
    reads += 1;
    onRead();
  });
  license = await insertTestLicense(database.db);
});
test.after.always(() => database.drop());

async function labelSet(shipments: number): Promise<LabelSet> {
  const { db } = database;
  const shipmentIds: number[] = [];
  while (shipmentIds.length < shipments) shipmentIds.push((await insertTestShipment(db, license)).id);
  const { accountId } = license;
  return await ensureLabelSet(db, { accountId, shipmentIds, options: DEFAULT_LABEL_OPTIONS });
}

/** Sixteen different documents of one set. */
const CHOICES = [1, 2, 3, 4, 5, 6, 7, 8].flatMap((position) =>
  (['asc', 'desc'] as const).map((sort) => ({ position, sort })),
);

test.serial('html: a page requested many times at once is made a few times', async (t) => {
  const app = { labels: createLabelParts(labelApp(database.db)) };
  const { uuid } = await labelSet(3);
  reads = 0;

  const pages = await Promise.all(Array.from({ length: 32 }, () => htmlLabels(app, uuid, {})));

  t.is(new Set(pages.map(({ etag }) => etag)).size, 1);
  t.true(reads <= 8, `${reads} reads`);
});

test.serial('html: few different pages are made at once', async (t) => {
  const app = { labels: createLabelParts(labelApp(database.db)) };
  const { uuid } = await labelSet(3);
  reads = 0;
  let done = 0;
  let most = 0;
  onRead = () => {
    most = Math.max(most, reads - done);
  };

  const pages = CHOICES.map(async (choice) => {
    await htmlLabels(app, uuid, choice);
    done += 1;
  });
  await Promise.all(pages);

  t.is(reads, 16);
  // Two, and two more whose callers have not resumed yet.
  t.true(most <= 4, `${most} at the same time`);
});

test.serial('html: the label of a single shipment does not wait for sets', async (t) => {
  let release: () => void = () => undefined;
  const held = new Promise<null>((resolve) => {
    release = () => resolve(null);
  });
  const documents = createLabelDocuments({
    db: database.db,
    config: { baseUrl: 'https://x.test' },
    logos: { of: () => held },
  });
  const [many, single] = [await labelSet(3), await labelSet(1)];
  reads = 0;
  const begun = new Promise<void>((resolve) => {
    onRead = () => void (reads === 2 && resolve());
  });
  const pages = CHOICES.slice(0, 4).map((choice) =>
    documents.html({ ...many, options: { ...many.options, ...choice } }),
  );
  await begun;

  const { document } = await documents.compose(single);
  const readsMeanwhile = reads;
  release();
  await Promise.all(pages);

  t.is(document.labels.length, 1);
  t.is(readsMeanwhile, 3);
  t.is(reads, 5);
});
