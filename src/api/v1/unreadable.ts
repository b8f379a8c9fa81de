/**
 * Why a body cannot be read: its type is neither JSON nor a form; it is compressed; not UTF-8; no JSON object; or
 * nested too deeply.
 */
export type Unreadable = 'type' | 'coding' | 'charset' | 'json' | 'depth';

/** A body that cannot be read. */
export class UnreadableBody extends Error {
  readonly why: Unreadable;

  constructor(why: Unreadable) {
    super(`unreadable: ${why}`);
    this.name = 'UnreadableBody';
    this.why = why;
  }
}

/** A body's text. @throws UnreadableBody where it is not UTF-8 */
export function decoded(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new UnreadableBody('charset');
  }
}
