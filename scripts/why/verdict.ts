import { UNKNOWN } from "../../src/outbox/journal/refusals.ts";
import { count } from "../lib/cli.ts";
import { deliveryCure, doorCure, pauseCure, ruleCure, type Setup, suppressionCure } from "./cures.ts";
import type { Delivery, Finding, Found, Webhook } from "./found.ts";
import { newestMail } from "./print-mails.ts";

const finding = (text: string, cure?: string): Finding => (cure === undefined ? { text } : { text, cure });

/** Summarizes the answer, the most decisive fact first. */
export const verdictOf = (found: Found, setup: Setup): Finding[] => {
  const { person, kind, webhooks, suppression, status } = found;
  const findings: Finding[] = [];
  if (typeof suppression === "object" && suppression.isSuppressed) {
    const email = suppression.contact?.email ?? person;
    findings.push(
      finding(
        `Suppressed: ${email} is on the suppression list of the email service (bounces or complaints). The email service sends no email to it.`,
        suppressionCure(setup, email),
      ),
    );
  }
  if (status.paused.all !== null)
    findings.push(finding(`Paused: a person paused all deliveries at ${status.paused.all}.`, pauseCure(setup)));
  const mail = newestMail(found.mails, setup);
  const [newest] = webhooks;
  if (!newest) return [...findings, ...(mail ? [mail] : []), ...nothingOf(found, setup), ...unknownOf(found)];

  // A webhook with deliveries for this person matters more than a mention.
  const latest = webhooks.find(({ onlyNamed }) => !onlyNamed) ?? newest;
  const title = `${latest.source} ${latest.type}`;
  findings.push(
    finding(`${kind === "person" ? `Latest, ${title}` : title}: ${headline(latest)}`, cureOf(latest, setup)),
    ...(mail ? [mail] : []),
  );
  const older = webhooks
    .filter((webhook) => webhook !== latest)
    .flatMap(({ deliveries, onlyNamed }) => (onlyNamed ? [] : deliveries));
  const open = older.filter(({ state }) => state === "waiting" || state === "sending").length;
  const lost = older.filter(({ state }) => state === "failed" || state === "undecided").length;
  if (open > 0)
    findings.push(finding(`${count(open, "delivery")} of older webhooks ${open === 1 ? "is" : "are"} still open.`));
  if (lost > 0)
    findings.push(
      finding(
        `${count(lost, "delivery")} of older webhooks ${lost === 1 ? "is" : "are"} failed or undecided: see below.`,
      ),
    );
  return [...findings, ...unknownOf(found)];
};

const unknownOf = ({ webhooks, suppression }: Found): Finding[] => {
  if (suppression === undefined) return [];
  const unknown = "Unknown if email to this address is suppressed";
  if (typeof suppression === "string") return [finding(`${unknown}: ${suppression}`)];
  const wasMailed = webhooks.some(({ deliveries, onlyNamed }) => !onlyNamed && deliveries.some(isSentMail));
  const why = "the email service answers this for contacts only, and has none with this address";
  return suppression.known || !wasMailed ? [] : [finding(`${unknown}: ${why}.`)];
};

const isSentMail = ({ action, state }: Delivery) => action === "transactional" && state === "done";

/** A shorter id must be a whole value in a body. */
const SHORT = 6;
const MOST_REFUSED = 3;

const nothingOf = ({ person, searchedTo, waiting, refused }: Found, setup: Setup): Finding[] => {
  const findings = [finding(`No webhook names ${person}${searchedTo === null ? ": the journal is empty" : ""}.`)];
  const refs = [...new Set(waiting.map(({ contact }) => contact.ref ?? contact.userId ?? "?"))].join(", ");
  findings.push(
    finding(
      waiting.length > 0
        ? `But some deliveries wait for an identity link (${refs}). One of these ids may belong to this person: npm run why -- <id> shows its deliveries.`
        : "Check at the provider if it sent a webhook, and to which URL.",
    ),
  );
  for (const { source, code, count: many } of refused.slice(0, MOST_REFUSED)) {
    const where = source === UNKNOWN ? "a source that does not exist" : source;
    const text = `In this time the door refused ${count(many, "webhook")} to ${where} (${code}). One of them may have been for this person.`;
    findings.push(finding(text, doorCure(source, code, setup)));
  }
  if (!person.includes("@") && person.length < SHORT)
    findings.push(
      finding("An id this short is found in a body only if it is a whole value. Search by the email address too."),
    );
  return findings;
};

const headline = ({ deliveries, why, onlyNamed }: Webhook): string => {
  if (onlyNamed) return `its body names this person, but its deliveries (${deliveries.length}) are for other people.`;
  const delivery = mainDelivery({ deliveries });
  return delivery ? `${whatOf(delivery)}: ${delivery.why}` : why;
};

/** Open and failed deliveries come first, then mail. */
const mainDelivery = ({ deliveries }: Pick<Webhook, "deliveries">): Delivery | undefined =>
  [...deliveries].sort((a, b) => weightOf(a) - weightOf(b))[0];

const cureOf = (webhook: Webhook, setup: Setup): string | undefined => {
  if (webhook.onlyNamed) return undefined;
  const delivery = mainDelivery(webhook);
  return (delivery && deliveryCure(delivery, webhook, setup)) ?? ruleCure(webhook, setup);
};

const weightOf = ({ state, action }: Delivery): number =>
  (state === "done" || state === "replaced" ? 10 : 0) + (action === "transactional" ? 0 : action === "event" ? 1 : 2);

export const whatOf = ({ action, template, eventName }: Delivery): string =>
  action === "transactional"
    ? `the mail "${template}"`
    : action === "event"
      ? `the event "${eventName}"`
      : action === "delete"
        ? "the deletion of the contact"
        : action === "fetch"
          ? "the data of the thin event"
          : "the contact update";
