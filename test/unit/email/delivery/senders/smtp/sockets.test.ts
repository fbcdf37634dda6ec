import { describe, expect, it } from "vitest";
import type { Connect, Timers } from "../../../../../../src/email/delivery/senders/definition.ts";
import type { Account } from "../../../../../../src/email/delivery/senders/smtp/accounts.ts";
import { LIMITS } from "../../../../../../src/email/delivery/senders/smtp/limits.ts";
import { createPool } from "../../../../../../src/email/delivery/senders/smtp/pool.ts";
import { createSockets } from "../../../../../../src/email/delivery/senders/smtp/sockets.ts";
import { memoryConnect, virtualTime } from "../../../../../mail-provider/memory.ts";
import { createMailProvider } from "../../../../../mail-provider/relay.ts";
import { messageOf } from "./send.ts";

const accountOf = (name: string): Account => ({
  name,
  host: "127.0.0.1",
  port: 2525,
  tls: "off",
  maxConnections: 5,
  maxMails: 100,
});

/** Pools of one Mailer, each of an account. `most`: the most connections that were open at once. `early`: ms of its timers. */
const poolsOf = (count: number, early = 0) => {
  const { serve, seen } = createMailProvider({});
  const time = virtualTime();
  const timers: Timers = {
    now: time.timers.now,
    after: (ms, run) => time.timers.after(Math.max(1, ms - early), run),
  };
  const inner = memoryConnect(serve);
  const open = { now: 0, most: 0, ever: 0 };
  const connect: Connect = (address, tls) => {
    const socket = inner(address, tls);
    open.now += 1;
    open.ever += 1;
    open.most = Math.max(open.most, open.now);
    let isOpen = true;
    return {
      ...socket,
      close: () => {
        if (isOpen) open.now -= 1;
        isOpen = false;
        return socket.close();
      },
    };
  };
  const sockets = createSockets(timers);
  const pools = Array.from({ length: count }, (_, n) =>
    createPool(accountOf(`account ${n}`), { connect, timers, limits: LIMITS }, sockets),
  );
  return { pools, open, time, seen };
};

const mail = (n: number) => ({ ...messageOf("Subject: x\r\n\r\ny\r\n"), id: `snd_${n}` });

describe("the connections of a Mailer", () => {
  it("are six at most, however many accounts it has; an idle one makes room", async () => {
    const { pools, open, time, seen } = poolsOf(4);
    for (let round = 0; round < 5; round++) {
      const sent = pools.map((pool, n) => pool.send(mail(round * 10 + n)));
      const handovers = await time.run(Promise.all(sent));
      expect(handovers.map(({ outcome }) => outcome)).toEqual(["accepted", "accepted", "accepted", "accepted"]);
    }
    expect(open.most).toBe(4);
    const burst = pools.flatMap((pool, n) => Array.from({ length: 5 }, (_, k) => pool.send(mail(100 + n * 10 + k))));
    const handovers = await time.run(Promise.all(burst));
    expect(new Set(handovers.map(({ outcome }) => outcome))).toEqual(new Set(["accepted"]));
    expect(seen.mails).toHaveLength(40);
    expect(open.most).toBe(6);
  });

  it("are kept for the next mail of their account while no other waits", async () => {
    const { pools, open, time } = poolsOf(2);
    for (let n = 0; n < 5; n++) await time.run(Promise.all(pools.map((pool, k) => pool.send(mail(n * 10 + k)))));
    expect(open.ever).toBe(2);
    await time.advance(LIMITS.idle + LIMITS.quit);
    expect(open.now).toBe(0);
  });

  it.each([0, 5])("are closed when each was idle for its time, by timers that fire %i ms early", async (early) => {
    const { pools, open, time } = poolsOf(1, early);
    const [pool] = pools;
    const send = (n: number) => pool?.send(mail(n));
    await time.run(Promise.all([send(1), send(2)]));
    expect(open.now).toBe(2);
    await time.advance(LIMITS.idle / 2);
    await time.run(Promise.all([send(3)]));
    await time.advance(LIMITS.idle / 2 - 1);
    expect(open.now).toBe(2);
    await time.advance(1 + LIMITS.quit);
    expect(open.now).toBe(1);
    await time.advance(LIMITS.idle / 2);
    expect(open.now).toBe(0);
  });
});
