import { buttonOf } from '../../../domain/brand-color.js';
import { Html, html } from '../../../domain/html.js';
import { publicCarrierName } from '../../../domain/recipient-words/carrier-names.js';
import { LANGUAGES, type Language } from '../../../domain/recipient-words/language.js';
import { mapUrl, type PickupPlace, placeAddress } from '../../../domain/recipient-words/pickup-place.js';
import { needsShop } from '../../../domain/recipient-words/public-status.js';
import { TEXTS, type Texts } from '../../../domain/recipient-words/words.js';
import { STANDARD_COLOR, styleOf } from './style.js';
import type { TrackingView } from './view.js';

const TIME_ZONE = 'Asia/Jerusalem';

/** Decorative line drawings of 24 × 24; the words beside them give their meaning. */
const ICONS = {
  box: html`<svg viewBox="0 0 24 24"><path d="M3.5 7.5 12 3l8.5 4.5v9L12 21l-8.5-4.5zM3.5 7.5 12 12l8.5-4.5M12 12v9M7.7 5.3l8.6 4.5"/></svg>`,
  truck: html`<svg viewBox="0 0 24 24"><path d="M2.5 6h11v10h-11zM13.5 9.5h4l4 3.5v3h-8z"/><circle cx="7" cy="17.5" r="2"/><circle cx="17" cy="17.5" r="2"/></svg>`,
  shop: html`<svg viewBox="0 0 24 24"><path d="M4 10v10h16V10M3 9.5 5 4h14l2 5.5a3 3 0 0 1-6 0 3 3 0 0 1-6 0 3 3 0 0 1-6 0zM9.5 20v-5.5h5V20"/></svg>`,
  check: html`<svg viewBox="0 0 24 24"><path d="m4.5 12.8 4.8 4.7L19.5 7"/></svg>`,
  alert: html`<svg viewBox="0 0 24 24"><path d="M12 3.5 22 20.5H2zM12 10v5M12 17.7v.1"/></svg>`,
  back: html`<svg viewBox="0 0 24 24"><path d="M9 5 4 10l5 5M4 10h10a6 6 0 0 1 0 12h-3" transform="translate(0 -2)"/></svg>`,
  cross: html`<svg viewBox="0 0 24 24"><path d="m6 6 12 12M18 6 6 18"/></svg>`,
  question: html`<svg viewBox="0 0 24 24"><path d="M8.5 9a3.5 3.5 0 1 1 5.3 3c-1.3.8-1.8 1.5-1.8 3M12 18.7v.1"/></svg>`,
} as const;

/** The page of a parcel. */
export function trackingPage(view: TrackingView, language: Language): Html {
  const texts = TEXTS[language];
  const { title, text } = texts.statuses[view.status];
  const isTrouble = needsShop(view.status);
  const company = view.company === '' ? texts.pageTitle : view.company;
  return frame(language, {
    title: `${title} · ${company}`,
    description: text,
    color: view.color,
    // Link previews fetch the picture from an address.
    image: view.logo?.startsWith('http') ? view.logo : null,
    main: html`<header class="head">${brand(view, texts)}</header>
<main class="tone-${view.tone}">
${statusCard(view, texts)}
${isTrouble ? contacts(view, texts) : null}
${pickup(view, texts)}
${details(view, texts, language)}
${history(view, texts)}
${isTrouble ? null : contacts(view, texts)}
</main>`,
  });
}

/** The page shown when another cannot be. */
export function troublePage(trouble: keyof Texts['troubles'], language: Language): Html {
  const { title, text } = TEXTS[language].troubles[trouble];
  return frame(language, {
    title,
    description: text,
    color: null,
    image: null,
    main: html`<header class="head"><p class="name">${TEXTS[language].pageTitle}</p></header>
<main class="tone-ended">
<section class="card status">
<div class="badge" aria-hidden="true">${ICONS.question}</div>
<h1>${title}</h1>
<p class="say">${text}</p>
</section>
</main>`,
  });
}

