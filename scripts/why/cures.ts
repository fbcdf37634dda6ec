import { ERASED } from "../../src/lib/names/finder.ts";
import { reasons } from "../../src/outbox/model/reasons.ts";
import type { Delivery, Webhook } from "./found.ts";

/** Facts about a source. `fetchBackKey`: the variable of its `fetchBack`. */
export type SourceFacts = { secret: string; backfill: boolean; fetchBackKey?: string };

/** The bridge's location. `options`: its command options, with a leading space. */
export type Setup = { options: string; isDeployed: boolean; sources: Readonly<Record<string, SourceFacts>> };

const act = ({ options }: Setup, what: string) => `npm run act -- ${what}${options}`;
/** npm start reloads local changes. */
const afterChange = ({ isDeployed }: Setup) => (isDeployed ? ", npm run deploy" : "");
const setSecret = ({ isDeployed }: Setup, name: string) =>
  isDeployed ? `npx wrangler secret put ${name}` : `${name}=… in .dev.vars`;
const factsOf = ({ sources }: Setup, name: string) => (Object.hasOwn(sources, name) ? sources[name] : undefined);

export const pauseCure = (setup: Setup, source?: string): string =>
  act(setup, source === undefined ? "resume" : `resume ${source}`);

export const suppressionCure = (setup: Setup, email: string): string =>
  `If the address is good: ${act(setup, `unsuppress ${email}`)}`;

/** Returns the remedy for an unsent delivery; undefined if none is needed. */
export const deliveryCure = (delivery: Delivery, webhook: Webhook, setup: Setup): string | undefined => {
  if ((delivery.state === "failed" || delivery.state === "undecided") && isErased(delivery) && !isClosed(delivery))
    return `Its one-time values are erased, so it cannot be sent again: let the person ask for a new one. To close the delivery: ${act(setup, `discard ${delivery.id}`)}`;
  if (delivery.state === "failed") return failedCure(delivery, webhook, setup);
  if (delivery.state === "undecided") return undecidedCure(delivery, webhook, setup);
  if (delivery.state === "skipped") return skippedCure(delivery, webhook, setup);
  const { for: waitsFor, source, behind, variable } = delivery.waitingFor ?? {};
  if (waitsFor === "fetch" && variable !== undefined)
    return `Set a restricted key that may read the provider's events and objects: ${setSecret(setup, variable)}. The bridge then fetches the data by itself. Or let ${webhook.source} send snapshot events.`;
  if (waitsFor === "paused") return pauseCure(setup, source);
  if (waitsFor === "blocked")
    return `Set an API key that the email service accepts (${setSecret(setup, "EMAIL_API_KEY")}). Delivery then goes on by itself.`;
  if (waitsFor === "outage")
    return "See that the email service runs, and that EMAIL_API_URL, if set, is its address. Delivery goes on by itself.";
  if (waitsFor === "identity" && delivery.waitsForTie) return undefined;
  if (waitsFor === "identity") return `${identityCure(delivery, webhook, setup)}. The delivery then goes on by itself.`;
  return waitsFor === "turn" && behind !== undefined
    ? `See what the earlier delivery waits for: npm run why -- ${behind}${setup.options}`
    : undefined;
};

const replayOf = ({ action }: Delivery, { id }: Webhook, setup: Setup) =>
  act(setup, `replay ${id} --actions ${action} --yes`);

const isErased = ({ dataVariables }: Delivery): boolean => {
  const text = JSON.stringify(dataVariables ?? {});
  return text.includes(ERASED) || text.includes(encodeURIComponent(ERASED));
};

const isClosed = ({ acts = [] }: Delivery): boolean => ["discard", "erase"].includes(acts.at(-1)?.act ?? "");

const failedCure = (delivery: Delivery, webhook: Webhook, setup: Setup): string | undefined => {
  const { id, message = "", attempts } = delivery;
  if (isClosed(delivery)) return undefined;
  const [retry, discard] = [act(setup, `retry ${id}`), act(setup, `discard ${id}`)];
  if (delivery.action === "fetch") {
    const { fetchBackKey } = factsOf(setup, webhook.source) ?? {};
    const key =
      fetchBackKey === undefined
        ? "Check the key of the provider"
        : `Check the key (${setSecret(setup, fetchBackKey)})`;
    return `${key}, then ${retry}. The provider keeps events for 30 days. To close it: ${discard}`;
  }
  if (message.startsWith(reasons.expired))
    return `Expired mail is never sent: let the person ask for a new one. To close the delivery: ${discard}`;
  if (message.startsWith(reasons.noTemplate))
    return `Add the template to TEMPLATES in wrangler.toml${afterChange(setup)}, then ${retry}`;
  if (message.startsWith(reasons.noList))
    return `Add the mailing list to LISTS in wrangler.toml${afterChange(setup)}, then ${retry}`;
  const change = `change the rule, npm run check${afterChange(setup)}, then ${replayOf(delivery, webhook, setup)}`;
  return attempts.length === 0
    ? `To try again: ${retry}. To close the delivery: ${discard}`
    : `If the rule gave a wrong value: ${change}. If the cause was at the email service: ${retry}. To close the delivery: ${discard}`;
};

