import test from 'ava';
import { ROLES, type Role } from '../../../src/domain/panel-roles.js';
import { panelRouter } from '../../../src/http/pages/panel/mount-panel.js';
import { startHttp } from '../../support/http.js';
import { addressOf, type PanelWorld, pagesOf, panelWorld } from '../../support/panel-walk.js';

const http = await startHttp();
test.after.always(() => http.close());

/** Routes that nobody has to be signed in for: what they show and do, their own tests say. */
const OPEN = [
  'GET /assets/htmx.js',
  'GET /assets/panel.css',
  'GET /assets/panel.js',
  'GET /assets/store-frame.js',
  'GET /invitation/:token',
  'POST /invitation/:token',
  'GET /sign-in',
  'POST /sign-in',
  'GET /sign-in/callback',
  'GET /sign-in/provider',
  'POST /sign-out',
];

/** Who may use every other route: a new one belongs here, by what its users may do. */
const ROUTES: { roles: readonly Role[]; routes: readonly string[] }[] = [
  {
    roles: ['administrator', 'operator', 'owner', 'staff'],
    routes: [
      'GET /',
      'GET /a/:account/addresses',
      'POST /a/:account/addresses',
      'POST /a/:account/addresses/remove',
      'GET /a/:account/batches',
      'GET /a/:account/batches/:batch',
      'POST /a/:account/batches/:batch/cancel',
      'POST /a/:account/batches/:batch/correct',
      'POST /a/:account/batches/:batch/labels',
      'GET /a/:account/batches/:batch/picks',
      'POST /a/:account/batches/:batch/retry',
      'GET /a/:account/batches/:batch/slips',
      'GET /a/:account/batches/new',
      'POST /a/:account/batches/new',
      'GET /a/:account/figures',
      'GET /a/:account/imports/:draft',
      'POST /a/:account/imports/:draft/book',
      'GET /a/:account/imports/:draft/columns',
      'POST /a/:account/imports/:draft/columns',
      'POST /a/:account/imports/:draft/rows',
      'GET /a/:account/imports/:draft/rows/:row',
      'POST /a/:account/imports/new',
      'GET /a/:account/presets',
      'POST /a/:account/presets',
      'POST /a/:account/presets/remove',
      'GET /a/:account/refused',
      'GET /a/:account/scan',
      'POST /a/:account/scan',
      'GET /a/:account/shipments',
      'GET /a/:account/shipments/:uuid',
      'POST /a/:account/shipments/:uuid/cancel',
      'POST /a/:account/shipments/:uuid/label',
      'POST /a/:account/shipments/:uuid/refresh',
      'GET /a/:account/shipments/:uuid/slip',
      'POST /a/:account/shipments/:uuid/status',
      'GET /a/:account/shipments/addresses',
      'POST /a/:account/shipments/cancel',
      'POST /a/:account/shipments/chosen',
      'POST /a/:account/shipments/columns',
      'POST /a/:account/shipments/filled',
      'POST /a/:account/shipments/labels',
      'GET /a/:account/shipments/new',
      'POST /a/:account/shipments/new',
      'POST /a/:account/shipments/picks',
      'GET /a/:account/shipments/points',
      'GET /a/:account/shipments/points/offer',
      'POST /a/:account/shipments/preset',
      'POST /a/:account/shipments/slips',
      'GET /profile',
      'POST /profile',
      'GET /profile/access',
      'GET /profile/access/authenticator',
      'POST /profile/access/authenticator',
      'POST /profile/access/password',
      'POST /profile/access/recovery-codes',
      'POST /profile/sessions',
    ],
  },
  {
    roles: ['administrator', 'operator', 'owner'],
    routes: [
      'GET /a/:account/exports',
      'POST /a/:account/exports',
      'GET /a/:account/notifications',
      'GET /a/:account/notifications/log',
      'GET /a/:account/notifications/preview',
      'POST /a/:account/notifications/settings',
      'GET /a/:account/notifications/templates/:template',
      'POST /a/:account/notifications/templates/:template',
      'POST /a/:account/notifications/templates/:template/delete',
      'POST /a/:account/notifications/templates/:template/preview',
      'GET /a/:account/notifications/templates/new',
      'POST /a/:account/notifications/templates/new',
      'POST /a/:account/notifications/templates/new/preview',
      'GET /a/:account/webhooks',
      'GET /a/:account/webhooks/:webhook',
      'POST /a/:account/webhooks/:webhook',
      'POST /a/:account/webhooks/:webhook/delete',
      'GET /a/:account/webhooks/:webhook/deliveries/:delivery',
      'POST /a/:account/webhooks/:webhook/deliveries/:delivery/redeliver',
      'POST /a/:account/webhooks/:webhook/ping',
      'POST /a/:account/webhooks/:webhook/replay',
      'POST /a/:account/webhooks/:webhook/rotate',
      'GET /a/:account/webhooks/new',
      'POST /a/:account/webhooks/new',
    ],
  },
  {
    roles: ['administrator', 'owner'],
    routes: [
      'GET /a/:account/credentials',
      'POST /a/:account/credentials',
      'GET /a/:account/credentials/:credential',
      'POST /a/:account/credentials/:credential/revoke',
      'POST /a/:account/credentials/:credential/rotate',
      'POST /a/:account/credentials/end',
      'GET /a/:account/licenses',
      'GET /a/:account/licenses/:license',
      'POST /a/:account/licenses/:license',
      'GET /a/:account/settings',
      'POST /a/:account/settings',
      'GET /a/:account/team',
      'POST /a/:account/team',
      'GET /a/:account/team/:member',
      'POST /a/:account/team/:member',
    ],
  },
  {
    roles: ['administrator', 'operator'],
    routes: [
      'GET /accounts',
      'GET /attention',
      'POST /attention',
      'POST /attention/chosen',
      'GET /audit',
      'GET /audit.csv',
      'GET /carriers',
      'GET /figures',
      'GET /overview',
      'GET /refused',
    ],
  },
  {
    roles: ['administrator'],
    routes: [
      'POST /a/:account/licenses/:license/check',
      'POST /a/:account/licenses/:license/webhook-url',
      'POST /a/:account/licenses/:license/webhook-url/rotate',
      'GET /a/:account/licenses/new',
      'POST /a/:account/licenses/new',
      'POST /a/:account/settings/state',
      'GET /a/:account/sites',
      'POST /a/:account/sites',
      'GET /a/:account/sites/:site',
      'POST /a/:account/sites/:site',
      'GET /a/:account/users',
      'POST /a/:account/users',
      'GET /a/:account/users/:user',
      'POST /a/:account/users/:user',
      'POST /a/:account/users/:user/tokens',
      'POST /a/:account/users/:user/tokens/:token/revoke',
      'POST /accounts',
      'GET /companies',
      'POST /companies',
      'GET /companies/:company',
      'POST /companies/:company',
      'POST /companies/:company/delete',
      'GET /users',
      'POST /users',
      'GET /users/:id',
      'POST /users/:id',
    ],
  },
];