/** A page of the tracking pages' look. */
export function frame(
  language: Language,
  page: { title: string; description: string; color: string | null; image: string | null; main: Html },
): Html {
  const texts = TEXTS[language];
  return html`<!doctype html>
<html lang="${language}" dir="${texts.direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="format-detection" content="telephone=no">
<title>${page.title}</title>
<meta property="og:type" content="website">
<meta property="og:title" content="${page.title}">
<meta property="og:description" content="${page.description}">
${page.image === null ? null : html`<meta property="og:image" content="${page.image}">\n`}<meta name="theme-color" content="#f3f5f8" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#11161d" media="(prefers-color-scheme: dark)">
<link rel="icon" href="${favicon(page.color ?? STANDARD_COLOR)}">
<style>${new Html(styleOf(page.color))}</style>
</head>
<body>
<div class="page">
${page.main}
<footer><nav class="languages" aria-label="${texts.language}">${LANGUAGES.map((one) => languageLink(one, language))}</nav></footer>
</div>
</body>
</html>
`;
}

/** A parcel as a data URL. */
function favicon(color: string): string {
  const { ground, ink } = buttonOf(color);
  return `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" rx="6" fill="${ground}"/><path d="M5 8.5 12 5l7 3.5v7L12 19l-7-3.5zM5 8.5l7 3.5 7-3.5M12 12v7" fill="none" stroke="${ink}" stroke-width="1.6" stroke-linejoin="round"/></svg>`,
  )}`;
}

function languageLink(one: Language, current: Language): Html {
  const { languageName } = TEXTS[one];
  const mark = one === current ? html` aria-current="true"` : null;
  return html`<a href="?lang=${one}" lang="${one}" hreflang="${one}"${mark}>${languageName}</a>`;
}

/** The merchant's logo or name. */
export function brand({ company, logo }: Pick<TrackingView, 'company' | 'logo'>, texts: Texts): Html {
  if (logo !== null) return html`<img src="${logo}" alt="${company === '' ? texts.pageTitle : company}">`;
  return html`<p class="name"><bdi>${company === '' ? texts.pageTitle : company}</bdi></p>`;
}

function statusCard(view: TrackingView, texts: Texts): Html {
  const { title, text } = texts.statuses[view.status];
  const latest = view.steps[0];
  return html`<section class="card">
<div class="status">
<div class="badge" aria-hidden="true">${ICONS[iconOf(view)]}</div>
<div>
<h1>${title}</h1>
${latest === undefined ? null : html`<p class="since">${moment(latest.at, texts)}</p>`}
</div>
<p class="say">${text}</p>
</div>
${progress(view, texts)}
</section>`;
}

function iconOf({ status, tone }: TrackingView): keyof typeof ICONS {
  if (tone === 'done') return 'check';
  if (tone === 'problem') return status === 'delivery_failed' ? 'alert' : 'back';
  if (tone === 'ended') return status === 'returned' ? 'back' : 'cross';
  if (status === 'at_pickup_point') return 'shop';
  return status === 'preparing' || status === 'awaiting_collection' ? 'box' : 'truck';
}

/** Where to go, for the status in which only that matters. */
function pickup({ status, pickupPoint }: TrackingView, texts: Texts): Html | null {
  if (status !== 'at_pickup_point' || pickupPoint === null) return null;
  const { name, remarks } = pickupPoint;
  const line = (text: string) => (text === '' ? null : html`<br><bdi>${text}</bdi>`);
  return html`<section class="card" aria-labelledby="pickup">
