import { bash, http, js, json, py, sql, ts, yaml } from '@speed-highlight/core/languages';
import { type ShjLanguageData, type ShjToken, tokenizeWith } from '@speed-highlight/core/tokenize';
import { Html, html } from '../../src/domain/html.js';

/** The highlighter knows no PHP; JavaScript's words, texts and comments are the same. */
const GRAMMARS = { bash, http, js, json, php: js, py, sql, ts, yaml };

/** Name of a fence's language for people, and its grammar. */
const LANGUAGES: Readonly<Record<string, { name: string; grammar?: keyof typeof GRAMMARS }>> = {
  sh: { name: 'Shell', grammar: 'bash' },
  bash: { name: 'Shell', grammar: 'bash' },
  console: { name: 'Shell', grammar: 'bash' },
  curl: { name: 'curl', grammar: 'bash' },
  output: { name: 'Output' },
  json: { name: 'JSON', grammar: 'json' },
  http: { name: 'HTTP', grammar: 'http' },
  js: { name: 'JavaScript', grammar: 'js' },
  mjs: { name: 'Node.js', grammar: 'js' },
  javascript: { name: 'JavaScript', grammar: 'js' },
  ts: { name: 'TypeScript', grammar: 'ts' },
  typescript: { name: 'TypeScript', grammar: 'ts' },
  php: { name: 'PHP', grammar: 'php' },
  py: { name: 'Python', grammar: 'py' },
  python: { name: 'Python', grammar: 'py' },
  sql: { name: 'SQL', grammar: 'sql' },
  yaml: { name: 'YAML', grammar: 'yaml' },
};

/** Languages in which the same program is shown side by side; a command and its output are no such pair. */
const ALTERNATIVES: ReadonlySet<string> = new Set([
  'curl',
  'js',
  'mjs',
  'javascript',
  'php',
  'py',
  'python',
  'ts',
  'typescript',
]);

/** A block of code: its text and the language of its fence. */
export interface Code {
  text: string;
  language: string;
}

/** Whether a block in this language may be one of several that are the same. */
export function isAlternative(language: string): boolean {
  return ALTERNATIVES.has(language);
}

/** Whether blocks that follow each other are the same in several languages. */
export function areAlternatives(blocks: readonly Code[]): boolean {
  const languages = new Set(blocks.map(({ language }) => language));
  return (
    blocks.length > 1 &&
    languages.size === blocks.length &&
    blocks.every(({ language }) => isAlternative(language))
  );
}

/** A block with its colours. It scrolls sideways, so the keyboard reaches it. */
export function codeBlock({ text, language }: Code): Html {
  if (language === 'mermaid') return diagram(text);
  const { name, grammar } = LANGUAGES[language] ?? { name: 'Text' };
  const body = grammar === undefined ? html`${text}` : coloured(text, grammar);
  return html`<div class="code" data-language="${name}"><div class="caption">${name}</div><pre tabindex="0"><code>${body}</code></pre></div>
`;
}

/** The package's own languages do not fit its types where optional properties must not be undefined. */
function isLanguage(value: object): value is ShjLanguageData {
  return Array.isArray(value) || 'sub' in value;
}

function coloured(text: string, grammar: keyof typeof GRAMMARS): Html {
  const language = GRAMMARS[grammar];
  const parts: Html[] = [];
  const add = (part: string, token?: ShjToken) => {
    parts.push(token === undefined ? html`${part}` : html`<span class="t-${token}">${part}</span>`);
  };
  if (!isLanguage(language)) throw new Error(`${grammar} is no language.`);
  tokenizeWith(text, language, add);
  return html`${parts}`;
}

/** The same program in several languages; the script makes tabs of them. */
export function codeTabs(blocks: readonly Code[]): Html {
  return html`<div class="tabs">${blocks.map(codeBlock)}</div>
`;
}

/** A drawing library would be the largest part of the page: the source of a diagram reads well enough. */
function diagram(text: string): Html {
  return html`<details class="diagram"><summary>Diagram, as Mermaid source</summary><pre tabindex="0">${text}</pre></details>
`;
}
