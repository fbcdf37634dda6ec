import type { Call, Found, Webhook } from "./ask.ts";

/** The answer in a few sentences: what decides it first. */
export const verdictOf = (found: Found): string[] => {
  const { who, webhooks, suppression, status } = found;
  const said: string[] = [];
  if (typeof suppression === "object" && suppression.isSuppressed) {
    said.push(
      `Suppressed: the email service has ${who} on its suppression list (bounces or complaints), so it delivers no mail to it, whatever the bridge sends.`,
    );
  }
  if (status.paused.all !== null) said.push(`Paused: a person paused all delivery at ${status.paused.all}.`);
  const [newest] = webhooks;
  if (!newest) return [...said, ...nothingOf(found)];

  // What is about this person decides before what only names it.
  const latest = webhooks.find(({ onlyNamed }) => !onlyNamed) ?? newest;
  said.push(`Latest, ${latest.source} ${latest.type}: ${headline(latest)}`);
  const older = webhooks
    .filter((webhook) => webhook !== latest)
    .flatMap(({ calls, onlyNamed }) => (onlyNamed ? [] : calls));
  const open = older.filter(({ state }) => state === "waiting" || state === "sending").length;
  const lost = older.filter(({ state }) => state === "dead" || state === "parked").length;
  if (open > 0) said.push(`Of older webhooks ${count(open, "call")} still ${open === 1 ? "waits" : "wait"}.`);
  if (lost > 0) said.push(`Of older webhooks ${count(lost, "call")} came to nothing: see below.`);
  return said;
};

/** Letters below which an id is not looked for inside of texts. */
const SHORT = 6;

/** Why nothing was found, as far as can be told. */
const nothingOf = ({ who, searchedTo, waiting }: Found): string[] => {
  const since = searchedTo === null ? "the journal is empty" : `searched back to ${searchedTo}`;
  const said = [`No webhook names ${who} (${since}).`];
  if (waiting.length > 0) {
    const refs = [...new Set(waiting.map(({ contact }) => contact.ref ?? contact.userId ?? "?"))].join(", ");
    said.push(
      `But calls wait for a webhook that tells whose they are (${refs}): one of these may be this person's. Ask for the id: npm run why -- <id>.`,
    );
  } else said.push("Look at the provider whether it sent one, and to which address.");
  if (!who.includes("@") && who.length < SHORT)
    said.push("So short an id is found in a body only where it is a whole value: ask by the email address too.");
  return said;
};

/** What came of a webhook: of its calls the one that matters most, mail before others. */
const headline = ({ calls, why, onlyNamed }: Webhook): string => {
  if (onlyNamed) return `its body names this person, but its ${count(calls.length, "call")} went to others.`;
  const call = [...calls].sort((a, b) => weightOf(a) - weightOf(b))[0];
  return call ? `${whatOf(call)}: ${call.why}` : why;
};

const weightOf = ({ state, action }: Call): number =>
  (state === "done" || state === "superseded" ? 10 : 0) + (action === "transactional" ? 0 : action === "event" ? 1 : 2);

/** What a call does. */
export const whatOf = ({ action, template, eventName }: Call): string =>
  action === "transactional"
    ? `the mail "${template}"`
    : action === "event"
      ? `the event "${eventName}"`
      : action === "delete"
        ? "the removal of the contact"
        : "the contact update";

const count = (many: number, what: string) => `${many} ${what}${many === 1 ? "" : "s"}`;
