import type { Shown } from "../use-workflow.ts";
import { people } from "../words.ts";
import { isStale, readAnew } from "./change.ts";

type Outcome = { status: string; queuedContactCount: number };
type Policy = { dryRun?: true; queuedContactPolicy?: "fail" | "discard" };

/** Formats "3 people wait". */
export const waitText = (count: number): string => people(count, "waits", "wait");

/** Effect on people that a change takes out. */
export const leaveText = (count: number): string =>
  count === 1
    ? "This person comes out of the workflow, and gets no further mail of it."
    : "They come out of the workflow, and get no further mail of it.";

/** Takes out people who wait only up to the `confirmed` number. If more wait, it changes nothing and throws. */
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
    await readAnew(shown);
    return outcome;
  } catch (error) {
    throw await inWords(error, shown);
  }
};

/** Explains a concurrent change and refetches; other errors stay. */
export const inWords = async (error: unknown, shown: Pick<Shown, "id" | "workflow">): Promise<unknown> => {
  if (!isStale(error)) return error;
  await readAnew(shown);
  return new Error(
    "Somebody else has changed this workflow meanwhile. Nothing was changed by you. Close this, look at the workflow as it is now, and try again.",
  );
};
