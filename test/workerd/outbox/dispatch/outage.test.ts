import { describe, expect, it } from "vitest";
import { whyDelivery } from "../../../../src/outbox/operator/sentences.ts";
import { healthOf } from "../../../../src/routes/health.ts";
import { countRows } from "../journal/count-rows.ts";
import { failure } from "../service.ts";
import { type Bench, createBench, event, mail, update } from "../setup.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const ada = { email: "ada@example.com" };
const page = (status: number) => new Response("<html>no</html>", { status, headers: { "Content-Type": "text/html" } });
const lost = (): never => {
  throw new Error("Network connection lost.");
};
const unresolved = (): never => {
  throw new Error("internal error; reference = tfbipbcjknubp5o9qlsvk5l2");
};

type Failing = () => Response | "hang";
const KINDS: readonly (readonly [string, Failing, RegExp])[] = [
  ["a refused connection", lost, /gives no answer: connection refused or lost since/],
  [
    "DNS or TLS",
    unresolved,
    /gives no answer: no connection, because the host name does not resolve or TLS fails, since/,
  ],
  ["silence", () => "hang", /gives no answer: no answer in time since/],
  ["503 of the API", () => failure(503, "Try again."), /gives no usable answer: 503 since/],
  ["507 of the API", () => failure(507, "No room.", {}, "storage_full"), /gives no usable answer: 507 since/],
  ["a web page", () => page(200), /gives no usable answer: 200 with a web page \(text\/html\) since/],
  ["521 of the edge", () => page(521), /gives no usable answer: 521, connection refused since/],
];

/** Waits of half their longest time, as they are on average. */
const halfway = () => ({ random: () => 0.5 });

const people = (count: number) =>
  Array.from({ length: count }, (_, n) => {
    const contact = { email: `u${n}@example.com` };
    return [update(contact, { plan: "pro" }), event(contact), mail(contact)][n % 3] as ReturnType<typeof mail>;
  });

const requests = ({ service }: Bench): number => service.received.length + service.keyChecks.length;

/** Ms from `from` until the health names an outage. */
const untilTold = async (bench: Bench, from: number): Promise<number> => {
  await bench.waitFor(
    async () => expect((await bench.stub().health()).interruption).toMatchObject({ reason: "outage" }),
    30 * SECOND,
  );
  return bench.clock.now() - from;
};

const answered = async (bench: Bench): Promise<void> => {
  const { id } = await bench.accept({ deliveries: [mail({ email: "first@example.com" })] });
  await bench.deliveries(id);
};

describe.each(KINDS)("an outage by %s", (_, failing, words) => {
  it("is told within 15 s, costs few requests, and ends at the first answered probe with nothing lost or twice", async () => {
    const bench = await createBench(halfway);
    await answered(bench);
    bench.service.before = failing;
    const before = requests(bench);
    const from = bench.clock.now();
    const { id } = await bench.accept({ deliveries: people(120) });
    expect(await untilTold(bench, from)).toBeLessThanOrEqual(15 * SECOND);
    const { reasons, status } = healthOf(await bench.stub().health());
    expect({ status, said: reasons[0] }).toMatchObject({ status: "blocked", said: expect.stringMatching(words) });
    expect(reasons[0]).toMatch(/; last success \d\d:\d\d:\d\d; next attempt \d\d:\d\d:\d\d UTC\.$/);

    await bench.pass(20 * MINUTE);
    expect(requests(bench) - before).toBeLessThan(60);
    const { deliveries } = await bench.webhook(id);
    expect(deliveries.filter(({ attempts }) => attempts.length > 0).length).toBeLessThanOrEqual(12);
    expect(Math.max(...deliveries.map(({ attempts }) => attempts.length))).toBeLessThanOrEqual(5);
    expect(deliveries.every(({ state }) => state === "waiting" || state === "sending")).toBe(true);

    bench.service.before = () => undefined;
    const [probes, calls] = [bench.service.keyChecks.length, bench.service.received.length];
    await bench.deliveries(id, undefined, 5 * MINUTE);
    const probe = bench.service.keyChecks[probes]?.at ?? 0;
    expect((bench.service.received[calls]?.at ?? 0) - probe).toBeLessThanOrEqual(SECOND);
    const settled = (await bench.webhook(id)).deliveries;
    expect(settled.every(({ state }) => state === "done")).toBe(true);
    const acted = bench.service.acted.flatMap(({ key }) => key ?? []);
    expect(new Set(acted).size).toBe(acted.length);
    expect(acted).toHaveLength(80 + 1);
    expect((await bench.stub().health()).interruption).toBeNull();
  });

  it("is told within 15 s where one delivery waits, which goes with the first answered probe", async () => {
    const bench = await createBench(() => ({ random: () => 0.99 }));
    bench.service.before = failing;
    const from = bench.clock.now();
    const { id } = await bench.accept({ deliveries: [mail(ada)] });
    expect(await untilTold(bench, from)).toBeLessThanOrEqual(15 * SECOND);
    await bench.pass(10 * MINUTE);
    bench.service.before = () => undefined;
    await bench.waitFor(
      async () => expect((await bench.stub().health()).interruption).toBeNull(),
      61 * SECOND + 10 * SECOND,
    );
    expect(await bench.deliveries(id, undefined, 1.1 * SECOND)).toMatchObject([{ state: "done" }]);
  });
});

