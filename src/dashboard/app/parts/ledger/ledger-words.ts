import { stateText } from "../status/kinds.ts";
import type { Action, Delivery } from "./types.ts";

export const ACTIONS: Readonly<Record<Action, string>> = {
  contact: "Contact updates",
  event: "Events",
  transactional: "Mails",
  delete: "Removals",
  fetch: "Fetches",
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

/** Formats a duration in ms. */
export const lasting = (ms: number): string => {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 120_000) return `${Math.round(ms / 100) / 10} s`;
  return ms < 7_200_000 ? `${Math.round(ms / 60_000)} min` : `${Math.round(ms / 3_600_000)} h`;
};

/** Formats "1 delivery", "40 deliveries". */
export const counted = (count: number, noun: string): string =>
  `${count.toLocaleString("en")} ${count === 1 ? noun : noun.replace(/y?$/, (end) => (end ? "ies" : "s"))}`;
