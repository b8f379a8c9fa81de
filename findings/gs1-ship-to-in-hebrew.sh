#!/usr/bin/env bash
# Believed: GS1's identifiers for transport labels, (4300) to (4306), hold the recipient's name in 35 and
#   the street in 70 characters, in any script, percent-encoded; what one library writes another reads.
# So it is: the writers count what is encoded, six signs a letter of Hebrew or Arabic. bwip-js and zint
#   take a name of five letters and refuse one of six, and a street of eleven letters. biip, a reader,
#   counts an encoded letter as one or two and takes the longer name, gs1-barcode-parser-mod counts
#   nothing. Neither reader decodes: the caller gets %D7%9E and so on as the name. Nor do the writers look
#   whether escapes make letters: half a letter, %D7 alone, is written without a word.
# Where it bites: a transport label for Israel or an Arab country cannot carry the recipient by these
#   identifiers; the code has to be an SSCC, the rest a picture or a message. Data that one checks by
#   a reader's rules fails in the writer.
# Versions: bwip-js 4.11.4, gs1-barcode-parser-mod 1.2.1 (npm, Node 20.20); zint-bindings 1.2.2 (zint 2.15.0),
#   biip 5.2.0 (PyPI, Python 3.11).
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund bwip-js@4.11.4 gs1-barcode-parser-mod@1.2.1 >/dev/null
python3 -m venv env
env/bin/pip -q install zint-bindings==1.2.2 biip==5.2.0

cat > write.mjs <<'JS'
import { readFileSync } from 'node:fs';
import bwipjs from 'bwip-js/node';
import { parseBarcode } from 'gs1-barcode-parser-mod';
const SSCC = '372900000000000016';
const seen = [];
for (const { ai, escaped } of JSON.parse(readFileSync('values.json', 'utf8'))) {
  const written = await bwipjs.toBuffer({ bcid: 'gs1datamatrix', text: `(00)${SSCC}(${ai})${escaped}` }).then(
    () => 'ok',
    ({ message }) => message.replace(/^.*: /, ''),
  );
  const read = parseBarcode(`]d200${SSCC}${ai}${escaped}`).parsedCodeItems.find((item) => item.ai === ai)?.data;
  seen.push({ written, isRaw: read === escaped });
}
console.log(JSON.stringify(seen));
JS
cat > check.py <<'PY'
import json, subprocess, urllib.parse
import zint
from biip.gs1_messages import GS1Message

SSCC = "372900000000000016"
def value(ai, text, escaped=None):
    return {"ai": ai, "text": text, "escaped": escaped or urllib.parse.quote(text)}
VALUES = [
    value("4300", "משהכה"), value("4300", "משהכהן"), value("4302", "א" * 11), value("4302", "א" * 12),
    value("4300", "half a letter", "A%D7"),
]
json.dump(VALUES, open("values.json", "w"))

def by_zint(ai, escaped):
    symbol = zint.Symbol()
    symbol.symbology = zint.Symbology.DATAMATRIX
    symbol.input_mode = zint.InputMode.GS1
    try:
        symbol.encode(f"[00]{SSCC}[{ai}]{escaped}")
        return "ok"
    except RuntimeError as error:
        return str(error)

def by_biip(ai, escaped):
    try:
        message = GS1Message.parse_hri(f"(00){SSCC}({ai}){escaped}")
    except Exception as error:
        return type(error).__name__
    return next(one.value for one in message.element_strings if one.ai.ai == ai)

js = json.loads(subprocess.check_output(["node", "write.mjs"]))
seen = []
for one, other in zip(VALUES, js):
    ai, escaped = one["ai"], one["escaped"]
    row = [other["written"], by_zint(ai, escaped)[:9], by_biip(ai, escaped) == escaped, other["isRaw"]]
    print(f"({ai}) {len(one['text'])} letters, {len(escaped)} signs: bwip-js {row[0]}; zint {row[1]}; raw from biip {row[2]}, from gs1-barcode-parser-mod {row[3]}")
    seen.append(row)
assert [row[0] for row in seen] == ["ok", "Too long", "ok", "Too long", "ok"], seen
assert [row[1] for row in seen[:4]] == ["ok", "Error 259", "ok", "Error 259"], seen
assert [row[2] for row in seen[:4]] == [True] * 4, seen
assert [row[3] for row in seen] == [True] * 5, seen
PY
env/bin/python check.py
