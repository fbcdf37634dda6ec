import type { Account } from "../../../../../../src/email/delivery/senders/smtp/accounts.ts";
import { readAccounts } from "../../../../../../src/email/delivery/senders/smtp/accounts.ts";
import { LIMITS } from "../../../../../../src/email/delivery/senders/smtp/limits.ts";
import { createPool } from "../../../../../../src/email/delivery/senders/smtp/pool.ts";
import type { Message } from "../../../../../../src/email/types/mail-handover.ts";
import { memoryConnect, virtualTime } from "../../../../../mail-provider/memory.ts";
import { type Behavior, createMailProvider } from "../../../../../mail-provider/relay.ts";

export const messageOf = (text: string, changes: Partial<Message> = {}): Message => ({
  id: "snd_1",
  raw: Buffer.from(text),
  envelope: { from: "bounce@example.com", to: ["ada@example.net"] },
  smtpUtf8: false,
  ...changes,
});

export const MESSAGE = messageOf("Subject: hello\r\n\r\nGood morning.\r\n");

const accountOf = (url: string, changes: Partial<Account> = {}): Account => {
  const read = readAccounts(url);
  if ("problem" in read) throw new Error(read.problem);
  return { ...(read.accounts[0] as Account), ...changes };
};

/** A pool of connections to a mail provider in memory, on a virtual clock. */
export const poolTo = (
  behavior: Behavior,
  { url = "smtp://user:secret@relay.test:587", changes = {}, pieces }: PoolOptions = {},
) => {
  const account = accountOf(url, changes);
  const mailProvider = createMailProvider(
    { login: { user: "user", password: "secret" }, ...behavior },
    account.tls === "on",
  );
  const time = virtualTime();
  const connect = memoryConnect(mailProvider.serve, pieces);
  const pool = createPool(account, { connect, timers: time.timers, limits: LIMITS });
  return {
    pool,
    time,
    seen: mailProvider.seen,
    send: (message = MESSAGE) => time.run(pool.send(message)),
  };
};

type PoolOptions = { url?: string; changes?: Partial<Account>; pieces?: (bytes: Uint8Array) => Uint8Array[] };
