import { describe, expect, it } from "vitest";
import type { Connect } from "../../../../../../src/email/delivery/senders/definition.ts";
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

/** Pools of one Mailer, each of an account. `most`: the most connections that were open at once. */
const poolsOf = (count: number) => {
  const { serve, seen } = createMailProvider({});
  const time = virtualTime();
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
  const sockets = createSockets(time.timers);
  const pools = Array.from({ length: count }, (_, n) =>
    createPool(accountOf(`account ${n}`), { connect, timers: time.timers, limits: LIMITS }, sockets),
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
});
