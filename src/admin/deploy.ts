import {
  cleanUpBuilds,
  goBack,
  handOverRuns,
  listBuilds,
  rampBuild,
  setCurrentBuild,
} from '../services/admin/deploy.js';
import { type Commands, toNumber } from './command.js';

export function addDeployCommands(program: Commands): void {
  const noun = program.addNoun('deploy', 'builds of the workers, by WORKER_BUILD_ID', 'deploy status');
  noun.add({
    name: 'status',
    summary: 'list them with their share of new runs, and the open runs that end on each',
    examples: ['deploy status', 'deploy status --json'],
    columns: ['build', 'state', 'share', 'runs', 'workers', 'example'],
    run: listBuilds,
  });
  noun.addChange({
    name: 'set-current <build>',
    summary: 'give all new runs to a build; none: to workers without one',
    options: [['--ignore-missing-queues', 'also if it does not serve every queue of the current one']],
    examples: ['deploy set-current 1.5.0', 'deploy set-current none'],
    run: (app, { args: [build = ''], options }) => setCurrentBuild(app, { build, ...options }),
  });
  noun.addChange({
    name: 'ramp <build>',
    summary: 'give a percentage of new runs to a build, and the rest to the current one; 0 ends it',
    options: [['--percent <n>', 'required: 0 to 100', toNumber]],
    examples: ['deploy ramp 1.5.0 --percent 10', 'deploy ramp 1.5.0 --percent 0'],
    run: (app, { args: [build = ''], options }) => rampBuild(app, { build, ...options }),
  });
  noun.addChange({
    name: 'back',
    summary: 'end the ramp; where there is none, make the former build the current one',
    examples: ['deploy back'],
    run: (app) => goBack(app),
  });
  noun.addChange({
    name: 'hand-over <build>',
    summary: 'have the open runs of a build go on under the current one, which has to replay them',
    examples: ['deploy hand-over 1.4.2'],
    run: (app, { args: [build = ''] }) => handOverRuns(app, { build }),
  });
  noun.addChange({
    name: 'clean-up',
    summary: 'remove the builds that no run needs and whose workers ended five minutes ago',
    examples: ['deploy clean-up'],
    columns: ['build', 'done', 'reason'],
    run: (app) => cleanUpBuilds(app),
  });
}
