import type { Language } from './language.js';

/** Names by provider, where what recipients call a carrier is not its own name in every language. */
const PUBLIC_NAMES: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  independent: { en: 'The shop’s own courier', he: 'שליח של החנות', ar: 'مندوب المتجر' },
  cargo: { en: 'Cargo', he: 'קרגו', ar: 'كارجو' },
  wolt_drive: { en: 'Wolt', he: 'Wolt', ar: 'Wolt' },
};

/** A carrier's name as recipients of the language know it. */
export function publicCarrierName(carrier: { provider: string; name: string }, language: Language): string {
  return PUBLIC_NAMES[carrier.provider]?.[language] ?? carrier.name;
}
