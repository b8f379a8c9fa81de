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
 * Entries of a `.po` by id; plural ones as gettext joins them. Its texts are in one line each, as ours are written.
 * @throws Error with the line that is of another form
 */
export function readPo(po: string): Map<string, string> {
  const entries = new Map<string, string>();
  for (const block of po.split(/\n\s*\n/)) {
    const fields: Record<string, string> = {};
    let last = '';
    for (const line of block.split('\n').filter((one) => one !== '' && !one.startsWith('#'))) {
      const [, name = last, quoted] = /^(?:(msg\w+(?:\[\d\])?) )?("(?:[^"\\]|\\.)*")$/.exec(line) ?? [];
      if (quoted === undefined) throw new Error(`not a line of a .po: ${line}`);
      fields[name] = (fields[name] ?? '') + String(JSON.parse(quoted));
      last = name;
    }
    const { msgid, msgid_plural: plural, msgstr } = fields;
    if (msgid === undefined) continue;
    const forms = Object.keys(fields).filter((name) => name.startsWith('msgstr['));
    const text = msgstr ?? forms.map((name) => fields[name] ?? '').join('\0');
    if (text.replaceAll('\0', '') !== '')
      entries.set(plural === undefined ? msgid : `${msgid}\0${plural}`, text);
  }
  return entries;
}
