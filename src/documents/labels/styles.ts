import type { LabelType } from '../../domain/labels.js';
import { familiesOf } from '../fonts.js';

/** Only black on white: thermal heads have no grey. Millimeters keep paper and screen alike. */
const COMMON = `
*{box-sizing:border-box;margin:0;padding:0}
html{-webkit-print-color-adjust:exact;print-color-adjust:exact}
body{font-family:${familiesOf()};font-size:7pt;line-height:1.2;color:#000;background:#fff}
svg{display:block;fill:#000;flex:none}
bdi{unicode-bidi:isolate}
.label{position:relative;display:grid;overflow:hidden;min-width:0;overflow-wrap:anywhere;background:#fff}
.label>*{min-width:0;min-height:0;overflow:hidden}
.head{display:flex;align-items:center;justify-content:space-between;gap:2mm;border-bottom:.6mm solid #000;padding-bottom:.6mm}
.fit{display:-webkit-box;-webkit-box-orient:vertical;overflow:hidden;min-width:0;line-height:1.2;padding-bottom:.12em}
.merchant,.carrier,.name,.city{font-weight:700}
.carrier{text-align:end}
.logo{flex:none;width:auto;object-fit:contain;object-position:0 50%}
[dir=rtl] .logo{object-position:100% 50%}
.void{position:absolute;inset:0;display:flex;align-items:center;justify-content:center}
.void b{transform:rotate(-24deg);border:1mm solid #000;background:#fff;padding:0 4mm;font-size:25pt;line-height:1.3;white-space:nowrap}
[dir=rtl] .void b{font-size:34pt}
.caption{font-weight:700;font-size:5.5pt;letter-spacing:.05em;text-transform:uppercase;white-space:nowrap}
[dir=rtl] .caption{letter-spacing:0;font-size:6.5pt}
.clamp{display:-webkit-box;-webkit-box-orient:vertical;overflow:hidden}
.c1{-webkit-line-clamp:1}.c2{-webkit-line-clamp:2}.c3{-webkit-line-clamp:3}.c5{-webkit-line-clamp:5;padding-inline-end:14mm}
.from{font-size:6.5pt;line-height:1.25}
.from bdi[dir=ltr]{white-space:nowrap}
.date{flex:none;font-size:6.5pt}
.to{display:flex;flex-direction:column}
.to .top{display:flex;align-items:baseline;justify-content:space-between;gap:2mm;height:4.3mm;flex:none;overflow:hidden;white-space:nowrap}
.to .phone{font-weight:700;font-size:10pt}
.to .line{flex:none;padding-bottom:.12em}
.to .fit{flex:none}
.strip{display:flex;align-items:stretch;gap:1.2mm}
.cell{border:.4mm solid #000;border-radius:1mm;padding:0 1.6mm;display:flex;flex-direction:column;justify-content:center;min-width:0;overflow:hidden;white-space:nowrap}
.cell b{font-size:12pt;line-height:1.1}
.cell.badge{flex:1 1 0;align-items:center;text-align:center;white-space:normal}
.solid{background:#000;color:#fff}
.details{display:flex;gap:2mm}
.texts{flex:1 1 0;min-width:0;overflow:hidden}
.matrix{flex:none}
.first{margin-bottom:.5mm}
.first.one{display:flex;align-items:center;justify-content:space-between;white-space:nowrap}
.order{min-width:0;font-weight:700;word-break:break-all}
.shelf{display:inline-block;white-space:nowrap;border:.4mm solid #000;border-radius:1mm;padding:0 1.2mm;font-weight:700;font-size:8pt}
:is(.notes,.products li){padding-bottom:.12em}
.notes .caption{line-height:0}
.products{list-style:none;font-size:6.5pt}
.products.after{border-top:.2mm solid #000;margin-top:.3mm}
.qr{flex:none;display:flex;flex-direction:column;align-items:center;gap:.4mm}
.codes{direction:ltr;overflow:visible;border-top:.3mm solid #000}
.tracking{display:flex;flex-direction:column;align-items:center;gap:.8mm}
.human{display:flex;align-items:center;justify-content:center;gap:2mm}
.code{font-weight:700;letter-spacing:.1em;line-height:1.2;word-break:break-all;text-align:center}
.return .logo{background-color:#fff;border-radius:.6mm}
.return .head{border-bottom-width:0;background:#000;color:#fff;padding:0 1.5mm}
[lang=ar] :is(.line,.fit,.order,.notes,.products){line-height:1.4}
`;

/** A 74 mm roll cut to A7. Pages are contained: else the browser goes through all of them for each. */
const THERMAL = `
@page{size:74mm 105mm;margin:0}
.page{width:74mm;height:105mm;contain:strict;break-after:page}
.page:last-child{break-after:auto}
.label{width:74mm;height:105mm;padding:3mm 3mm 2.5mm;row-gap:1mm}
.merchant{width:42mm}.carrier{width:24mm}
.logo{max-width:36mm;height:6.8mm}
.from{position:relative}
.date{position:absolute;top:0;inset-inline-end:0}
.codes{margin:.3mm -3mm 0;padding-top:3.4mm}
`;

const SHEET = `
@page{size:210mm 297mm;margin:0}
.page{width:210mm;height:297mm;contain:strict;break-after:page;display:grid;grid-template-columns:105mm 105mm;grid-template-rows:repeat(4,74.25mm);direction:ltr}
.page:last-child{break-after:auto}
.slot{width:105mm;height:74.25mm;overflow:hidden}
.label{width:105mm;height:74.25mm;padding:5mm 6mm 4.5mm;grid-template-columns:minmax(0,1fr) 30mm;column-gap:3mm;row-gap:.7mm;grid-template-areas:'head head' 'to side' 'details side' 'codes codes'}
.head{grid-area:head}
.merchant{width:60mm}.carrier{width:30mm}
.logo{max-width:40mm;height:5.8mm}
.to{grid-area:to}
.side{grid-area:side;display:flex;flex-direction:column;gap:1mm}
.side .cell{flex:none;height:8mm}
.side .cell.badge{height:auto;min-height:5.4mm;padding:.3mm 1mm}
.side .cell.package{flex-direction:row;align-items:baseline;justify-content:space-between;height:6mm}
.call{display:flex;justify-content:space-between;gap:1mm;font-size:6pt;white-space:nowrap}
.call .date{font-size:6pt}
.side .from{flex:1 1 0;min-height:0;margin-top:.4mm}
.details{grid-area:details}
.codes{grid-area:codes;margin-top:.6mm;padding-top:3.4mm;display:flex;justify-content:space-between;align-items:flex-start}
.codes .tracking{flex:none}
`;

/** The sheet on a grey screen, to scale. */
const SCREEN = `
@media screen{body{background:#bbb}.page{background:#fff;margin:4mm auto;box-shadow:0 0 2mm #0005}.sheet .slot{outline:.1mm dashed #999}}
`;

export function stylesOf(type: LabelType): string {
  return (COMMON + (type === 'A4' ? SHEET : THERMAL) + SCREEN).replaceAll('\n', '');
}
