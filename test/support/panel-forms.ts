import { NAMED_CHARACTERS } from '../../src/domain/html.js';

/** A button that sends a form: where to, by which method, and with which value. */
interface FormButton {
  text: string;
  name: string;
  value: string;
  /** Path that it sends to, relative to nothing. */
  action: string;
  method: string;
}

/** A form as a browser would send it. `fields`: without those of buttons. */
export interface ServedForm {
  action: string;
  method: string;
  fields: [string, string][];
  buttons: FormButton[];
  /** Whether it stands behind a summary that says what it does. */
  isAsked: boolean;
  html: string;
}

/** The forms of a page, in order; with the fields of elsewhere that name a form by `form`. */
export function formsIn(text: string, path = ''): ServedForm[] {
  return [...text.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)].map(([html, tag = '', inside = '']) => {
    const { method = 'get', action: sentTo = '' } = attributesIn(tag);
    const action = pathOf(sentTo, path);
    const before = text.slice(0, text.indexOf(html));
    const isAsked = (before.match(/<details\b/g) ?? []).length > (before.match(/<\/details>/g) ?? []).length;
    const whole = inside + outsideOf(text, attributesIn(tag).id);
    return {
      action,
      method,
      fields: fieldsIn(whole),
      buttons: buttonsIn(inside, { action, method, path }),
      isAsked,
      html: html.replace(inside, whole),
    };
  });
}

/** Inputs that stand elsewhere and belong to the form with this id. */
function outsideOf(text: string, id: string | undefined): string {
  if (id === undefined) return '';
  return [...text.matchAll(/<input\b[^>]*>/g)]
    .map(([tag]) => tag)
    .filter((tag) => tag.includes(` form="${id}"`))
    .join('');
}

function pathOf(to: string, base: string): string {
  const url = new URL(to, `http://panel${base}`);
  return url.pathname + url.search;
}

function attributesIn(tag: string): Record<string, string> {
  const found = [...tag.matchAll(/([\w.:-]+)(?:=(?:"([^"]*)"|'([^']*)'))?/g)];
  return Object.fromEntries(found.map(([, name, one, two]) => [name, plain(one ?? two ?? '')]));
}

function plain(text: string): string {
  return text.replaceAll(/&(\w+|#39);/g, (all, name: string) => NAMED_CHARACTERS[name] ?? all);
}

/** Inputs, lists and text areas in their order, as a browser sends them untouched. */
function fieldsIn(inside: string): [string, string][] {
  const controls = inside.matchAll(
    /<input\b([^>]*)>|<select\b([^>]*)>([\s\S]*?)<\/select>|<textarea\b([^>]*)>\n?([\s\S]*?)<\/textarea>/g,
  );
  return [...controls].flatMap(([, input, select, options = '', area, value = '']): [string, string][] => {
    if (input !== undefined) {
      const { name = '', type = 'text', value: is = 'on', ...more } = attributesIn(input);
      const isSent = name !== '' && (type !== 'checkbox' && type !== 'radio' ? true : 'checked' in more);
      return isSent ? [[name, type === 'checkbox' || 'value' in attributesIn(input) ? is : '']] : [];
    }
    if (select !== undefined) {
      const all = [...options.matchAll(/<option\b([^>]*)>/g)].map(([, tag = '']) => attributesIn(tag));
      const chosen = all.find((one) => 'selected' in one) ?? all[0];
      return chosen === undefined ? [] : [[attributesIn(select).name ?? '', chosen.value ?? '']];
    }
    return [[attributesIn(area ?? '').name ?? '', plain(value)]];
  });
}

function buttonsIn(
  inside: string,
  { action, method, path }: { action: string; method: string; path: string },
): FormButton[] {
  return [...inside.matchAll(/<button\b([^>]*)>([\s\S]*?)<\/button>/g)]
    .map(([, tag = '', text = '']) => ({
      ...attributesIn(tag),
      text: plain(text.replaceAll(/<[^>]*>/g, '')).trim(),
    }))
    .filter((one) => !('type' in one && one.type === 'button'))
    .map((one: Record<string, string>) => ({
      text: one.text ?? '',
      name: one.name ?? '',
      value: one.value ?? '',
      action: one.formaction === undefined ? action : pathOf(one.formaction, path),
      method: one.formmethod ?? method,
    }));
}
