import { ERASED } from "../../src/lib/names/finder.ts";
import { reasons } from "../../src/outbox/model/reasons.ts";
import type { Call, Webhook } from "./found.ts";

/** Facts about a source. `fetchBackKey`: the variable of its `fetchBack`. */
export type SourceFacts = { secret: string; backfill: boolean; fetchBackKey?: string };

/** The bridge's location. `options`: its command options, with a leading space. */
export type Place = { options: string; isDeployed: boolean; sources: Readonly<Record<string, SourceFacts>> };

const act = ({ options }: Place, what: string) => `npm run act -- ${what}${options}`;
/** npm start reloads local changes. */
const afterChange = ({ isDeployed }: Place) => (isDeployed ? ", npm run deploy" : "");
const setSecret = ({ isDeployed }: Place, name: string) =>
  isDeployed ? `npx wrangler secret put ${name}` : `${name}=… in .dev.vars`;
const factsOf = ({ sources }: Place, name: string) => (Object.hasOwn(sources, name) ? sources[name] : undefined);

export const pauseCure = (place: Place, source?: string): string =>
  act(place, source === undefined ? "resume" : `resume ${source}`);

export const suppressionCure = (place: Place, email: string): string =>
  `If the address is good: ${act(place, `unsuppress ${email}`)}`;

/** Returns the remedy for an unsent delivery; undefined if none is needed. */
export const callCure = (call: Call, webhook: Webhook, place: Place): string | undefined => {
  if ((call.state === "dead" || call.state === "parked") && isErased(call) && !isClosed(call))
    return `Its one-time values are erased, so it cannot be sent again: let the person ask for a new one. To close the call: ${act(place, `discard ${call.id}`)}`;
  if (call.state === "dead") return deadCure(call, webhook, place);
  if (call.state === "parked") return parkedCure(call, webhook, place);
  if (call.state === "skipped") return skippedCure(call, webhook, place);
  const { for: waitsFor, source, behind } = call.waitingFor ?? {};
  if (waitsFor === "paused") return pauseCure(place, source);
  if (waitsFor === "blocked")
    return `Set an API key that the host accepts (${setSecret(place, "EMAIL_API_KEY")}). Delivery then goes on by itself.`;
  if (waitsFor === "identity" && call.waitsForTie) return undefined;
  if (waitsFor === "identity") return `${identityCure(call, webhook, place)}. The call then goes on by itself.`;
  return waitsFor === "turn" && behind !== undefined
    ? `See what the earlier call waits for: npm run why -- ${behind}${place.options}`
    : undefined;
};

const replayOf = ({ action }: Call, { id }: Webhook, place: Place) =>
  act(place, `replay ${id} --actions ${action} --yes`);

const isErased = ({ dataVariables }: Call): boolean => {
  const text = JSON.stringify(dataVariables ?? {});
  return text.includes(ERASED) || text.includes(encodeURIComponent(ERASED));
};

const isClosed = ({ acts = [] }: Call): boolean => ["discard", "forget"].includes(acts.at(-1)?.act ?? "");

const deadCure = (call: Call, webhook: Webhook, place: Place): string | undefined => {
  const { id, message = "", attempts } = call;
  if (isClosed(call)) return undefined;
  const [retry, discard] = [act(place, `retry ${id}`), act(place, `discard ${id}`)];
  if (message.startsWith(reasons.expired))
    return `Expired mail is never sent: let the person ask for a new one. To close the call: ${discard}`;
  if (message.startsWith(reasons.noTemplate))
    return `Add the template to TEMPLATES in wrangler.toml${afterChange(place)}, then ${retry}`;
  if (message.startsWith(reasons.noList))
    return `Add the mailing list to LISTS in wrangler.toml${afterChange(place)}, then ${retry}`;
  const change = `change the rule, npm run check${afterChange(place)}, then ${replayOf(call, webhook, place)}`;
  return attempts.length === 0
    ? `To try again: ${retry}. To close the call: ${discard}`
    : `If the rule gave a wrong value: ${change}. If the cause was at the host: ${retry}. To close the call: ${discard}`;
};

