import type { ObjectBug } from "../../../policy/workflows/simulation/object.ts";
import type { Mutation } from "./disk.ts";

/** A planted bug that changes statements, or the rows that they read. */
type Planted = Pick<ObjectBug, "mutate" | "deferred" | "claims">;

/** Changes one piece of every statement that has it. */
export const replaced =
  (piece: string, by: string): Mutation =>
  (query) =>
    query.replace(piece, by);

/**
 * A bug with a watch on it. `check` throws where no statement was one that the bug changes: it names a piece of SQL that the product does
 * not have any more.
 */
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
