import type { PageQuery } from "./generated.ts";

type AnyPage = { hasMore: boolean; nextCursor: string | null };

/** A list that is read page by page: `for await (const item of list)`, or one page at a time. */
export type Pages<Page, Item> = AsyncIterable<Item> & {
  /** The page that the query names: the first one unless it has a cursor. */
  page(): Promise<Page>;
  /** Each page with what it says beside its items. */
  pages(): AsyncIterable<Page>;
  /** All items. Think before you ask for a year's submissions. */
  all(): Promise<Item[]>;
};

/** Pages are fetched as the loop comes to them. */
export function paginate<Page extends AnyPage, Item, Query extends PageQuery>(options: {
  query: Query;
  read: (query: Query) => Promise<Page>;
  itemsOf: (page: Page) => readonly Item[];
}): Pages<Page, Item> {
  const { query, read, itemsOf } = options;
  async function* pages(): AsyncGenerator<Page> {
    for (let page = await read(query); ; page = await read({ ...query, cursor: page.nextCursor })) {
      yield page;
      if (!page.hasMore || page.nextCursor === null) return;
    }
  }
  async function* items(): AsyncGenerator<Item> {
    for await (const page of pages()) yield* itemsOf(page);
  }
  return {
    page: () => read(query),
    pages,
    async all() {
      const list: Item[] = [];
      for await (const item of items()) list.push(item);
      return list;
    },
    [Symbol.asyncIterator]: items,
  };
}
