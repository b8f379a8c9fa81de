import type { AccountRecord } from '../../../db/queries/accounts/accounts.js';
import type { PanelSession } from '../../../db/queries/accounts/panel-sessions.js';
import type { Actor } from '../../../domain/audit.js';
import type { Html } from '../../../domain/html.js';
import type { Right } from '../../../domain/panel-roles.js';
import type { Language } from '../../../domain/recipient-words/language.js';
import type { Visitor } from '../../../services/panel/sessions.js';
import type { MountedApp } from '../../mounted-app.js';
import type { SentFile } from './form.js';
import type { Operations } from './operations.js';
import { type Refusal, refusalOf } from './told.js';
import type { Words } from './words/en.js';

/** A request to a screen by a user who is signed in and has the screen's right. */
export interface Visit {
  app: MountedApp;
  session: PanelSession;
  user: PanelSession['user'];
  visitor: Visitor;
  words: Words;
  language: Language;
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  form: URLSearchParams;
  /** The file that the form carries, on a screen that takes one. */
  file: SentFile | null;
  /** Columns of the list of shipments that the browser keeps; none where it keeps none. */
  columns: readonly string[];
  /** Where the next label goes on an A4 sheet, from 1, as the browser keeps it. */
  nextSlot: number;
  /** Row ids of the shipments that the browser keeps as ticked, of the account whose list it shows. */
  kept: readonly number[];
  /** Path and query as sent. */
  url: string;
  /** Waits for others, such as a carrier; the request does not count as work meanwhile. */
  whileWaiting: <T>(wait: () => Promise<T>) => Promise<T>;
}

/** A {@link Visit} to a screen below `/panel/a/:account`, whose account the user may see. */
export interface AccountVisit extends Visit {
  account: AccountRecord;
  /** Calls an operation of API v2 for the account. */
  call: Operations;
}

/** The user as the audit names it. */
export function actorOf({ user, visitor }: Pick<Visit, 'user' | 'visitor'>): Actor {
  return { kind: 'panel', name: user.email, origin: visitor.address };
}

/** The process's parts for a change by the user. */
export function actingApp(visit: Visit): MountedApp & { actor: Actor } {
  return { ...visit.app, actor: actorOf(visit) };
}

/** A part of a page that changes by itself while it is open. */
export interface Live {
  /** Of the element around it. */
  id: string;
  content: Html;
  isOpen: boolean;
}

/**
 * A page. `part`: what script asks for alone, to replace the element with the same id. `live`: what changes in that
 * element by itself.
 */
export interface ScreenPage {
  title: string;
  main: Html;
  part?: Html;
  live?: Live;
  status?: number;
  /** Row ids of the shipments that the browser is to keep as ticked. */
  kept?: readonly number[];
  /** Token of the session that takes the place of the present one. */
  session?: string;
}

/** A file to keep, sent piece by piece. */
interface ScreenFile {
  filename: string;
  contentType: string;
  pieces: AsyncIterable<string>;
}

/** Where to go next. `notice`: a name in `words.notices`, shown there. `columns`, `nextSlot`: what the browser is to keep. */
interface NextPage {
  to: string;
  notice?: keyof Words['notices'];
  columns?: readonly string[];
  nextSlot?: number;
  /** Both as in {@link ScreenPage}. */
  kept?: readonly number[];
  session?: string;
}

/** The answer of a screen. */
export type Answer = ScreenPage | ScreenFile | NextPage;

type Show<V> = (visit: V) => Answer | Promise<Answer>;

interface ScreenHead {
  method: 'get' | 'post';
  /** Below `/panel`. */
  path: string;
  right: Right;
  /** Whether its form may carry a file, and be as large as one. */
  takesFile?: true;
}

/** A screen. Those of an account have a path below `/a/:account`. */
export type Screen =
  | (ScreenHead & { scope: 'service'; show: Show<Visit> })
  | (ScreenHead & { scope: 'account'; show: Show<AccountVisit> });

/** A screen of the whole service, or of the user. */
export function screen(method: ScreenHead['method'], path: string, right: Right, show: Show<Visit>): Screen {
  return { method, path, right, scope: 'service', show };
}

/** A screen of one account; `path` below `/a/:account`. */
export function accountScreen(
  method: ScreenHead['method'],
  path: string,
  right: Right,
  show: Show<AccountVisit>,
): Screen {
  return { method, path: `/a/:account${path}`, right, scope: 'account', show };
}

/**
 * Makes screens that do what a form asks for. A refusal that other input would mend comes back in `page`, with status
 * 422.
 */
export function formsOf<V extends Pick<Visit, 'words'>>(
  screenOf: (method: 'post', path: string, right: Right, show: Show<V>) => Screen,
) {
  return (
    path: string,
    right: Right,
    page: (visit: V, refusal: Refusal) => ScreenPage | Promise<ScreenPage>,
    act: Show<V>,
  ): Screen =>
    screenOf('post', path, right, async (visit) => {
      try {
        return await act(visit);
      } catch (error) {
        return { ...(await page(visit, refusalOf(error, visit.words))), status: 422 };
      }
    });
}

/** A form of the whole service. */
export const serviceForm = formsOf(screen);

/** A form of one account; `path` below `/a/:account`. */
export const accountForm = formsOf(accountScreen);
