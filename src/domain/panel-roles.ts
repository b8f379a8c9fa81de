/** Roles of the panel's users. The first two run the service; the others belong to one account. */
export const ROLES = ['administrator', 'operator', 'owner', 'staff'] as const;
export type Role = (typeof ROLES)[number];

/** Whether users of the role belong to one account. */
export function isOfAccount(role: Role): boolean {
  return role === 'owner' || role === 'staff';
}

/**
 * The right that a screen needs. `administer`: accounts, licenses, sites, users of both kinds.
 * `own`: what the merchant decides of its account: API credentials, its team, its licenses' keys and addresses, and what
 * recipients see.
 * `operate`: what waits, carriers, audit, every account. `manage`: an account's webhooks, mails and exports. `ship`: its
 * shipments, labels and batches. `self`: the user's own profile.
 */
export type Right = 'administer' | 'own' | 'operate' | 'manage' | 'ship' | 'self';

const RIGHTS: Readonly<Record<Role, readonly Right[]>> = {
  administrator: ['administer', 'own', 'operate', 'manage', 'ship', 'self'],
  operator: ['operate', 'manage', 'ship', 'self'],
  owner: ['own', 'manage', 'ship', 'self'],
  staff: ['ship', 'self'],
};

/** Whether a user whose role changes loses a right. */
export function losesRights(from: Role, to: Role): boolean {
  return RIGHTS[from].some((right) => !may(to, right));
}

/** The other roles that a user can have in place of this one: a user stays with its account, or without one. */
export function rolesInstead(role: Role): Role[] {
  return ROLES.filter((one) => one !== role && isOfAccount(one) === isOfAccount(role));
}

/** Whether the role has the right. */
export function may(role: Role, right: Right): boolean {
  return RIGHTS[role].includes(right);
}