describe("answers to calls that are older than the first failed one", () => {
  /** Requests to these people take 8 s, and succeed. */
  const slowAnswers = async () => {
    const bench = await createBench(halfway);
    const slow = Array.from({ length: 2 }, (_, n) => ({ email: `slow${n}@example.com` }));
    const held = async ({ body }: { body: Record<string, unknown> }) => {
      if (!slow.some(({ email }) => email === body.email)) return false;
      await bench.service.sleep(8 * SECOND);
      return true;
    };
    bench.service.before = async (request) => void (await held(request));
    const { id } = await bench.accept({ deliveries: slow.map((one) => mail(one)) });
    await bench.waitFor(() => expect(bench.service.received).toHaveLength(2));
    bench.service.before = async (request) => ((await held(request)) ? undefined : lost());
    return { bench, id };
  };

  it("do not delay the news of an outage", async () => {
    const { bench, id } = await slowAnswers();
    const from = bench.clock.now();
    await bench.accept({ deliveries: [mail(ada)] });
    expect(await untilTold(bench, from)).toBeLessThanOrEqual(11 * SECOND);
    const earlier = (await bench.webhook(id)).deliveries;
    expect(earlier.every(({ state, settledAt = 0 }) => state === "done" && settledAt > from)).toBe(true);
  });

  it("do not end an outage: nothing is sent until a probe is answered", async () => {
    const { bench, id } = await slowAnswers();
    const from = bench.clock.now();
    await bench.accept({ deliveries: people(40) });
    expect(await untilTold(bench, from)).toBeLessThan(5 * SECOND);
    const calls = bench.service.received.length;
    await bench.deliveries(id, undefined, 20 * SECOND);
    expect((await bench.stub().health()).interruption).toMatchObject({ reason: "outage" });
    await bench.pass(MINUTE);
    expect(bench.service.received).toHaveLength(calls);
  });
});

it("an outage survives a restart: it is told at once, and a probe asks before any delivery", async () => {
  const bench = await createBench();
  bench.service.before = lost;
  const { id } = await bench.accept({ deliveries: people(20) });
  await untilTold(bench, bench.clock.now());
  await bench.pass(2 * MINUTE);
  const since = (await bench.stub().health()).interruption?.since;
  const calls = bench.service.received.length;
  await bench.crash();
  expect((await bench.stub().health()).interruption).toMatchObject({ reason: "outage", since });
  const probes = bench.service.keyChecks.length;
  await bench.waitFor(() => expect(bench.service.keyChecks.length).toBeGreaterThan(probes), 3 * SECOND);
  expect(bench.service.received).toHaveLength(calls);
  bench.service.before = () => undefined;
  expect((await bench.deliveries(id, undefined, MINUTE)).every(({ state }) => state === "done")).toBe(true);
});

