import type { AdminContract } from "../../../../lib/contract/admin/email.ts";
import type { Response } from "../../../../lib/contract/operation.ts";

export type Listed = Response<AdminContract["imports"]["list"]>["data"][number];
export type Detailed = Response<AdminContract["imports"]["get"]>;

export const stateOf = ({ state, paused }: Pick<Listed, "state" | "paused">): string => (paused ? "paused" : state);

/** Poll interval in ms, only while active. */
export const pollOf = (one: Pick<Listed, "state"> | undefined): number | false =>
  one?.state === "running" ? 1_000 : one?.state === "uploading" ? 5_000 : false;
