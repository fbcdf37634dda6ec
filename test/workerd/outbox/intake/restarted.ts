import { createBench, event, update } from "../setup.ts";

export const person = (n: number) => ({ email: `person${n}@example.com` });

/**
 * An Outbox that was reset with open deliveries: two of each webhook. `reading.isHeld`: true holds the reading after a
 * slice.
 */
export const restarted = async (webhooks: number) => {
  const reading = { isHeld: false };
  const bench = await createBench(({ sleep }) => ({
    sleep: (ms) => (ms === 0 && reading.isHeld ? new Promise(() => {}) : sleep(ms)),
  }));
  await bench.stub().pause(undefined, true);
  const accepted = await bench.acceptAll(
    Array.from({ length: webhooks }, (_, n) => ({
      eventId: `evt_${n}`,
      source: n % 2 === 0 ? "stripe" : "clerk",
      deliveries: [update(person(n % 200), { number: n }), event(person(n % 200), `event${n}`)],
    })),
  );
  await bench.crash();
  return { bench, reading, ids: accepted.map(({ id }) => id) };
};
