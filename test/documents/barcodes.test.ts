import test from 'ava';
import {
  code128,
  dataMatrix,
  isBarcodeText,
  MODULE_WIDTHS_MM,
  qrCode,
} from '../../src/documents/labels/barcodes.js';

test('code128: bars are whole printer dots where they fit, and thinner where necessary', (t) => {
  const room = { maxWidthMm: 73, heightMm: 12, moduleWidthsMm: MODULE_WIDTHS_MM.thermal };
  const long = code128('X'.repeat(64), room);

  t.is(code128('74100231', room)?.widthMm, 79 * 0.5);
  t.is(code128('RMD99MHA2QXRL', room)?.widthMm, 178 * 0.25);
  t.is(
    code128('RMD99MHA2QXRL', { ...room, moduleWidthsMm: MODULE_WIDTHS_MM.A4, maxWidthMm: 79 })?.widthMm,
    178 * 0.375,
  );
  t.true((long?.widthMm ?? 99) <= 73);
  t.is(code128('קוד', room), null);
  t.is(code128('', room), null);
  t.false(isBarcodeText('a\u0000'));
  t.true(qrCode('https://parcels.test/track/7K2M9QX4TB', 15.5).widthMm <= 15.5);
});

test('dataMatrix: cells are whole printer dots, at least the requested number', (t) => {
  t.is(dataMatrix('1001', { maxMm: 9, leastDots: 2 })?.widthMm, 10 * 0.5);
  t.is(dataMatrix('RMD99MHA2QXRL', { maxMm: 6.8, leastDots: 3 })?.widthMm, 16 * 0.375);
  t.is(dataMatrix('RMD99MHA2QXRL', { maxMm: 1, leastDots: 3 })?.widthMm, 16 * 0.375);
  t.is(dataMatrix('קוד', { maxMm: 9, leastDots: 2 }), null);
});
