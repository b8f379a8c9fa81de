import test from 'ava';
import { isWebPage } from '../../src/domain/web-page.js';

test('isWebPage: pages of shops and web servers, and no answers of programs', (t) => {
  for (const page of [
    '<!DOCTYPE html>\n<html lang="he-IL">',
    '\r\n  <html>\r\n<head><title>404 Not Found</title></head>',
    '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN">',
    '<!-- cached -->\n<!doctype HTML>',
  ])
    t.true(isWebPage(page), page);
  for (const answer of [
    '',
    '{"status":"success"}',
    '<br />\n<b>Notice</b>: x {"status":"success"}',
    'ok',
    '<ok/>',
    null,
  ])
    t.false(isWebPage(answer), String(answer));
});