const parkedCure = (call: Call, webhook: Webhook, place: Place): string => {
  const [retry, discard] = [act(place, `retry ${call.id}`), act(place, `discard ${call.id}`)];
  if (!call.message?.startsWith(reasons.unknownOutcome))
    return `${identityCure(call, webhook, place)}, then ${retry}. To close the call: ${discard}`;
  return call.action === "contact" || call.action === "delete"
    ? `It may safely be made twice: ${retry}`
    : `Look at the host if it was made. If it was: ${discard}. If not: ${act(place, `send-again ${call.id} --yes`)}`;
};

const skippedCure = (call: Call, webhook: Webhook, place: Place): string | undefined => {
  const { id, message = "" } = call;
  const { source } = webhook;
  const then = `${afterChange(place)}, then ${replayOf(call, webhook, place)}`;
  if (message.startsWith(reasons.tooOld)) return `To send it all the same: ${act(place, `send-again ${id} --yes`)}`;
  if (message === reasons.shadow) return `Remove shadow from the source ${source} in src/sources.ts${then}`;
  if (message === reasons.testData)
    return `To send test data too: set testData: "deliver" at the source ${source} in src/sources.ts${then}`;
  if (message === reasons.notAllowed)
    return `Add the address to ALLOWED_RECIPIENTS in wrangler.toml, or empty that setting${then}`;
  return undefined;
};

/** A backfill reads customers, so it cannot link payments and charges. */
const PAYMENT = /(^|:)(pi|ch|py)_/;

const identityCure = ({ contact }: Call, { source }: Webhook, place: Place): string => {
  const { backfill: hasBackfill = false, fetchBackKey } = factsOf(place, source) ?? {};
  const backfill = hasBackfill && !PAYMENT.test(contact.ref ?? "");
  const ways = [
    ...(backfill
      ? [`read the customers of ${source} (npm run backfill -- ${source} --since all${place.options})`]
      : []),
    ...(fetchBackKey === undefined ? [] : [`let the bridge ask ${source} (${setSecret(place, fetchBackKey)})`]),
    `let ${source} send a webhook that has the address`,
  ].join(", or ");
  return ways.charAt(0).toUpperCase() + ways.slice(1);
};

/** Returns the remedy for failed or idle rules; undefined if none is needed. */
export const ruleCure = ({ id, source, type, outcomes, calls }: Webhook, place: Place): string | undefined => {
  const replay = act(place, `replay ${id} --actions contact,event,transactional --yes`);
  const then = `npm run check${afterChange(place)}, then ${replay}`;
  if (outcomes.some(({ outcome }) => outcome === "failed"))
    return `Correct the rule in src/mappings (those of ${source}), ${then}`;
  const isUnmatched = outcomes.length === 0 || outcomes.some(({ outcome }) => outcome === "not matched");
  if (calls.length > 0 || !isUnmatched) return undefined;
  // The message names the event type to enable.
  if (outcomes.some(({ outcome, message }) => outcome === "not matched" && message !== undefined)) return undefined;
  const change = outcomes.length === 0 ? `add a rule on "${type}" to` : "change the condition in";
  return `If it should cause something: ${change} src/mappings (rules of ${source}), ${then}`;
};

export const doorCure = (source: string, code: string, place: Place): string => {
  const secret = setSecret(place, factsOf(place, source)?.secret ?? "the secret of the source");
  const cures: Readonly<Record<string, string>> = {
    missing_signature: "Check that the provider sends it, and that it signs its webhooks.",
    invalid_signature: `Copy the signing secret of this endpoint from the provider: ${secret}`,
    source_not_configured: `Copy the signing secret of this endpoint from the provider: ${secret}`,
    stale_timestamp: "It came too late, or its clock is wrong: let the provider send it again.",
    unknown_source: "Correct the address at the provider: /hooks/ and the name of a source in src/sources.ts.",
  };
  return cures[code] ?? `See ${code} in docs/door.md.`;
};
