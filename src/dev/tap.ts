/** What a test run came to. */
export interface TestCounts {
  passed: number;
  failed: number;
  skipped: number;
}

const RESULT = /^(not )?ok \d+ - (.*)$/;

/** Reads TAP as ava prints it, line by line: counts results and passes failures with their details on. */
export class TapReader {
  readonly counts: TestCounts = { passed: 0, failed: 0, skipped: 0 };
  /** The titles of the tests that failed, in their order. */
  readonly failures: string[] = [];
  private inFailure = false;

  /** @param print receives the lines that a reader wants to see: failures, their details, a tests' own output. */
  constructor(private readonly print: (line: string) => void) {}

  /** Takes one line. */
  read(line: string): void {
    const result = RESULT.exec(line);
    if (result !== null) this.result(result[1] !== undefined, result[2] ?? '');
    else if (this.inFailure && /^\s/.test(line)) this.print(line);
    else this.inFailure = false;
  }

  private result(failed: boolean, title: string): void {
    this.inFailure = failed;
    if (/# (SKIP|TODO)\b/i.test(title)) {
      this.counts.skipped += 1;
      this.inFailure = false;
    } else if (failed) {
      this.counts.failed += 1;
      this.failures.push(title);
      this.print(`✖ ${title}`);
    } else this.counts.passed += 1;
  }
}
