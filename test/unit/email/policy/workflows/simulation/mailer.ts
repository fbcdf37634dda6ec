import { MailerQueue } from "../../../../../../src/email/delivery/mailer/mailer-queue.ts";
import { type Note, nothingNoted } from "../../../../../../src/email/delivery/mailer/note.ts";
import type { Handover } from "../../../../../../src/email/types/mail-handover.ts";
import {
  type Answer as Answered,
  type Claim,
  type ClaimedSend,
  type MailerRpc,
  type Order,
  readMailerName,
} from "../../../../../../src/email/types/mailer-rpc.ts";
import type { Random } from "../../../../../workerd/simulation/random.ts";
import type { Timeline } from "../../../../../workerd/simulation/timeline.ts";
import { type Counting, createEvents, TOO_MANY } from "../../../workspace/sending/simulation/budgets.ts";

type Handed = { sender: string; handover: Handover };

const CALL_MS = 20;
const LOST = 0.1;

export type Faults = {
  hangs: number;
  isDown(): boolean;
  refuses?(send: ClaimedSend): boolean;
};

export type MailerWorld = {
  timeline: Timeline;
  random: Random;
  now(): number;
  withMailProvider(send: ClaimedSend): void;
  trouble: number;
  faults?: Faults | undefined;
} & Counting;

type Answer = { copy: boolean; handover: Handover };

const TAKEN: Answer = { copy: true, handover: { outcome: "accepted", reply: "250 queued" } };
const DOWN: Answer = { copy: false, handover: { outcome: "deferred", down: true, message: "no route to host" } };
const NO_CALL: Handed = { sender: "provider", handover: { outcome: "deferred", message: TOO_MANY } };
const BLOCKED = "554 5.7.1 blocked";
const REFUSED: Answer = { copy: false, handover: { outcome: "refused", about: "policy", message: BLOCKED } };
const answers: readonly Answer[] = [
  { copy: false, handover: { outcome: "deferred", message: "451 later" } },
  { copy: false, handover: { outcome: "deferred", message: "451 later" } },
  { copy: false, handover: { outcome: "refused", about: "content", message: "552 too large" } },
  {
    copy: false,
    handover: { outcome: "refused", about: "recipient", code: "5.1.1", message: "550 no such user" },
  },
  { copy: true, handover: { outcome: "unknown", message: "timeout after the final dot" } },
  { copy: false, handover: { outcome: "unknown", message: "timeout after the final dot" } },
];

type Life = { isAlive: boolean; queue: MailerQueue; reset: (() => void)[]; events: ReturnType<typeof createEvents> };

/** The Mailers of a team and their mail provider. Calls take time, and their answers can be lost. */
export const createMailers = (world: MailerWorld): Mailers => {
  const { timeline, random, now, withMailProvider, trouble, faults } = world;
  const notes = new Map<string, Note>();
  const lives = new Map<string, Life>();
  const later = (ms: number) => new Promise<void>((resolve) => timeline.in(ms, resolve));

  const handOver = async (life: Life, send: ClaimedSend): Promise<Handed> => {
    if (life.events.refuses(1)) return NO_CALL;
    const answer = random.chance(trouble) ? random.one(answers) : TAKEN;
    const { copy, handover } = faults?.isDown() ? DOWN : faults?.refuses?.(send) ? REFUSED : answer;
    const hangs = faults && random.chance(faults.hangs) ? random.int(60_000, 600_000) : 0;
    await later(hangs + random.int(1, 900));
    if (!life.isAlive) return new Promise(() => {});
    if (copy) withMailProvider(send);
    await later(random.int(1, 900));
    return life.isAlive ? { sender: "provider", handover } : new Promise(() => {});
  };

  const lifeOf = (name: string): Life => {
    const running = lives.get(name);
    if (running) return running;
    const life = { isAlive: true, reset: [], events: createEvents(world) } as unknown as Life;
    lives.set(name, life);
    life.queue = new MailerQueue({
      mailClass: readMailerName(name).mailClass,
      now,
      wait: (ms, until) => Promise.race([until, later(Math.max(1, ms))]),
      handOver: (send) => handOver(life, send),
      notes: {
        read: () => notes.get(name) ?? nothingNoted,
        write: async (note) => {
          await later(random.int(1, CALL_MS));
          if (!life.isAlive) return new Promise(() => {});
          notes.set(name, note);
        },
      },
    });
    return life;
  };

  const call = async <T>(name: string, work: (queue: MailerQueue) => T | Promise<T>): Promise<T> => {
    await later(random.int(1, CALL_MS));
    const life = lifeOf(name);
    life.events.begin();
    const answer = await new Promise<T>((resolve, reject) => {
      life.reset.push(() => reject(new Error(`${name} was reset`)));
      Promise.resolve(work(life.queue)).then(resolve, reject);
    });
    await later(random.int(1, CALL_MS));
    if (random.chance(LOST)) throw new Error("no answer");
    return JSON.parse(JSON.stringify(answer)) as T;
  };

  return {
    exchange: (name, order) => call<Answered>(name, (queue) => queue.exchange(order)),
    recall: (name, claims) => call(name, (queue) => queue.recall(claims)),
    crash: (isAlone) => {
      const names = [...lives.keys()];
      for (const name of isAlone ? names.slice(0, 1) : names) {
        const life = lifeOf(name);
        life.isAlive = false;
        for (const reset of life.reset) reset();
        lives.delete(name);
      }
    },
  };
};

type Mailers = {
  exchange(name: string, order: Order): Promise<Answered>;
  recall(name: string, claims: readonly Claim[]): Promise<Claim[]>;
  /** `isAlone`: the one that lives for longest. */
  crash(isAlone: boolean): void;
} & MailerRpc;
