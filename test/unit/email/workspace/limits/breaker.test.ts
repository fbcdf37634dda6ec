import fc from "fast-check";
import { expect, it } from "vitest";
import {
  type Breaker,
  failed,
  isOpen,
  opensAt,
  passage,
  probing,
  waitsUntil,
} from "../../../../../src/email/workspace/limits/breaker.ts";

const NOW = 1_000_000_000_000;
const MINUTE = 60_000;
const afterFailures = (count: number): Breaker | undefined =>
  Array.from({ length: count }).reduce<Breaker | undefined>((b, _, n) => failed(b, n, NOW + n, "no route"), undefined);

it("opens with the fifth failure in a row, and probes after 30 s with one mail", () => {
  expect(isOpen(afterFailures(4))).toBe(false);
  const open = afterFailures(5) as Breaker;
  expect(open).toMatchObject({ failures: 5, since: NOW, probeAt: NOW + 4 + 30_000 });
  expect(passage(open, NOW + 29_000)).toBe("none");
  expect(passage(open, NOW + 31_000)).toBe("one");
  expect(passage(probing(open, 7, NOW + 31_000), NOW + 31_001)).toBe("none");
});

it("waits twice as long after each probe that fails, up to five minutes", () => {
  let breaker = afterFailures(5) as Breaker;
  const pauses: number[] = [];
  for (let n = 0; n < 6; n += 1) {
    const at = opensAt(breaker);
    breaker = failed(probing(breaker, 7, at), 7, at, "still down");
    pauses.push(breaker.probeAt - at);
  }
  expect(pauses).toEqual([60_000, 120_000, 240_000, 300_000, 300_000, 300_000]);
  expect(breaker.since).toBe(NOW);
});

it("learns nothing from mails that were in flight when it opened", () => {
  const open = afterFailures(5) as Breaker;
  expect(failed(open, 99, NOW + 20_000, "late")).toBe(open);
});

it("probes again when a probe has no result", () => {
  const probe = probing(afterFailures(5) as Breaker, 7, NOW + MINUTE);
  expect(passage(probe, NOW + MINUTE + 239_000)).toBe("none");
  expect(passage(probe, NOW + MINUTE + 240_000)).toBe("one");
  expect(opensAt(probe)).toBe(NOW + MINUTE + 240_000);
});

it("lets a mail through again within ten minutes, whatever failed", () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ ms: fc.integer({ min: 0, max: 400_000 }), isProbe: fc.boolean() }), { maxLength: 60 }),
      (failures) => {
        let now = NOW;
        let breaker: Breaker | undefined;
        for (const { ms, isProbe } of failures) {
          now += ms;
          if (breaker && isProbe && passage(breaker, now) === "one") breaker = probing(breaker, 7, now);
          breaker = failed(breaker, 7, now, "down");
          const opens = isOpen(breaker) ? opensAt(breaker) : now;
          expect(opens - now).toBeLessThanOrEqual(10 * MINUTE);
          expect(passage(breaker, opens)).not.toBe("none");
          expect(waitsUntil(breaker, now)).toBeGreaterThan(now);
        }
      },
    ),
  );
});
