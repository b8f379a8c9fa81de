import type { Request, Response } from 'express';
import { AppError, type FieldErrors } from '../../../domain/errors.js';
import { LIMITS } from '../../../lib/limits/values.js';
import type { MountedApp } from '../../mounted-app.js';
import { refuseAnnounced } from '../../raw-body.js';
import type { Words } from './words/en.js';

/** Parameters of a path. */
export type Params = Record<string, string>;
/** A request to the panel. */
export type PanelRequest = Request<Params>;

/** The fields of a form; none for a GET. @throws AppError `payload_too_large`, `unsupported_media_type` */
export async function readForm(
  app: Pick<MountedApp, 'load'>,
  req: PanelRequest,
  res: Response,
  caller: string,
): Promise<URLSearchParams> {
  if (req.method === 'GET' || req.method === 'HEAD') return new URLSearchParams();
  const limitBytes = LIMITS.panel.formBytes;
  refuseAnnounced(req, limitBytes);
  const body = await app.load.bodies.read(req, res, { limitBytes, caller });
  const [type = ''] = (req.headers['content-type'] ?? '').split(';');
  if (body.length > 0 && type.trim() !== 'application/x-www-form-urlencoded') {
    throw new AppError('unsupported_media_type', 'The panel takes forms.');
  }
  return new URLSearchParams(body.toString('utf8'));
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

/** What a form says to do. @throws AppError `validation_failed` for nothing, and for what is unknown */
export function choiceIn<const C extends string>(
  form: URLSearchParams,
  name: string,
  choices: readonly C[],
  { sentForms }: Pick<Words, 'sentForms'>,
): C {
  const chosen = choices.find((one) => one === form.get(name));
  if (chosen === undefined) throw new AppError('validation_failed', sentForms.noChoice);
  return chosen;
}

/** Why a form was refused: a sentence, and messages by the API's field. */
export interface Refusal {
  message: string;
  fields: FieldErrors;
}

/** What a form shows of an error. @throws the error itself when no other input would help */
export function refusalOf(error: unknown): Refusal {
  const isRefusal = error instanceof AppError && error.status < 500 && error.status !== 404;
  if (!isRefusal) throw error;
  return { message: error.message, fields: error.fields ?? {} };
}
