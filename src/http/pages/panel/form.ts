import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request } from 'express';
import { AppError } from '../../../domain/errors.js';
import { problem, quoted } from '../../../domain/problems/problem.js';
import { shortDigest } from '../../../lib/digest.js';
import { LIMITS } from '../../../lib/limits/values.js';
import type { MountedApp } from '../../mounted-app.js';
import { refuseAnnounced } from '../../raw-body.js';
import type { Words } from './words/en.js';

/** Parameters of a path. */
export type Params = Record<string, string>;
/** A request to the panel. */
export type PanelRequest = Request<Params>;

/** A file that a form carries. */
export interface SentFile {
  /** Of the form's field. */
  field: string;
  name: string;
  content: Buffer;
}

/** The content of a form. */
export interface SentForm {
  fields: URLSearchParams;
  file: SentFile | null;
}

/** A body arrives once; what has failed since is answered with its fields. */
const readForms = new WeakMap<IncomingMessage, SentForm>();

/**
 * The fields of a form, and its file where the screen takes one; nothing for a GET. A later call returns the same.
 * @throws AppError `payload_too_large`, `unsupported_media_type`
 */
export async function readSentForm(
  app: Pick<MountedApp, 'load'>,
  req: IncomingMessage,
  res: ServerResponse,
  reading: { caller: string; takesFile: boolean },
): Promise<SentForm> {
  const known = readForms.get(req);
  if (known !== undefined) return known;
  const form = await receiveForm(app, req, res, reading);
  readForms.set(req, form);
  return form;
}

async function receiveForm(
  app: Pick<MountedApp, 'load'>,
  req: IncomingMessage,
  res: ServerResponse,
  { caller, takesFile }: { caller: string; takesFile: boolean },
): Promise<SentForm> {
  const nothing = { fields: new URLSearchParams(), file: null };
  if (req.method === 'GET' || req.method === 'HEAD') return nothing;
  const limitBytes = takesFile ? LIMITS.imports.fileBytes : LIMITS.panel.formBytes;
  refuseAnnounced(req, limitBytes);
  const body = await app.load.bodies.read(req, res, { limitBytes, caller });
  if (body.length === 0) return nothing;
  const header = req.headers['content-type'] ?? '';
  const [type = ''] = header.split(';');
  if (takesFile && type.trim() === 'multipart/form-data') return await readParts(body, header);
  if (type.trim() !== 'application/x-www-form-urlencoded') {
    throw new AppError('unsupported_media_type', problem('not_a_form'));
  }
  return { fields: new URLSearchParams(body.toString('utf8')), file: null };
}

/** The fields of a form without a file. @throws as {@link readSentForm} */
export async function readForm(
  app: Pick<MountedApp, 'load'>,
  req: PanelRequest,
  res: ServerResponse,
  caller: string,
): Promise<URLSearchParams> {
  return (await readSentForm(app, req, res, { caller, takesFile: false })).fields;
}

/** Node's own reader of multipart forms; the body is bounded and in memory already. */
async function readParts(body: Buffer, type: string): Promise<SentForm> {
  const sent = await new Response(body, { headers: { 'content-type': type } })
    .formData()
    .catch((cause: unknown) => {
      throw new AppError('unsupported_media_type', problem('unreadable_form'), { cause });
    });
  const form: SentForm = { fields: new URLSearchParams(), file: null };
  for (const [name, value] of sent) {
    if (typeof value === 'string') form.fields.append(name, value);
    else if (value.size > 0) {
      const content = Buffer.from(await value.arrayBuffer());
      form.file = { field: name, name: value.name, content };
      // Another file makes another form, for the key by which it is carried out once.
      form.fields.append(name, shortDigest(content));
    }
  }
  return form;
}

/** The filled fields of a form with these names, trimmed. */
export function filledFields<const N extends string>(
  form: URLSearchParams,
  names: readonly N[],
): Partial<Record<N, string>> {
  const fields: Partial<Record<N, string>> = {};
  for (const name of names) {
    const value = form.get(name)?.trim() ?? '';
    if (value !== '') fields[name] = value;
  }
  return fields;
}

/** The choice in a form. @throws AppError `validation_failed` for nothing, and for what is unknown */
export function choiceIn<const C extends string>(
  form: URLSearchParams,
  name: string,
  choices: readonly C[],
  { sentForms }: Pick<Words, 'sentForms'>,
): C {
  const chosen = choices.find((one) => one === form.get(name));
  if (chosen === undefined) throw new AppError('validation_failed', quoted(sentForms.noChoice));
  return chosen;
}
