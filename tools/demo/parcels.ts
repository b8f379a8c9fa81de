import type { StatusCode } from '../../src/domain/statuses.js';
import type { DemoLicense } from './orders.js';
import { BASKETS, PEOPLE } from './people.js';

export interface DemoParcel {
  readonly license: string;
  /** The shop's order id: the license's key and the parcel's fate. */
  readonly orderId: string;
  readonly ship: Readonly<Record<string, unknown>>;
  readonly order: Readonly<Record<string, unknown>>;
  /** Statuses after the booking, in order. */
  readonly path: readonly StatusCode[];
  /**
   * Special ends: cancelled by the shop, refused by the carrier, or booked with its answer lost, so that a
   * person must decide.
   */
  readonly end: 'cancelled' | 'refused' | 'unanswered' | null;
}

type Plan = readonly [
  name: string,
  who: keyof typeof PEOPLE,
  basket: keyof typeof BASKETS,
  path: readonly StatusCode[],
  more?: Readonly<Record<string, unknown>>,
  end?: DemoParcel['end'],
];

const ON_THE_WAY = ['collected', 'in_transit'] as const;
const AT_POINT = [...ON_THE_WAY, 'at_pickup_point'] as const;
const AT_DOOR = [...ON_THE_WAY, 'out_for_delivery'] as const;
const IN_VAIN = [...AT_DOOR, 'delivery_failed'] as const;

const PLANS: Readonly<Record<string, readonly Plan[]>> = {
  'demo-run': [
    ['created', 'dana', 'shirt', []],
    ['collected', 'tamar', 'all', ['collected'], { packages: 3, is_cod: true, cod_amount: '372.90' }],
    ['in-transit', 'ahmad', 'oil', ON_THE_WAY],
    ['at-pickup-point', 'noa', 'mug', AT_POINT, { pickup: '1002', pickup_address: 'הרצל 12' }],
    ['out-for-delivery', 'layla', 'oil', AT_DOOR, { is_cod: true, cod_amount: '135.00' }],
    ['delivery-failed', 'emma', 'shirt', IN_VAIN],
    ['delivered', 'yossi', 'mug', [...AT_DOOR, 'delivered']],
    ['returning', 'maximilian', 'shirt', [...IN_VAIN, 'returning']],
    ['returned', 'samir', 'oil', [...IN_VAIN, 'returning', 'returned']],
    ['lost', 'yossi', 'mug', [...ON_THE_WAY, 'lost']],
    ['cancelled', 'dana', 'shirt', [], {}, 'cancelled'],
    ['round-trip', 'maximilian', 'shirt', ['collected'], { return: 2 }],
    ['collection', 'tamar', 'mug', [], { type: 2 }],
    ['refused', 'emma', 'shirt', [], {}, 'refused'],
  ],
  'demo-lionwheel': [
    [
      'at-pickup-point',
      'dana',
      'shirt',
      AT_POINT,
      { pickup: '7d5b0a52-6a0e-4a58-9d4c-0c5f9a4b1e01', pickup_address: 'דיזנגוף 99' },
    ],
    ['delivery-failed', 'yossi', 'mug', IN_VAIN],
    ['returning', 'emma', 'shirt', [...AT_POINT, 'returning']],
    ['delivered', 'ahmad', 'oil', [...AT_DOOR, 'delivered']],
  ],
  'demo-cargo': [
    ['at-pickup-point', 'layla', 'oil', AT_POINT, { pickup: '10019', pickup_address: 'דרך צרפת 63' }],
    ['out-for-delivery', 'noa', 'all', AT_DOOR, { packages: 2, is_cod: true, cod_amount: '372.90' }],
    ['returning', 'maximilian', 'shirt', ['collected', 'returning'], { return: 2 }],
    ['collection', 'tamar', 'mug', ['collected'], { type: 2 }],
  ],
  'demo-getpackage': [
    ['collected', 'dana', 'shirt', ['collected']],
    ['delivered', 'yossi', 'mug', ['collected', 'delivered']],
    ['returned', 'samir', 'oil', ['delivery_failed', 'returned']],
    ['needs-attention', 'emma', 'shirt', [], {}, 'unanswered'],
  ],
  'demo-wolt-drive': [
    ['out-for-delivery', 'tamar', 'mug', ['collected', 'out_for_delivery']],
    ['delivered', 'layla', 'oil', ['collected', 'out_for_delivery', 'delivered']],
    ['delivery-failed', 'emma', 'shirt', ['collected', 'out_for_delivery', 'delivery_failed']],
    ['cancelled-by-carrier', 'dana', 'shirt', ['cancelled']],
  ],
  'demo-independent': [
    ['created', 'ahmad', 'oil', []],
    ['round-trip', 'maximilian', 'shirt', [], { return: 2 }],
    ['cancelled', 'noa', 'mug', [], {}, 'cancelled'],
  ],
  'demo-premium': [],
  'demo-third': [],
  'demo-third-run': [],
  'demo-second': [
    ['created', 'noa', 'all', [], { packages: 2, is_cod: true, cod_amount: '372.90' }],
    ['arabic', 'layla', 'oil', []],
    ['cancelled', 'dana', 'shirt', [], {}, 'cancelled'],
  ],
};

/** Licenses with mails from the first start on, so that the inbox shows both shops. */
export const TELLING_LICENSES: ReadonlySet<string> = new Set([
  'demo-cargo',
  'demo-wolt-drive',
  'demo-second',
]);

/** Any other license, such as of a new carrier, gets one parcel. */
const OTHERS: readonly Plan[] = [['created', 'dana', 'shirt', []]];

export function demoParcels({ key }: Pick<DemoLicense, 'key'>): DemoParcel[] {
  const plans = PLANS[key] ?? OTHERS;
  const thousand = Object.keys(PLANS).indexOf(key) + 2;
  return plans.map(([name, who, basket, path, more = {}, end = null], index) => ({
    license: key,
    orderId: `${key}-${name}`,
    ship: { type: 1, return: 1, ...PEOPLE[who], ...more },
    order: { number: `W-${thousand * 1000 + index}`, currency: 'ILS', source: 'demo', ...BASKETS[basket] },
    path,
    end,
  }));
}
