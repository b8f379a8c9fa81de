import { type Html, html } from '../../../domain/html.js';
import type { Language } from '../../../domain/recipient-words/language.js';
import { TEXTS } from '../../../domain/recipient-words/words.js';
import { brand, frame } from './template.js';
import type { TrackingView } from './view.js';

/** Asks whether the merchant's mails are to stop, or says that they are. `parcelPath`: its tracking page. */
export function mailsPage(
  view: Pick<TrackingView, 'company' | 'logo' | 'color'>,
  { isStopped, parcelPath }: { isStopped: boolean; parcelPath: string },
  language: Language,
): Html {
  const texts = TEXTS[language];
  const { mails } = texts;
  const title = isStopped ? mails.stoppedTitle : mails.stopTitle;
  const company = view.company === '' ? mails.shop : view.company;
  const text = (isStopped ? mails.stoppedText : mails.stopText).replace('{company}', () => company);
  const action = isStopped ? `?again=1&lang=${language}` : `?lang=${language}`;
  return frame(language, {
    title,
    description: text,
    color: view.color,
    image: null,
    main: html`<header class="head">${brand(view, texts)}</header>
<main>
<section class="card">
<h1>${title}</h1>
<p class="say">${text}</p>
<form method="post" action="${action}"><p class="say"><button class="act">${isStopped ? mails.resume : mails.stopNow}</button></p></form>
<p class="place"><a href="${parcelPath}?lang=${language}">${mails.toParcel}</a></p>
</section>
</main>`,
  });
}