it("a failed probe of an outage writes no row, and sets one alarm", async () => {
  const bench = await createBench();
  bench.service.before = lost;
  await bench.accept({ deliveries: people(20) });
  await untilTold(bench, bench.clock.now());
  // The counts of the first five minutes are a row, and so is the alert of a backlog after a quarter of an hour.
  await bench.pass(6 * MINUTE);
  const probes = bench.service.keyChecks.length;
  const { sql, alarms } = await countRows(bench, () => bench.pass(6 * MINUTE));
  const asked = bench.service.keyChecks.length - probes;
  expect(asked).toBeGreaterThanOrEqual(5);
  expect(sql).toBe(0);
  expect(alarms).toBeLessThanOrEqual(2 * asked + 1);
});

it("one delivery that the email service never answers is no outage: others go, and the health is silent", async () => {
  const bench = await createBench();
  bench.service.before = ({ path, body }) => (path !== "/v1/api-key" && body.email === ada.email ? "hang" : undefined);
  await bench.accept({ deliveries: [mail(ada), update(ada, { plan: "pro" })] });
  for (let n = 0; n < 20; n++) {
    await bench.pass(5 * SECOND);
    expect((await bench.stub().health()).interruption).toBeNull();
    const { id } = await bench.accept({ deliveries: [mail({ email: `v${n}@example.com` })] });
    const [quick] = await bench.deliveries(id);
    expect((quick?.settledAt ?? 0) - (quick?.attempts[0]?.at ?? 0)).toBeLessThan(500);
  }
});

describe("where reads are answered and writes are not", () => {
  const isRead = ({ method }: { method: string }) => method === "GET";
  const readOnly = async (count: number) => {
    const bench = await createBench(halfway);
    await answered(bench);
    const success = bench.clock.now();
    bench.service.before = (request) => (isRead(request) ? undefined : failure(503, "read-only"));
    const { id } = await bench.accept({ deliveries: people(count) });
    await untilTold(bench, bench.clock.now());
    return { bench, id, success, calls: bench.service.received.length };
  };

  it("the outage lasts, one delivery is tried within 10 s each time, and the backlog keeps its attempts", async () => {
    const { bench, id, success, calls } = await readOnly(400);
    const since = (await bench.stub().health()).interruption?.since;
    for (let n = 0; n < 120; n++) {
      await bench.pass(5 * SECOND);
      const { interruption } = await bench.stub().health();
      expect(interruption).toMatchObject({ reason: "outage", message: "503", since });
      expect(interruption?.lastSuccess).toBeLessThanOrEqual(success);
    }
    expect(bench.service.received.length - calls).toBeGreaterThan(55);
    expect(bench.service.received.length - calls).toBeLessThan(75);
    const { deliveries } = await bench.webhook(id);
    expect(deliveries.filter(({ attempts }) => attempts.length > 0).length).toBeLessThan(20);
    bench.service.before = () => undefined;
    await bench.waitFor(async () => expect((await bench.stub().health()).interruption).toBeNull(), 11 * SECOND);
    const done = await bench.deliveries(id, undefined, 5 * MINUTE);
    expect(done.every(({ state }) => state === "done")).toBe(true);
  });

  it("few deliveries keep their attempts too, and all go within a minute once writes work", async () => {
    const { bench, id, calls } = await readOnly(6);
    await bench.pass(25 * SECOND);
    expect(bench.service.received.length - calls).toBeLessThanOrEqual(6);
    const { deliveries } = await bench.webhook(id);
    expect(deliveries.flatMap(({ attempts }) => attempts).length).toBeLessThanOrEqual(12);
    await bench.pass(10 * MINUTE);
    expect(bench.service.received.length - calls).toBeLessThan(65);
    bench.service.before = () => undefined;
    expect((await bench.deliveries(id, undefined, 61 * SECOND)).every(({ state }) => state === "done")).toBe(true);
    expect((await bench.stub().health()).interruption).toBeNull();
  });

  it.each(KINDS)("it is told within 15 s, whatever the writes get: %s", async (_, failing, words) => {
    const bench = await createBench(halfway);
    await answered(bench);
    bench.service.before = (request) => (isRead(request) ? undefined : failing());
    const from = bench.clock.now();
    const { id } = await bench.accept({ deliveries: people(60) });
    expect(await untilTold(bench, from)).toBeLessThanOrEqual(15 * SECOND);
    expect(healthOf(await bench.stub().health()).reasons[0]).toMatch(words);
    await bench.pass(10 * MINUTE);
    const { deliveries } = await bench.webhook(id);
    expect(deliveries.filter(({ attempts }) => attempts.length > 0).length).toBeLessThan(20);
    bench.service.before = () => undefined;
    const done = await bench.deliveries(id, undefined, 5 * MINUTE);
    expect(done.every(({ state }) => state === "done")).toBe(true);
    expect((await bench.stub().health()).interruption).toBeNull();
  });

  it("two people who get no answer for long are enough, one is not, nor are two far apart", async () => {
    const bench = await createBench(halfway);
    await answered(bench);
    bench.service.before = (request) => (isRead(request) ? undefined : "hang");
    await bench.accept({ deliveries: [mail(ada), update(ada, { plan: "pro" })] });
    for (let n = 0; n < 30; n++) {
      await bench.pass(10 * SECOND);
      expect((await bench.stub().health()).interruption).toBeNull();
    }
    const from = bench.clock.now();
    await bench.accept({ deliveries: people(2) });
    expect(await untilTold(bench, from)).toBeLessThanOrEqual(15 * SECOND);
  });

  it("a delivery that first asks for its contact ends no outage by that answer", async () => {
    const { bench } = await readOnly(20);
    const removal = { ...update(ada, { plan: "none" }), removes: true as const };
    await bench.accept({
      deliveries: Array.from({ length: 10 }, (_, n) => ({ ...removal, contact: { email: `r${n}@example.com` } })),
    });
    for (let n = 0; n < 60; n++) {
      await bench.pass(5 * SECOND);
      expect((await bench.stub().health()).interruption).toMatchObject({ reason: "outage" });
    }
  });
});

