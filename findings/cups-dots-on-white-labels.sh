#!/usr/bin/env bash
# Believed: white of a PDF stays white on a label printer that CUPS drives, whichever of its filters draws
#   the page; at most grey is dithered.
# So it is: it depends on the filter. Ghostscript's (gstoraster) leaves white empty. pdftoraster of the same
#   cups-filters, drawn by Poppler, sets one dot in each square of 16 by 16 for the Zebra driver that CUPS
#   brings, over the whole page: about 3,700 dots on a 4 by 6 inch label at 203 dpi, in the quiet zones and
#   between the bars of codes too, as if white were the lightest of 256 greys.
#   CUPS prefers gstoraster by a cost of 99 to 100, so that it happens where the package cups-filters or
#   Ghostscript is left out, as small images and boards do.
# Where it bites: labels look dusty, small Data Matrix codes have dots among their cells, and each white
#   label costs the network thousands of bytes. It looks like a dirty print head.
# Versions: cups-filters 1.28.17-3+deb12u2, cups 2.4.2-3+deb12u9 (Debian 12), driver sample.drv "zebra".
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
FILTERS=1.28.17-3+deb12u2 CUPS=2.4.2-3+deb12u9
apt-get download -q cups=$CUPS cups-core-drivers=$CUPS cups-server-common=$CUPS cups-common=$CUPS cups-ppdc=$CUPS libcups2=$CUPS \
  libcupsimage2=$CUPS cups-filters=$FILTERS cups-filters-core-drivers=$FILTERS libcupsfilters1=$FILTERS \
  libfontembed1=$FILTERS libpoppler-cpp0v5 libpoppler126 libexif12 libqpdf29 ghostscript libgs10 libgs-common \
  libgs10-common libijs-0.35 libjbig2dec0 libpaper1 libidn12 >packages.log 2>&1
for deb in *.deb; do dpkg -x "$deb" root; done
export LD_LIBRARY_PATH="$dir/root/usr/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH 2>/dev/null || echo x86_64-linux-gnu)"
export PATH="$dir/root/usr/bin:$PATH"
GS_LIB=$(find "$dir/root/usr/share/ghostscript" -type d \( -name Init -o -name lib -o -name Resource \) | tr '\n' ':')
export GS_LIB
ppdc -I root/usr/share/cups/ppdc -d ppd root/usr/share/cups/drv/sample.drv 2>/dev/null
export PPD="$dir/ppd/zebra.ppd"

cat > label.py <<'PY'
"""Writes a label of 4 by 6 inches with one black square of an inch, from 1 to 2 inches right and up."""
content = b"0 g 72 72 72 72 re f"
objects = [
    b"<</Type/Catalog/Pages 2 0 R>>",
    b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
    b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 288 432]/Resources<<>>/Contents 4 0 R>>",
    b"<</Length %d>>stream\n%s\nendstream" % (len(content), content),
]
pdf, places = b"%PDF-1.4\n", []
for number, text in enumerate(objects, 1):
    places.append(len(pdf))
    pdf += b"%d 0 obj\n%s\nendobj\n" % (number, text)
table = b"".join(b"%010d 00000 n \n" % place for place in places)
end = b"xref\n0 5\n0000000000 65535 f \n%strailer<</Size 5/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (table, len(pdf))
open("label.pdf", "wb").write(pdf + end)
PY
python3 label.py
for filter in gstoraster pdftoraster; do
  "root/usr/lib/cups/filter/$filter" 1 user title 1 "PageSize=w288h432 Resolution=203dpi" label.pdf > $filter.ras 2>$filter.log
  root/usr/lib/cups/filter/rastertolabel 1 user title 1 "PageSize=w288h432 Resolution=203dpi" $filter.ras > $filter.zpl 2>>$filter.log
done

cat > check.py <<'PY'
import os, struct
def dots(name):
    data = open(name, "rb").read()
    width, height, bits = (struct.unpack_from("<I", data, 4 + at)[0] for at in (372, 376, 388))
    line = struct.unpack_from("<I", data, 4 + 392)[0]
    assert bits == 1 and len(data) == 1800 + line * height, (width, height, bits, line, len(data))
    inside = outside = 0
    for y in range(height):
        row = int.from_bytes(data[1800 + y * line : 1800 + (y + 1) * line], "big") >> (8 * line - width)
        if 4 * 203 - 2 <= y < 5 * 203 + 2:
            square = ((1 << 207) - 1) << (width - 2 * 203 - 2)
            inside += (row & square).bit_count()
            row &= ~square
        outside += row.bit_count()
    return inside, outside
for name in ("gstoraster", "pdftoraster"):
    inside, outside = dots(name + ".ras")
    print(f"{name}: {inside} dots in the square, {outside} on white, {os.path.getsize(name + '.zpl')} bytes of ZPL")
    assert 40_000 < inside < 43_000, inside
    assert outside == 0 if name == "gstoraster" else 3_000 < outside < 4_500, outside
PY
python3 check.py
