import type { LabelType } from '../../domain/labels.js';
import { LIMITS } from '../../lib/limits/values.js';
import type { PdfPrinter } from '../browser/pool.js';
import { splitPdf } from '../pdf.js';
import { labelFrame, PLACES } from './html.js';
import { stylesOf } from './styles.js';

const PRINT_MS = 15_000;
const PRINT_OF_LABEL_MS = 100;

/** Sheets that become one PDF. */
export interface PressJob {
  type: LabelType;
  /** Number of pages in the PDF. */
  sheets: number;
  labels: number;
  /** Markup of the sheets for a place of the page. */
  inPlace(place: number): string | Promise<string>;
}

/** Prints labels; waiting jobs are printed together and split afterwards. */
export interface LabelPress {
  /** @throws the printer's error for this job only. */
  print(job: PressJob): Promise<Buffer>;
}

type Printer = Pick<PdfPrinter, 'print'>;

interface Waiting {
  job: PressJob;
  done(pdf: Buffer): void;
  failed(error: unknown): void;
}

/**
 * A press over a printer with that many pages. Printing costs five times as much as one label, so a free page
 * takes all small waiting jobs of a type. Small and large jobs take turns.
 */
export function createLabelPress(printer: Printer, pages: number): LabelPress {
  const small: Waiting[] = [];
  const large: Waiting[] = [];
  let busy = 0;
  let gathering: NodeJS.Timeout | undefined;
  let lastWasLarge = false;

  const take = (): Waiting[] => {
    const [next] = small;
    const isLarge = large.length > 0 && (next === undefined || !lastWasLarge);
    lastWasLarge = isLarge;
    if (isLarge) return large.splice(0, 1);
    const batch = small.filter(({ job }) => job.type === next?.job.type).slice(0, PLACES);
    for (const one of batch) small.splice(small.indexOf(one), 1);
    return batch;
  };
  const proceed = (): void => {
    while (busy < pages && small.length + large.length > 0) {
      busy += 1;
      void printBatch(printer, take()).finally(() => {
        busy -= 1;
        proceed();
      });
    }
  };
  return {
    print: (job) =>
      new Promise((done, failed) => {
        (job.labels <= LIMITS.labels.few ? small : large).push({ job, done, failed });
        // Labels that are asked for within 5 ms are printed together.
        gathering ??= setTimeout(() => {
          gathering = undefined;
          proceed();
        }, 5);
      }),
  };
}

/** Prints the jobs together, and each alone if that fails. Never rejects. */
async function printBatch(printer: Printer, batch: readonly Waiting[]): Promise<void> {
  const pdfs = await printTogether(
    printer,
    batch.map(({ job }) => job),
  ).catch(() => null);
  for (const [index, { job, done, failed }] of batch.entries()) {
    const pdf = pdfs?.[index];
    try {
      done(pdf ?? (await printJobs(printer, [job])));
    } catch (error) {
      failed(error);
    }
  }
}

/** Null for a single job, or when the pages cannot be split. */
async function printTogether(printer: Printer, jobs: readonly PressJob[]): Promise<Buffer[] | null> {
  if (jobs.length < 2) return null;
  const whole = await printJobs(printer, jobs);
  return await splitPdf(
    whole,
    jobs.map(({ sheets }) => sheets),
  );
}

let frame: string | undefined;

async function printJobs(printer: Printer, jobs: readonly PressJob[]): Promise<Buffer> {
  const [first] = jobs;
  if (first === undefined) throw new Error('there is nothing to print');
  frame ??= labelFrame();
  const bodies: string[] = [];
  for (const [place, job] of jobs.entries()) bodies.push(await job.inPlace(place));
  const labels = jobs.reduce((sum, job) => sum + job.labels, 0);
  return await printer.print(
    { frame, body: `<style>${stylesOf(first.type)}</style>${bodies.join('')}` },
    PRINT_MS + PRINT_OF_LABEL_MS * labels,
  );
}