it("a mail that a code waits for goes first after an outage", async () => {
  const bench = await createBench();
  bench.service.before = lost;
  const { id } = await bench.accept({ deliveries: people(60) });
  await untilTold(bench, bench.clock.now());
  const urgent = await bench.accept({ deliveries: [mail({ email: "code@example.com" }, { urgent: true })] });
  bench.service.before = () => undefined;
  const calls = bench.service.received.length;
  await bench.deliveries(urgent.id, undefined, MINUTE);
  expect(bench.service.received.length - calls).toBeLessThanOrEqual(3);
  await bench.deliveries(id, undefined, MINUTE);
});

describe("507 of the API", () => {
  it("is no attempt, leaves nothing unknown, and its update is not repeated", async () => {
    const bench = await createBench();
    bench.service.before = () =>
      bench.service.received.length === 1 ? failure(507, "No room.", {}, "storage_full") : undefined;
    const { id } = await bench.accept({ deliveries: [update(ada, { plan: "pro" }), event(ada)] });
    const [first, second] = await bench.deliveries(id, undefined, 5 * SECOND);
    expect(first).toMatchObject({ state: "done", attempts: [{ status: 200 }] });
    expect(first?.unknownSince).toBeUndefined();
    expect(second).toMatchObject({ state: "done" });
    await bench.pass(5 * MINUTE);
    expect((await bench.webhook(id)).deliveries).toHaveLength(2);
    expect(bench.service.received).toHaveLength(3);
  });

  it("for updates alone leaves the way free for mail: an email service without room still takes mail", async () => {
    const bench = await createBench(halfway);
    bench.service.before = ({ path }) =>
      path === "/v1/contacts/update" ? failure(507, "No room.", {}, "storage_full") : undefined;
    const updates = Array.from({ length: 200 }, (_, n) => update({ email: `u${n}@example.com` }, { plan: "pro" }));
    const { id } = await bench.accept({ deliveries: updates });
    await bench.pass(5 * MINUTE);
    for (let n = 0; n < 10; n++) {
      const code = await bench.accept({ deliveries: [mail({ email: `u${n}@example.com` }, { urgent: true })] });
      expect(await bench.deliveries(code.id, undefined, 11 * SECOND)).toMatchObject([{ state: "done" }]);
      await bench.pass(MINUTE);
    }
    const waiting = (await bench.webhook(id)).deliveries;
    expect(
      waiting.every(
        ({ state, attempts, unknownSince }) => state === "waiting" && !unknownSince && attempts.length === 0,
      ),
    ).toBe(true);
    bench.service.before = () => undefined;
    const done = await bench.deliveries(id, undefined, 15 * MINUTE);
    expect(done.every(({ state }) => state === "done")).toBe(true);
    expect(done).toHaveLength(200);
  });
});

