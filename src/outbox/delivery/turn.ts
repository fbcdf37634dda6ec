import { identifiersOf } from "../identity/resolve.ts";
import { readCalls } from "../journal/read.ts";
import type { WebhookCalls } from "../journal/rows.ts";
import { saveCalls } from "../journal/write.ts";
import { acceptedAt } from "../model/calls.ts";
import type { DeliveryConfig } from "../model/config.ts";
import { horizonOf, IDENTITY_WAIT, isKeyed } from "../model/policy.ts";
import { reasons } from "../model/reasons.ts";
import type { Call, CallRef } from "../model/types.ts";
import { addToUpdate, emptyUpdate, requestOf, startUpdate, updateRequest } from "./build-request.ts";
import type { FinalState, HostRequest } from "./host-request.ts";
import { type Downtime, downtimeBetween } from "./limits/downtime.ts";
import { moveRequest } from "./move-former.ts";
import type { Settled } from "./settle.ts";

export type Decision =
  | { kind: "send"; call: Call; request: HostRequest; joined: readonly CallRef[]; settled: readonly Settled[] }
  | { kind: "settled"; call: Call }
  /** Waits for an identity link until this time (Unix ms). */
  | { kind: "wait"; call: Call; until: number };

/** Decides about a waiting delivery. Writes a row only if it is settled without a request. */
export const decide = (
  sql: SqlStorage,
  config: DeliveryConfig,
  { seq, index }: CallRef,
  now: number,
  downtime: Downtime,
  behind: readonly CallRef[],
): Decision | undefined => {
  const webhook = readCalls(sql, seq);
  const call = webhook?.calls[index];
  if (!webhook || call?.state !== "waiting") return undefined;
  const settled = (final: FinalState): Decision => ({
    kind: "settled",
    call: settleNow(sql, webhook, index, inDoubt(call, final), now),
  });

  const ended = endOf(call, downtime, now);
  if (ended) return settled(ended);
  const request = call.former
    ? moveRequest(sql, config, webhook, { ...call, former: call.former })
    : requestOf(sql, config, webhook, call);
  if ("wait" in request) {
    const accepted = acceptedAt(seq);
    const until = accepted + IDENTITY_WAIT + downtimeBetween(downtime, accepted, now);
    return now >= until
      ? settled({ state: "parked", message: [request.wait, call.asked].filter(Boolean).join(" ") })
      : { kind: "wait", call, until };
  }
  if ("state" in request) return settled(request);
  const old = tooOld(call, webhook, downtimeBetween(downtime, acceptedAt(seq), now), now);
  if (old) return settled(old);
  return call.action === "contact" && !call.removes && !call.former && behind.length > 0
    ? joinUpdates(sql, config, webhook, call, behind, now)
    : { kind: "send", call, request, joined: [], settled: [] };
};

const endOf = (call: Call, downtime: Downtime, now: number): FinalState | undefined => {
  if (call.action === "transactional" && call.expiresAt !== undefined && now >= call.expiresAt) {
    return { state: "dead", message: `${reasons.expired}: the mail was not sent before its expiry time.` };
  }
  if (call.unknownSince === undefined) return undefined;
  // Keyed deliveries ignore downtime: the email service forgets keys after 24 h regardless.
  const down = isKeyed(call) ? 0 : downtimeBetween(downtime, call.unknownSince, now);
  if (now < call.unknownSince + horizonOf(call) + down) return undefined;
  const message = `${reasons.unknownOutcome}, and will soon forget its key. Check at the host, then retry or discard.`;
  return { state: "parked", message };
};

/** An earlier attempt of the mail or event may have succeeded. */
const inDoubt = (call: Call, { state, message }: FinalState): FinalState =>
  isKeyed(call) && call.unknownSince !== undefined && state !== "parked"
    ? { state, message: `${message} ${reasons.maybeSent}` }
    : { state, message };

/** Downtime does not count. */
const tooOld = (call: Call, { occurredAt }: WebhookCalls, down: number, now: number): FinalState | undefined => {
  if (call.action !== "transactional" || call.notAfter === undefined || call.attempts.length > 0) return undefined;
  if (now < call.notAfter + down) return undefined;
  const happened = new Date(occurredAt).toISOString().slice(0, 10);
  const message = `${reasons.tooOld}: the webhook is of ${happened}. To send the mail all the same, use send-again.`;
  return { state: "skipped", message };
};

const settleNow = (sql: SqlStorage, webhook: WebhookCalls, index: number, final: FinalState, now: number): Call => {
  const call = webhook.calls[index] as Call;
  Object.assign(call, final, { settledAt: now });
  return saveCalls(sql, webhook)[index] ?? call;
};

/** The effect is the same as sending them in order. */
const joinUpdates = (
  sql: SqlStorage,
  config: DeliveryConfig,
  webhook: WebhookCalls,
  call: Call & { action: "contact" },
  behind: readonly CallRef[],
  now: number,
): Decision => {
  const contact = identifiersOf(sql, call, webhook.occurredAt) ?? {};
  const update = startUpdate(sql, contact);
  addToUpdate(update, config, webhook, call);
  const joined: CallRef[] = [];
  const settled: Settled[] = [];
  for (const { seq, index } of behind) {
    const next = readCalls(sql, seq);
    const other = next?.calls[index];
    if (!next || other?.state !== "waiting" || other.action !== "contact") break;
    const otherContact = identifiersOf(sql, other, next.occurredAt);
    const isSame = otherContact?.email === contact.email && otherContact?.userId === contact.userId;
    if (other.removes || other.former || !isSame) break;
    const alone = addToUpdate({ ...update, ...emptyUpdate() }, config, next, other);
    if (alone?.state === "superseded") {
      settled.push({ seq, index, source: next.source, call: settleNow(sql, next, index, alone, now) });
      continue;
    }
    if (addToUpdate(update, config, next, other)) break;
    joined.push({ seq, index });
  }
  return { kind: "send", call, request: updateRequest(update, config), joined, settled };
};
