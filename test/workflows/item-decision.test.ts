import test from 'ava';
import { decideItem } from '../../activities/item-decision.js';

type Situation = Parameters<typeof decideItem>[0];
type ItemShipment = Situation['shipments'][number];

const shipment = (uuid: string, state: ItemShipment['state'], isAsked = true): ItemShipment => ({
  uuid,
  state,
  isAsked,
  reason: state === 'refused' ? 'No such street.' : '',
});
const created = (shipmentUuid: string) => ({ do: 'record', outcome: { kind: 'created', shipmentUuid } });
const waitsFor = (shipmentUuid: string) => ({ do: 'record', outcome: { kind: 'reserved', shipmentUuid } });
const creates = (open?: string) => ({ do: 'create', open });
const REFUSED = {
  do: 'record',
  outcome: { kind: 'failed', error: { code: 'carrier_rejected', message: 'No such street.' } },
};

/** A row names what differs from the usual: an item without a past, looked at first, that can be created. */
const ROWS: readonly [what: string, when: Partial<Situation>, then: object][] = [
  // Its own shipment has ended.
  ['made', { noted: 'A', shipments: [shipment('A', 'created')] }, created('A')],
  ['made, unusable', { noted: 'A', shipments: [shipment('A', 'created')], isUsable: false }, created('A')],
  ['refused', { noted: 'A', shipments: [shipment('A', 'refused')] }, REFUSED],
  ['refused, unusable', { noted: 'A', shipments: [shipment('A', 'refused')], isUsable: false }, REFUSED],
  [
    'refused, and made by another later',
    { noted: 'A', shipments: [shipment('A', 'refused'), shipment('B', 'created')] },
    REFUSED,
  ],

  // Its own shipment ended before the carrier was asked.
  ['freed', { noted: 'A', shipments: [shipment('A', 'refused', false)] }, creates()],
  [
    'freed, unusable',
    { noted: 'A', shipments: [shipment('A', 'refused', false)], isUsable: false },
    { do: 'refuse' },
  ],
  [
    'freed, and reserved again',
    { noted: 'A', shipments: [shipment('A', 'refused', false), shipment('B', 'reserved')] },
    creates('B'),
  ],

  // Its own shipment is open.
  ['open', { noted: 'A', shipments: [shipment('A', 'reserved')] }, { do: 'defer' }],
  [
    'open, its turn',
    { noted: 'A', shipments: [shipment('A', 'reserved')], isFirstLook: false },
    creates('A'),
  ],
  [
    'open, its turn, unusable',
    { noted: 'A', shipments: [shipment('A', 'reserved')], isFirstLook: false, isUsable: false },
    waitsFor('A'),
  ],

  // It has noted no shipment.
  ['new', {}, creates()],
  ['unusable', { isUsable: false }, { do: 'refuse' }],
  ['unusable, running', { isUsable: false, isRunning: true }, { do: 'wait' }],
  ['unnoted, made', { shipments: [shipment('B', 'created')] }, created('B')],
  ['unnoted, made, unusable', { shipments: [shipment('B', 'created')], isUsable: false }, created('B')],
  ['unnoted, open', { shipments: [shipment('B', 'reserved')] }, creates('B')],
  ['unnoted, open, unusable', { shipments: [shipment('B', 'reserved')], isUsable: false }, waitsFor('B')],
  ['unnoted, refused', { shipments: [shipment('B', 'refused')] }, creates()],
  ['noted, its row gone', { noted: 'A' }, creates()],
];

for (const [what, when, then] of ROWS) {
  test(`decideItem: ${what}`, (t) => {
    const usual = { noted: null, shipments: [], isUsable: true, isRunning: false, isFirstLook: true };

    t.deepEqual(decideItem({ ...usual, ...when }), then);
  });
}
