import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { prometheusSpec } from '../../tools/engines/prometheus.js';
import { prometheusConfig } from '../../tools/launcher/observe.js';
import { projectFolder } from '../../tools/launcher/paths.js';
import { shipmentBody } from '../support/api-client.js';
import { CleanUps } from '../support/clean-ups.js';
import { eventually } from '../support/conditions.js';
import {
  anyPort,
  startApiProcess,
  startWorkerProcess,
  TestProcess,
  temporaryFolder,
} from '../support/processes.js';
import { startStack } from '../support/stack.js';

const program = process.env.PROMETHEUS;
const withPrometheus = program === undefined ? test.skip : test.serial;

interface Answer {
  groups: { rules: { name: string; health: string; lastError?: string }[] }[];
  activeTargets: { health: string; labels: { job: string } }[];
  alerts: { state: string; labels: Record<string, string> }[];
}

withPrometheus(
  'alerts: Prometheus evaluates all of them on a running service, and real causes fire them',
  async (t) => {
    const cleanUps = new CleanUps();
    t.teardown(() => cleanUps.end());
    const stack = await startStack();
    cleanUps.teardown(() => stack.close());
    const [apiMetricsPort, workerMetricsPort, port] = [await anyPort(), await anyPort(), await anyPort()];
    const api = await startApiProcess(cleanUps, stack, { API_METRICS_PORT: String(apiMetricsPort) });
    const worker = await startWorkerProcess(cleanUps, stack, {
      WORKER_METRICS_PORT: String(workerMetricsPort),
    });
    const folder = temporaryFolder(cleanUps);
    const rules = join(folder, 'alerts.yaml');
    const shipped = readFileSync(join(projectFolder, 'docker/observe/alerts.yaml'), 'utf8');
    writeFileSync(rules, shipped.replaceAll(/ for: \w+/g, ' for: 1s'));
    const config = prometheusConfig({ apiMetricsPort, workerMetricsPort, rules, everySeconds: 1 });
    const logFile = join(folder, 'prometheus.log');
    const spec = prometheusSpec(program ?? '', { config, folder, port, logFile });
    await new TestProcess(cleanUps, spec).start();
    const ask = async (path: string): Promise<Answer> => {
      const answer = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`);
      return ((await answer.json()) as { data: Answer }).data;
    };
    const fires = (name: string, labels: Record<string, string>) =>
      eventually(
        async () =>
          (await ask('alerts')).alerts.find(
            (alert) =>
              alert.state === 'firing' &&
              Object.entries({ alertname: name, ...labels }).every(
                ([key, text]) => alert.labels[key] === text,
              ),
          ),
        `the alert ${name}`,
        60_000,
      );

    await eventually(async () => {
      const { activeTargets } = await ask('targets');
      return activeTargets.length === 2 && activeTargets.every(({ health }) => health === 'up');
    }, 'both targets to be scraped');
    const evaluated = await eventually(async () => {
      const all = (await ask('rules')).groups.flatMap((group) => group.rules);
      return all.length > 0 && all.every(({ health }) => health !== 'unknown') && all;
    }, 'all rules to be evaluated');
    t.deepEqual(
      evaluated.filter(({ health }) => health !== 'ok'),
      [],
    );

    await stack.sandboxes.get('getpackage')?.fault({ operation: 'book', kind: 'drop_after', times: 1 });
    const lost = await api.client.create(shipmentBody(stack.account, 'getpackage'));
    await stack.db.run('UPDATE shipments SET status_at = status_at - INTERVAL 1 HOUR WHERE uuid = ?', [
      lost.body.data.uuid,
    ]);
    await fires('ParcelworksNeedsAttention', { carrier: 'getpackage' });

    await worker.kill9();
    await fires('ParcelworksDown', { job: 'parcelworks-worker' });

    await stack.db.run("UPDATE shipments SET status_code = 'pending', created_at = NOW(6) - INTERVAL 1 HOUR");
    await fires('ParcelworksCarrierAway', { carrier: 'getpackage' });
  },
);
