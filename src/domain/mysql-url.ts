/** TLS modes of a MySQL connection, named as in MySQL's programs; each includes the previous one. */
const SSL_MODES = ['DISABLED', 'REQUIRED', 'VERIFY_CA', 'VERIFY_IDENTITY'] as const;

const OPTIONS: ReadonlySet<string> = new Set(['ssl-mode', 'ssl-ca']);
/** Node.js checks a certificate against host names only. */
const IS_ADDRESS = /^\[|^[\d.]+$/;

/**
 * Parses `mysql://user:password@host:port/name?ssl-mode=VERIFY_IDENTITY&ssl-ca=/path/ca.pem`. @throws Error
 * that names the rule, never the value, which may hold a password
 */
export function readMysqlUrl(text: string) {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'mysql:' || url.hash !== '') {
    throw new Error('must be mysql://user:password@host:port/name');
  }
  const options = url.searchParams;
  if ([...options.keys()].some((name) => !OPTIONS.has(name))) {
    throw new Error('takes no option but ssl-mode and ssl-ca');
  }
  const sslMode = modeOf(options.get('ssl-mode'));
  const sslCaFile = options.get('ssl-ca');
  if (sslCaFile !== null && !sslMode.startsWith('VERIFY')) {
    throw new Error('ssl-ca needs ssl-mode=VERIFY_CA or VERIFY_IDENTITY');
  }
  if (sslMode === 'VERIFY_IDENTITY' && IS_ADDRESS.test(url.hostname)) {
    throw new Error('ssl-mode=VERIFY_IDENTITY needs a host name, not an address');
  }
  return {
    host: url.hostname,
    port: url.port === '' ? 3306 : Number(url.port),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: decodeURIComponent(url.pathname.slice(1)),
    sslMode,
    /** File of CA certificates (PEM); null uses those of Node.js. */
    sslCaFile,
  };
}

function modeOf(given: string | null): (typeof SSL_MODES)[number] {
  const wanted = given?.toUpperCase().replaceAll('-', '_') ?? 'DISABLED';
  const mode = SSL_MODES.find((one) => one === wanted);
  if (mode === undefined) throw new Error(`ssl-mode must be one of ${SSL_MODES.join(', ')}`);
  return mode;
}
