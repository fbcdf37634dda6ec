import type { CallSearch, Cause, FoundCall } from "../../parts/ledger/types.ts";
import type { Part } from "../../parts/scan.ts";

export const keyOf = ({ cause, source, rule, action, state }: Cause): string =>
  JSON.stringify([cause, source, rule, action, state]);

/**
 * One list of the causes of several answers, the cause with most calls first. Each answer is about some of the calls, newest first, so a
 * cause may be in more than one.
 */
export const merged = (causes: readonly Cause[]): Cause[] => {
  const byKey = new Map<string, Cause>();
  for (const cause of causes) {
    const known = byKey.get(keyOf(cause));
    byKey.set(
      keyOf(cause),
      known
        ? {
            ...known,
            count: known.count + cause.count,
            first: cause.first < known.first ? cause.first : known.first,
            last: cause.last > known.last ? cause.last : known.last,
          }
        : cause,
    );
  }
  return [...byKey.values()].sort((a, b) => b.count - a.count || (a.last < b.last ? 1 : -1));
};

/** A search of the calls of a cause. By `attention` it is quick, and leaves out discarded calls. */
export const searchOf = ({ cause, source, rule, action }: Cause): CallSearch => ({
  state: "attention",
  cause,
  source,
  rule,
  action,
});

/** Dead and parked calls may have the same message, but are two causes. */
export const isOf =
  ({ state }: Cause) =>
  (call: FoundCall): boolean =>
    call.state === state;

/** Reads the calls of a cause, newest first, up to `most`. */
export const callsOf = async (
  cause: Cause,
  most: number,
  read: (request: CallSearch) => Promise<Part<FoundCall>>,
): Promise<FoundCall[]> => {
  const found: FoundCall[] = [];
  let cursor: string | null | undefined;
  do {
    const { data, next }: Part<FoundCall> = await read({
      ...searchOf(cause),
      limit: "100",
      ...(cursor ? { cursor } : {}),
    });
    found.push(...data.filter(isOf(cause)));
    cursor = next;
  } while (cursor !== null && found.length < most);
  return found.slice(0, most);
};
