import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { runAdmin } from '../support/admin.js';
import { type ApiClient, startApiStack } from '../support/api-client.js';
import { eventually } from '../support/conditions.js';
import { insertTestLicense } from '../support/factories.js';
import { type MailServer, startMailServer } from '../support/mail-server.js';
import { anyPort } from '../support/processes.js';
import { mountSmallDisk } from '../support/small-disk.js';
import type { TestStack } from '../support/stack.js';

const disk = mountSmallDisk();
let stack: TestStack;
let api: ApiClient;
let mailPort: number;
let mail: MailServer | undefined;

test.before(async () => {
  mailPort = await anyPort();
  ({ stack, api } = await startApiStack({
    env: {
      SMTP_URL: `smtp://127.0.0.1:${mailPort}`,
      ...(disk === null ? {} : { STORAGE_DIR: disk.path }),
    },
  }));
});

test.after.always(async () => {
  await stack?.close();
  await mail?.close();
  disk?.remove();
});

(disk === null ? test.serial.skip : test.serial)(
  'an export on a full disk says so, with its tries and the next one, and goes on once there is room',
  async (t) => {
    const { exportId, key } = await accepted();
    const makeRoom = disk?.fill();

    const shown = await hanging(exportId, 2);
    makeRoom?.();
    const later = await eventually(async () => {
      const now = await show(exportId);
      return /mail server/.test(String(now.last_error)) ? now : null;
    }, 'the mail to be tried');

    t.like(shown, { status: 'processing', last_error: 'The disk for documents is full (ENOSPC).' });
    t.true(Date.parse(String(shown.next_attempt_at)) > Date.parse(String(shown.created_at)));
    t.is(later.rows_written, 0);
    t.is((await api.get(`/exports/${exportId}?license_key=${key}`)).body.data.error, null);
  },
);

test.serial('an export whose mail server is away says so, and is mailed once it is back', async (t) => {
  const { exportId } = await accepted();

  const shown = await hanging(exportId, 2);
  mail = await startMailServer(mailPort);
  const done = await eventually(async () => {
    const now = await show(exportId);
    return now.status === 'completed' ? now : null;
  }, 'the export to be mailed');

  t.like(shown, { status: 'processing', rows_written: 0 });
  t.is(shown.last_error, 'The mail server cannot be reached or ended the connection (ESOCKET).');
  t.true(Date.parse(String(shown.next_attempt_at)) > Date.parse(String(shown.created_at)));
  t.like(done, { last_error: null, next_attempt_at: null });
});

test.serial(
  'an export whose file is gone before its mail is sent says so, and blames no mail server',
  async (t) => {
    await mail?.close();
    mail = undefined;
    const { exportId, key } = await accepted();

    const shown = await hanging(exportId, 1);
    await rm(join(stack.env.STORAGE_DIR ?? '', 'exports'), { recursive: true });
    const ended = await eventually(async () => {
      const now = await show(exportId);
      return now.status === 'failed' ? now : null;
    }, 'the end of the export');
    const { body } = await api.get(`/exports/${exportId}?license_key=${key}`);

    t.regex(String(shown.last_error), /^The mail server cannot be reached/);
    t.is(ended.last_error, 'The store for documents has lost the file before its mail was sent.');
    t.is(ended.next_attempt_at, null);
    t.is(
      body.data.error,
      'The file was lost on our side before its mail was sent. Ask for the export again.',
    );
  },
);

/** The operator's view of an export that waits for its next try, after some. */
async function hanging(exportId: number, tries: number): Promise<Record<string, unknown>> {
  return await eventually(async () => {
    const now = await show(exportId);
    return Number(now.attempts) >= tries && now.next_attempt_at !== null ? now : null;
  }, `${tries} tries`);
}

async function show(exportId: number): Promise<Record<string, unknown>> {
  const { out, err } = await runAdmin(['exports', 'show', String(exportId), '--json'], stack.env);
  if (err !== '') throw new Error(err);
  return JSON.parse(out);
}

async function accepted(): Promise<{ exportId: number; key: string }> {
  const { key } = await insertTestLicense(stack.db, { accountId: stack.account.id });
  const answer = await api.post('/exports', { license_key: key });
  if (answer.status !== 202) throw new Error(answer.text);
  return { exportId: answer.body.data.id, key };
}
