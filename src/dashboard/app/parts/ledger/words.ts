import type { Action, Call } from "./types.ts";

export const ACTIONS: Readonly<Record<Action, string>> = {
  contact: "Contact updates",
  event: "Events",
  transactional: "Mails",
  delete: "Removals",
};

export const whatOf = (call: Call): string => {
  if (call.action === "transactional") return `mail "${call.template}"`;
  if (call.action === "event") return `event "${call.eventName}"`;
  return call.action === "delete" ? "removal of the contact" : "contact update";
};

export const whomOf = ({ contact: { email, userId, ref } }: Pick<Call, "contact">): string =>
  email ?? userId ?? ref ?? "an unknown person";

export const filterOf = ({ contact: { email, userId, ref } }: Pick<Call, "contact">): Record<string, string> =>
  email !== undefined ? { email } : userId !== undefined ? { userId } : ref !== undefined ? { ref } : {};

export const contentOf = (call: Call): Record<string, unknown> => {
  if (call.action === "event") return call.eventProperties;
  if (call.action === "transactional") return call.dataVariables;
  if (call.action === "delete") return {};
  return { ...call.properties, ...(call.lists ? { mailingLists: call.lists } : {}) };
};

/** Formats a duration in ms. */
export const lasting = (ms: number): string => {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 120_000) return `${Math.round(ms / 100) / 10} s`;
  return ms < 7_200_000 ? `${Math.round(ms / 60_000)} min` : `${Math.round(ms / 3_600_000)} h`;
};

/** Formats "1 delivery", "40 deliveries". */
export const counted = (count: number, noun: string): string =>
  `${count.toLocaleString("en")} ${count === 1 ? noun : `${noun}s`}`;
