import { setTimeout } from 'node:timers/promises';
import type { ApplicationFailure } from '@temporalio/activity';
import { MockActivityEnvironment } from '@temporalio/testing';
import test from 'ava';
import { type CarrierSlots, createCarrierSlots, createPointSlots } from '../../activities/carrier-slots.js';
import type { CarrierAccount, CarrierAdapter } from '../../src/carriers/contract.js';

const RUN = { provider: 'run', limits: { concurrency: 20 } } as CarrierAdapter;
const CARGO = { ...RUN, provider: 'cargo' };
const at = (host: string) =>
  ({ licenseId: 1, settings: { base_url: `https://${host}` } }) as unknown as CarrierAccount;

/** Works that never end by themselves, and how many have begun. */
function worksAt(slotsFor: CarrierSlots) {
  let begun = 0;
  const ends: (() => void)[] = [];
  const begin = (adapter: CarrierAdapter, host: string, attempt = 1) =>
    new MockActivityEnvironment({ attempt }).run(async () => {
      await slotsFor(
        adapter,
        at(host),
      )(async () => {
        begun += 1;
        await new Promise<void>((resolve) => ends.push(resolve));
      });
    });
  return { begin, begun: () => begun, endAll: () => ends.splice(0).map((end) => end()) };
}

test('of calls, a host that does not answer has half of the places, one that answers all', async (t) => {
  const { begin, begun, endAll } = worksAt(createCarrierSlots(50));
  const under = Array.from({ length: 20 }, () => begin(RUN, 'dead'));
  await setTimeout(100);

  await t.throwsAsync(begin(RUN, 'dead'), { message: /take all its places/ });
  under.push(...Array.from({ length: 20 }, () => begin(RUN, 'well')));

  t.is(begun(), 40);
  endAll();
  await Promise.all(under);
  const again = begin(RUN, 'dead');
  t.is(begun(), 41);
  endAll();
  await again;
});

test('of pickup points, two lists of a host and four of a carrier are read at once', async (t) => {
  const { begin, begun, endAll } = worksAt(createPointSlots());
  const under = [begin(RUN, 'a'), begin(RUN, 'a')];

  await t.throwsAsync(begin(RUN, 'a'), { message: /take all its places/ });
  under.push(begin(RUN, 'b'), begin(RUN, 'c'));
  await t.throwsAsync(begin(RUN, 'd'), { message: /take all its places/ });
  under.push(begin(CARGO, 'a'));

  t.is(begun(), 5);
  endAll();
  await Promise.all(under);
  const again = begin(RUN, 'a');
  t.is(begun(), 6);
  endAll();
  await again;
});

test('one that finds no place comes later each time, so that many do not take the rate of the queue', async (t) => {
  const { begin, endAll } = worksAt(createPointSlots());
  const under = [begin(RUN, 'a'), begin(RUN, 'a')];
  const pauseMs = async (attempt: number) => {
    const error = await t.throwsAsync<ApplicationFailure>(begin(RUN, 'a', attempt));
    return Number(error?.nextRetryDelay);
  };

  const pauses = await Promise.all([pauseMs(1), pauseMs(4), pauseMs(12), pauseMs(500)]);

  const bounds = [500, 2000, 6000, 6000];
  t.true(pauses.every((pause, index) => pause >= (bounds[index] ?? 0) && pause <= 3 * (bounds[index] ?? 0)));
  endAll();
  await Promise.all(under);
});
