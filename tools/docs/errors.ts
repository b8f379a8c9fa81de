import { ERROR_HELP, errorPage, type PublishedCode, type Repeat } from '../../src/api/error-help.js';
import { ERROR_STATUS } from '../../src/domain/errors.js';
import type { WrittenPage } from './library.js';

const INDEX = '/docs/errors';
const CODES = Object.keys(ERROR_HELP).filter(isPublished);

const VERDICTS: Readonly<Record<Repeat, string>> = {
  same: 'Yes, the same request',
  mended: 'Yes, once it is mended',
  never: 'No',
};

/** The list of all error codes, and a page for each. */
export function errorPages(): WrittenPage[] {
  return [
    {
      path: INDEX,
      title: 'Errors',
      lead: 'Each error code: what it means, and whether a program may repeat it.',
      markdown: index(),
    },
    ...CODES.map(page),
  ];
}

function isPublished(code: string): code is PublishedCode {
  return Object.hasOwn(ERROR_HELP, code);
}

/** Null for a code that no answer has. */
function statusOf(code: PublishedCode): number | null {
  return Object.entries(ERROR_STATUS).find(([name]) => name === code)?.[1] ?? null;
}

function index(): string {
  const rows = CODES.map((code) => {
    const { meaning, repeat } = ERROR_HELP[code];
    return `| ${statusOf(code) ?? ''} | [\`${code}\`](${errorPage(code)}) | ${meaning} | ${VERDICTS[repeat]} |`;
  });
  return `# Errors

Every failure of API v2 has a code, on which programs branch. The header \`Link\` of its answer names the page of the code with \`rel="help"\`. A code without a status is in no answer of its own: items of batches and the event \`shipment.refused\` have it.

| status | code | means | may a program repeat it? |
|---|---|---|---|
${rows.join('\n')}

No answer at all, or a connection that is cut, is like \`service_unavailable\`: the outcome is unknown, and the same request with the same key may be sent again.

[Idempotency and errors](/docs/guides/idempotency-and-errors) tells what a key does. API v1 has [failures of its own](/docs/guides/store-plugin-v1#what-each-failure-looks-like), without codes.
`;
}

function page(code: PublishedCode): WrittenPage {
  const { message, when, repeat, repeating, steps } = ERROR_HELP[code];
  const status = statusOf(code);
  const answer = {
    error: { code, message, ...(status === null ? {} : { status }), ...fieldsOf(code, message) },
  };
  const markdown = `# ${code}

${status === null ? '' : `HTTP status ${status}. `}${when}

## May a program repeat it?

**${VERDICTS[repeat]}.** ${repeating}

## What to do

${steps.map((step) => `- ${step}`).join('\n')}

## What it looks like

\`\`\`json
${JSON.stringify(status === null ? answer.error : answer, null, 2)}
\`\`\`

[All codes](${INDEX}), and [Idempotency and errors](/docs/guides/idempotency-and-errors).
`;
  return { path: errorPage(code), title: code, markdown };
}

function fieldsOf(code: PublishedCode, message: string): object {
  return code === 'validation_failed' ? { fields: { 'ship_data.contact_phone': [message] } } : {};
}
