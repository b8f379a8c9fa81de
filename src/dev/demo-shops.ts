import type { AccountChanges } from '../db/queries/accounts.js';

const LOGO_SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="190" height="48" viewBox="0 0 190 48">
<rect width="48" height="48" rx="10" fill="#0b5cad"/><path d="M12 19l12-7 12 7v13l-12 7-12-7z" fill="none"
stroke="#fff" stroke-width="3" stroke-linejoin="round"/><path d="M12 19l12 7 12-7M24 26v13" fill="none" stroke="#fff"
stroke-width="3"/><text x="60" y="32" textLength="128" lengthAdjust="spacingAndGlyphs" font-family="Arial,sans-serif" font-size="23" font-weight="700"
fill="#1d2733">Demo Shop</text></svg>`;

/** What the demo account shows of itself on labels, mails and the tracking page. */
export const DEMO_SHOP: AccountChanges = {
  phone: '+972 3 555 0100',
  companyLogo: `data:image/svg+xml,${encodeURIComponent(LOGO_SVG.replaceAll('\n', ' '))}`,
  supportEmail: 'help@demo-shop.example',
  supportPhone: '+972 3 555 0100',
  canUseCollectionPoints: true,
  displayOrderProduct: true,
  displayProductPriceInOrderDetail: true,
  displayOrderNumberBarcode: true,
};

/** What the second account shows: it speaks Hebrew. */
export const SECOND_SHOP: AccountChanges = {
  locale: 'he',
  companyName: 'החנות השנייה',
  supportEmail: 'help@second-shop.example',
  supportPhone: '04-555-0200',
};
