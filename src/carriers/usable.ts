import type { CarrierAccount, CarrierAdapter, Outcome } from './contract.js';
import { INVALID_SETTINGS, settingsText, wrongSettings } from './settings.js';

/**
 * The adapter, which says by name what keeps a license from being used: a merchant whose parcel is refused, and the
 * person who set the license up, read that instead of the carrier's words for half a request.
 */
export function usable(adapter: CarrierAdapter): CarrierAdapter {
  const refusal = (account: CarrierAccount): Outcome<never> | null => {
    const names = wrongSettings(adapter, account);
    return names.length === 0 ? null : { ...INVALID_SETTINGS, text: settingsText(adapter, names) };
  };
  const { book, pickupPoints } = adapter;
  return {
    ...adapter,
    book: async (request, context) => refusal(context.account) ?? (await book(request, context)),
    ...(pickupPoints && {
      pickupPoints: async (context) => refusal(context.account) ?? (await pickupPoints(context)),
    }),
  };
}
