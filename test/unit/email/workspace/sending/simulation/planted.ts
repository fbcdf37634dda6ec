import type { ObjectBug } from "../../../policy/workflows/simulation/object.ts";
import type { Mutation } from "./disk.ts";

type Planted = Pick<ObjectBug, "mutate" | "deferred" | "claims">;

export const replaced =
  (piece: string, by: string): Mutation =>
  (query) =>
    query.replace(piece, by);

/** Watches a planted bug. `check` throws if it changed no statement: its SQL is outdated. */
export const watched = <B extends Planted>(name: string, bug: B): { bug: B; check(): void } => {
  const { mutate, claims, deferred } = bug;
  if (!mutate && !claims && !deferred) return { bug, check: () => {} };
  let isPlanted = false;
  const seen: Planted = {
    ...(mutate && {
      mutate: (query) => {
        const changed = mutate(query);
        if (changed !== query) isPlanted = true;
        return changed;
      },
    }),
    ...(deferred && {
      deferred: (query) => {
        const isDeferred = deferred(query);
        if (isDeferred) isPlanted = true;
        return isDeferred;
      },
    }),
    ...(claims && {
      claims: (query, rows, given) => {
        const changed = claims(query, rows, given);
        if (changed.length !== rows.length || changed.some((row, at) => row !== rows[at])) isPlanted = true;
        return changed;
      },
    }),
  };
  return {
    bug: { ...bug, ...seen },
    check: () => {
      if (!isPlanted) throw new Error(`The bug "${name}" was never planted: no statement is one that it changes.`);
    },
  };
};