const undecidedCure = (delivery: Delivery, webhook: Webhook, setup: Setup): string => {
  const [retry, discard] = [act(setup, `retry ${delivery.id}`), act(setup, `discard ${delivery.id}`)];
  if (!delivery.message?.startsWith(reasons.unknownOutcome))
    return `${identityCure(delivery, webhook, setup)}, then ${retry}. To close the delivery: ${discard}`;
  return delivery.action === "contact" || delivery.action === "delete"
    ? `It may safely be made twice: ${retry}`
    : `Look at the email service if it was made. If it was: ${discard}. If not: ${act(setup, `send-again ${delivery.id} --yes`)}`;
};

const skippedCure = (delivery: Delivery, webhook: Webhook, setup: Setup): string | undefined => {
  const { id, message = "" } = delivery;
  const { source } = webhook;
  const then = `${afterChange(setup)}, then ${replayOf(delivery, webhook, setup)}`;
  if ([reasons.tooOld, reasons.byState, reasons.hasOther].some((reason) => message.startsWith(reason)))
    return `To send it all the same: ${act(setup, `send-again ${id} --yes`)}`;
  if (message === reasons.planOnly) return `Remove planOnly from the source ${source} in src/sources.ts${then}`;
  if (message === reasons.testData)
    return `To send test data too: set testData: "deliver" at the source ${source} in src/sources.ts${then}`;
  if (message === reasons.notAllowed)
    return `Add the address to ALLOWED_RECIPIENTS in wrangler.toml, or empty that setting${then}`;
  if (message === reasons.ignored)
    return `Take the address or its domain out of IGNORED_RECIPIENTS in wrangler.toml${then}`;
  return undefined;
};

/** A backfill reads customers, so it cannot link payments and charges. */
const PAYMENT = /(^|:)(pi|ch|py)_/;

const identityCure = ({ contact }: Delivery, { source }: Webhook, setup: Setup): string => {
  const { backfill: hasBackfill = false, fetchBackKey } = factsOf(setup, source) ?? {};
  const backfill = hasBackfill && !PAYMENT.test(contact.ref ?? "");
  const ways = [
    ...(backfill
      ? [`read the customers of ${source} (npm run backfill -- ${source} --since all${setup.options})`]
      : []),
    ...(fetchBackKey === undefined ? [] : [`let the bridge ask ${source} (${setSecret(setup, fetchBackKey)})`]),
    `let ${source} send a webhook that has the address`,
  ].join(", or ");
  return ways.charAt(0).toUpperCase() + ways.slice(1);
};

/** Returns the remedy for failed or idle rules; undefined if none is needed. */
export const ruleCure = ({ id, source, type, outcomes, deliveries }: Webhook, setup: Setup): string | undefined => {
  const replay = act(setup, `replay ${id} --actions contact,event,transactional --yes`);
  const then = `npm run check${afterChange(setup)}, then ${replay}`;
  if (outcomes.some(({ outcome }) => outcome === "failed"))
    return `Correct the rule in src/mappings (those of ${source}), ${then}`;
  const isUnmatched = outcomes.length === 0 || outcomes.some(({ outcome }) => outcome === "not matched");
  if (deliveries.length > 0 || !isUnmatched) return undefined;
  // The message names the event type to enable.
  if (outcomes.some(({ outcome, message }) => outcome === "not matched" && message !== undefined)) return undefined;
  const change = outcomes.length === 0 ? `add a rule on "${type}" to` : "change the condition in";
  return `If it should cause something: ${change} src/mappings (rules of ${source}), ${then}`;
};

export const doorCure = (source: string, code: string, setup: Setup): string => {
  const secret = setSecret(setup, factsOf(setup, source)?.secret ?? "the secret of the source");
  const cures: Readonly<Record<string, string>> = {
    missing_signature: "Check that the provider sends it, and that it signs its webhooks.",
    invalid_signature: `Copy the signing secret of this endpoint from the provider: ${secret}`,
    source_not_configured: `Copy the signing secret of this endpoint from the provider: ${secret}`,
    stale_timestamp: "It came too late, or its clock is wrong: let the provider send it again.",
    no_mail:
      "Add a rule with `transactional` for the type of this webhook (docs/rules.md), or switch this mail off at the provider.",
    unknown_source:
      "Correct the address at the provider: /hooks/ and the name of a source in src/sources.ts, without a slash at the end.",
  };
  return cures[code] ?? `See ${code} in docs/door.md.`;
};
