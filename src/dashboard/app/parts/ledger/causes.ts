import type { Part } from "../scan.ts";
import type { Cause, DeliverySearch, FoundDelivery } from "./types.ts";

export const keyOf = ({ cause, source, rule, action, state }: Cause): string =>
  JSON.stringify([cause, source, rule, action, state]);

/** Merges causes of several answers, largest first. One cause may be in several answers. */
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

/** Search for the deliveries of a cause. `attention` is fast and excludes discarded deliveries. */
export const searchOf = ({ cause, source, rule, action }: Cause): DeliverySearch => ({
  state: "attention",
  cause,
  source,
  rule,
  action,
});

/** Failed and undecided deliveries with the same message are two causes. */
const isOf =
  ({ state }: Cause) =>
  (delivery: FoundDelivery): boolean =>
    delivery.state === state;

/** Reads the deliveries of a cause, newest first, up to `most`. */
export const deliveriesOf = async (
  cause: Cause,
  most: number,
  read: (request: DeliverySearch) => Promise<Part<FoundDelivery>>,
): Promise<FoundDelivery[]> => {
  const found: FoundDelivery[] = [];
  let cursor: string | null | undefined;
  do {
    const { data, next }: Part<FoundDelivery> = await read({
      ...searchOf(cause),
      limit: "100",
      ...(cursor ? { cursor } : {}),
    });
    found.push(...data.filter(isOf(cause)));
    cursor = next;
  } while (cursor !== null && found.length < most);
  return found.slice(0, most);
};
