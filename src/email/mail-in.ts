import { log } from "../lib/util/log.ts";
import { callObject } from "../lib/util/retry-object.ts";
import { type Env, tokenSecretsOf } from "./env.ts";
import { MAX_MAIL } from "./mail/bounces/bounded.ts";
import { parseReport } from "./mail/bounces/parse.ts";
import { readToken, tokenIn } from "./mail/bounces/return-path-token.ts";
import { looksLikeReport, MOST_TRACES, tracesIn } from "./mail/bounces/traces.ts";
import { readToken as readLink } from "./mail/links/link-token.ts";
import type { SendName } from "./mail/links/mail-key.ts";

type Incoming = Pick<ForwardableEmailMessage, "to" | "raw" | "setReject">;

/**
 * Receives a bounce or complaint. Only a mail that belongs to a send is parsed. Forged return paths get the same answer
 * as real ones. Throws if a team's object fails, for redelivery.
 */
export const receiveMail = async ({ to, raw, setReject }: Incoming, env: Env): Promise<void> => {
  const secrets = tokenSecretsOf(env);
  const token = tokenIn(to);
  const addressed = token === undefined ? undefined : await readToken(token, secrets);
  const mail = await beginningOf(raw);
  // Complaints go to a registered address; the report contains the return path or the header of the mail.
  const send = addressed ?? (await sendIn(mail, secrets));
  if (send) return receiveReport(mail, send, env);
  if (token === undefined && !looksLikeReport(mail)) return setReject("This address takes bounces only.");
  log("bounce_ignored", { reason: "its return path is not one of ours" });
};

const receiveReport = async (mail: Uint8Array, { team, n }: SendName, env: Env): Promise<void> => {
  const { feedback, ignored } = await parseReport(mail);
  if (feedback.length === 0) return log("bounce_ignored", { team, reason: ignored ?? "" });
  const known = await callObject(() => env.WORKSPACE.getByName(team).feedback("mail", [{ n, feedback }]));
  if (known > 0) log("bounce_received", { team, kinds: feedback.map(({ kind }) => kind).join(" ") });
  else log("bounce_ignored", { team, reason: "the mail is not known any more" });
};

/** The send that a mail returns, by the signs in its bytes. */
const sendIn = async (mail: Uint8Array, secrets: readonly string[]): Promise<SendName | undefined> => {
  const { tokens, links } = tracesIn(mail);
  for (const token of tokens.slice(0, MOST_TRACES)) {
    const send = await readToken(token, secrets);
    if (send) return send;
  }
  for (const link of links.slice(0, MOST_TRACES)) {
    const target = await readLink(secrets, "unsubscribe", link);
    if (target) return { team: target.team, n: target.send };
  }
  return undefined;
};

const beginningOf = async (raw: ReadableStream<Uint8Array>): Promise<Uint8Array> => {
  const bytes = new Uint8Array(MAX_MAIL);
  let size = 0;
  // Leaving the loop early ends the transfer.
  for await (const chunk of raw as unknown as AsyncIterable<Uint8Array>) {
    const part = chunk.subarray(0, MAX_MAIL - size);
    bytes.set(part, size);
    size += part.byteLength;
    if (size === MAX_MAIL) break;
  }
  return bytes.subarray(0, size);
};
