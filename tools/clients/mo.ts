/** Translations as WordPress reads them: texts that are not translated are left out. */
export function moOf(po: string): Buffer {
  const entries = [...readPo(po)]
    .map(([id, text]) => [Buffer.from(id), Buffer.from(text)] as const)
    .sort(([one], [other]) => Buffer.compare(one, other));
  const HEAD = 28;
  const table = 8 * entries.length;
  const texts: Buffer[] = [];
  let at = HEAD + 2 * table;
  const rows = (which: 0 | 1): Buffer => {
    const rows = Buffer.alloc(table);
    entries.forEach((entry, index) => {
      const text = entry[which];
      rows.writeUInt32LE(text.length, 8 * index);
      rows.writeUInt32LE(at, 8 * index + 4);
      texts.push(text, Buffer.alloc(1));
      at += text.length + 1;
    });
    return rows;
  };
  const head = Buffer.alloc(HEAD);
  [0x950412de, 0, entries.length, HEAD, HEAD + table, 0, HEAD + 2 * table].forEach((word, index) => {
    head.writeUInt32LE(word, 4 * index);
  });
  return Buffer.concat([head, rows(0), rows(1), ...texts]);
}

/**
 * Translations of a `.po` by their texts. Each text is in one line, as ours are written; none has a plural.
 * @throws Error with the line that is of another form
 */
export function readPo(po: string): Map<string, string> {
  const entries = new Map<string, string>();
  let id = '';
  for (const line of po.split('\n').filter((one) => one !== '' && !one.startsWith('#'))) {
    const [, name, quoted] = /^(msgid|msgstr) ("(?:[^"\\]|\\.)*")$/.exec(line) ?? [];
    if (quoted === undefined) throw new Error(`not a line of a .po: ${line}`);
    const text = String(JSON.parse(quoted));
    if (name === 'msgid') id = text;
    else if (text !== '') entries.set(id, text);
  }
  return entries;
}
