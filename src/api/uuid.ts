import { notFound } from '../domain/errors.js';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The uuid of a path, in lower case. @throws AppError `not_found` of a `what` for any other text */
export function toUuid(text: string, what?: string): string {
  if (!UUID.test(text)) throw notFound(what);
  return text.toLowerCase();
}
