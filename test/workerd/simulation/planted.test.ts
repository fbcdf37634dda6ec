import { describe, expect, it, vi } from "vitest";
import type { Dependencies, Disk, Runtime } from "../../../src/outbox/model/dependencies.ts";
import type { AcceptResult, PlannedWebhook } from "../../../src/outbox/model/journal-types.ts";

/** Planted bugs, each in one function or dependency of the engine. The simulation has to find each bug. */
const planted = vi.hoisted(() => ({ bug: "" }));

vi.mock(import("../../../src/outbox/dispatch/read-outcome.ts"), async (original) => {
  const real = await original();
  return {
    ...real,
    outcomeOf: (delivery, error) => {
      const outcome = real.outcomeOf(delivery, error);
      const foreign = outcome.kind === "unknown" && outcome.foreign ? outcome.status : undefined;
      if (planted.bug === "a web page with 404 taken as a refusal" && foreign === 404)
        return { kind: "failed", status: 404, message: "Not found." };
      if (planted.bug === "200 with a status taken as success" && foreign === 200) return { kind: "done", status: 200 };
      const isConflict = delivery.action === "contact" && outcome.kind === "failed" && outcome.conflict;
      return planted.bug === "contact conflict taken as success" && isConflict
        ? { kind: "done", status: 400 }
        : outcome;
    },
  };
});

vi.mock(import("../../../src/outbox/dispatch/own-answer.ts"), async (original) => {
  const real = await original();
  return {
    ...real,
    createAnswerCheck: () => {
      const check = real.createAnswerCheck();
      return (url, init, answer) =>
        planted.bug === "the answer of another request believed" ? answer : check(url, init, answer);
    },
  };
});

vi.mock(import("../../../src/outbox/dispatch/limits/outage.ts"), async (original) => {
  const real = await original();
  return {
    ...real,
    isOutage: (silence, now) => planted.bug !== "an outage never noticed" && real.isOutage(silence, now),
  };
});

vi.mock(import("../../../src/outbox/dispatch/limits/next-interruption.ts"), async (original) => {
  const real = await original();
  return {
    ...real,
    afterKeyCheck: (current, outcome, check) =>
      planted.bug === "an outage without an end" && current?.reason === "outage"
        ? current
        : real.afterKeyCheck(current, outcome, check),
  };
});

vi.mock(import("../../../src/outbox/dispatch/claims.ts"), async (original) => {
  const real = await original();
  return {
    ...real,
    recover: (sql, now) => (planted.bug === "`sending` erased after a crash" ? undefined : real.recover(sql, now)),
  };
});

vi.mock(import("../../../src/outbox/dispatch/decide-delivery.ts"), async (original) => {
  const real = await original();
  const { readWatermarks, saveWatermarks } = await import("../../../src/outbox/identity/watermarks.ts");
  return {
    ...real,
    decide: (sql, config, item, now, downtime, behind) => {
      const decision = real.decide(sql, config, item, now, downtime, behind);
      if (
        planted.bug === "watermark advanced at plan time" &&
        decision?.kind === "send" &&
        decision.request.person !== undefined
      )
        saveWatermarks(
          sql,
          decision.request.person,
          readWatermarks(sql, decision.request.person),
          decision.request.written,
          now,
        );
      return decision;
    },
  };
});

vi.mock(import("../../../src/outbox/dispatch/repeat-update.ts"), async (original) => {
  const real = await original();
  return {
    repeatOf: (...given) => {
      const [, , { action }] = given;
      const isErased =
        planted.bug === "late requests erased" ||
        (planted.bug === "late requests erased by deletions" && action === "delete");
      return isErased ? undefined : real.repeatOf(...given);
    },
  };
});

vi.mock(import("../../../src/outbox/identity/watermarks.ts"), async (original) => {
  const real = await original();
  return {
    ...real,
    isKnown: (sql, contact) => planted.bug === "event by unknown user id goes at once" || real.isKnown(sql, contact),
  };
});

vi.mock(import("../../../src/outbox/queue/person-queues.ts"), async (original) => {
  const real = await original();
  return {
    ...real,
    following: (item, count) => {
      const behind = real.following(item, count);
      return planted.bug === "merge across an event" ? behind.filter(({ update }) => update) : behind;
    },
  };
});

vi.mock(import("../../../src/outbox/dispatch/limits/pace.ts"), async (original) => {
  const real = await original();
  return {
    ...real,
    createPace: (guard, now, unanswered) => {
      const pace = real.createPace(guard, now, unanswered);
      return planted.bug === "limiter erased on eviction" ? { ...pace, starts: [], next: now } : pace;
    },
  };
});

const { Engine } = await import("../../../src/outbox/engine.ts");
const { play, range } = await import("./play.ts");

class NoDedupe extends Engine {
  #count = 0;
  override accept(webhooks: readonly PlannedWebhook[]): Promise<AcceptResult> {
    const now = this.deps.now();
    return super.accept(webhooks.map((one) => ({ ...one, eventId: `${one.eventId}#${now}.${++this.#count}` })));
  }
}

class RanksIgnored extends Engine {
  override accept(webhooks: readonly PlannedWebhook[]): Promise<AcceptResult> {
    return super.accept(webhooks.map((one) => ({ ...one, rank: 0 })));
  }
}

