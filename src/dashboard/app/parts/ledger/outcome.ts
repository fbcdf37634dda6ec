import type { Delivery } from "./types.ts";

/** Ms. A delivery that takes longer is said to wait. */
const MOST_MS = 8_000;
const STEP_MS = 400;
/** The first of many stand for all. */
const WATCHED = 20;

type Read = (deliveryId: string) => Promise<Delivery | undefined>;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const isMoving = ({ state }: Delivery): boolean => state === "waiting" || state === "sending";

/** Reads a delivery until it is settled, or until a time in Unix ms. */
const settledOf = async (id: string, until: number, read: Read): Promise<Delivery | undefined> => {
  const delivery = await read(id);
  if (!delivery || !isMoving(delivery) || Date.now() >= until) return delivery;
  await pause(STEP_MS);
  return settledOf(id, until, read);
};

export type Outcome = { text: string; tone: "good" | "bad" | "wait" };

/** The result of a new try in words, as "sent" or "failed again: No template tpl_17". */
export const wordsOf = (delivery: Delivery | undefined): Outcome => {
  const { state, action, message = "" } = delivery ?? {};
  const why = message === "" ? "" : `: ${message.replace(/\.$/, "")}`;
  if (state === "failed") return { text: `failed again${why}`, tone: "bad" };
  if (state === "undecided") return { text: `still unknown${why}`, tone: "bad" };
  if (state === "done") return { text: action === "transactional" ? "sent" : "done", tone: "good" };
  if (state === "waiting" || state === "sending") return { text: "waiting to be sent", tone: "wait" };
  return { text: `nothing to do${why}`, tone: "good" };
};

/** Waits for the result of a new try. */
export const outcomeOf = async ({ id }: Pick<Delivery, "id">, read: Read): Promise<Outcome> =>
  wordsOf(await settledOf(id, Date.now() + MOST_MS, read));

/** Waits for the results of new tries, as "2 of 3 sent". */
export const outcomesOf = async (tried: readonly Pick<Delivery, "id">[], read: Read): Promise<string[]> => {
  const watched = tried.slice(0, WATCHED);
  const until = Date.now() + MOST_MS;
  const counts = new Map<string, number>();
  for (const { id } of watched) {
    const { text } = wordsOf(await settledOf(id, until, read));
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  const of = watched.length < tried.length ? `the first ${watched.length}` : String(watched.length);
  return [...counts].map(([text, count]) => `${count} of ${of} ${text}`);
};
