/** The test runner as a process of its own. Not `--import`: the runner hands its flags on to every process of a test. */
import './tap-details.js';
import { pathToFileURL } from 'node:url';
import { packageScript } from './paths.js';

await import(pathToFileURL(packageScript('ava', 'entrypoints/cli.mjs')).href);
