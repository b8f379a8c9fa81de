#!/usr/bin/env bash
# Believed: a library with one interface for a disk and an object store keeps the object store's promise on
#   disk: a write that fails leaves nothing, or what stood there before.
# So it is: it depends on the library, and no type or option tells. flydrive (npm) and opendal (PyPI) write
#   under the final name: when the source of the stream fails half-way, the caller gets an error, exists()
#   says true, what can be read is the half, and the file that stood there before is gone. obstore (PyPI)
#   leaves the old file whole, and none where there was none.
# Where it bites: a label or an export whose renderer fails half-way. With a bucket in production all is
#   right; on a disk the next reader, who asks "is it there already?", prints half a PDF. On disk a name
#   of its own and a rename are needed, or the length kept beside the name.
# Versions: flydrive 1.3.0 (npm, Node 20.20), opendal 0.47.12, obstore 0.12.1 (PyPI, Python 3.11).
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund flydrive@1.3.0 >/dev/null
python3 -m venv env
env/bin/pip -q install opendal==0.47.12 obstore==0.12.1

cat > flydrive.mjs <<'JS'
import { Readable } from 'node:stream';
import { Disk } from 'flydrive';
import { FSDriver } from 'flydrive/drivers/fs';
const disk = new Disk(new FSDriver({ location: `${process.cwd()}/flydrive`, visibility: 'private' }));
await disk.put('old.pdf', 'an old label, whole');
const failing = () =>
  Readable.from(
    (async function* () {
      yield Buffer.alloc(100_000, 'a');
      throw new Error('the renderer failed');
    })(),
  );
const seen = {};
for (const name of ['new.pdf', 'old.pdf']) {
  const outcome = await disk.putStream(name, failing()).then(() => 'written', (error) => error.code);
  seen[name] = [outcome, (await disk.exists(name)) ? (await disk.getBytes(name)).length : null];
}
console.log(JSON.stringify(seen));
JS
cat > check.py <<'PY'
import json, os, subprocess
import obstore, opendal
from obstore.store import LocalStore

WHOLE, HALF = b"an old label, whole", b"a" * 100_000
class RendererFailed(Exception):
    pass
def size(path):
    return os.path.getsize(path) if os.path.exists(path) else None
def failing():
    yield HALF
    raise RendererFailed

flydrive = json.loads(subprocess.check_output(["node", "flydrive.mjs"]))

os.mkdir("opendal")
operator = opendal.Operator("fs", root=os.path.abspath("opendal"))
operator.write("old.pdf", WHOLE)
by_opendal = {}
for name in ("new.pdf", "old.pdf"):
    try:
        with operator.open(name, "wb") as file:
            for part in failing():
                file.write(part)
    except RendererFailed:
        by_opendal[name] = ["RendererFailed", size("opendal/" + name)]

os.mkdir("obstore")
store = LocalStore(os.path.abspath("obstore"))
obstore.put(store, "old.pdf", WHOLE)
by_obstore = {}
for name in ("new.pdf", "old.pdf"):
    try:
        obstore.put(store, name, failing())
    except RendererFailed:
        by_obstore[name] = ["RendererFailed", size("obstore/" + name)]

print("flydrive", flydrive)
print("opendal", by_opendal)
print("obstore", by_obstore)
half = len(HALF)
assert flydrive == {name: ["E_CANNOT_WRITE_FILE", half] for name in ("new.pdf", "old.pdf")}
assert by_opendal == {name: ["RendererFailed", half] for name in ("new.pdf", "old.pdf")}
assert by_obstore == {"new.pdf": ["RendererFailed", None], "old.pdf": ["RendererFailed", len(WHOLE)]}
PY
env/bin/python check.py