<h2 id="pickup">${texts.pickupPoint}</h2>
<p class="place"><b><bdi>${name}</bdi></b>${line(placeAddress(pickupPoint))}${line(remarks)}</p>
<p class="place"><a href="${mapUrl(pickupPoint)}" rel="noopener noreferrer">${texts.showMap}</a></p>
</section>`;
}

function progress({ reached, isFetched, isCollection }: TrackingView, { steps }: Texts): Html | null {
  if (reached === null) return null;
  const arrived = isFetched ? steps.pickedUp : steps.delivered;
  const labels = [
    steps.placed,
    steps.onTheWay,
    isFetched ? steps.atPickupPoint : steps.outForDelivery,
    isCollection ? steps.collectionDone : arrived,
  ];
  const items = labels.map((label, index) => {
    const isReached = index < reached ? html` class="reached"` : null;
    const isCurrent = index === reached - 1 ? html` aria-current="step"` : null;
    return html`<li${isReached}${isCurrent}>${label}</li>`;
  });
  return html`<ol class="steps" aria-label="${steps.label}">${items}</ol>`;
}

function details(view: TrackingView, texts: Texts, language: Language): Html {
  const place = view.isCollection ? texts.collectedIn : texts.destination;
  const facts: [string, string | Html | null][] = [
    [texts.toPay, view.toPay],
    [texts.order, view.orderNumber],
    [
      texts.trackingNumber,
      view.trackingCode === null ? null : html`<bdi dir="ltr">${view.trackingCode}</bdi>`,
    ],
    [texts.carrier, publicCarrierName(view.carrier, language)],
    [place, view.city],
    [texts.pickupPoint, view.status === 'at_pickup_point' ? null : pointText(view.pickupPoint)],
    [texts.packages, view.packages > 1 ? String(view.packages) : null],
    [texts.deliveredAt, view.deliveredAt === null ? null : moment(view.deliveredAt, texts)],
  ];
  const shown = facts.map(([name, value]) =>
    value === null
      ? null
      : html`<dt>${name}</dt><dd>${value instanceof Html ? value : html`<bdi>${value}</bdi>`}</dd>\n`,
  );
  return html`<section class="card" aria-labelledby="details">
<h2 id="details">${texts.details}</h2>
<dl>
${shown}</dl>
</section>`;
}

function pointText(place: PickupPlace | null): string | null {
  if (place === null) return null;
  return [place.name, placeAddress(place)].filter((part) => part !== '').join(', ');
}

function history({ steps }: TrackingView, texts: Texts): Html {
  const items = steps.map(
    ({ status, at }) => html`<li><strong>${texts.statuses[status].title}</strong>${moment(at, texts)}</li>\n`,
  );
  return html`<section class="card" aria-labelledby="history">
<h2 id="history">${texts.history}</h2>
<ol class="history">
${items}</ol>
<p class="note">${texts.timeZone}</p>
</section>`;
}

function contacts(view: TrackingView, texts: Texts): Html | null {
  if (view.contacts.length === 0) return null;
  // A function as replacement: a company may have "$&" in its name.
  const title =
    view.company === '' ? texts.contact : texts.contactCompany.replace('{company}', () => view.company);
  return html`<section class="card" aria-labelledby="contact">
<h2 id="contact">${title}</h2>
<ul class="contacts">
${view.contacts.map((contact) => contactLink(contact, texts))}</ul>
${view.hours === null ? null : html`<p class="note">${texts.hours}: <bdi>${view.hours}</bdi></p>`}
</section>`;
}

function contactLink({ kind, label, href }: TrackingView['contacts'][number], texts: Texts): Html {
  return html`<li><a href="${href}" rel="noopener noreferrer"><span>${texts[kind]}</span><bdi dir="ltr">${label}</bdi></a></li>\n`;
}

function moment(iso: string, texts: Texts): Html {
  const format = new Intl.DateTimeFormat(texts.dates, {
    timeZone: TIME_ZONE,
    dateStyle: 'long',
    timeStyle: 'short',
    hourCycle: 'h23',
  });
  return html`<time datetime="${iso}">${format.format(new Date(iso))}</time>`;
}
