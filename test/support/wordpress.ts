import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pluginFiles, writePlugin } from '../../tools/clients/woocommerce.js';
import { projectFolder } from '../../tools/launcher/paths.js';
import { freePort } from '../../tools/launcher/ports.js';
import { aptInstall, aptInstallIdle, canUseApt, run, which } from '../../tools/launcher/run.js';
import type { Owner } from './clean-ups.js';
import { createTestDatabase } from './database.js';
import { patient } from './patience.js';
import { TestProcess } from './processes.js';

const STAND_IN = join(projectFolder, 'test/support/woocommerce-stand-in.php');
const SHOP_PORT = 24_100;
const DEBIANS = '/usr/share/wordpress';
/** WordPress 6.1's warnings under PHP 8.2, at every request. */
const QUIET = [
  '-d',
  'error_reporting=E_ALL&~E_DEPRECATED',
  '-d',
  'display_errors=stderr',
  '-d',
  'sendmail_path=/bin/true',
];

/** Programs and sources of a shop. `woocommerce`: a folder with a release, by `WOOCOMMERCE`; null where it is stood in for. */
export interface ShopSources {
  php: string;
  wordpress: string;
  woocommerce: string | null;
}

/** A WordPress with WooCommerce, or its stand-in, and the plugin as its build makes it. */
export interface Shop {
  url: string;
  admin: { user: string; password: string };
  /** Runs PHP in the shop, as its own cron would; resolves with what it prints. */
  php(code: string): Promise<string>;
  /** Has the shop's clock strike: Action Scheduler's queue, or WordPress' own. */
  strike(): Promise<void>;
  /** The shop's log. */
  log(): string;
}

/** Finds what a shop needs, with Debian's packages where there is apt. Returns the reason where it is missing. */
export async function findShop(): Promise<ShopSources | string> {
  const wordpress = process.env.WORDPRESS ?? DEBIANS;
  const isWhole = async () => existsSync(join(wordpress, 'wp-load.php')) && (await hasMysqli());
  if (!(await isWhole()) && canUseApt()) {
    await aptInstall(['php-cli', 'php-mysql', 'php-xml']);
    await aptInstallIdle('wordpress');
  }
  if (!(await isWhole()))
    return 'WordPress or PHP with mysqli is missing (Debian: wordpress, php-cli, php-mysql)';
  const { WOOCOMMERCE: woocommerce } = process.env;
  return { php: which('php') ?? 'php', wordpress, woocommerce: woocommerce ?? null };
}

async function hasMysqli(): Promise<boolean> {
  const php = which('php');
  return php !== null && /^mysqli$/m.test((await run(php, ['-m'])).output);
}

interface ShopOptions {
  /** Changes the plugin's files, to see a test fail. */
  change?: (files: Map<string, Buffer>) => void;
  /** Whether WooCommerce keeps orders in tables, as new shops do, or among WordPress' posts. */
  hasOrderTables?: boolean;
}

