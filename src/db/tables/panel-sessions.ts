import { bytes, id, instant, table, text } from './table.js';

/** The table `panel_sessions`. */
export const panelSessions = table('panel_sessions', {
  id: id().primary(),
  tokenHash: bytes('BINARY(32)'),
  userId: id(),
  address: text('VARCHAR(64)'),
  browser: text('VARCHAR(255)'),
  seenAt: instant(),
  createdAt: instant(),
});
