import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { ERROR_STATUS } from '../../src/domain/errors.js';
import { WORDS } from '../../src/http/pages/panel/words/words.js';
import { moOf, readPo } from '../../tools/clients/mo.js';
import { pluginFiles, writePlugin } from '../../tools/clients/woocommerce.js';
import { projectFolder } from '../../tools/launcher/paths.js';
import { run, which } from '../../tools/launcher/run.js';
import { temporaryFolder } from '../support/processes.js';

const PLUGIN = join(projectFolder, 'clients/woocommerce');
const CALL = /\b(?:__|esc_html__|esc_attr__)\('((?:[^'\\]|\\.)*)', 'parcelworks'\)/g;
const CONNECTING =
  'In the panel of your shipping service: Credentials, New credentials. Copy the connection code that it shows, and paste it here.';
const php = which('php');

for (const language of ['he_IL', 'ar']) {
  test(`the plugin's texts are whole in ${language}, with the same places for values`, (t) => {
    const used = new Set(
      readdirSync(join(PLUGIN, 'includes')).flatMap((name) =>
        [...readFileSync(join(PLUGIN, 'includes', name), 'utf8').matchAll(CALL)].map(([, text = '']) => text),
      ),
    );

    const texts = readPo(readFileSync(join(PLUGIN, `languages/parcelworks-${language}.po`), 'utf8'));

    texts.delete('');
    t.deepEqual([...texts.keys()].sort(), [...used].sort());
    const places = (text: string) => [...text.matchAll(/%(?:\d\$)?[sd]/g)].map(String).sort();
    for (const [text, translated] of texts) t.deepEqual(places(translated), places(text), text);
  });
}

for (const [language, file] of [
  ['en', null],
  ['he', 'he_IL'],
  ['ar', 'ar'],
] as const) {
  test(`the plugin names what the panel shows as the panel does: ${language}`, (t) => {
    const { credentials, nav } = WORDS[language];
    const texts =
      file === null ? null : readPo(readFileSync(join(PLUGIN, `languages/parcelworks-${file}.po`), 'utf8'));

    const said = texts?.get(CONNECTING) ?? CONNECTING;
    const field = texts?.get('Connection code') ?? 'Connection code';

    for (const name of [nav.credentials, credentials.new]) t.true(said.includes(name), `${said}: ${name}`);
    t.true(credentials.connectionCode.startsWith(field), field);
  });
}

test('moOf: a text is found by its place in the sorted table', (t) => {
  const mo = moOf('msgid "b"\nmsgstr "two"\n\nmsgid "a"\nmsgstr "אחת"\n');

  const count = mo.readUInt32LE(8);
  const read = (table: number, index: number) => {
    const length = mo.readUInt32LE(table + 8 * index);
    const at = mo.readUInt32LE(table + 8 * index + 4);
    return mo.subarray(at, at + length).toString('utf8');
  };
  const [ids, texts] = [mo.readUInt32LE(12), mo.readUInt32LE(16)];
  t.is(mo.readUInt32LE(0), 0x950412de);
  t.deepEqual(
    Array.from({ length: count }, (_, index) => [read(ids, index), read(texts, index)]),
    [
      ['a', 'אחת'],
      ['b', 'two'],
    ],
  );
});

test("the plugin brings the client under the plugin's namespace", (t) => {
  const files = pluginFiles();

  const texts = [...files]
    .filter(([path]) => path.startsWith('client/'))
    .map(([, bytes]) => bytes.toString('utf8'));
  t.true(texts.length > 20);
  for (const text of texts) t.notRegex(text, /\bParcelworks[\\;]/);
  t.regex(files.get('client/Client.php')?.toString('utf8') ?? '', /^namespace ParcelworksWoo\\Client;$/m);
});

(php === null ? test.skip : test)(
  "every file of the plugin is valid PHP, and no longer than the house's own",
  async (t) => {
    for (const [path, bytes] of pluginFiles()) {
      if (!path.endsWith('.php') || path.startsWith('client/')) continue;
      const { code, output } = await run(php ?? '', ['-l', join(PLUGIN, path)]);
      t.is(code, 0, output);
      t.true(bytes.toString('utf8').split('\n').length <= 301, path);
    }
  },
);

(php === null ? test.skip : test)(
  'the two lines of a check-out become street, number and apartment',
  async (t) => {
    const { output } = await run(php ?? '', [
      '-r',
      `require '${PLUGIN}/includes/order-body.php';
    foreach ([['דיזנגוף 99', 'דירה 4'], ['Herzl', '5א'], ['רחוב 7 שומרים', ''], ['Main St 12/3', '']] as [$a, $b]) {
      echo json_encode(array_values(ParcelworksWoo\\OrderBody::street($a, $b)), JSON_UNESCAPED_UNICODE|JSON_UNESCAPED_SLASHES), "\\n"; }`,
    ]);

    t.is(
      output.trim(),
      [
        '["דיזנגוף","99","דירה 4"]',
        '["Herzl","5א",""]',
        '["רחוב 7 שומרים","",""]',
        '["Main St","12/3",""]',
      ].join('\n'),
    );
  },
);

/** Codes that name a program's mistake: the plugin's requests do not earn them. */
const FOR_PROGRAMMERS = [
  'malformed_json',
  'method_not_allowed',
  'payload_too_large',
  'unsupported_media_type',
  'headers_too_large',
];

/** The service's words follow, since no translation has them. */
const QUOTED = ['carrier_rejected', 'creation_refused', 'not_supported', 'validation_failed'];

(php === null ? test.skip : test)(
  "every refusal of the service is in the shop's language, with its words where they say more",
  async (t) => {
    const folder = temporaryFolder(t);
    writePlugin(folder);
    const answers = [...Object.entries(ERROR_STATUS), ['of_tomorrow', 422], ['http_404', 404]].map(
      ([code, status]) => ({
        status,
        code,
        fields:
          code === 'validation_failed' ? { 'ship_data.contact_phone': ['said'], 'order.x': ['said'] } : {},
      }),
    );

    const { code, output } = await run(php ?? '', [
      '-r',
      `function __($text) { return '«' . $text . '»'; }
      require '${folder}/includes/autoload.php';
      $told = [];
      foreach (json_decode('${JSON.stringify(answers)}', true) as $answer) {
        $error = strncmp($answer['code'], 'http_', 5) === 0 ? [] : ['error' => ['message' => 'said'] + $answer];
        $response = new ParcelworksWoo\\Client\\Http\\Response($answer['status'], [], json_encode($error));
        $attempt = new ParcelworksWoo\\Client\\Core\\Attempt(null, false);
        $exception = ParcelworksWoo\\Client\\Exception\\ApiErrors::of($response, $attempt, false);
        $told[$answer['code']] = ParcelworksWoo\\Refusal::words($exception);
      }
      echo json_encode($told, JSON_UNESCAPED_UNICODE);`,
    ]);

    t.is(code, 0, output);
    const told: Record<string, string> = JSON.parse(output);
    for (const name of Object.keys(ERROR_STATUS)) {
      const isTranslated = told[name]?.startsWith('«') === true;
      t.is(isTranslated, !FOR_PROGRAMMERS.includes(name), name);
      t.is(told[name]?.includes('said'), !isTranslated || QUOTED.includes(name), name);
    }
    t.is(told.of_tomorrow, 'said');
    t.regex(told.http_404 ?? '', /^«Another program .*»\nThe answer 404 /s);
    t.regex(told.validation_failed ?? '', /^«.*»\n«Phone»: said\norder\.x: said$/);
  },
);
