import type { AuditEntry } from '../db/queries/accounts/audit-log.js';
import { auditCsv, auditList } from '../services/admin/audit.js';
import { type CommandOption, type Commands, toId, toNumber } from './command.js';
import { optionError } from './input.js';

const FILTERS: readonly CommandOption[] = [
  ['--account <id>', 'only what belongs to this account', toId],
  ['--actor <name>', 'only what this person changed'],
  ['--action <noun or noun.verb>', 'licenses, licenses.change'],
  ['--target <kind or kind/id>', 'license, license/2'],
  ['--since <date>', '2027-01-31 (the start of that day in Israel) or 2027-01-31T22:00:00Z'],
  ['--until <date>', 'until then: a day is included'],
];

export function addAuditCommands(program: Commands): void {
  const noun = program.addNoun('audit', 'who changed what', 'audit list --account 1');
  noun.add({
    name: 'list',
    summary: 'list changes, newest first; the values of secrets are in none',
    options: [
      ...FILTERS,
      ['--before-id <id>', 'only rows before this id: the next page', toId],
      ['--limit <n>', 'maximum rows, up to 1000 (default: 100)', toNumber],
      ['--format <csv>', 'all that matches as CSV, without a limit'],
    ],
    examples: [
      'audit list',
      'audit list --account 1 --action licenses --since 2027-01-01',
      'audit list --target license/2 --json',
      'audit list --since 2027-01-01 --format csv > changes.csv',
    ],
    columns: ['id', 'at', 'actor', 'action', 'target', 'account_id', 'changes'],
    run: async (app, { options: { format, ...request } }) => {
      if (format === undefined) return auditList(app, request);
      if (format !== 'csv') throw optionError('format', 'must be csv');
      return auditCsv(app, request);
    },
    forTable: (result) => (Array.isArray(result) ? result.map(lineOf) : result),
  });
}

function lineOf({ before, after, target, actor, ...entry }: AuditEntry): object {
  const [was, is] = [textsOf(before), textsOf(after)];
  const names = [...new Set([...was.keys(), ...is.keys()])];
  return {
    ...entry,
    at: entry.at.slice(0, 19),
    actor: `${actor.name} (${actor.kind}, ${actor.origin})`,
    target: `${target.kind}/${target.id}`,
    changes: names.map((name) => `${name}: ${changeOf(was.get(name), is.get(name))}`).join('; '),
  };
}

function changeOf(was: string | undefined, is: string | undefined): string {
  if (was === undefined) return is ?? '';
  return `${was} → ${is ?? 'none'}`;
}

function textsOf(values: AuditEntry['before']): Map<string, string> {
  const named = Object.entries(values ?? {}).map(([name, value]): [string, string] => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return new Map(named);
}
