import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { keyOf, MailerQueue } from "../../../../../src/email/delivery/mailer/mailer-queue.ts";
import { nothingNoted } from "../../../../../src/email/delivery/mailer/note.ts";
import type { MailClass } from "../../../../../src/email/types/mail-handover.ts";
import type { Claim, ClaimedSend } from "../../../../../src/email/types/mailer-rpc.ts";

const REFUSED = "Exceeded allowed rows written in Durable Objects free tier.";
const MAILS = 60;

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }));
afterEach(() => void vi.useRealTimers());

const later = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

const sendOf = (n: number, attempt = 1): ClaimedSend => ({
  n,
  attempt,
  id: `snd_${n}`,
  revision: 1,
  recipient: "ada@example.com",
  messageId: `<snd_${n}@example.com>`,
  values: "{}",
  date: 0,
  withheld: [],
  preview: false,
  attachments: 0,
});

/** `breaks`: a refused write also resets the Mailer, as the output gate of Cloudflare may. */
const start = (mailClass: MailClass, { refused, breaks = false }: { refused(): boolean; breaks?: boolean }) => {
  const disk = { note: nothingNoted, tries: [] as number[] };
  const started: string[] = [];
  let queue: MailerQueue | undefined;
  let die = () => {};
  const life = (): MailerQueue => {
    const isAlive = () => queue === own;
    const own: MailerQueue = new MailerQueue({
      mailClass,
      now: () => Date.now(),
      wait: (ms, until) => Promise.race([until, later(ms)]),
      handOver: async ({ id }) => {
        started.push(id);
        await later(20);
        return { sender: "smtp", handover: { outcome: "accepted", reply: "250 queued" } };
      },
      notes: {
        read: () => disk.note,
        write: async (note) => {
          if (!isAlive()) return new Promise(() => {});
          if (refused()) {
            disk.tries.push(Date.now());
            if (breaks) {
              queue = undefined;
              die();
            }
            throw new Error(REFUSED);
          }
          disk.note = note;
          await later(1);
        },
      },
    });
    return own;
  };
  const living = (): MailerQueue => {
    queue ??= life();
    return queue;
  };
  const death = () =>
    new Promise<undefined>((resolve) => {
      die = () => resolve(undefined);
    });
  return { disk, started, living, death, orders: [] as number[] };
};
type Mailer = ReturnType<typeof start>;

/** Gives mails as a Workspace does, until each has a result. Returns how it ended. */
const workspace = async ({ living, death, orders }: Mailer, sends: readonly ClaimedSend[]) => {
  const held = new Map<string, Claim>(sends.map(({ n, attempt }) => [keyOf({ n, attempt }), { n, attempt }]));
  const end = { sent: 0, unknown: 0, failed: 0 };
  let given = sends;
  for (let number = 1; held.size > 0; number++) {
    orders.push(number);
    const until = Date.now() + 30_000;
    const order = { stamp: [1, number] as const, until, sends: given, known: [...held.values()], wait: 5_000 };
    given = [];
    // The reset of an object ends the calls that wait in it.
    const answer = await Promise.race([living().exchange(order), death()]);
    if (!answer) {
      end.failed += 1;
      await later(Math.min(30_000, 500 * end.failed));
      continue;
    }
    if ("superseded" in answer) throw new Error("no other Workspace orders");
    for (const claim of [...answer.results, ...answer.lost]) held.delete(keyOf(claim));
    end.sent += answer.results.length;
    end.unknown += answer.lost.length;
    given = answer.never.map(({ n, attempt }) => sendOf(n, attempt + 1));
    for (const claim of answer.never) held.delete(keyOf(claim));
    for (const { n, attempt } of given) held.set(keyOf({ n, attempt }), { n, attempt });
  }
  return end;
};

const growing = (tries: readonly number[]) => tries.slice(1).map((at, n) => at - (tries[n] ?? 0));

it.each<[MailClass, boolean]>([
  ["transactional", false],
  ["marketing", false],
  ["transactional", true],
  ["marketing", true],
])(
  "%s mail, refused writes break the object: %s: all mails leave once when writes are taken again",
  async (mailClass, breaks) => {
    const [from, to] = [Date.now() + 60, Date.now() + 6_000];
    const refused = () => Date.now() >= from && Date.now() < to;
    const mailer = start(mailClass, { refused, breaks });
    const { started } = mailer;
    const ended = workspace(
      mailer,
      Array.from({ length: MAILS }, (_, n) => sendOf(n + 1)),
    );
    await vi.advanceTimersByTimeAsync(59);
    const before = started.length;
    expect(before).toBeGreaterThan(0);
    expect(before).toBeLessThan(MAILS);
    await vi.advanceTimersByTimeAsync(120_000);
    // A reset makes mails unknown that were with a provider, and no others.
    const { sent, unknown } = await Promise.race([ended, Promise.reject(new Error("mails stand still"))]);
    expect(sent + unknown).toBe(MAILS);
    expect(new Set(started).size).toBe(MAILS);
    expect(started).toHaveLength(MAILS);
    if (!breaks) expect(unknown).toBe(0);
  },
);

it("while notes are refused: no mail starts, tries become rare, and orders are answered in their time", async () => {
  const mailer = start("marketing", { refused: () => true });
  const { disk, started, orders } = mailer;
  void workspace(mailer, [sendOf(1), sendOf(2)]);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(started).toEqual([]);
  const pauses = growing(disk.tries);
  expect(pauses).toEqual([...pauses].sort((a, b) => a - b));
  expect(pauses[0]).toBeLessThanOrEqual(500);
  expect(Math.max(...pauses)).toBeLessThanOrEqual(10_000);
  expect(disk.tries.length).toBeLessThan(80);
  expect(orders.length).toBeLessThan(125);
});

it("a mail that never started waits for its answer until the note before it is written", async () => {
  let isRefused = true;
  const { disk, started, living } = start("transactional", { refused: () => isRefused });
  const never = { n: 7, attempt: 1 };
  const order = (number: number) => ({
    stamp: [1, number] as const,
    until: 2_000_000,
    sends: [],
    known: [never],
    wait: 5_000,
  });
  const asked = Date.now();
  const answer = living().exchange(order(1));
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await answer).toEqual({ results: [], lost: [], never: [] });
  expect(Date.now() - asked).toBe(5_000);
  expect(disk.tries).toHaveLength(1);
  isRefused = false;
  const healed = living().exchange(order(2));
  await vi.advanceTimersByTimeAsync(1);
  expect(await healed).toEqual({ results: [], lost: [], never: [never] });
  expect(started).toEqual([]);
});

it("a result is answered although the note of a mail that never started is refused", async () => {
  let isRefused = false;
  const { living } = start("transactional", { refused: () => isRefused });
  const [sent, never] = [
    { n: 1, attempt: 1 },
    { n: 7, attempt: 1 },
  ];
  const base = { until: 2_000_000, wait: 5_000 };
  void living().exchange({ ...base, stamp: [1, 1], sends: [sendOf(1)], known: [sent] });
  await vi.advanceTimersByTimeAsync(10);
  isRefused = true;
  const answer = living().exchange({ ...base, stamp: [1, 2], sends: [], known: [sent, never] });
  await vi.advanceTimersByTimeAsync(20);
  expect(await answer).toMatchObject({ results: [sent], lost: [], never: [] });
});
