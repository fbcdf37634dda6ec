import type { Filter } from "../../outbox/operator/search.ts";
import type { BridgeHandlers } from "./handler.ts";

type Search = Partial<Parameters<BridgeHandlers<"deliveries">["search"]>[1]>;

/** Encodes `next` as a cursor. */
export const cursorOf = (next: number | undefined): string | null => next?.toString(36) ?? null;

export const filterOf = (given: Search): Filter => {
  const { state: states, ...rest } = given;
  const who = pickDefined(rest, ["email", "userId", "ref"]);
  return {
    ...pickDefined(rest, ["source", "type", "since", "until", "rule", "action", "cause"]),
    ...(states === undefined ? {} : { states }),
    ...(Object.keys(who).length > 0 ? { who } : {}),
  };
};

export const pageOf = ({ limit, cursor }: Pick<Search, "limit" | "cursor">, usual: number) => ({
  limit: limit ?? usual,
  ...(cursor === undefined ? {} : { before: cursor }),
});

export const pickDefined = <T extends object, Name extends keyof T>(
  given: T,
  names: readonly Name[],
): { [N in Name]?: Exclude<T[N], undefined> } =>
  Object.fromEntries(names.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]]))) as {
    [N in Name]?: Exclude<T[N], undefined>;
  };
