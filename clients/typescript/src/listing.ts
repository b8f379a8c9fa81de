import type { Answer } from './answer.js';

/** A page of either kind: by number, or by cursor. */
interface Page<Row> {
  data: Row[];
  links: { next: string | null };
}

/**
 * A list. `await` gives its first page; `for await` gives the rows of all pages, one page at a time. A page that is
 * refused for a while is tried again where it was.
 */
export class Listing<Row, Body extends Page<Row>> implements PromiseLike<Answer<Body>> {
  readonly #read: (page: object) => Promise<Answer<Body>>;

  /** `read` gives the page that these parameters name, beside those of the list. */
  constructor(read: (page: object) => Promise<Answer<Body>>) {
    this.#read = read;
  }

  // oxlint-disable-next-line unicorn/no-thenable -- awaiting a list gives its first page.
  then<A = Answer<Body>, B = never>(
    onPage?: ((page: Answer<Body>) => A | PromiseLike<A>) | null,
    onError?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#read({}).then(onPage, onError);
  }

  async *pages(): AsyncGenerator<Answer<Body>, void> {
    for (let page: object | null = {}; page !== null; ) {
      const answer: Answer<Body> = await this.#read(page);
      yield answer;
      const { next } = answer.body.links;
      // Its parameters alone: behind a proxy the service may know itself by another address.
      page = next === null ? null : Object.fromEntries(new URL(next).searchParams);
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Row, void> {
    for await (const { body } of this.pages()) yield* body.data;
  }
}
