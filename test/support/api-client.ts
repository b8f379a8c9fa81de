import type { CarrierAdapter } from '../../src/carriers/contract.js';
import type { HttpAnswer } from './http-send.js';
import { patient } from './patience.js';
import { type StackOptions, startStack, type TestAccount, type TestStack } from './stack.js';

/** A v2 client with the account's credentials. */
export class ApiClient {
  constructor(
    readonly url: string,
    readonly account: TestAccount,
  ) {}

  /** Headers of every request. */
  get headers(): Record<string, string> {
    return {
      accept: 'application/json',
      'content-type': 'application/json',
      'x-client-id': this.account.clientId,
      'x-client-secret': this.account.clientSecret,
    };
  }

  get(path: string, headers: Record<string, string> = {}): Promise<HttpAnswer> {
    return this.#send('GET', path, undefined, headers);
  }

  post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<HttpAnswer> {
    return this.#send('POST', path, JSON.stringify(body), headers);
  }

  patch(path: string, body: unknown): Promise<HttpAnswer> {
    return this.#send('PATCH', path, JSON.stringify(body), {});
  }

  delete(path: string): Promise<HttpAnswer> {
    return this.#send('DELETE', path, undefined, {});
  }

  /** Creates an ordinary shipment; its uuid. @throws where it is not created */
  async created(provider: string, overrides: Parameters<typeof shipmentBody>[2] = {}): Promise<string> {
    const { status, body, text } = await this.create(shipmentBody(this.account, provider, overrides));
    if (status !== 201) throw new Error(text);
    return body.data.uuid;
  }

  /** Creates a shipment under a key. */
  create(body: unknown, key?: string): Promise<HttpAnswer> {
    return this.post('/shipments', body, key === undefined ? {} : { 'idempotency-key': key });
  }

  async #send(
    method: string,
    path: string,
    body: string | undefined,
    headers: Record<string, string>,
  ): Promise<HttpAnswer> {
    const response = await fetch(`${this.url}/api/v2${path}`, {
      method,
      headers: { ...this.headers, ...headers },
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: text === '' ? undefined : JSON.parse(text),
    };
  }
}

/** A delivery that every carrier accepts. */
export const SHIP_DATA = {
  contact_name: 'Dana Levi',
  contact_phone: '0501234567',
  street: 'Dizengoff',
  number: '50',
  city: 'Tel Aviv',
  type: 1,
  return: 1,
};

let orders = 0;

/** A valid creation body for the account's license with the provider. */
export function shipmentBody(
  account: TestAccount,
  provider: string,
  overrides: { order?: object; ship_data?: object } = {},
) {
  orders += 1;
  return {
    license_key: account.licenseKeys[provider],
    ship_data: { ...SHIP_DATA, ...overrides.ship_data },
    order: { id: `order-${process.pid}-${orders}`, total: '99.90', currency: 'ILS', ...overrides.order },
  };
}

/** A stack with its workers and an API with these settings, and a client of its account. */
export async function startApiStack(
  options: StackOptions = {},
  settings: Parameters<TestStack['startApi']>[1] = {},
): Promise<{ stack: TestStack; api: ApiClient }> {
  const stack = await startStack(options);
  await stack.startWorkers();
  return { stack, api: new ApiClient(await stack.startApi(undefined, settings), stack.account) };
}

/** {@link startApiStack} in which a creation without an end does not hold a batch for twenty seconds. */
export function startBatchStack(doubles: readonly CarrierAdapter[]) {
  const env = { CREATE_WAIT_MS: String(patient(1500)) };
  return startApiStack({ doubles, env }, { createWaitMs: 20_000 });
}
