import { deliveryCure, ruleCure, type Setup } from "./cures.ts";
import type { Consent, Found, Mail, Webhook } from "./found.ts";
import { sendOf } from "./mails.ts";
import { fateOf, printMail, time } from "./print-mails.ts";
import { verdictOf, whatOf } from "./verdict.ts";

const toDo = (cure: string | undefined, indent: string): string[] =>
  cure === undefined ? [] : [`${indent}To do: ${cure}`];

export const print = (found: Found, setup: Setup): string => {
  const { person, kind, webhooks, more, searchedTo } = found;
  const back = searchedTo === null ? "" : `, searched back to ${time(searchedTo)} UTC`;
  const many = `${webhooks.length}${more ? " or more" : ""} webhook${webhooks.length === 1 && !more ? "" : "s"}`;
  const verdict = verdictOf(found, setup).flatMap(({ text, cure }) => [`→ ${text}`, ...toDo(cure, "  ")]);
  const agreed = found.consent ? [consentText(found.consent)] : [];
  const lines = [kind === "person" ? `${person}: ${many}${back}` : person, "", ...verdict, ...agreed];
  const mails = Array.isArray(found.mails) ? found.mails : [];
  const caused = new Set(
    webhooks.flatMap(({ deliveries }) => deliveries.flatMap((delivery) => sendOf(delivery) ?? [])),
  );
  // A mail is otherwise a line of its delivery.
  const blocks = mails.filter(({ id }) => webhooks.some(({ timeline }) => timeline) || !caused.has(id));
  return [
    lines.join("\n"),
    ...webhooks.map((webhook) => printWebhook(webhook, setup, mails)),
    ...blocks.map((mail) => printMail(mail, setup, caused.has(mail.id))),
  ].join("\n\n");
};

const consentText = ({ at, source }: Consent): string => {
  const when = at === null ? "" : ` at ${time(at)} UTC`;
  return `→ Agreed to get mail${when}${source === null ? "" : ` (source: ${source})`}, as the import said.`;
};

const printWebhook = (webhook: Webhook, setup: Setup, mails: readonly Mail[]): string => {
  const { id, acceptedAt, source, type, test, outcomes, deliveries, why, timeline, onlyNamed } = webhook;
  const title = `${time(acceptedAt)}  ${source}  ${type}  ${id}${test ? "  (test data)" : ""}${onlyNamed ? "  (only named in the body)" : ""}`;
  if (timeline) {
    const steps = timeline.map(
      ({ at, text, delivery }) => `  ${time(at)}  ${delivery ? `${delivery.slice(id.length)} ` : ""}${text}`,
    );
    return [title, ...steps].join("\n");
  }
  const others = outcomes.filter(({ outcome }) => outcome !== "matched").map((outcome) => `  ${outcome.why}`);
  const made = deliveries.flatMap((delivery) => [
    `  ${delivery.id.slice(id.length)} ${whatOf(delivery)} of "${delivery.rule}": ${delivery.why}`,
    ...toDo(onlyNamed ? undefined : deliveryCure(delivery, webhook, setup), "     "),
    ...mails.filter(({ id }) => !onlyNamed && id === sendOf(delivery)).map((mail) => `     ${fateOf(mail)}`),
  ]);
  const rules = toDo(onlyNamed ? undefined : ruleCure(webhook, setup), "     ");
  return [title, ...(deliveries.length > 0 ? [...made, ...others] : [`  ${why}`]), ...rules].join("\n");
};
