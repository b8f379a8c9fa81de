import { html } from '../../../domain/html.js';

/** Decorative line drawings of 24 × 24; the words beside them give their meaning. */
export const ICONS = {
  box: html`<svg viewBox="0 0 24 24"><path d="M3.5 7.5 12 3l8.5 4.5v9L12 21l-8.5-4.5zM3.5 7.5 12 12l8.5-4.5M12 12v9M7.7 5.3l8.6 4.5"/></svg>`,
  truck: html`<svg viewBox="0 0 24 24"><path d="M2.5 6h11v10h-11zM13.5 9.5h4l4 3.5v3h-8z"/><circle cx="7" cy="17.5" r="2"/><circle cx="17" cy="17.5" r="2"/></svg>`,
  shop: html`<svg viewBox="0 0 24 24"><path d="M4 10v10h16V10M3 9.5 5 4h14l2 5.5a3 3 0 0 1-6 0 3 3 0 0 1-6 0 3 3 0 0 1-6 0zM9.5 20v-5.5h5V20"/></svg>`,
  check: html`<svg viewBox="0 0 24 24"><path d="m4.5 12.8 4.8 4.7L19.5 7"/></svg>`,
  alert: html`<svg viewBox="0 0 24 24"><path d="M12 3.5 22 20.5H2zM12 10v5M12 17.7v.1"/></svg>`,
  back: html`<svg viewBox="0 0 24 24"><path d="M9 5 4 10l5 5M4 10h10a6 6 0 0 1 0 12h-3" transform="translate(0 -2)"/></svg>`,
  cross: html`<svg viewBox="0 0 24 24"><path d="m6 6 12 12M18 6 6 18"/></svg>`,
  question: html`<svg viewBox="0 0 24 24"><path d="M8.5 9a3.5 3.5 0 1 1 5.3 3c-1.3.8-1.8 1.5-1.8 3M12 18.7v.1"/></svg>`,
} as const;
