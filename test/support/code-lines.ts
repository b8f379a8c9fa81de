/** Number of formatted TypeScript lines that are neither blank nor only comments. */
export function codeLines(source: string): number {
  let isComment = false;
  return source.split('\n').filter((line) => {
    const text = line.trim();
    const begins = text.startsWith('/*');
    const isCode = !isComment && !begins && text !== '' && !text.startsWith('//');
    if (begins || isComment) isComment = !text.endsWith('*/');
    return isCode;
  }).length;
}
