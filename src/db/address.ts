import { readFileSync } from 'node:fs';
import { readMysqlUrl } from '../domain/mysql-url.js';

/** A database's address as the driver takes it. */
export interface DatabaseAddress {
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
  ssl?: { rejectUnauthorized: boolean; verifyIdentity: boolean; minVersion: 'TLSv1.2'; ca?: string };
}

/** Reads a URL as {@link readMysqlUrl} does, and the certificates that it names. */
export function databaseAddress(url: string): DatabaseAddress {
  const { sslMode, sslCaFile, ...address } = readMysqlUrl(url);
  if (sslMode === 'DISABLED') return address;
  return {
    ...address,
    ssl: {
      rejectUnauthorized: sslMode !== 'REQUIRED',
      verifyIdentity: sslMode === 'VERIFY_IDENTITY',
      minVersion: 'TLSv1.2',
      ...(sslCaFile === null ? {} : { ca: readFileSync(sslCaFile, 'utf8') }),
    },
  };
}
