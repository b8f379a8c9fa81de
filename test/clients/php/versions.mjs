import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { loadPHPRuntime, PHP } from '@php-wasm/universal';

const [version] = process.argv.slice(2);
const { getPHPLoaderModule } = await import(`@php-wasm/node-${version}`);
const php = new PHP(await loadPHPRuntime(await getPHPLoaderModule()));

for (const folder of ['clients/php', 'clients/pairs', 'test/clients/php']) {
  for (const file of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!file.isFile()) continue;
    const from = join(file.parentPath ?? file.path, file.name);
    php.mkdirTree(join('/code', dirname(from)));
    php.writeFile(join('/code', from), readFileSync(from));
  }
}
const { text, errors } = await php.run({ scriptPath: '/code/test/clients/php/pure.php' });
console.log(text, errors);
process.exit(text.endsWith('all as the pairs say\n') ? 0 : 1);