class AlarmOverwritten extends Engine {
  override arm(at: number): void {
    if (Number.isFinite(at)) void this.deps.disk.setAlarm(at);
  }
}

const lastAttemptCounts = (disk: Disk): Disk => {
  const exec = (query: string, ...values: unknown[]) => {
    const [text] = values;
    if (!/^UPDATE webhooks SET deliveries/.test(query) || typeof text !== "string")
      return disk.sql.exec(query, ...values);
    const deliveries = JSON.parse(text) as { unknownSince?: number; attempts: { at: number }[] }[];
    for (const delivery of deliveries)
      if (delivery.unknownSince) delivery.unknownSince = delivery.attempts.at(-1)?.at ?? delivery.unknownSince;
    return disk.sql.exec(query, JSON.stringify(deliveries), ...values.slice(1));
  };
  return { ...disk, sql: { exec } as unknown as SqlStorage };
};

const newKeyAfterUnknown = (unknownOutcomes: Map<string, number>, { fetch, ...rest }: Runtime): Runtime => ({
  ...rest,
  fetch: async (url, init) => {
    const headers = init.headers as Record<string, string>;
    const key = headers["Idempotency-Key"];
    if (key === undefined) return fetch(url, init);
    const count = unknownOutcomes.get(key) ?? 0;
    const own = count === 0 ? init : { ...init, headers: { ...headers, "Idempotency-Key": `${key}-${count}` } };
    try {
      const answer = await fetch(url, own);
      if (answer.status >= 500) unknownOutcomes.set(key, count + 1);
      return answer;
    } catch (error) {
      unknownOutcomes.set(key, count + 1);
      throw error;
    }
  },
});

const unknownOutcomes = new Map<string, number>();

/** A planted bug, its broken promise, and the seed to try first (default 1). */
type Bug = { seed?: number; breaks: RegExp; make: (dependencies: Dependencies) => InstanceType<typeof Engine> };
const mocked = (dependencies: Dependencies) => new Engine(dependencies);
const bugs: Readonly<Record<string, Bug>> = {
  "no dedupe": { breaks: /as a new webhook again|two ids/, make: (dependencies) => new NoDedupe(dependencies) },
  "contact conflict taken as success": {
    seed: 200,
    breaks: /is done, but its \w+ never got to the email service/,
    make: mocked,
  },
  "a web page with 404 taken as a refusal": {
    breaks: /has failed, but the email service never refused it/,
    make: mocked,
  },
  "200 with a status taken as success": {
    breaks: /is done, but the email service never acted on it|never got to the email service|which is newer, was done/,
    make: mocked,
  },
  "the answer of another request believed": {
    seed: 36,
    breaks: /is done, but the email service never acted on it|never got to the email service|which is newer, was done/,
    make: mocked,
  },
  "an outage never noticed": { seed: 9, breaks: /15 s after the first request that met an outage/, make: mocked },
  "an outage without an end": {
    breaks: /still waits, though it could be sent|endless loop|is still waiting/,
    make: mocked,
  },
  "horizon counted from the last attempt": {
    seed: 11,
    breaks: /after its first unknown outcome|acted twice/,
    make: (dependencies) => new Engine({ ...dependencies, disk: lastAttemptCounts(dependencies.disk) }),
  },
  "`sending` erased after a crash": {
    seed: 37,
    breaks: /after its first unknown outcome|acted twice|is what \S+ says, though/,
    make: mocked,
  },
  "a later alarm overwriting an earlier one": {
    breaks: /alarm was set to \d+ ms later/,
    make: (dependencies) => new AlarmOverwritten(dependencies),
  },
  "watermark advanced at plan time": { breaks: /is replaced, but nothing newer has written/, make: mocked },
  "event by unknown user id goes at once": {
    seed: 2,
    breaks: /with a user id alone before its address was known/,
    make: mocked,
  },
  "late requests erased": { seed: 8, breaks: /is what \S+ says, though \S+ is newer/, make: mocked },
  "late requests erased by deletions": {
    seed: 38,
    breaks: /is back by \S+, though \S+ deleted it later/,
    make: mocked,
  },
  "merge across an event": { breaks: /which was accepted before it and is of the same person/, make: mocked },
  "ranks ignored": {
    breaks: /which is newer, was done|is what \S+ says|is done, but its \w+ never got/,
    make: (dependencies) => new RanksIgnored(dependencies),
  },
  "limiter erased on eviction": { seed: 281, breaks: /11 requests reached the email service/, make: mocked },
  "a new key after an unknown outcome": {
    seed: 3,
    breaks: /acted twice/,
    make: (dependencies) => new Engine({ ...dependencies, ...newKeyAfterUnknown(unknownOutcomes, dependencies) }),
  },
};

const MAX_SEEDS = 500;

describe("planted bugs are found", () => {
  it.each(Object.entries(bugs))(
    "%s",
    async (bug, { seed = 1, breaks, make }) => {
      planted.bug = bug;
      let last = 0;
      let found: string | undefined;
      try {
        await play(
          [seed, ...range(1, MAX_SEEDS)],
          ({ seed: tried, broken }) => {
            unknownOutcomes.clear();
            last = tried;
            found = broken;
            return broken === undefined;
          },
          make,
        );
      } finally {
        planted.bug = "";
      }
      console.log(`${bug}: seed ${last}: ${found}`);
      expect(found).toMatch(breaks);
    },
    120_000,
  );
});
