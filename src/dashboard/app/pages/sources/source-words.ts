import type { BridgeContract } from "../../../../lib/contract/admin/bridge.ts";
import type { Response } from "../../../../lib/contract/operation.ts";

export type Source = Response<BridgeContract["sources"]["list"]>["data"][number];

const CODES: Readonly<Record<string, string>> = {
  missing_signature:
    "It had no signature. Check that the provider signs its webhooks, or find out who else posts to this address.",
  invalid_signature:
    "Its signature does not fit the secret. Compare the secret with the one that the provider shows for this address.",
  stale_timestamp: "Its signed time is too far from now. The provider sent an old webhook again, or a clock is wrong.",
  source_not_configured: "The source has no secret that can be used, so no signature can be checked.",
  key_unavailable: "The provider's public keys could not be read. The provider sends the webhook again.",
  body_too_large: "Its body, or the number of webhooks in it, is larger than the bridge accepts.",
  invalid_json: "Its signature is right, but its body cannot be read.",
  no_mail: "No rule sends the mail that the provider asks for.",
  unexpected_body: "Its signature is right, but its body is not one of this provider.",
  method_not_allowed: "The request was no POST. A browser that opens the address does that too.",
  journal_unavailable: "The bridge could not store it. The provider sends the webhook again.",
  overloaded: "Too many deliveries wait, or the disk is full. The provider sends the webhook again.",
};

export const meaningOf = (code: string): string => CODES[code] ?? "docs/door.md has the meaning of each code.";

/** A setup step that completes automatically. */
export type Step = { what: string; isDone: boolean; how?: string | undefined };

/** Setup steps of a source. */
export const stepsOf = ({ title, secret, rules, lastReceived, lastRefused }: Source): Step[] => [
  {
    what: `Enter the address at ${title}`,
    isDone: lastReceived !== null || lastRefused !== null,
    how: "It counts as done when the first webhook arrives, accepted or refused.",
  },
  {
    what: "Set the secret",
    isDone: secret.state === "set",
    how: secret.state === "unusable" ? `Its value cannot be used. ${secret.why ?? ""}` : undefined,
  },
  {
    what: "Write its rules",
    isDone: rules > 0,
    how: "Without rules, its webhooks are kept and cause nothing. The examples folder has a start for each provider.",
  },
  {
    what: "Receive a webhook",
    isDone: lastReceived !== null,
    how:
      lastRefused !== null && lastReceived === null
        ? `The last one was refused: ${meaningOf(lastRefused.code)}`
        : "Send a test from the provider's page, or let it send a real one.",
  },
];

/** Lines that set a secret, deployed and local. */
export const linesFor = ({ secret: { variable } }: Source): { deployed: string; local: string } => ({
  deployed: `npx wrangler secret put ${variable}`,
  local: `${variable}=`,
});

export const secretInWords = ({ secret: { state, values, why, variable } }: Source): string => {
  if (state === "missing") return `${variable} is not set, so every webhook is refused.`;
  if (state === "unusable") return `${variable} is set, but cannot be used: ${why ?? ""}`;
  if (why !== undefined) return `One of the ${values} values of ${variable} cannot be used: ${why}`;
  return values > 1
    ? `${variable} has ${values} values; webhooks with any of them are accepted. Remove the old one after the rotation.`
    : `${variable} is set.`;
};

type Said = { tone: "good" | "warn" | "bad" | "quiet"; kind: string; title: string; text: string };

/** The state of a source in one sentence, by the worst that is true. `kind`: state of its badge. */
export const saidOf = (source: Source): Said => {
  const { title, secret, lastReceived, lastRefused, pausedSince, planOnly } = source;
  if (secret.state === "missing" && lastReceived === null && lastRefused === null)
    return { tone: "quiet", kind: "not_set_up", title: "Not set up.", text: `${secret.variable} is not set.` };
  if (secret.state !== "set")
    return { tone: "bad", kind: secret.state, title: `${title} is refused.`, text: secretInWords(source) };
  if (lastRefused !== null && (lastReceived === null || lastRefused.at > lastReceived))
    return { tone: "bad", kind: "refused", title: "The last webhook was refused.", text: meaningOf(lastRefused.code) };
  if (pausedSince !== null)
    return {
      tone: "warn",
      kind: "paused",
      title: "A person paused this source.",
      text: "Its webhooks are still accepted, and their deliveries wait.",
    };
  if (planOnly)
    return { tone: "quiet", kind: "skipped", title: "Dry run:", text: "deliveries are shown, none is sent." };
  if (lastReceived === null) return { tone: "quiet", kind: "waiting", title: "No webhook yet.", text: "" };
  return { tone: "good", kind: "running", title: `Webhooks of ${title} are accepted.`, text: "" };
};
