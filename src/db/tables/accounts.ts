import { ROLES } from '../../domain/panel-roles.js';
import { LANGUAGES } from '../../domain/recipient-words/language.js';
import { bytes, flag, id, instant, int, json, jsonObject, oneOf, table, text, texts } from './table.js';

export const accounts = table('accounts', {
  id: id().primary(),
  name: text('VARCHAR(255)'),
  email: text('VARCHAR(255)'),
  phone: text('VARCHAR(32)'),
  locale: text('VARCHAR(16)'),
  companyName: text('VARCHAR(255)'),
  companyLogo: text('VARCHAR(2048)'),
  /** `#rrggbb`, or empty. */
  companyColor: text('VARCHAR(7)'),
  supportEmail: text('VARCHAR(255)'),
  supportPhone: text('VARCHAR(32)'),
  trackerPageContactInfo: jsonObject().null(),
  enableApi: flag(),
  /** Since when the account may do nothing at all; null while it may. */
  disabledAt: instant().null(),
  canUseCollectionPoints: flag(),
  enableSortByWarehouse: flag(),
  displayOrderProduct: flag(),
  displayProductPriceInOrderDetail: flag(),
  displayOrderNumberBarcode: flag(),
  labelMethod: text('VARCHAR(32)'),
  labelType: text('VARCHAR(32)'),
  createdAt: instant(),
  updatedAt: instant(),
});

export const users = table('users', {
  id: id().primary(),
  accountId: id(),
  name: text('VARCHAR(255)'),
  email: text('VARCHAR(255)'),
  passwordHash: text('VARCHAR(255)').null(),
  rememberToken: text('VARCHAR(100)').null(),
  isPremium: flag(),
  premiumUntil: instant().null(),
  createdAt: instant(),
  updatedAt: instant(),
});

export const clientCredentials = table('client_credentials', {
  id: id().primary(),
  accountId: id(),
  name: text('VARCHAR(255)'),
  clientId: text('VARCHAR(64)'),
  /** SHA-256 of the secret, sealed with `APP_KEY`. */
  clientSecretHash: bytes('VARBINARY(128)'),
  /** The last four characters of the client secret. */
  clientSecretLast4: text('CHAR(4)'),
  /** True where they may only read. */
  isReadOnly: flag(),
  /** Null where they do not end by themselves. */
  expiresAt: instant().null(),
  lastUsedAt: instant().null(),
  createdAt: instant(),
  updatedAt: instant(),
});

export const personalAccessTokens = table('personal_access_tokens', {
  id: id().primary(),
  userId: id().null(),
  recipientId: id().null(),
  name: text('VARCHAR(255)'),
  tokenHash: bytes('BINARY(32)'),
  lastUsedAt: instant().null(),
  createdAt: instant(),
});

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
  /** SHA-256 of each code, sealed with `APP_KEY`, in base64. */
  recoveryHashes: texts().null(),
  /** Wrong codes after a right password, within a day since the first of them. */
  wrongCodes: int('INT UNSIGNED'),
  wrongCodesSince: instant().null(),
  /** Begins with the id of its key. */
  invitationHash: bytes('VARBINARY(65)').null(),
  invitationEndsAt: instant().null(),
  /** In which the user has created a shipment last, where one can choose. */
  lastLicenseId: id().null(),
  turn: int('INT UNSIGNED'),
  createdAt: instant(),
  updatedAt: instant(),
});

export const panelSessions = table('panel_sessions', {
  id: id().primary(),
  /** Begins with the id of its key. */
  tokenHash: bytes('VARBINARY(65)'),
  userId: id(),
  address: text('VARCHAR(64)'),
  browser: text('VARCHAR(255)'),
  seenAt: instant(),
  createdAt: instant(),
});

export const panelSentForms = table('panel_sent_forms', {
  userId: id().primary(),
  /** Hash of the form's key and the path that it was sent to. */
  formKey: bytes('BINARY(32)').primary(),
  contentHash: bytes('BINARY(32)'),
  claim: bytes('BINARY(16)'),
  claimedUntil: instant(),
  answer: bytes('MEDIUMBLOB').null(),
  createdAt: instant(),
});

export const auditLog = table('audit_log', {
  id: id().primary(),
  actorKind: oneOf('VARCHAR(16)', 'admin', 'panel', 'mcp'),
  actorName: text('VARCHAR(255)'),
  /** Host of the program, or address of the browser. */
  actorOrigin: text('VARCHAR(255)'),
  action: text('VARCHAR(64)'),
  targetKind: text('VARCHAR(32)'),
  targetId: text('VARCHAR(64)'),
  /** Null for what belongs to no account. */
  accountId: id().null(),
  valuesBefore: json().null(),
  valuesAfter: json().null(),
  createdAt: instant(),
});

export const serviceSecrets = table('service_secrets', {
  name: text('VARCHAR(64)').primary(),
  sealed: bytes('VARBINARY(128)'),
  secretLast4: text('CHAR(4)'),
  updatedAt: instant(),
});

export const responseLogs = table('response_logs', {
  id: id().primary(),
  licenseId: id().null(),
  route: text('VARCHAR(128)'),
  status: int('SMALLINT UNSIGNED'),
  body: text('MEDIUMTEXT'),
  createdAt: instant(),
});

export const rateLimits = table('rate_limits', {
  keyHash: bytes('BINARY(32)').primary(),
  windowStart: int('INT UNSIGNED').primary(),
  hits: int('INT UNSIGNED'),
});
