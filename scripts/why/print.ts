import { callCure, type Place, ruleCure } from "./cures.ts";
import type { Found, Mail, Webhook } from "./found.ts";
import { sendOf } from "./mails.ts";
import { fateOf, printMail, time } from "./print-mails.ts";
import { verdictOf, whatOf } from "./verdict.ts";

const toDo = (cure: string | undefined, indent: string): string[] =>
  cure === undefined ? [] : [`${indent}To do: ${cure}`];

export const print = (found: Found, place: Place): string => {
  const { person, kind, webhooks, more, searchedTo } = found;
  const back = searchedTo === null ? "" : `, searched back to ${time(searchedTo)} UTC`;
  const many = `${webhooks.length}${more ? " or more" : ""} webhook${webhooks.length === 1 && !more ? "" : "s"}`;
  const verdict = verdictOf(found, place).flatMap(({ text, cure }) => [`→ ${text}`, ...toDo(cure, "  ")]);
  const lines = [kind === "person" ? `${person}: ${many}${back}` : person, "", ...verdict];
  const mails = Array.isArray(found.mails) ? found.mails : [];
  const caused = new Set(webhooks.flatMap(({ calls }) => calls.flatMap((call) => sendOf(call) ?? [])));
  // A mail is otherwise a line of its delivery.
  const blocks = mails.filter(({ id }) => webhooks.some(({ timeline }) => timeline) || !caused.has(id));
  return [
    lines.join("\n"),
    ...webhooks.map((webhook) => printWebhook(webhook, place, mails)),
    ...blocks.map((mail) => printMail(mail, place, caused.has(mail.id))),
  ].join("\n\n");
};

const printWebhook = (webhook: Webhook, place: Place, mails: readonly Mail[]): string => {
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
    ...mails.filter(({ id }) => !onlyNamed && id === sendOf(call)).map((mail) => `     ${fateOf(mail)}`),
  ]);
  const rules = toDo(onlyNamed ? undefined : ruleCure(webhook, place), "     ");
  return [title, ...(calls.length > 0 ? [...made, ...others] : [`  ${why}`]), ...rules].join("\n");
};
