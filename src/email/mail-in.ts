import { log } from "../lib/util/log.ts";
import { callObject } from "../lib/util/retry-object.ts";
import { type Env, tokenSecretsOf } from "./env.ts";
import { parseReport } from "./mail/bounces/parse.ts";
import { readToken, tokenIn } from "./mail/bounces/return-path-token.ts";
import type { SendName } from "./mail/links/mail-key.ts";

/** Bytes; the report precedes the returned mail, which may be large. */
const MAX_READ = 1_000_000;

/** Return paths of a report: of its mail, its complaint and a forwarder. */
const MOST_TOKENS = 10;

type Incoming = Pick<ForwardableEmailMessage, "to" | "raw" | "setReject">;

/**
 * Receives a bounce or complaint. Forged return paths get the same answer as real ones. Throws if a team's object
 * fails, for redelivery.
 */
export const receiveMail = async ({ to, raw, setReject }: Incoming, env: Env): Promise<void> => {
  const { feedback, returnPaths, ignored } = await parseReport(await beginningOf(raw));
  const token = tokenIn(to);
  // Complaints go to a registered address; the report contains the return path.
  const tokens = [...(token === undefined ? [] : [token]), ...returnPaths.flatMap((path) => tokenIn(path) ?? [])];
  if (tokens.length === 0 && feedback.length === 0) {
    setReject("This address takes bounces only.");
    return;
  }
  const send = await sendOf(tokens, tokenSecretsOf(env));
  if (!send) return log("bounce_ignored", { reason: "its return path is not one of ours" });
  if (feedback.length === 0) return log("bounce_ignored", { team: send.team, reason: ignored ?? "" });
  const known = await callObject(() => env.WORKSPACE.getByName(send.team).feedback("mail", [{ n: send.n, feedback }]));
  if (known > 0) log("bounce_received", { team: send.team, kinds: feedback.map(({ kind }) => kind).join(" ") });
  else log("bounce_ignored", { team: send.team, reason: "the mail is not known any more" });
};

const sendOf = async (tokens: readonly string[], secrets: readonly string[]): Promise<SendName | undefined> => {
  for (const token of tokens.slice(0, MOST_TOKENS)) {
    const send = await readToken(token, secrets);
    if (send) return send;
  }
  return undefined;
};

const beginningOf = async (raw: ReadableStream<Uint8Array>): Promise<Uint8Array> => {
  const bytes = new Uint8Array(MAX_READ);
  let size = 0;
  // Leaving the loop early ends the transfer.
  for await (const chunk of raw as unknown as AsyncIterable<Uint8Array>) {
    const part = chunk.subarray(0, MAX_READ - size);
    bytes.set(part, size);
    size += part.byteLength;
    if (size === MAX_READ) break;
  }
  return bytes.subarray(0, size);
};
