import test from 'ava';
import { matchesEtag, weakEtag } from '../../src/http/etag.js';

const ETAG = weakEtag('a body');
const OPAQUE = ETAG.slice(3, -1);

for (const sent of [
  ETAG,
  `"${OPAQUE}"`,
  `"other", W/"${OPAQUE}"`,
  `W/"${OPAQUE}-gzip"`,
  `"${OPAQUE}-br"`,
  `"${OPAQUE}-zstd"`,
  `"other-gzip","${OPAQUE}-deflate"`,
  `W/"${OPAQUE}--gzip"`,
  `"${OPAQUE}"-gzip`,
  '*',
]) {
  test(`If-None-Match: ${sent.replace(OPAQUE, 'TAG')} names the body`, (t) => {
    t.true(matchesEtag(sent, ETAG));
  });
}

for (const sent of [undefined, '', '"-gzip"', `"${OPAQUE}-old"`, `"${OPAQUE}-gzip-2"`, `"x${OPAQUE}"`]) {
  test(`If-None-Match: ${sent?.replace(OPAQUE, 'TAG')} names another body`, (t) => {
    t.false(matchesEtag(sent, ETAG));
  });
}

test('If-None-Match: a strong tag of ours is compared like a weak one', (t) => {
  t.true(matchesEtag('W/"abc-gzip"', '"abc"'));
});
