import { queries } from "../../../api/queries.ts";
import { counted } from "../shape/names.ts";
import type { Shown } from "../use-workflow.ts";
import { isStale, readAnew } from "./change.ts";

type Outcome = { status: string; queuedContactCount: number };
type Policy = { dryRun?: true; queuedContactPolicy?: "fail" | "discard" };

/** Formats "3 contacts wait". */
export const waitText = (count: number): string => `${counted(count, "contact")} ${count === 1 ? "waits" : "wait"}`;

/** Effect on contacts that a change removes. */
export const leaveText = (count: number): string =>
  count === 1
    ? "It leaves the workflow, and gets no further mail of it."
    : "They leave the workflow, and get no further mail of it.";

/** Removes waiting contacts only up to the `confirmed` number. If more wait, it changes nothing and throws. */
export const withConfirmed = async <O extends Outcome>(
  shown: Pick<Shown, "id" | "workflow">,
  confirmed: number,
  ask: (policy: Policy) => Promise<O>,
): Promise<O> => {
  const nothing = (count: number) =>
    new Error(`${waitText(count)} there by now, not ${confirmed}. Nothing was changed. Close this, and look again.`);
  try {
    if (confirmed > 0) {
      const { queuedContactCount: now } = await ask({ dryRun: true });
      if (now > confirmed) throw nothing(now);
    }
    const outcome = await ask({ queuedContactPolicy: confirmed > 0 ? "discard" : "fail" });
    if (outcome.status === "queuedContactsFound") throw nothing(outcome.queuedContactCount);
    await readAnew(queries, shown);
    return outcome;
  } catch (error) {
    throw await inWords(error, shown);
  }
};

/** Explains a concurrent change and refetches; other errors stay. */
export const inWords = async (error: unknown, shown: Pick<Shown, "id" | "workflow">): Promise<unknown> => {
  if (!isStale(error)) return error;
  await readAnew(queries, shown);
  return new Error(
    "Somebody else has changed this workflow meanwhile. Nothing was changed by you. Close this, look at the workflow as it is now, and try again.",
  );
};
