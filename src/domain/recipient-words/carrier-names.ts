import type { Language } from './language.js';

/** Localized names by provider, where they differ from the carrier's own. */
const PUBLIC_NAMES: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  independent: { en: 'The shop’s own courier', he: 'שליח של החנות', ar: 'مندوب المتجر' },
  cargo: { en: 'Cargo', he: 'קרגו', ar: 'كارجو' },
  wolt_drive: { en: 'Wolt', he: 'Wolt', ar: 'Wolt' },
};

/** A carrier's name for recipients in the language. */
export function publicCarrierName(carrier: { provider: string; name: string }, language: Language): string {
  return PUBLIC_NAMES[carrier.provider]?.[language] ?? carrier.name;
}
