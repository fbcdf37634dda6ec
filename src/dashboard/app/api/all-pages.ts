type Page<T> = { data: T[]; pagination: { nextCursor: string | null } };
type Asked = { perPage: never; cursor?: string };

/** Page limit, with 50 items each. */
const MOST = 20;

/**
 * Reads all pages of a short list.
 *
 * @param read requests one page, such as `(asked) => v1.themes.list(asked)`
 */
export const allPages = async <T>(read: (asked: Asked) => Promise<Page<T>>): Promise<T[]> => {
  const found: T[] = [];
  let cursor: string | null | undefined;
  for (let n = 0; n < MOST && cursor !== null; n += 1) {
    const page = await read({ perPage: "50" as never, ...(cursor === undefined ? {} : { cursor }) });
    found.push(...page.data);
    cursor = page.pagination.nextCursor;
  }
  return found;
};
