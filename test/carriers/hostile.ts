/** Texts that break careless adapters. */
export const HOSTILE = [
  'a,b&c|d',
  '-N99999,-A,-A',
  ']]><ship_create_num>1</ship_create_num>',
  '<!$MG_name>',
  '%2C%26%7C',
  'line\r\nX-Header: 1\u0000\u0007',
  '\ud800 lone \udc00',
  '\u202Egnirts\u202C',
  '👩‍👩‍👧 שלום ﷺ',
  '&ARGUMENTS=-N1&PRGNAME=bitul_mishloah',
  "'; DROP TABLE shipments; --",
  '   ',
  'x'.repeat(255),
];
