/** The code as stored. People copy it by hand: ignores case and hyphens, reads O I L as 0 1 1. */
export function canonicalCode(typed: string): string | null {
  const code = typed.toUpperCase().replaceAll('-', '').replaceAll('O', '0').replace(/[IL]/g, '1');
  return code.length === 10 && /^[0-9A-Z]+$/.test(code) ? code : null;
}
