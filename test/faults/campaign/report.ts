import { type Campaign, REST_MS } from './campaign.js';

/** How a campaign was asked for. */
interface Asked {
  minutes: number;
  seed: number;
}

/** A campaign's report in Markdown. A run that left a cell of its table empty proves less than it claims, and is invalid. */
export function reportOf(campaign: Campaign, { minutes, seed }: Asked): string {
  const { faults, killsAndCuts, table, work, restMs, asked, violations, logs } = campaign;
  const rest =
    restMs === null
      ? `not all was final, or asked for a person, within ${REST_MS / 1000} s of an idle machine`
      : `after ${(restMs / 1000).toFixed(1)} s all was final, or asked for a person (${asked})`;
  return [
    `# Campaign ${seed}`,
    `${minutes} minutes, ${faults.length} faults, ${killsAndCuts} of them kills and cuts.`,
    table.markdown,
    table.empty.length === 0
      ? 'Each cell was hit.'
      : `**Invalid**: these cells are empty: ${table.empty.join(', ')}.`,
    ['Meanwhile:', '', ...work.map((line) => `- ${line}`)].join('\n'),
    `All healed: ${rest}.`,
    violations.length === 0
      ? '**Every promise held.**'
      : ['**Violated:**', '', ...violations.map((line) => `- ${line}`)].join('\n'),
    ...(logs === null ? [] : [`The logs of the processes are in \`${logs}\`.`]),
    '',
  ].join('\n\n');
}
