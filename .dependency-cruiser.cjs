/** The import rules of the folders. Each folder names what it may import of ours; everything else is an error. */
const OURS = '^(src|workflows|activities|tools|test|clients)/';

/**
 * `folder` may import itself, `allowed` and `typesOf`. That the last are imported as types only is checked by
 * oxlint (`no-restricted-imports`): the swc parser does not tell.
 * @param {string} folder
 * @param {string[]} allowed
 * @param {string[]} typesOf
 */
function folderRule(folder, allowed, typesOf = []) {
  const open = [folder, ...allowed].map((name) => `^${name}/`);
  return {
    name: `${folder} imports only what it may`,
    severity: 'error',
    from: { path: `^${folder}/` },
    to: { path: OURS, pathNot: [...open, ...typesOf.map((name) => `^${name}`)] },
  };
}

const LOW = ['src/domain', 'src/lib'];

module.exports = {
  forbidden: [
    folderRule('src/config', LOW),
    folderRule('src/lib', []),
    folderRule('src/domain', []),
    folderRule('src/contracts', ['src/domain']),
    folderRule('src/db', LOW, ['src/contracts']),
    folderRule('src/carriers', LOW),
    folderRule('src/documents', LOW),
    folderRule('src/outbound', LOW),
    folderRule('src/temporal', ['src/contracts', ...LOW], ['src/config']),
    folderRule(
      'src/services',
      ['src/contracts', 'src/db', 'src/carriers', 'src/temporal', 'src/documents', 'src/outbound', ...LOW],
      ['src/config'],
    ),
    folderRule(
      'src/api',
      ['src/services', 'src/db/queries', ...LOW],
      ['src/config', 'src/db/database\\.ts', 'src/contracts'],
    ),
    folderRule(
      'src/http',
      ['src/api', 'src/services', 'src/db/queries', ...LOW],
      ['src/config', 'src/db/database\\.ts', 'src/contracts', 'src/carriers/setting-names\\.ts'],
    ),
    {
      name: 'what is published knows no Express',
      severity: 'error',
      from: { path: '^src/api/' },
      to: { path: 'node_modules/(express|helmet)/' },
    },
    folderRule(
      'src/admin',
      ['src/services', 'src/db/queries', 'src/config', 'src/contracts', ...LOW],
      ['src/db/database\\.ts'],
    ),
    folderRule('workflows', ['src/contracts', 'src/domain'], ['activities']),
    folderRule(
      'activities',
      [
        'src/api',
        'src/services',
        'src/temporal',
        'src/contracts',
        'src/db',
        'src/carriers',
        'src/documents',
        'src/outbound',
        ...LOW,
      ],
      ['src/config'],
    ),
    {
      name: 'what runs imports no package of the tools, which the image does not hold',
      severity: 'error',
      from: { path: '^(src|workflows|activities)/' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'] },
    },
    folderRule('clients', []),
    {
      name: 'a package of ours imports no other',
      severity: 'error',
      from: { path: '^clients/([^/]+)/' },
      to: { path: '^clients/', pathNot: '^clients/$1/' },
    },
    {
      name: 'nobody imports tests',
      severity: 'error',
      from: { path: OURS, pathNot: '^test/' },
      to: { path: '^test/' },
    },
    {
      name: 'nobody imports tools',
      severity: 'error',
      from: { path: OURS, pathNot: '^(tools|test)/' },
      to: { path: '^tools/' },
    },
    {
      name: 'nobody imports the process entries',
      severity: 'error',
      from: { path: OURS, pathNot: '^(src/main|tools|test)/' },
      to: { path: '^src/main/' },
    },
    {
      name: 'only the registry names adapters',
      severity: 'error',
      from: {
        path: OURS,
        pathNot: '^(src/carriers/(registry|setting-names)\\.ts|src/carriers/[^/]+/|tools/|test/)',
      },
      to: { path: '^src/carriers/[^/]+/' },
    },
    {
      name: 'adapters do not know each other',
      severity: 'error',
      from: { path: '^src/carriers/([^/]+)/' },
      to: { path: '^src/carriers/[^/]+/', pathNot: '^src/carriers/$1/' },
    },
    {
      name: 'v1 and v2 do not know each other',
      severity: 'error',
      from: { path: '^src/api/(v[12])/' },
      to: { path: '^src/api/v[12]/', pathNot: '^src/api/$1/' },
    },
    {
      name: 'workflows and their contracts use no Node modules',
      severity: 'error',
      from: { path: '^(workflows|src/contracts|src/domain)/' },
      to: { dependencyTypes: ['core'] },
    },
    { name: 'no cycles', severity: 'error', from: { path: OURS }, to: { circular: true } },
    {
      name: 'everything can be resolved',
      severity: 'error',
      from: { path: OURS },
      to: { path: '^\\.', couldNotResolve: true },
    },
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['^dist', '^test/clients/.+/'] },
    enhancedResolveOptions: { extensions: ['.ts', '.js', '.mjs', '.json'] },
  },
};
