import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../launcher/paths.js';

/** Phrases that readers have to decode, in comments and test titles. */
const FORBIDDEN =
  /\b(so many|as (it|they) may|anew|whoever|(is|are|was|were) told|those who|of (its|their) own)\b/i;
/** A comment begins with its subject. */
const WHAT = /^\s*(?:\/\*\*|\*|\/\/) What\b/;
const COMMENT = /^\s*(?:\/?\*|\/\/)|\s\/\/\s/;
const TITLE = /^\s*(?:test(?:\.\w+)*\()?(['"`]).*\1,/;

const listed = execFileSync('git', ['ls-files', '*.ts', '*.mjs'], { cwd: projectFolder, encoding: 'utf8' });
const found = listed
  .split('\n')
  .filter((path) => path !== '')
  .flatMap((path) =>
    readFileSync(join(projectFolder, path), 'utf8')
      .split('\n')
      .flatMap((line, index) => {
        const isRead = COMMENT.test(line) || (path.startsWith('test/') && TITLE.test(line));
        const phrase = isRead ? (FORBIDDEN.exec(line) ?? WHAT.exec(line))?.[0] : undefined;
        return phrase === undefined ? [] : [`${path}:${index + 1}: "${phrase}"`];
      }),
  );
if (found.length > 0) {
  console.log(found.join('\n'));
  process.exitCode = 1;
}
