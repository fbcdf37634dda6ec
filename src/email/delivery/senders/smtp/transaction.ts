import type { Handover, Message, RefusedCopy } from "../../../types/mail-handover.ts";
import type { Timers } from "../definition.ts";
import { codesOf, messageOf, notConnected, refusalOf } from "./classify.ts";
import { toData } from "./data.ts";
import type { Limits } from "./limits.ts";
import { needsUtf8, type Problem, problemOf } from "./problem.ts";
import type { Step } from "./reply-patterns.ts";
import type { Reply } from "./reply-reader.ts";
import { commands, type Session } from "./session.ts";
import { TimeLimitError } from "./wire.ts";

const BLOCK = 65_536;

export type Transaction = {
  handover: Handover;
  reusable: boolean;
  /** The connection ended before the server read any of this mail. */
  untouched?: true;
};

type Replies = { mail: Reply; recipients: readonly Reply[]; data?: Reply };

/** Sends one mail. After the final dot, a missing reply means an unknown outcome. */
export const transact = async (
  session: Session,
  message: Message,
  { limits, timers }: { limits: Limits; timers: Timers },
  until: number,
): Promise<Transaction> => {
  const data = toData(message.raw);
  if ("problem" in data) return notAsked({ message: data.problem });
  const problem = problemOf(session, message, data.eightBit);
  if (problem) return notAsked(problem);
  const { wire } = session;
  const left = (ms: number) => Math.min(ms, until - timers.now());
  const fail = (handover: Handover, extra = {}): Transaction => {
    wire.close();
    return { handover, reusable: false, ...extra };
  };

  let replies: Replies;
  let touched = false;
  const untouched = () => (touched ? {} : { untouched: true as const });
  try {
    const read = async () => {
      const reply = await wire.read(left(limits.command));
      touched ||= reply.code !== 421;
      return reply;
    };
    replies = await envelope(session, envelopeCommands(session, message, data), read, (bytes) =>
      wire.write(bytes, left(limits.command)),
    );
  } catch (error) {
    return fail(notConnected(error), untouched());
  }
  const refused = refusedBy(replies);
  if (refused) {
    // Without a final dot the server accepts nothing, so closing is safe.
    if (refused.ends || replies.data?.code === 354) return fail(refused.handover, untouched());
    return { handover: refused.handover, reusable: await reset(session, left(limits.command)) };
  }

  // An early reply would be read as the reply to the message.
  if (wire.hasMore()) return fail(notConnected(new Error("the mail provider answered the message before it was sent")));

  const failure = await writeBlocks(session, data.bytes, left, limits);
  if (failure) return fail(await afterFailedWrite(session, failure));
  let end: Reply;
  try {
    end = await wire.read(left(limits.end));
  } catch (error) {
    return fail({ outcome: "unknown", message: `The mail provider may have accepted the mail: ${messageOf(error)}` });
  }
  session.mails++;
  if (end.code >= 300 && end.code < 400) {
    return fail({ outcome: "unknown", message: `The mail provider answered the message with ${end.code} ${end.text}` });
  }
  const reusable = end.code !== 421;
  if (!reusable) wire.close();
  if (end.code >= 400) return { handover: refusalOf("end", end), reusable };
  const reply = [end.code, end.enhanced, end.text].filter((part) => part !== undefined && part !== "").join(" ");
  const copies = refusedCopies(message, replies);
  return {
    handover: { outcome: "accepted", reply, ...(copies.length > 0 ? { refusedCopies: copies } : {}) },
    reusable,
  };
};

const notAsked = (problem: Problem): Transaction => ({
  handover: { outcome: "refused", about: "content", ...problem },
  reusable: true,
});

