import { screen } from '../screen.js';

/** Where a user begins: what waits for an operator, or the shipments of a merchant. */
export const homeScreens = [
  screen('get', '/', 'self', async ({ user }) => ({
    to: user.accountId === null ? '/panel/overview' : `/panel/a/${user.accountId}/shipments`,
  })),
];