describe("what an outage says", () => {
  it("why names what fails, the last success and the next attempt", async () => {
    const bench = await createBench();
    await answered(bench);
    bench.service.before = () => failure(503, "down");
    const { id } = await bench.accept({ deliveries: people(20) });
    await untilTold(bench, bench.clock.now());
    const shown = await bench.ask((outbox) => outbox.show(Number.parseInt(id.slice(3), 36)));
    const index = shown?.webhook.deliveries.findIndex(({ attempts }) => attempts.length === 0) ?? 0;
    const waits = shown?.waits[index];
    expect(waits).toMatchObject({ for: "outage", message: "503", lastSuccess: expect.any(Number) });
    const delivery = shown?.webhook.deliveries[index];
    expect(delivery && whyDelivery(delivery, waits)).toMatch(
      /^waiting for the email service\. The email service gives no usable answer: 503 since .*next attempt .* No delivery is lost\.$/,
    );
  });

  it("the gateway refuses at once, and says when to come back", async () => {
    const bench = await createBench();
    bench.service.before = lost;
    await bench.accept({ deliveries: people(20) });
    await untilTold(bench, bench.clock.now());
    await bench.pass(MINUTE);
    const forward = { method: "POST", path: "/v1/contacts/update", headers: [], body: "{}" };
    const calls = requests(bench);
    expect(await bench.during((outbox) => outbox.forward(forward, 30 * SECOND))).toMatchObject({
      refused: "unreachable",
      message: expect.stringMatching(/^The email service gives no answer: connection refused or lost since /),
      retryAfter: expect.any(Number),
    });
    expect(requests(bench)).toBe(calls);
  });

  it("who looks at the health of a bridge at rest learns of it, by one probe a minute", async () => {
    const bench = await createBench();
    await bench.pass(2 * MINUTE);
    expect(bench.clock.alarm()).toBeNull();
    bench.service.before = lost;
    expect((await bench.stub().health()).interruption).toBeNull();
    await bench.pass(15 * SECOND);
    expect((await bench.stub().health()).interruption).toMatchObject({ reason: "outage" });
    const probes = bench.service.keyChecks.length;
    await bench.pass(10 * MINUTE);
    expect(bench.service.keyChecks.length - probes).toBeLessThanOrEqual(11);
    bench.service.before = () => undefined;
    await bench.pass(61 * SECOND);
    expect((await bench.stub().health()).interruption).toBeNull();
    await bench.pass(2 * MINUTE);
    expect(bench.clock.alarm()).toBeNull();
  });
});

describe("a restart in an outage", () => {
  it("leaves room for the probe in flight, which may arrive late: at most 10 requests arrive in any second", async () => {
    const bench = await createBench(halfway);
    const { service } = bench;
    await answered(bench);
    service.before = () => "hang";
    const from = bench.clock.now();
    await bench.accept({ deliveries: people(60) });
    await untilTold(bench, from);
    await bench.pass(MINUTE);
    const probes = service.keyChecks.length;
    await bench.waitFor(() => expect(service.keyChecks).toHaveLength(probes + 1), 2 * MINUTE);
    await bench.crash(() => {
      service.before = () => undefined;
    });
    const restart = bench.clock.now();
    await bench.pass(5 * SECOND);
    const times = [...service.received, ...service.keyChecks].map(({ at }) => at).filter((at) => at > restart);
    expect(times.length).toBeGreaterThan(35);
    const late = restart + SECOND / 2;
    const all = [...times, late];
    const most = Math.max(...all.map((first) => all.filter((at) => at >= first && at < first + SECOND).length));
    expect(most).toBeLessThanOrEqual(10);
  });
});
