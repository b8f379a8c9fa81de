const PDF = 'application/pdf';
const JSON_TYPE = 'application/json';

/** Whether an `Accept` header prefers PDF to JSON, the default. */
export function prefersPdf(accept: string | undefined): boolean {
  const weights = new Map<string, number>();
  for (const range of (accept ?? '').toLowerCase().split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
    weights.set(type, /^[01](\.\d{0,3})?$/.test(weight) ? Number(weight) : 0);
  }
  const pdf = weights.get(PDF) ?? 0;
  const json = weights.get(JSON_TYPE) ?? weights.get('application/*') ?? weights.get('*/*') ?? 0;
  return pdf > 0 && (pdf > json || (pdf === json && !weights.has(JSON_TYPE)));
}
