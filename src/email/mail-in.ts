import { log } from "../lib/util/log.ts";
import { callObject } from "../lib/util/retry-object.ts";
import { type Env, tokenSecretsOf } from "./env.ts";
import { MAX_MAIL } from "./mail/bounces/bounded.ts";
import { parseReport } from "./mail/bounces/parse.ts";
import {
  leaveTokenIn,
  OF_REPORTS,
  readToken,
  reportTokenIn,
  rowOf,
  tokenIn,
} from "./mail/bounces/return-path-token.ts";
import {
  linkInSubject,
  looksLikeReport,
  type MessageId,
  MOST_TRACES,
  type Traces,
  tracesIn,
} from "./mail/bounces/traces.ts";
import { readReportMail } from "./mail/dmarc-reports/read-mail.ts";
import { readToken as readLink } from "./mail/links/link-token.ts";
import type { SendName } from "./mail/links/mail-key.ts";
import { DIRECTORY_NAME } from "./types/directory-rpc.ts";

type Incoming = Pick<ForwardableEmailMessage, "to" | "raw" | "setReject">;

/**
 * Receives a bounce or complaint. Only a mail that belongs to a send is parsed. Forged return paths get the same answer
 * as real ones. Throws if a team's object fails, for redelivery.
 */
export const receiveMail = async ({ to, raw, setReject }: Incoming, env: Env): Promise<void> => {
  const secrets = tokenSecretsOf(env);
  const leaving = leaveTokenIn(to);
  if (leaving !== undefined) return leave(leaving, await beginningOf(raw), env);
  const reports = reportTokenIn(to);
  if (reports !== undefined) return receiveAggregate(reports, raw, env);
  const token = tokenIn(to);
  const addressed = token === undefined ? undefined : await readToken(token, secrets);
  const mail = await beginningOf(raw);
  // Complaints go to a registered address; the report contains the return path or the header of the mail.
  if (addressed) return receiveReport(mail, addressed, env);
  const traces = tracesIn(mail);
  const send = await sendOfPath(traces, secrets);
  if (send) return receiveReport(mail, send, env);
  const returned = await sendOfHeader(traces, env);
  if (returned) return receiveReport(mail, returned, env, true);
  if (token === undefined && !looksLikeReport(mail)) return setReject("This address takes bounces only.");
  log("bounce_ignored", { reason: "its return path is not one of ours" });
};

/**
 * Unsubscribes the recipient of a mail, by its address in List-Unsubscribe. The subject names the contact, also when the
 * send is not kept any more.
 */
const leave = async (token: string, mail: Uint8Array, env: Env): Promise<void> => {
  const secrets = tokenSecretsOf(env);
  const send = await readToken(token, secrets);
  if (!send) return log("bounce_ignored", { reason: "its address to unsubscribe is not one of ours" });
  const workspace = () => env.WORKSPACE.getByName(send.team);
  const link = linkInSubject(mail);
  const target = link === undefined ? undefined : await readLink(secrets, "unsubscribe", link);
  const isNamed = target?.team === send.team && target.send === send.n;
  const view = await callObject(() =>
    isNamed ? workspace().recipient(target, { do: "leave" }) : workspace().leave(send.n),
  );
  if (view?.contact) log("unsubscribed_by_mail", { team: send.team });
  else log("bounce_ignored", { team: send.team, reason: "the contact is not known any more" });
};

/** Takes an aggregate report of DMARC at the address of a team. Without a valid token nothing of it is read. */
const receiveAggregate = async (token: string, raw: ReadableStream<Uint8Array>, env: Env): Promise<void> => {
  const read = await readToken(token, tokenSecretsOf(env));
  if (read?.n !== OF_REPORTS) return log("dmarc_report", { ignored: "its address is not one of ours" });
  const { team } = read;
  const report = await readReportMail(await beginningOf(raw));
  if (!report) return log("dmarc_report", { team, ignored: "it has no report" });
  const isAdded = await callObject(() => env.WORKSPACE.getByName(team).addDmarcReport(report));
  if ("unread" in report) return log("dmarc_report", { team, ignored: report.unread });
  log("dmarc_report", isAdded ? { team } : { team, ignored: "known, too old, or about another domain" });
};

/** `isQuoted`: anyone who got the mail can quote it, so only a complaint counts. */
const receiveReport = async (mail: Uint8Array, { team, n }: SendName, env: Env, isQuoted = false): Promise<void> => {
  const { feedback: all, ignored = "a report to another address" } = await parseReport(mail);
  const feedback = isQuoted ? all.filter(({ kind }) => kind === "complaint") : all;
  if (feedback.length === 0) return log("bounce_ignored", { team, reason: ignored });
  const known = await callObject(() => env.WORKSPACE.getByName(team).feedback("mail", [{ n, feedback }]));
  if (known > 0) log("bounce_received", { team, kinds: feedback.map(({ kind }) => kind).join(" ") });
  else log("bounce_ignored", { team, reason: "the mail is not known any more" });
};

/** The send with a return path in the bytes of a mail. */
const sendOfPath = async ({ tokens }: Traces, secrets: readonly string[]): Promise<SendName | undefined> => {
  for (const token of tokens.slice(0, MOST_TRACES)) {
    const send = await readToken(token, secrets);
    if (send) return send;
  }
  return undefined;
};

/** The send with a link to unsubscribe or a Message-ID in the bytes of a mail. */
const sendOfHeader = async ({ links, messageIds }: Traces, env: Env): Promise<SendName | undefined> => {
  const secrets = tokenSecretsOf(env);
  for (const link of links.slice(0, MOST_TRACES)) {
    const target = await readLink(secrets, "unsubscribe", link);
    if (target) return { team: target.team, n: target.send };
  }
  const [messageId] = messageIds;
  return messageId && sendWithId(messageId, env);
};

/** A Message-ID has 20 random characters, but no signature: the team of its domain knows it. */
const sendWithId = async ({ id, domain }: MessageId, env: Env): Promise<SendName | undefined> => {
  const n = rowOf(id);
  if (n === undefined) return undefined;
  const teams = await callObject(() => env.DIRECTORY.getByName(DIRECTORY_NAME).teamsOf(domain));
  const known = await Promise.all(teams.map((team) => callObject(() => env.WORKSPACE.getByName(team).hasSend(id))));
  const team = teams.find((_, place) => known[place]);
  return team === undefined ? undefined : { team, n };
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
