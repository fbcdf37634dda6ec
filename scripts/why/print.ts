import type { Found, Webhook } from "./ask.ts";
import { callCure, type Place, ruleCure } from "./cures.ts";
import { verdictOf, whatOf } from "./verdict.ts";

/** `2026-01-31T12:00:00.000Z` → `2026-01-31 12:00:00`. */
const time = (iso: string) => iso.slice(0, 19).replace("T", " ");

const toDo = (cure: string | undefined, indent: string): string[] =>
  cure === undefined ? [] : [`${indent}To do: ${cure}`];

/** The answer as text: the verdict, then every webhook, newest first. */
export const print = (found: Found, place: Place): string => {
  const { person, kind, webhooks, more, searchedTo } = found;
  const back = searchedTo === null ? "" : `, searched back to ${time(searchedTo)} UTC`;
  const many = `${webhooks.length}${more ? " or more" : ""} webhook${webhooks.length === 1 && !more ? "" : "s"}`;
  const verdict = verdictOf(found, place).flatMap(({ text, cure }) => [`→ ${text}`, ...toDo(cure, "  ")]);
  const lines = [kind === "person" ? `${person}: ${many}${back}` : person, "", ...verdict];
  return [lines.join("\n"), ...webhooks.map((webhook) => printWebhook(webhook, place))].join("\n\n");
};

const printWebhook = (webhook: Webhook, place: Place): string => {
  const { id, acceptedAt, source, type, test, outcomes, calls, why, timeline, onlyNamed } = webhook;
  const title = `${time(acceptedAt)}  ${source}  ${type}  ${id}${test ? "  (test data)" : ""}${onlyNamed ? "  (only named in the body)" : ""}`;
  if (timeline) {
    const steps = timeline.map(
      ({ at, text, call }) => `  ${time(at)}  ${call ? `${call.slice(id.length)} ` : ""}${text}`,
    );
    return [title, ...steps].join("\n");
  }
  const others = outcomes.filter(({ outcome }) => outcome !== "matched").map((outcome) => `  ${outcome.why}`);
  const made = calls.flatMap((call) => [
    `  ${call.id.slice(id.length)} ${whatOf(call)} of "${call.rule}": ${call.why}`,
    ...toDo(onlyNamed ? undefined : callCure(call, webhook, place), "     "),
  ]);
  const rules = toDo(onlyNamed ? undefined : ruleCure(webhook, place), "     ");
  return [title, ...(calls.length > 0 ? [...made, ...others] : [`  ${why}`]), ...rules].join("\n");
};
