import { stateText } from "../status/kinds.ts";
import type { Action, Delivery } from "./types.ts";

export const ACTIONS: Readonly<Record<Action, string>> = {
  contact: "Contact updates",
  event: "Events",
  transactional: "Mails",
  delete: "Removals",
  fetch: "Fetches",
};

/** Nouns of deliveries, to be counted. */
export const NOUNS: Readonly<Record<Action, string>> = {
  contact: "contact update",
  event: "event",
  transactional: "mail",
  delete: "removal",
  fetch: "thin event",
};

/** Options of a filter by the state of a delivery. */
export const STATES = ["attention", "waiting", "sending", "done", "replaced", "skipped", "failed", "undecided"].map(
  (state) => ({ value: state, label: stateText(state) }),
);

export const whatOf = (delivery: Delivery): string => {
  if (delivery.action === "transactional") return `mail "${delivery.template}"`;
  if (delivery.action === "event") return `event "${delivery.eventName}"`;
  if (delivery.action === "fetch") return "data of a thin event";
  return delivery.action === "delete" ? "removal of the contact" : "contact update";
};

export const whomOf = ({
  contact: { email, userId, ref },
  object,
}: Pick<Delivery, "contact"> & { object?: string }): string => object ?? email ?? userId ?? ref ?? "an unknown person";

export const filterOf = ({ contact: { email, userId, ref } }: Pick<Delivery, "contact">): Record<string, string> =>
  email !== undefined ? { email } : userId !== undefined ? { userId } : ref !== undefined ? { ref } : {};

export const contentOf = (delivery: Delivery): Record<string, unknown> => {
  if (delivery.action === "event") return delivery.eventProperties;
  if (delivery.action === "transactional") return delivery.dataVariables;
  if (delivery.action === "delete" || delivery.action === "fetch") return {};
  return { ...delivery.properties, ...(delivery.lists ? { mailingLists: delivery.lists } : {}) };
};

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Short reason of a delivery for a list: its refusal, or its time. */
export const shortOf = ({ state, message, why, attempts }: Delivery): string => {
  if (state !== "done") return state === "failed" || state === "undecided" ? (message ?? why) : capital(why);
  const { ms } = attempts.at(-1) ?? {};
  return [attempts.length > 1 ? counted(attempts.length, "try") : "", ms === undefined ? "" : lasting(ms)]
    .filter(Boolean)
    .join(", ");
};

type Said = { tone: "good" | "warn" | "bad" | "quiet"; title: string; text: string; short: string };

/** The result of a webhook, by the delivery that says most. `short`: for its way. */
export const answerOf = ({ deliveries, why }: { deliveries: readonly Delivery[]; why: string }): Said => {
  const of = (...states: string[]) => deliveries.filter(({ state }) => states.includes(state));
  const [failed, undecided, waiting] = [of("failed"), of("undecided"), of("waiting", "sending")];
  const open = [failed, undecided, waiting].find(({ length }) => length > 0);
  const all = counted(deliveries.length, "delivery");
  if (deliveries.length === 0) return { tone: "quiet", title: "Nothing to do.", text: why, short: "nothing to do" };
  const [first] = open ?? [];
  if (!open || !first) {
    const title = deliveries.length === 1 ? "The delivery is done." : `All ${all} are done.`;
    return { tone: "good", title, text: "", short: "done" };
  }
  const one = open.length === 1;
  const verb =
    open === failed ? "failed" : open === waiting ? (one ? "waits" : "wait") : `${one ? "needs" : "need"} a decision`;
  const short = `${open.length} ${verb}`;
  return {
    tone: open === failed ? "bad" : open === waiting ? "quiet" : "warn",
    title: deliveries.length === 1 ? `The delivery ${verb}.` : `${open.length} of ${all} ${verb}.`,
    text: `${capital(whatOf(first))}: ${shortOf(first)}`,
    short,
  };
};

/** Formats a duration in ms. */
export const lasting = (ms: number): string => {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 120_000) return `${Math.round(ms / 100) / 10} s`;
  return ms < 7_200_000 ? `${Math.round(ms / 60_000)} min` : `${Math.round(ms / 3_600_000)} h`;
};

const MINUTE = 60_000;

/** Says how long a backlog lasts, as ", about 14 min"; nothing if that is unknown. `now`: Unix ms. */
export const drainText = (doneAt: string | null, now: number): string =>
  doneAt === null ? "" : `, about ${Math.max(1, Math.ceil((Date.parse(doneAt) - now) / MINUTE))} min`;

/** Formats "1 delivery", "40 deliveries". */
export const counted = (count: number, noun: string): string =>
  `${count.toLocaleString("en")} ${count === 1 ? noun : noun.replace(/y?$/, (end) => (end ? "ies" : "s"))}`;
