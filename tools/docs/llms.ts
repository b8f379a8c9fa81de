import type { Library, WrittenPage } from './library.js';
import { markdownOf } from './plain-markdown.js';

/** `llms.txt` as llmstxt.org has it: what the service is, and a list of its pages as Markdown. */
export function llmsText(
  library: Library,
  written: readonly WrittenPage[],
  references: readonly WrittenPage[],
): string {
  const line = ({ path, title, lead = '' }: Pick<WrittenPage, 'path' | 'title' | 'lead'>) =>
    `- [${title}](${markdownOf(path)})${lead === '' ? '' : `: ${lead}`}`;
  const guides = library.sections.map(
    (section) => `## ${section.title}\n\n${section.guides.map(line).join('\n')}`,
  );
  const ofVersion = (version: string) => references.filter(({ path }) => path.startsWith(`/docs/${version}`));
  return `# Parcelworks

> Books parcels with carriers, prints their labels, follows them to the door and tells shop and recipient. New programs use API v2: JSON over HTTP, with the headers \`X-Client-Id\` and \`X-Client-Secret\`.

- A parcel is booked once: choose an \`Idempotency-Key\` before the first try, keep it, and send the same request with the same key until the answer is below 500. Never make a new key for a retry.
- Branch on \`error.code\`. The header \`Link\` of an error answer names the page of its code with \`rel="help"\`.
- An answer of 202 is accepted, not booked yet: ask its \`Location\`, or subscribe to webhooks. Do not send it again with another key.
- Every page has its Markdown at the same address with \`.md\`, also where \`Accept\` prefers \`text/markdown\`.

## Reference of API v2

- [OpenAPI document](/api/v2/openapi.json): all of it, for generators
- [Postman collection](/docs/postman.json): every request with an example; fill in \`client_id\` and \`client_secret\`
- [Bruno collection](/docs/bruno.json): the same for Bruno
${ofVersion('v2').map(line).join('\n')}
${written
  .filter(({ path }) => !path.startsWith('/docs/errors/'))
  .map(line)
  .join('\n')}

${guides.join('\n\n')}

## Optional

- [OpenAPI document of API v1](/api/openapi.json): the frozen API of store plugins
${ofVersion('v1').map(line).join('\n')}
`;
}
