import { sortByLocation } from './labels.js';

/** A line of goods. */
interface PackedItem {
  name: string;
  variation: string | null;
  sku: string | null;
  quantity: number;
}

/** The content of a parcel, as far as a pick list needs it. Parcels of one order have the same goods. */
export interface PackedOrder {
  orderRowId: number;
  orderNumber: string;
  /** Where the order's goods lie; null when unknown. */
  place: string | null;
  items: readonly PackedItem[];
}

/** A line of a pick list: goods of one place for all orders together. */
export interface Pick extends PackedItem {
  place: string | null;
  /** The orders that the goods go to, each with its quantity. */
  orders: { number: string; quantity: number }[];
}

/** Goods to fetch for these orders, by the place in the warehouse. Each order counts once, however many parcels it has. */
export function picksOf(parcels: readonly PackedOrder[]): Pick[] {
  const orders = new Map(parcels.map((parcel) => [parcel.orderRowId, parcel]));
  const picks = new Map<string, Pick>();
  for (const { place, orderNumber, items } of orders.values()) {
    for (const item of items) {
      const { name, sku, variation, quantity } = item;
      const key = JSON.stringify([place, sku ?? name, variation]);
      const pick = picks.get(key) ?? { ...item, place, quantity: 0, orders: [] };
      pick.quantity += quantity;
      const same = pick.orders.at(-1);
      if (same?.number === orderNumber) same.quantity += quantity;
      else pick.orders.push({ number: orderNumber, quantity });
      picks.set(key, pick);
    }
  }
  return sortByLocation(
    [...picks.values()].map((item) => ({ item, location: item.place })),
    'asc',
  );
}
