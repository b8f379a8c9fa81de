import test from 'ava';
import type { CarrierAdapter } from '../../src/carriers/contract.js';
import { labelPdf } from '../../tools/doubles/carriers/pdf.js';
import { type ApiClient, shipmentBody, startApiStack } from '../support/api-client.js';
import { carrierDouble } from '../support/carrier-double.js';
import { packedPdf } from '../support/hostile-pdfs.js';
import { type TestStack } from '../support/stack.js';

let pdf: Buffer;
const adapter: CarrierAdapter = {
  ...carrierDouble('label-maker').adapter,
  label: async () => ({ kind: 'accepted', value: pdf }),
};
let stack: TestStack;
let api: ApiClient;

test.before(async () => {
  ({ stack, api } = await startApiStack({ doubles: [adapter] }));
  await stack.db.run("UPDATE accounts SET label_method = 'carrier' WHERE id = ?", [stack.account.id]);
});
test.after.always(() => stack?.close());

async function labelOf(bytes: Buffer) {
  pdf = bytes;
  const { body } = await api.create(shipmentBody(stack.account, 'label-maker'));
  return await api.get(`/shipments/${body.data.uuid}/label`);
}

test("a carrier's label is taken, unless it unpacks to more than a label needs", async (t) => {
  const plain = await labelOf(labelPdf(['one']));
  const packed = await labelOf(await packedPdf({ spaceMib: 1 }));
  const bomb = await labelOf(await packedPdf({ spaceMib: 64 }));

  t.is(plain.status, 200, plain.text);
  t.is(packed.status, 200, packed.text);
  t.is(bomb.status, 422, bomb.text);
  t.true(bomb.text.includes('not a PDF that can be printed'), bomb.text);
});
