import type { Operation } from '../../tools/doubles/carriers/faults.js';

/** A parcel that a sandbox booked. */
export interface LedgerEntry {
  reference: string;
  code: string;
  status: string;
  requests: number;
  booked_at: string;
  /** The decoded request. */
  request: Record<string, unknown>;
}

/** A fault for the sandbox's controls. */
export interface FaultRequest {
  operation?: Operation;
  kind: string;
  value?: number;
  times?: number;
  after?: boolean;
}

/** Client of a sandbox's controls. */
export class SandboxClient {
  constructor(readonly url: string) {}

  async ledger(): Promise<LedgerEntry[]> {
    const response = await fetch(`${this.url}/__ledger`);
    return (await response.json()) as LedgerEntry[];
  }

  /** Faults that have not met their last request; `times` is 0 for one that lasts. */
  async pending(): Promise<(FaultRequest & { times: number })[]> {
    const response = await fetch(`${this.url}/__faults`);
    return (await response.json()) as (FaultRequest & { times: number })[];
  }

  async fault(fault: FaultRequest): Promise<void> {
    await this.#post('/__faults', fault);
  }

  /** Moves a parcel; `webhook_status` is the webhook's answer, if one is configured. */
  async advance(
    code: string,
    status: string,
    options: { at?: string; times?: number; forge?: boolean } = {},
  ): Promise<{ webhook_status?: number }> {
    return await this.#post('/__advance', { code, status, ...options });
  }

  async configure(settings: Record<string, unknown>): Promise<void> {
    await this.#post('/__config', settings);
  }

  async #post(path: string, body: unknown): Promise<object> {
    const response = await fetch(`${this.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`sandbox ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as object;
  }
}
