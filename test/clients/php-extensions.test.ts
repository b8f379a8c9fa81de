import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PHP_CLIENT, phpTest } from '../support/php.js';

const COMMENTS_AND_TEXTS = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"/g;
/** A function that is called by its name. */
const CALL = /(?<![\w$>:\\]|function )\\?([a-z_][a-z0-9_]*)\(/g;
/** Words of the language, and functions of what a transport of the client is for. */
const OTHERS =
  /^(if|while|for|foreach|switch|catch|function|fn|array|list|isset|unset|empty|callable|declare)$/;
const OF_TRANSPORTS = /^(curl_|wp_|is_wp_error$)/;

phpTest('PHP: what the client calls is there without an extension that PHP may lack', (t) => {
  const files = readdirSync(PHP_CLIENT, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.php'),
  );
  const code = files.map((file) => readFileSync(join(PHP_CLIENT, file), 'utf8')).join('\n');
  const calls = code.replaceAll(COMMENTS_AND_TEXTS, '').matchAll(CALL);
  const called = [...new Set([...calls].map(([, name = '']) => name))].filter(
    (name) => !OTHERS.test(name) && !OF_TRANSPORTS.test(name),
  );

  // Without its configuration PHP has what is compiled in; distributions load ctype, mbstring and the like by theirs.
  const script =
    'echo json_encode(array_values(array_filter(array_slice($argv, 1), fn ($name) => !function_exists($name))));';
  const missing = execFileSync('php', ['-n', '-r', script, '--', ...called], { encoding: 'utf8' });

  t.true(called.length > 40, called.join());
  t.deepEqual(JSON.parse(missing), []);
});
