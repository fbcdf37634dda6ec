import { DurableObject } from "cloudflare:workers";
import { connect, timers } from "../../src/email/delivery/senders/runtime.ts";
import { readAccounts } from "../../src/email/delivery/senders/smtp/accounts.ts";
import { LIMITS } from "../../src/email/delivery/senders/smtp/limits.ts";
import { createPool, type Pool } from "../../src/email/delivery/senders/smtp/pool.ts";
import type { Handover, Message } from "../../src/email/types/mail-handover.ts";

/** A mail for the test Worker. `copies`: sent at once. `isPatient`: with the limits of the product. */
export type Order = {
  url: string;
  maxConnections?: number;
  raw: string;
  envelope: Message["envelope"];
  copies?: number;
  isPatient?: boolean;
};
type Env = { MAILER: { getByName(name: string): Mailer } };

/** Short, because the clock of these tests is real. */
const limits = { ...LIMITS, command: 700, greeting: 700, connect: 2_000, block: 700, end: 700, idle: 5_000 };

/** Holds pools of connections, as the email service's objects do. */
export class Mailer extends DurableObject<Env> {
  readonly #pools = new Map<string, Pool>();

  async send(order: Order): Promise<{ handovers: Handover[]; ms: number }> {
    const { url, copies = 1, envelope } = order;
    const pool = this.#pools.get(url) ?? this.#open(order);
    this.#pools.set(url, pool);
    const raw = Uint8Array.from(atob(order.raw), (one) => one.charCodeAt(0));
    const before = Date.now();
    const handovers = await Promise.all(
      Array.from({ length: copies }, (_, n) => pool.send({ id: `snd_${n}`, raw, envelope, smtpUtf8: false })),
    );
    return { handovers, ms: Date.now() - before };
  }

  #open({ url, maxConnections = 1, isPatient = false }: Order): Pool {
    const read = readAccounts(url);
    if ("problem" in read) throw new Error(read.problem);
    const [account] = read.accounts;
    if (!account) throw new Error("no account");
    const own = { ...account, maxConnections, maxMails: 1_000_000 };
    return createPool(own, { connect, timers, limits: isPatient ? LIMITS : limits });
  }
}

export default {
  async fetch(request, env): Promise<Response> {
    return Response.json(await env.MAILER.getByName("one").send(await request.json<Order>()));
  },
} satisfies ExportedHandler<Env>;
