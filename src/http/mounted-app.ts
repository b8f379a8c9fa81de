import type { Request } from 'express';
import type { HttpApp } from '../api/http-app.js';
import { Rate } from '../lib/limits/rate.js';
import { LIMITS } from '../lib/limits/values.js';
import { showCapacity } from '../lib/metrics.js';
import { AnswerBudget } from './answer-budget.js';
import { LoadGate } from './load-gate.js';
import { callerAddress } from './middleware/caller-address.js';
import { RateLimiter } from './middleware/rate-limit.js';
import { BodyReader } from './raw-body.js';

/** Shared by the mounted parts of the HTTP application. */
export interface MountedApp extends HttpApp {
  /** Limits for all requests of the process together. */
  load: { gate: LoadGate; bodies: BodyReader; answers: AnswerBudget };
  /** Counts callers across all API processes. */
  limiter: RateLimiter;
  /** Tries to sign in to the panel from addresses with many wrong ones that are still checked: right ones get in. */
  stillChecked: Rate;
  /**
   * Counts a request to a cheap resource without credentials: documents, ping, unknown routes. By address, in this
   * process only.
   * @throws AppError `rate_limited`
   */
  limitOpen(req: Pick<Request, 'ip'>): void;
}

/** The counters of one API process. */
export function createMountedApp(app: HttpApp): MountedApp {
  const open = new RateLimiter(null, app.log);
  const gate = new LoadGate(app.config);
  const bodies = new BodyReader(app.config.bodyBudgetBytes, gate, { ...LIMITS.requests, ...app.limits });
  const answers = new AnswerBudget();
  showCapacity('MAX_OPEN_REQUESTS', gate.open);
  showCapacity('MAX_WORKING_REQUESTS', gate.working);
  showCapacity('BODY_BUDGET_BYTES', bodies.bytes);
  showCapacity('requests.unreadAnswerBytes', answers.bytes);
  return {
    ...app,
    load: { gate, bodies, answers },
    limiter: new RateLimiter(app.db, app.log),
    stillChecked: new Rate({ perSecond: LIMITS.panel.checksPerSecond, burst: LIMITS.panel.checks }),
    limitOpen(req) {
      open.take(callerAddress(req), app.config.openRateLimitPerMinute);
    },
  };
}
