import type { AdminContract } from "../../../../lib/contract/admin/email.ts";
import type { AudienceFilter } from "../../../../lib/contract/audience/filter.ts";
import type { Response } from "../../../../lib/contract/operation.ts";
import type { Filters } from "../../parts/filters.ts";

export type Listed = Response<AdminContract["imports"]["list"]>["data"][number];
export type Detailed = Response<AdminContract["imports"]["get"]>;

/** What an import does, in one word. */
export const stateOf = ({ state, paused }: Pick<Listed, "state" | "paused">): string => (paused ? "paused" : state);

/** How often an import is asked for, in ms: while something goes on. */
export const pollOf = (one: Pick<Listed, "state"> | undefined): number | false =>
  one?.state === "running" ? 1_000 : one?.state === "uploading" ? 5_000 : false;

/**
 * The search for the contacts that an import has created. Another import runs meanwhile only while this one is paused. Undefined where it has created
 * none, and for a file with a column of sources: then a contact does not say that it came by an import.
 */
export const createdBy = ({ dryRun, created, mapping, startedAt, finishedAt }: Detailed): Filters | undefined => {
  if (dryRun || created === 0 || startedAt === null || finishedAt === null) return undefined;
  if (Object.values(mapping).includes("source")) return undefined;
  const filter: AudienceFilter = {
    match: "all",
    conditions: [
      { type: "property", key: "source", operator: "equals", value: "Import" },
      { type: "property", key: "createdAt", operator: "between", value: { from: startedAt, to: finishedAt } },
    ],
  };
  return { filter: JSON.stringify(filter) };
};
