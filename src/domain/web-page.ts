/** Whether an answer is a page for people: a shop's home page, or a web server's own words. */
export function isWebPage(body: string | null): boolean {
  return /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html)\b/is.test(body ?? '');
}
