import { ROLES } from '../../domain/panel-roles.js';
import { LANGUAGES } from '../../domain/recipient-words/language.js';
import { bytes, flag, id, instant, int, oneOf, table, text, texts } from './table.js';

/** The table `panel_users`. */
export const panelUsers = table('panel_users', {
  id: id().primary(),
  accountId: id().null(),
  email: text('VARCHAR(255)'),
  name: text('VARCHAR(255)'),
  role: oneOf('VARCHAR(32)', ...ROLES),
  language: oneOf('VARCHAR(8)', ...LANGUAGES),
  isActive: flag(),
  passwordHash: text('VARCHAR(255)').null(),
  totpSecret: bytes('VARBINARY(255)').null(),
  totpStep: int('BIGINT UNSIGNED'),
  recoveryHashes: texts().null(),
  invitationHash: bytes('BINARY(32)').null(),
  invitationEndsAt: instant().null(),
  createdAt: instant(),
  updatedAt: instant(),
});
