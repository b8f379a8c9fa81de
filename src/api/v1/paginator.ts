import { type Static, type TSchema, Type } from 'typebox';
import { offsetPage, PageUrl } from '../pagination.js';
import { closed, nullableInteger, nullableText } from '../schemas.js';
import type { Messages } from './messages/messages.js';

const PageLink = Type.Object(
  {
    url: nullableText('Address of the page; null where there is none.'),
    label: Type.String({ description: 'Number of the page, or the word for it.' }),
    active: Type.Boolean({ description: 'Whether it is this page.' }),
  },
  { additionalProperties: false },
);
type PageLink = Static<typeof PageLink>;

/** A page of a list, its links and figures beside the rows. */
export function pageOf<T extends TSchema>(row: T) {
  return closed('A page of the list.', {
    current_page: Type.Integer({ description: 'Number of this page, from 1.' }),
    data: Type.Array(row, { description: 'The rows of this page.' }),
    first_page_url: Type.String({ description: 'Address of the first page.' }),
    from: nullableInteger('Number of the first row on this page; null when it is empty.'),
    last_page: Type.Integer({ description: 'Number of the last page.' }),
    last_page_url: Type.String({ description: 'Address of the last page.' }),
    links: Type.Array(PageLink, { description: 'Links to pages, as a pager shows them.' }),
    next_page_url: nullableText('Address of the page after; null on the last.'),
    path: Type.String({ description: 'Address of the list, without query.' }),
    per_page: Type.Integer({ description: 'Rows on a page.' }),
    prev_page_url: nullableText('Address of the page before; null on the first.'),
    to: nullableInteger('Number of the last row on this page; null when it is empty.'),
    total: Type.Integer({ description: 'Rows in the whole list.' }),
  });
}

/** Pages shown on each side of the present one. */
const ON_EACH_SIDE = 3;
/** This close to an end all pages up to it are shown. */
const NEAR = ON_EACH_SIDE + 4;
const GAP = '...';

/** The page number, the number of rows, and the list's address. `url`: path and query as sent. */
interface PageFacts {
  page: number;
  perPage: number;
  total: number;
  baseUrl: string;
  url: string;
}

/** The flat paginator of the old service's framework; links keep every other query parameter. */
export function paginate<T>(rows: readonly T[], facts: PageFacts, say: Messages) {
  const { page, perPage, total } = facts;
  const url = new PageUrl(facts.baseUrl, facts.url);
  const { links, meta } = offsetPage(total, page, perPage, url);
  const from = rows.length === 0 ? null : (page - 1) * perPage + 1;
  const numbered = pagesShown(page, meta.last_page).map((shown): PageLink => {
    if (shown === GAP) return { url: null, label: GAP, active: false };
    return { url: url.with({ page: String(shown) }), label: String(shown), active: shown === page };
  });
  return {
    current_page: page,
    data: [...rows],
    first_page_url: links.first,
    from,
    last_page: meta.last_page,
    last_page_url: links.last,
    links: [
      { url: links.prev, label: say.previousPage, active: false },
      ...numbered,
      { url: links.next, label: say.nextPage, active: false },
    ],
    next_page_url: links.next,
    path: url.path,
    per_page: perPage,
    prev_page_url: links.prev,
    to: from === null ? null : from + rows.length - 1,
    total,
  };
}

/** All pages if they are few; else the first two, the last two and those around the present one. */
function pagesShown(page: number, lastPage: number): (number | typeof GAP)[] {
  if (lastPage < ON_EACH_SIDE * 2 + 8) return range(1, lastPage);
  const first = range(1, 2);
  const last = range(lastPage - 1, lastPage);
  if (page <= NEAR) return [...range(1, NEAR + ON_EACH_SIDE), GAP, ...last];
  if (page > lastPage - NEAR) return [...first, GAP, ...range(lastPage - NEAR - ON_EACH_SIDE + 1, lastPage)];
  return [...first, GAP, ...range(page - ON_EACH_SIDE, page + ON_EACH_SIDE), GAP, ...last];
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, offset) => from + offset);
}