const envelopeCommands = (session: Session, message: Message, { eightBit }: { eightBit: boolean }): string[] => {
  const { from, to } = message.envelope;
  const parameters = [
    ...(session.maxSize === undefined ? [] : [` SIZE=${message.raw.length}`]),
    ...(eightBit ? [" BODY=8BITMIME"] : []),
    ...(needsUtf8(message) ? [" SMTPUTF8"] : []),
  ];
  return [`MAIL FROM:<${from}>${parameters.join("")}`, ...to.map((address) => `RCPT TO:<${address}>`), "DATA"];
};

/** Uses one write if the server offers PIPELINING (RFC 2920). */
const envelope = async (
  { pipelining }: Session,
  lines: readonly string[],
  read: () => Promise<Reply>,
  write: (bytes: Uint8Array) => Promise<void>,
): Promise<Replies> => {
  if (pipelining) await write(commands(...lines));
  const replies: Reply[] = [];
  for (const line of lines) {
    if (!pipelining) await write(commands(line));
    const reply = await read();
    replies.push(reply);
    const isMain = replies.length <= 2;
    if (reply.code === 421 || (!pipelining && isMain && reply.code >= 400)) break;
  }
  const [mail, ...rest] = replies as [Reply, ...Reply[]];
  const data = replies.length === lines.length ? rest.pop() : undefined;
  return { mail, recipients: rest, ...(data ? { data } : {}) };
};

type Refused = { handover: Handover; ends: boolean };

/** Only the main recipient counts: a refused copy does not stop the mail. */
const refusedBy = ({ mail, recipients, data }: Replies): Refused | undefined => {
  const [main] = recipients;
  if (!isAccepted(mail)) return refusalBy("MAIL", mail);
  if (main && !isAccepted(main)) return refusalBy("RCPT", main);
  if (!data) return refusalBy("RCPT", recipients.at(-1) ?? mail);
  return data.code === 354 ? undefined : refusalBy("DATA", data);
};

const refusalBy = (step: Step, reply: Reply): Refused => {
  if (reply.code >= 400) return { handover: refusalOf(step, reply), ends: [421, 503].includes(reply.code) };
  const error = new Error(
    `the mail provider does not follow the protocol, it answered ${step} with ${reply.code} ${reply.text}`,
  );
  return { handover: notConnected(error), ends: true };
};

const isAccepted = ({ code }: Reply): boolean => code >= 200 && code < 300;

const refusedCopies = ({ envelope: { to } }: Message, { recipients }: Replies): RefusedCopy[] =>
  recipients.flatMap((reply, n) => {
    if (isAccepted(reply)) return [];
    return [{ to: to[n] ?? "", ...codesOf(reply), message: reply.text }];
  });

const reset = async ({ wire }: Session, ms: number): Promise<boolean> => {
  try {
    await wire.write(commands("RSET"), ms);
    if ((await wire.read(ms)).code === 250) return true;
  } catch {
    // The connection has failed: it is not used again.
  }
  wire.close();
  return false;
};

type FailedWrite = { error: unknown; mayBeComplete: boolean };

const writeBlocks = async (
  { wire }: Session,
  bytes: Uint8Array,
  left: (ms: number) => number,
  { block }: Limits,
): Promise<FailedWrite | undefined> => {
  for (let at = 0; at < bytes.length; at += BLOCK) {
    try {
      await wire.write(bytes.subarray(at, at + BLOCK), left(block));
    } catch (error) {
      return { error, mayBeComplete: at + BLOCK >= bytes.length && error instanceof TimeLimitError };
    }
  }
  return undefined;
};

const afterFailedWrite = async ({ wire }: Session, { error, mayBeComplete }: FailedWrite): Promise<Handover> => {
  if (mayBeComplete) {
    return { outcome: "unknown", message: `The mail provider may have accepted the mail: ${messageOf(error)}` };
  }
  try {
    const reply = await wire.read(REASON_MS);
    if (reply.code >= 400) return refusalOf("end", reply);
  } catch {
    // No reason was given.
  }
  return notConnected(error);
};

/** In ms. */
const REASON_MS = 1_000;
