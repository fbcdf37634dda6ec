import { count } from "../lib/cli.ts";
import type { Call, Found, Webhook } from "./ask.ts";

/** The answer in a few sentences, the most decisive first. */
export const verdictOf = (found: Found): string[] => {
  const { person, webhooks, suppression, status } = found;
  const sentences: string[] = [];
  if (typeof suppression === "object" && suppression.isSuppressed) {
    sentences.push(
      `Suppressed: ${person} is on the suppression list of the email service (bounces or complaints). The email service sends no email to it.`,
    );
  }
  if (status.paused.all !== null) sentences.push(`Paused: a person paused all delivery at ${status.paused.all}.`);
  const [newest] = webhooks;
  if (!newest) return [...sentences, ...nothingOf(found)];

  // A webhook with calls for this person matters more than one that only names the person.
  const latest = webhooks.find(({ onlyNamed }) => !onlyNamed) ?? newest;
  sentences.push(`Latest, ${latest.source} ${latest.type}: ${headline(latest)}`);
  const older = webhooks
    .filter((webhook) => webhook !== latest)
    .flatMap(({ calls, onlyNamed }) => (onlyNamed ? [] : calls));
  const open = older.filter(({ state }) => state === "waiting" || state === "sending").length;
  const lost = older.filter(({ state }) => state === "dead" || state === "parked").length;
  if (open > 0) sentences.push(`${count(open, "call")} of older webhooks ${open === 1 ? "is" : "are"} still open.`);
  if (lost > 0)
    sentences.push(`${count(lost, "call")} of older webhooks ${lost === 1 ? "is" : "are"} dead or parked: see below.`);
  return sentences;
};

/** The search finds a shorter id in a body only if it is a whole value. */
const SHORT = 6;

/** Possible reasons why no webhook was found. */
const nothingOf = ({ person, searchedTo, waiting }: Found): string[] => {
  const since = searchedTo === null ? "the journal is empty" : `searched back to ${searchedTo}`;
  const sentences = [`No webhook names ${person} (${since}).`];
  if (waiting.length > 0) {
    const refs = [...new Set(waiting.map(({ contact }) => contact.ref ?? contact.userId ?? "?"))].join(", ");
    sentences.push(
      `But some calls wait for an identity link (${refs}). One of these ids may belong to this person: npm run why -- <id> shows its calls.`,
    );
  } else sentences.push("Check at the provider if it sent a webhook, and to which URL.");
  if (!person.includes("@") && person.length < SHORT)
    sentences.push("An id this short is found in a body only if it is a whole value. Search by the email address too.");
  return sentences;
};

/** The result of a webhook: the state of its most important call, mail first. */
const headline = ({ calls, why, onlyNamed }: Webhook): string => {
  if (onlyNamed) return `its body names this person, but its calls (${calls.length}) are for other people.`;
  const call = [...calls].sort((a, b) => weightOf(a) - weightOf(b))[0];
  return call ? `${whatOf(call)}: ${call.why}` : why;
};

const weightOf = ({ state, action }: Call): number =>
  (state === "done" || state === "superseded" ? 10 : 0) + (action === "transactional" ? 0 : action === "event" ? 1 : 2);

/** A call in a few words. */
export const whatOf = ({ action, template, eventName }: Call): string =>
  action === "transactional"
    ? `the mail "${template}"`
    : action === "event"
      ? `the event "${eventName}"`
      : action === "delete"
        ? "the deletion of the contact"
        : "the contact update";
