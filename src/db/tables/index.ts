export * from './accounts.js';
export * from './documents.js';
export * from './imports.js';
export * from './kept.js';
export * from './licenses.js';
export * from './notifications.js';
export * from './shipments.js';
export * from './webhooks.js';
