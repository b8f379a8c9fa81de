import { Type } from 'typebox';
import { nowIso } from '../../../lib/time.js';
import { defineRoute } from '../../route.js';
import { closedObject, when } from '../../schemas.js';
import { answerOf } from '../schemas.js';

const PingSchema = closedObject('Ping', 'A sign of life.', {
  status: Type.Enum(['ok'], { description: 'Always `ok`.' }),
  version: Type.String({ description: 'Version of the service.' }),
  time: when("The server's clock."),
});

const ping = defineRoute(
  {
    method: 'get',
    path: '/ping',
    operationId: 'ping',
    tag: 'Service',
    summary: 'Check that the API answers',
    public: true,
    license: 'none',
    responses: {
      200: answerOf('It does.', PingSchema, {
        status: 'ok',
        version: '0.1.0',
        time: '2026-11-21T09:30:00.123456Z',
      }),
    },
  },
  async ({ app }) => {
    const status = 'ok' as const;
    return { status: 200, json: { data: { status, version: app.version, time: nowIso() } } };
  },
);

export const pingRoutes = { ping };
