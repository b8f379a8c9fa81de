import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { type GenerateResult, generate } from 'selfsigned';
import type { Owner } from './clean-ups.js';

/** PEM files of a certificate, its key and its CA. */
export interface CertificateFiles {
  ca: string;
  cert: string;
  key: string;
  /** Replaces the certificate by one for another host name. */
  renameTo(name: string): Promise<void>;
  /** Replaces the certificate by one that has ended. */
  expire(): Promise<void>;
}

/** Creates a CA and its certificate for a host name, for servers and clients. */
export async function makeCertificates(owner: Owner, name: string): Promise<CertificateFiles> {
  const folder = mkdtempSync(join(tmpdir(), 'parcelworks-tls-'));
  owner.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const authority = await generate([{ name: 'commonName', value: 'An authority of a test' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, critical: true },
    ],
  });
  const files = { ca: join(folder, 'ca.pem'), cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
  const issue = async (host: string, endsAt?: Date) => {
    const issued = await certificateFor(host, authority, endsAt);
    writeFileSync(files.cert, issued.cert);
    writeFileSync(files.key, issued.private, { mode: 0o600 });
  };
  writeFileSync(files.ca, authority.cert);
  await issue(name);
  return {
    ...files,
    renameTo: (other) => issue(other),
    expire: () => issue(name, new Date(Date.now() - 60_000)),
  };
}

async function certificateFor(
  name: string,
  authority: GenerateResult,
  endsAt?: Date,
): Promise<GenerateResult> {
  const past =
    endsAt === undefined
      ? {}
      : { notBeforeDate: new Date(endsAt.getTime() - 86_400_000), notAfterDate: endsAt };
  return await generate([{ name: 'commonName', value: name }], {
    ...past,
    keyType: 'ec',
    algorithm: 'sha256',
    ca: { key: authority.private, cert: authority.cert },
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'keyUsage', digitalSignature: true },
      { name: 'extKeyUsage', serverAuth: true, clientAuth: true },
      { name: 'subjectAltName', altNames: [{ type: 2, value: name }] },
    ],
  });
}

/**
 * A TLS proxy that requires client certificates of the CA and forwards plain text. `reload` has it take the files as they
 * are now, and ends its connections, as a restart does.
 */
export async function startTlsProxy(
  owner: Owner,
  files: CertificateFiles,
  target: string,
): Promise<{ port: number; reload(): void }> {
  const [host = '', port] = target.split(':');
  const settings = {
    ...contentOf(files),
    requestCert: true,
    rejectUnauthorized: true,
    ALPNProtocols: ['h2'],
  };
  const server = createServer(settings, (near) => {
    const far = connect(Number(port), host);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on('error', () => other.destroy());
      one.pipe(other);
    }
  });
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
  });
  const reload = () => {
    server.setSecureContext(contentOf(files));
    for (const socket of open) socket.destroy();
  };
  return { port: await listenFor(owner, server), reload };
}

/** TLS options of Node.js from the files. */
export function contentOf({ ca, cert, key }: CertificateFiles) {
  return { ca: readFileSync(ca), cert: readFileSync(cert), key: readFileSync(key) };
}

/** Listens on a free port; the server and its connections end with the owner. */
export async function listenFor(owner: Owner, server: Server): Promise<number> {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  owner.teardown(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}