/** Every page also as a stream. */
const MAY = new Map(
  ROUTES.flatMap(({ roles, routes }) =>
    routes.flatMap((route) => [
      [route, roles] as const,
      ...(route.startsWith('GET ') ? [[route.replace(' ', ' /live'), roles] as const] : []),
    ]),
  ),
);

/** The routes of the panel's router, with those of a provider. */
function mounted(): string[] {
  const app = { ...http.app, config: { ...http.config, panelProvider: {} } };
  const router = panelRouter(app as unknown as Parameters<typeof panelRouter>[0]);
  return router.stack.flatMap(({ route }) => {
    if (route === undefined) return [];
    return route.stack.map(({ method }) => `${method.toUpperCase()} ${route.path}`);
  });
}

/** Asks for a route, as it changes nothing: a form without a key is refused once the role has been checked. */
async function statusOf({ params, ask }: PanelWorld, route: string): Promise<number> {
  const [method, path = ''] = route.split(' ');
  const address = `/panel${path.replaceAll(/:(\w+)/g, (_, name: string) => params[name] ?? '0')}`;
  const query = new URLSearchParams({
    license: params.license ?? '',
    carrier: 'run',
    event: 'shipment.created',
  });
  const { status } =
    method === 'POST' ? await ask(address, [['key', '']]) : await ask(`${address}?${query.toString()}`);
  return status;
}

test('every route of the panel is open or belongs to roles', (t) => {
  const known = [...OPEN, ...MAY.keys()];

  const found = mounted();

  t.true(found.length > 150, `${found.length}`);
  t.deepEqual(found.filter((route) => !known.includes(route)).toSorted(), [], 'new: see ROUTES');
  t.deepEqual(known.filter((route) => !found.includes(route)).toSorted(), [], 'gone');
  t.is(new Set(known).size, known.length, 'named once');
});

for (const role of ROLES) {
  test(`GET, POST /panel: ${role} reaches the routes of the role, and the others are 404`, async (t) => {
    const world = await panelWorld(http, role);
    for (const [route, roles] of MAY) {
      const isStream = route.includes(' /live/');
      if (isStream && roles.includes(role)) continue;
      const status = await statusOf(world, route);
      if (!roles.includes(role)) t.is(status, 404, route);
      else t.true([200, 303, 302, 422, 503].includes(status), `${route} is ${status}`);
    }
  });
}

test('GET /panel: no page of staff holds the key of a license, which is a credential', async (t) => {
  const world = await panelWorld(http, 'staff');
  const pages = pagesOf('staff');

  for (const page of pages) {
    const { text } = await world.ask(addressOf(world, page));
    t.false(text.includes(world.license), page);
  }

  t.true(pages.length > 20, `${pages.length}`);
});
