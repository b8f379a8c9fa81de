import { FONT_FAMILY } from '../fonts.js';

/** Size of a page in millimetres. */
export interface PageSize {
  widthMm: number;
  heightMm: number;
}

/** A roll 74 mm wide, cut to A7; and a sheet. */
export const PAGE_SIZES = {
  thermal: { widthMm: 74, heightMm: 105 },
  A4: { widthMm: 210, heightMm: 297 },
} as const satisfies Record<string, PageSize>;

/** Black on white alone: thermal heads know no grey. Lengths in millimetres, so that paper and screen agree. */
const COMMON = `
*{box-sizing:border-box;margin:0;padding:0}
html{-webkit-print-color-adjust:exact;print-color-adjust:exact}
body{font-family:'${FONT_FAMILY}',sans-serif;font-size:7pt;line-height:1.2;color:#000;background:#fff}
svg{display:block;fill:#000;flex:none}
bdi{unicode-bidi:isolate}
.label{display:grid;overflow:hidden;min-width:0;overflow-wrap:anywhere;background:#fff}
.label>*{min-width:0;min-height:0;overflow:hidden}
.head{display:flex;align-items:center;justify-content:space-between;gap:2mm;border-bottom:.6mm solid #000;padding-bottom:.6mm}
.fit{display:-webkit-box;-webkit-box-orient:vertical;overflow:hidden;min-width:0;line-height:1.2;padding-bottom:.25mm}
.merchant,.carrier,.name,.city{font-weight:700}
.carrier{text-align:end}
.logo{flex:none;background-repeat:no-repeat;background-size:contain;background-position:0 50%}
[dir=rtl] .logo{background-position:100% 50%}
.caption{font-weight:700;font-size:5.5pt;letter-spacing:.05em;text-transform:uppercase;white-space:nowrap}
[dir=rtl] .caption{letter-spacing:0;font-size:6.5pt}
.clamp{display:-webkit-box;-webkit-box-orient:vertical;overflow:hidden}
.c1{-webkit-line-clamp:1}.c2{-webkit-line-clamp:2}.c3{-webkit-line-clamp:3}
.from{font-size:6.5pt;line-height:1.25}
.from bdi[dir=ltr]{white-space:nowrap}
.to{display:flex;flex-direction:column}
.to .top{display:flex;align-items:baseline;justify-content:space-between;gap:2mm;height:4.3mm;flex:none;overflow:hidden;white-space:nowrap}
.to .phone{font-weight:700;font-size:10pt}
.to .line{font-size:8pt;flex:none}
.to .fit{flex:none}
.strip{display:flex;align-items:stretch;gap:1.2mm}
.cell{border:.4mm solid #000;border-radius:1mm;padding:0 1.6mm;display:flex;flex-direction:column;justify-content:center;min-width:0;overflow:hidden;white-space:nowrap}
.cell b{font-size:12pt;line-height:1.1}
.cell.badge{flex:1 1 0;align-items:center;text-align:center;white-space:normal}
.solid{background:#000;color:#fff}
.details{display:flex;gap:2mm}
.texts{flex:1 1 0;min-width:0;overflow:hidden}
.first{display:flex;align-items:center;justify-content:space-between;gap:1.5mm;height:4.8mm;white-space:nowrap}
.first>*{min-width:0;overflow:hidden;text-overflow:ellipsis}
.order{font-size:8pt;font-weight:700}
.shelf{flex:none;border:.4mm solid #000;border-radius:1mm;padding:0 1.2mm;font-weight:700;font-size:8pt;max-width:60%}
.notes,.products{font-size:6.5pt;line-height:1.19}
.products{list-style:none}
.products.after{border-top:.2mm solid #000}
.qr{flex:none;display:flex;flex-direction:column;align-items:center;gap:.4mm}
.codes{direction:ltr;display:flex;flex-direction:column;align-items:center;justify-content:flex-end;text-align:center}
.code{font-weight:700;letter-spacing:.14em;line-height:1.2;white-space:nowrap;max-width:100%;overflow:hidden;text-overflow:ellipsis}
.small-code{font-size:6.5pt;line-height:1.2;white-space:nowrap;max-width:100%;overflow:hidden;text-overflow:ellipsis}
.return .logo{background-color:#fff;border-radius:.6mm}
.return .head{border-bottom-width:0;background:#000;color:#fff;padding:0 1.5mm}
html[lang=ar] .line{line-height:1.4}
html[lang=ar] .fit{line-height:1.4;padding-bottom:.3mm}
`;

const THERMAL = `
@page{size:74mm 105mm;margin:0}
.page{width:74mm;height:105mm;overflow:hidden;break-after:page}
.page:last-child{break-after:auto}
.label{width:74mm;height:105mm;padding:3mm 3mm 2.5mm;grid-template-rows:8mm 5.9mm 29.8mm 8mm minmax(0,1fr) auto;row-gap:1mm}
.merchant{width:42mm}.carrier{width:24mm}
.logo{width:36mm;height:6.8mm}
.to{border-top:.25mm solid #000;padding-top:.5mm}
`;

const SHEET = `
@page{size:210mm 297mm;margin:0}
.page{width:210mm;height:297mm;overflow:hidden;break-after:page;display:grid;grid-template-columns:105mm 105mm;grid-template-rows:repeat(4,74.25mm);direction:ltr}
.page:last-child{break-after:auto}
.slot{width:105mm;height:74.25mm;overflow:hidden}
.label{width:105mm;height:74.25mm;padding:5mm 6mm 4.5mm;grid-template-columns:minmax(0,1fr) 30mm;grid-template-rows:7mm 28mm minmax(0,1fr) 15.2mm;column-gap:3mm;row-gap:.7mm;grid-template-areas:'head head' 'to side' 'details side' 'codes codes'}
.label.short{grid-template-rows:7mm 23.2mm minmax(0,1fr) 15.2mm}
.head{grid-area:head}
.merchant{width:60mm}.carrier{width:30mm}
.logo{width:40mm;height:5.8mm}
.first{height:4.2mm}
.to{grid-area:to}
.side{grid-area:side;display:flex;flex-direction:column;gap:1mm}
.side .cell{flex:none;height:8.4mm}
.side .cell.badge{height:auto;min-height:5.4mm;padding:.3mm 1mm}
.side .from{flex:1 1 0;min-height:0;margin-top:.4mm}
.details{grid-area:details}
.codes{grid-area:codes;display:grid;grid-auto-flow:column;grid-template-columns:1fr;align-items:end;justify-items:start;column-gap:3mm}
.codes>div{display:flex;flex-direction:column;align-items:center;min-width:0;max-width:100%}
`;

/** On a screen the sheet lies on grey, to scale. */
const SCREEN = `
@media screen{body{background:#bbb}.page{background:#fff;margin:4mm auto;box-shadow:0 0 2mm #0005}.sheet .slot{outline:.1mm dashed #999}}
`;

/** The style sheet of a document of this type. */
export function stylesOf(type: keyof typeof PAGE_SIZES): string {
  return (COMMON + (type === 'A4' ? SHEET : THERMAL) + SCREEN).replaceAll('\n', '');
}
