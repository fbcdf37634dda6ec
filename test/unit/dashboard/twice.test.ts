import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { connect, RequestError } from "../../../src/dashboard/app/api/client.ts";
import { once } from "../../../src/dashboard/app/api/once.ts";
import { sources } from "../source.ts";

const WITHOUT = [
  "dashboard/app/api/use-act.ts",
  "dashboard/app/frame/login.tsx",
  "dashboard/app/pages/webhooks/webhook.tsx",
  "dashboard/app/pages/workflows/try/events.tsx",
  "dashboard/app/pages/workflows/try/person.tsx",
];

it("every act of a page is asked for with useAct", () => {
  const direct = sources.filter(({ text }) => /import \{[^}]*\buseMutation\b[^}]*\} from "@tanstack/.test(text));
  expect(direct.map(({ file }) => file).sort()).toEqual(WITHOUT);
});

describe("an act that is asked for twice", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const acts = () => {
    const ends: { good: () => void; bad: (error: unknown) => void }[] = [];
    const act = () => new Promise<number>((good, bad) => ends.push({ good: () => good(ends.length), bad }));
    return { ends, act };
  };
  const refused = new RequestError(400, { code: "invalid", message: "No." });

  it("begins once while it runs, and both get its outcome", async () => {
    const { ends, act } = acts();
    const gate = once<number>();
    const both = [gate(act), gate(act)];
    expect(ends).toHaveLength(1);
    ends[0]?.good();
    expect(await Promise.all(both)).toEqual([1, 1]);
  });

  it("begins once until the form has left after a success, and again after that", async () => {
    const { ends, act } = acts();
    const gate = once<number>();
    const first = gate(act);
    ends[0]?.good();
    await first;
    await vi.advanceTimersByTimeAsync(499);
    void gate(act);
    expect(ends).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    void gate(act);
    expect(ends).toHaveLength(2);
  });

  it.each([
    new RequestError(0, { code: "no_answer", message: "None." }, undefined, "bare"),
    new RequestError(409, { code: "idempotency_key_used", message: "Used." }),
  ])("begins once for a moment after an answer that leaves it done, or maybe done: $code", async (error) => {
    const { ends, act } = acts();
    const gate = once<number>();
    const asked = [gate(act), gate(act)].map((one) => one.catch(() => 0));
    ends[0]?.bad(error);
    await Promise.all(asked);
    gate(act).catch(() => 0);
    expect(ends).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(500);
    void gate(act);
    expect(ends).toHaveLength(2);
  });

  it("begins again at once where the form stays, and after a refusal", async () => {
    for (const [leaving, end] of [
      [0, "good"],
      [undefined, "bad"],
    ] as const) {
      const { ends, act } = acts();
      const gate = once<number>(leaving);
      const first = gate(act).catch(() => 0);
      ends[0]?.[end](refused);
      await first;
      void gate(act);
      expect(ends).toHaveLength(2);
    }
  });
});

describe("the key of an act", () => {
  const seen: (string | undefined)[] = [];
  let moods: (readonly [status: number, body: object] | undefined)[] = [];
  const server = createServer((request, response) => {
    const key = request.headers["idempotency-key"];
    seen.push(typeof key === "string" ? key : undefined);
    request.resume().on("end", () => {
      const mood = moods.shift();
      if (!mood) return request.socket.destroy();
      const [status, body] = mood;
      return response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
    });
  });
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
  afterAll(() => void server.close());
  beforeEach(() => {
    seen.length = 0;
  });

  const DONE = [201, { id: "cmp_1" }] as const;
  const BUSY = [429, { code: "rate_limited", message: "Too many." }] as const;
  const USED = [409, { code: "idempotency_key_used", message: "Idempotency key has been used." }] as const;
  type Ask = (fields: object, options?: object) => Promise<unknown>;
  const campaigns = () => {
    const table = { campaigns: { create: ["POST", "/c", true, true], send: ["POST", "/l", true] } } as const;
    const client = connect(table, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    return client.campaigns as unknown as { create: Ask; send: Ask };
  };
  const failed = (asked: Promise<unknown>): Promise<RequestError> =>
    asked.then(
      () => Promise.reject(new Error("It was done.")),
      (error: RequestError) => error,
    );

  it("is new for each, where each is answered", async () => {
    moods = [DONE, BUSY, DONE];
    await campaigns().create({ name: "a" });
    await failed(campaigns().create({ name: "a" }));
    await campaigns().create({ name: "a" });
    expect(seen).not.toContain(undefined);
    expect(new Set(seen).size).toBe(3);
  });

  it("stays for the same after a lost answer, past a refusal, until it is known that it was done", async () => {
    moods = [undefined, BUSY, DONE, USED, DONE];
    const error = await failed(campaigns().create({ name: "b" }));
    expect(error).toMatchObject({ code: "no_answer", lost: "keyed" });
    await failed(campaigns().create({ name: "b" }));
    await campaigns().create({ name: "another" });
    expect(await failed(campaigns().create({ name: "b" }))).toMatchObject({ code: "idempotency_key_used" });
    await campaigns().create({ name: "b" });
    const [first, second, other, third, next] = seen;
    expect([second, third]).toEqual([first, first]);
    expect(new Set([first, other, next]).size).toBe(3);
  });

  it("stays too where something in front of the service answers", async () => {
    moods = [[502, {}], [502, { code: "half_unreachable", message: "No answer." }], DONE];
    expect(await failed(campaigns().create({ name: "c" }))).toMatchObject({ lost: "keyed" });
    expect(await failed(campaigns().create({ name: "c" }))).toMatchObject({ lost: "keyed" });
    await campaigns().create({ name: "c" });
    expect(new Set(seen).size).toBe(1);
  });

  it("is the one that a page gives, and then it is not done twice either", async () => {
    moods = [undefined];
    const error = await failed(campaigns().create({ name: "d" }, { idempotencyKey: "own" }));
    expect([seen, error.lost]).toEqual([["own"], "keyed"]);
  });

  it("is not there where the operation has none, and a dry run is never lost", async () => {
    moods = [undefined, undefined, [500, { code: "internal_error", message: "Wrong." }]];
    expect(await failed(campaigns().send({}))).toMatchObject({ code: "no_answer", lost: "bare" });
    expect(await failed(campaigns().send({ dryRun: true }))).toMatchObject({ code: "no_answer", lost: undefined });
    expect(await failed(campaigns().send({}))).toMatchObject({ code: "internal_error", lost: undefined });
    expect(seen).toEqual([undefined, undefined, undefined]);
  });
});
