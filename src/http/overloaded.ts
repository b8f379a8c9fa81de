import { AppError } from '../domain/errors.js';

/**
 * The process has as much to do as it can hold: `service_unavailable`. Nothing has failed, so that it is logged as the
 * answer that it is and no more.
 */
export class Overloaded extends AppError {
  constructor() {
    super('service_unavailable', 'The service is busy. Try again shortly.');
  }
}
