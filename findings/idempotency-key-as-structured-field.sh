#!/usr/bin/env bash
# Believed: the draft of the Idempotency-Key header calls it a structured field whose value is a
#   string, so a server that reads it with a library for structured fields (RFC 8941 and 9651) and is
#   lenient about missing quotes takes the keys that callers really send: bare UUIDs and order numbers.
# So it is: whether a bare UUID is read goes by its first digits. One that begins with a letter is a
#   token and comes back whole; one that begins with a digit is a number with rubbish behind it and is
#   an error: about 63 of 100. A bare order number is worse than an error: 00123 and 123 are both the
#   integer 123, so two orders share one key, and W-9000;b is W-9000 with a parameter. In quotes all
#   of them come back as they were sent. Both libraries agree, as the standard demands it.
# Where it bites: keys of real callers (most client libraries send bare UUIDs) fail for two of three
#   requests, at random; keys made of order numbers join two orders. A server has to take the header
#   as the opaque text that it is on the wire, or demand the quotes.
# Versions: structured-headers 2.1.0 (npm, Node 20.20), http-sf 1.5.0 (PyPI, Python 3.11).
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund structured-headers@2.1.0 >/dev/null
python3 -m venv env
env/bin/pip -q install http-sf==1.5.0

cat > read.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { parseItem, Token } from 'structured-headers';
const read = (text) => {
  try {
    const [value] = parseItem(text);
    return value instanceof Token ? `token ${value}` : `${typeof value} ${value}`;
  } catch {
    return 'error';
  }
};
console.log(JSON.stringify(JSON.parse(readFileSync('keys.json', 'utf8')).map(read)));
JS
cat > read.py <<'PY'
import json, http_sf
def read(text):
    try:
        value = http_sf.parse(text.encode(), tltype="item")[0]
    except Exception:
        return "error"
    if isinstance(value, http_sf.Token):
        return f"token {value}"
    return ("string " if isinstance(value, str) else "number ") + str(value)
print(json.dumps([read(key) for key in json.load(open("keys.json"))]))
PY
cat > check.py <<'PY'
import json, random, subprocess, sys, uuid
random.seed(7)
uuids = [str(uuid.UUID(int=random.getrandbits(128), version=4)) for _ in range(1000)]
orders = ["123", "00123", "W-9000;b", '"00123"', '"W-9000;b"', f'"{uuids[0]}"']
json.dump(uuids + orders, open("keys.json", "w"))
for name, command in (("structured-headers", ["node", "read.mjs"]), ("http-sf", ["env/bin/python", "read.py"])):
    seen = json.loads(subprocess.check_output(command))
    bare, rest = seen[:1000], seen[1000:]
    lost = bare.count("error")
    print(f"{name}: {lost} of 1000 bare UUIDs are errors; orders: {rest}")
    for text, value in zip(uuids, bare):
        assert value == ("error" if text[0].isdigit() else f"token {text}"), (text, value)
    assert 550 < lost < 700, lost
    assert rest == ["number 123", "number 123", "token W-9000", "string 00123", "string W-9000;b", f"string {uuids[0]}"], rest
PY
env/bin/python check.py