/** Installs a shop and serves it. */
export async function startShop(
  owner: Owner,
  sources: ShopSources,
  { change = () => undefined, hasOrderTables = false }: ShopOptions = {},
): Promise<Shop> {
  const folder = mkdtempSync(join(tmpdir(), 'parcelworks-shop-'));
  owner.teardown(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const database = await createTestDatabase();
  owner.teardown(() => database.drop());
  const url = `http://127.0.0.1:${await freePort(SHOP_PORT)}`;
  await run('cp', ['-rL', `${sources.wordpress}/.`, folder]);
  layOut(folder, url, database.url, sources);
  const files = pluginFiles();
  change(files);
  writePlugin(join(folder, 'wp-content/plugins/parcelworks'), files);

  const php = async (code: string): Promise<string> => {
    const file = join(folder, `run-${process.hrtime.bigint()}.php`);
    writeFileSync(file, `<?php ${code}`);
    const { code: exit, output } = await run(sources.php, [...QUIET, file], {
      cwd: folder,
      timeoutMs: patient(120_000),
    });
    rmSync(file, { force: true });
    if (exit !== 0) throw new Error(`PHP in the shop: ${output.slice(-2000)}`);
    return output.trim();
  };
  const admin = { user: 'admin', password: 'shop-secret-1' };
  await php(`define('WP_INSTALLING', true); require 'wp-load.php'; require ABSPATH . 'wp-admin/includes/upgrade.php';
    wp_install('Shop', '${admin.user}', 'admin@example.test', true, '', '${admin.password}'); switch_theme('bare');`);
  await php(`require 'wp-load.php'; require_once ABSPATH . 'wp-admin/includes/plugin.php';
    foreach (${sources.woocommerce === null ? '[]' : "['woocommerce/woocommerce.php']"} as $one) {
      $done = activate_plugin($one); if (is_wp_error($done)) { throw new Exception($done->get_error_message()); }
    }`);
  if (sources.woocommerce !== null) await php(`require 'wp-load.php'; ${keepOrdersIn(hasOrderTables)}`);
  await php(`require 'wp-load.php'; require_once ABSPATH . 'wp-admin/includes/plugin.php';
    $done = activate_plugin('parcelworks/parcelworks.php'); if (is_wp_error($done)) { throw new Exception($done->get_error_message()); }`);
  await serve(owner, sources.php, folder, url);
  const logFile = join(folder, 'debug.log');
  return {
    url,
    admin,
    php: (code) => php(`require 'wp-load.php'; ${code}`),
    strike: async () => {
      await php(`require 'wp-load.php'; if (class_exists('ActionScheduler_QueueRunner')) {
        ActionScheduler_QueueRunner::instance()->run('WP CLI'); } else { do_action('parcelworks_run'); }`);
    },
    log: () => (existsSync(logFile) ? readFileSync(logFile, 'utf8') : ''),
  };
}

function layOut(folder: string, url: string, databaseUrl: string, sources: ShopSources): void {
  const content = join(folder, 'wp-content');
  rmSync(content, { recursive: true, force: true });
  for (const part of ['plugins', 'mu-plugins', 'themes/bare'])
    mkdirSync(join(content, part), { recursive: true });
  if (sources.woocommerce === null) {
    copyFileSync(STAND_IN, join(content, 'mu-plugins/woocommerce.php'));
  } else {
    symlinkSync(sources.woocommerce, join(content, 'plugins/woocommerce'));
  }
  writeFileSync(join(content, 'themes/bare/style.css'), '/* Theme Name: Bare */');
  writeFileSync(join(content, 'themes/bare/index.php'), THEME);
  const { hostname, port, username, password, pathname } = new URL(databaseUrl);
  const constants = {
    DB_NAME: pathname.slice(1),
    DB_USER: decodeURIComponent(username),
    DB_PASSWORD: decodeURIComponent(password),
    DB_HOST: `${hostname}:${port || 3306}`,
    DB_CHARSET: 'utf8mb4',
    DB_COLLATE: '',
    WP_HOME: url,
    WP_SITEURL: url,
    WP_ACCESSIBLE_HOSTS: '127.0.0.1,localhost',
    WP_DEBUG_LOG: join(folder, 'debug.log'),
  };
  const flags = ['DISABLE_WP_CRON', 'WP_HTTP_BLOCK_EXTERNAL', 'AUTOMATIC_UPDATER_DISABLED', 'WP_DEBUG'];
  const salts = ['AUTH', 'SECURE_AUTH', 'LOGGED_IN', 'NONCE'].flatMap((name) => [
    `${name}_KEY`,
    `${name}_SALT`,
  ]);
  writeFileSync(
    join(folder, 'wp-config.php'),
    `<?php
${Object.entries(constants)
  .map(([name, value]) => `define('${name}', '${value}');`)
  .join('\n')}
${flags.map((name) => `define('${name}', true);`).join('\n')}
${salts.map((name) => `define('${name}', 'test-${name}');`).join('\n')}
define('WP_DEBUG_DISPLAY', false);
$table_prefix = 'wp_';
if (!defined('ABSPATH')) { define('ABSPATH', __DIR__ . '/'); }
require_once ABSPATH . 'wp-settings.php';
error_reporting(E_ALL & ~E_DEPRECATED);
`,
  );
}

/** A new shop would choose by itself, at the first visit of its admin pages. */
function keepOrdersIn(hasOrderTables: boolean): string {
  return `update_option('woocommerce_newly_installed', 'no');
    wc_get_container()->get(Automattic\\WooCommerce\\Internal\\DataStores\\Orders\\DataSynchronizer::class)->create_database_tables();
    update_option('woocommerce_custom_orders_table_enabled', '${hasOrderTables ? 'yes' : 'no'}');`;
}

const THEME = `<!doctype html><html <?php language_attributes(); ?>><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><?php wp_head(); ?></head>
<body <?php body_class(); ?>><?php wp_body_open(); while (have_posts()) { the_post(); the_content(); } wp_footer(); ?></body></html>`;

/** PHP's own server, with processes beside each other: a page and what it calls, and two clicks at once. */
async function serve(owner: Owner, php: string, folder: string, url: string): Promise<void> {
  const { host } = new URL(url);
  const server = {
    name: 'shop',
    command: php,
    args: [...QUIET, '-S', host, '-t', folder],
    env: { PHP_CLI_SERVER_WORKERS: '6' },
    logFile: join(folder, 'server.log'),
    healthy: async () => (await fetch(`${url}/wp-login.php`)).ok,
    startTimeoutMs: patient(60_000),
    stopTimeoutMs: 5000,
  };
  // The server's processes outlive their parent, and are in its group.
  const shop: TestProcess = new TestProcess(owner, server, async () =>
    process.kill(-Number(shop.pid), 'SIGKILL'),
  );
  await shop.start();
}
