import { listPayloadKeys } from '../services/admin/payload-keys.js';
import type { Commands } from './command.js';

export function addPayloadKeyCommands(program: Commands): void {
  program.add({
    name: 'payload-keys',
    summary: 'list the keys of TEMPORAL_PAYLOAD_KEY with the open runs and Schedules that still use each',
    examples: ['payload-keys', 'payload-keys --json'],
    columns: ['key', 'does', 'open_runs', 'schedules', 'removable', 'example'],
    run: listPayloadKeys,
  });
}
