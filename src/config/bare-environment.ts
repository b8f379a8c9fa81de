import { tmpdir } from 'node:os';

/** The minimal environment of child programs, without our settings. */
export function bareEnvironment(): Record<string, string> {
  const { PATH = '', HOME = tmpdir(), LANG = 'C.UTF-8' } = process.env;
  return { PATH, HOME, LANG, TMPDIR: tmpdir() };
}
