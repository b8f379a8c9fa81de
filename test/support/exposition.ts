/** One sample of a scrape. */
export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

/** A scrape in the text format of Prometheus. @throws Error for a line that is none */
export function readExposition(text: string): Sample[] {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => {
    const [whole, name = '', , labels = '', value = ''] =
      /^([a-zA-Z_:][\w:]*)(\{(.*)\})? ([^ ]+)$/.exec(line) ?? [];
    if (whole === undefined) throw new Error(`not a sample: ${line}`);
    const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key = '', text = '']) => [
      key,
      text,
    ]);
    return { name, labels: Object.fromEntries(pairs), value: Number(value) };
  });
}

/** The scrape of a process. */
export async function scrape(port: number): Promise<Sample[]> {
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
  if (answer.status !== 200) throw new Error(`/metrics answered ${answer.status}`);
  return readExposition(await answer.text());
}

/** The sum of the samples with the name and these labels; undefined where there is none. */
export function valueOf(
  samples: readonly Sample[],
  name: string,
  labels: Record<string, string> = {},
): number | undefined {
  const found = samples.filter(
    (sample) =>
      sample.name === name && Object.entries(labels).every(([key, text]) => sample.labels[key] === text),
  );
  return found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0);
}
