import { Type } from 'typebox';
import { nowIso } from '../../../lib/time.js';
import { defineRoute } from '../../route.js';
import { closedObject, dataOf, Timestamp } from '../schemas.js';

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
      200: {
        description: 'It does.',
        schema: dataOf(
          closedObject('Ping', { status: Type.Enum(['ok']), version: Type.String(), time: Timestamp }),
        ),
        example: { data: { status: 'ok', version: '0.1.0', time: '2026-11-21T09:30:00.123456Z' } },
      },
    },
    errors: [],
  },
  async ({ deps }) => ({
    status: 200,
    json: { data: { status: 'ok', version: deps.version, time: nowIso() } },
  }),
);

/** Routes of the resource. */
export const pingRoutes = [ping];
