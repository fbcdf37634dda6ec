import type { Found, Webhook } from "./ask.ts";
import { verdictOf, whatOf } from "./verdict.ts";

/** `2026-01-31T12:00:00.000Z` → `2026-01-31 12:00:00`. */
const time = (iso: string) => iso.slice(0, 19).replace("T", " ");

/** The answer as text: the verdict, then every webhook, newest first. */
export const print = (found: Found): string => {
  const { person, webhooks, more, searchedTo, suppression } = found;
  const back = searchedTo === null ? "" : `, searched back to ${time(searchedTo)} UTC`;
  const many = `${webhooks.length}${more ? " or more" : ""} webhook${webhooks.length === 1 && !more ? "" : "s"}`;
  const lines = [`${person}: ${many}${back}`, "", ...verdictOf(found).map((sentence) => `→ ${sentence}`)];
  if (typeof suppression === "string") lines.push(`→ Unknown if email to this address is suppressed: ${suppression}`);
  return [lines.join("\n"), ...webhooks.map(printWebhook)].join("\n\n");
};

const printWebhook = ({
  id,
  acceptedAt,
  source,
  type,
  test,
  outcomes,
  calls,
  why,
  timeline,
  onlyNamed,
}: Webhook): string => {
  const title = `${time(acceptedAt)}  ${source}  ${type}  ${id}${test ? "  (test data)" : ""}${onlyNamed ? "  (only named in the body)" : ""}`;
  if (timeline) {
    const steps = timeline.map(
      ({ at, text, call }) => `  ${time(at)}  ${call ? `${call.slice(id.length)} ` : ""}${text}`,
    );
    return [title, ...steps].join("\n");
  }
  const others = outcomes.filter(({ outcome }) => outcome !== "matched").map((outcome) => `  ${outcome.why}`);
  const made = calls.map((call) => `  ${call.id.slice(id.length)} ${whatOf(call)} of "${call.rule}": ${call.why}`);
  return [title, ...(calls.length > 0 ? made : [`  ${why}`]), ...(calls.length > 0 ? others : [])].join("\n");
};
