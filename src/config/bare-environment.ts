import { tmpdir } from 'node:os';

/** What any program needs of the environment, without a setting of ours. */
export function bareEnvironment(): Record<string, string> {
  const { PATH = '', HOME = tmpdir(), LANG = 'C.UTF-8' } = process.env;
  return { PATH, HOME, LANG, TMPDIR: tmpdir() };
}
