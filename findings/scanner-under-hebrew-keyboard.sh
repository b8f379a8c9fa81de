#!/usr/bin/env bash
# Believed: a barcode scanner in keyboard mode is useless while the computer's layout is Hebrew (it types
#   Hebrew letters), or else harmless, as codes of parcels are digits and capitals.
# So it is: a scanner sends the keys of a US keyboard, and the layout makes characters of them. Under the
#   standard Hebrew layout digits and capitals arrive whole, since Shift and a letter is that Latin
#   capital, so RR123456785IL is right. Small letters become Hebrew, and the marks that order numbers are
#   joined by change in silence: "/" arrives as ".", "." as the letter final tsadi, ";" as final pe,
#   "," as tav, "'" as "," and brackets are exchanged. Order 2026/17 looks up 2026.17. Under the
#   Arabic layout the same capitals come out as vowel marks, one key of it as two characters; under
#   Hebrew (phonetic) and Russian capitals are lost too. Digits and "-" and "_" arrive under all of them.
# Where it bites: "not found" for one order in twenty at a packing table, from a scanner that works in
#   every test with tracking numbers. Codes for scanning: digits, capitals, "-"; a search box that knows
#   the layout can turn the rest back, one to one for the Hebrew layout.
# Versions: xkb-data 2.35.1-1, libxkbcommon0 1.5.0-1 (Debian 12), Python 3.11: the tables that desktops
#   on Linux use.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -q xkb-data=2.35.1-1 libxkbcommon0=1.5.0-1 >/dev/null 2>&1
for deb in *.deb; do dpkg -x "$deb" root; done
export XKB_CONFIG_ROOT="$dir/root/usr/share/X11/xkb"

cat > scan.py <<'PY'
import ctypes as c, glob
xkb = c.CDLL(glob.glob("root/usr/lib/*/libxkbcommon.so.0")[0])
for name in ("xkb_context_new", "xkb_keymap_new_from_names", "xkb_state_new"):
    getattr(xkb, name).restype = c.c_void_p
class Names(c.Structure):
    _fields_ = [(name, c.c_char_p) for name in ("rules", "model", "layout", "variant", "options")]
context = c.c_void_p(xkb.xkb_context_new(0))
LETTERS_AND_MARKS = [*range(10, 22), *range(24, 36), *range(38, 52), *range(52, 62)]
def typed(layout, variant=""):
    names = Names(b"evdev", b"pc105", layout.encode(), variant.encode(), b"")
    keymap = c.c_void_p(xkb.xkb_keymap_new_from_names(context, c.byref(names), 0))
    assert keymap.value, layout
    table = {}
    for key in LETTERS_AND_MARKS:
        for shift in (0, 1):
            state = c.c_void_p(xkb.xkb_state_new(keymap))
            xkb.xkb_state_update_mask(state, shift, 0, 0, 0, 0, 0)
            table[key, shift] = chr(xkb.xkb_state_key_get_utf32(state, key))
    return table
keys = {character: key for key, character in typed("us").items()}
def scan(code, layout, variant=""):
    table = typed(layout, variant)
    return "".join(table[keys[character]] for character in code)
CODES = ["RR123456785IL", "JD0146-17_3", "2026/17", "W.9000;2", "it's,1", "(01)729", "w9000"]
seen = {name: [scan(code, *name.split()) for code in CODES] for name in ("il", "ara", "il phonetic", "ru")}
for name, values in seen.items():
    print(name, values)
hebrew = seen["il"]
assert hebrew[:2] == CODES[:2] and hebrew[2] == "2026.17" and hebrew[5] == ")01(729", hebrew
assert hebrew[3] == "W\u05e59000\u05e32" and hebrew[4] == "\u05df\u05d0,\u05d3\u05ea1" and hebrew[6] == "'9000", hebrew
for name in ("ara", "il phonetic", "ru"):
    assert seen[name][0] != CODES[0] and "123456785" in seen[name][0], name
    assert seen[name][1][2:] == CODES[1][2:], name
latin = [ch for ch in keys if ch != " "]
il = typed("il")
made = [il[keys[ch]] for ch in latin]
changed = [ch for ch, out in zip(latin, made) if ch != out]
print("changed by the Hebrew layout:", " ".join(changed))
lower = [il[keys[ch]] for ch in "abcdefghijklmnopqrstuvwxyz,./;'"]
assert len(set(lower)) == len(lower)
PY
python3 scan.py
