import { log } from "../../../lib/util/log.ts";
import type { Handover, MailClass } from "../../types/mail-handover.ts";
import type { Answer, Claim, ClaimedSend, Order, SendResult } from "../../types/mailer-rpc.ts";
import type { Note, NoteStore } from "./note.ts";

/** A Worker has six outgoing connections. */
export const LANES = 6;
/** An order is answered at this number of results, so that the subrequests of one event are bounded. */
const ANSWER_AT = 25;
/** Mails per durable note. A crash makes noted mails unknown; more mails per note save writes if hand-overs are fast. */
const BLOCK: Readonly<Record<MailClass, { slow: number; fast: number }>> = {
  transactional: { slow: 1, fast: 1 },
  marketing: { slow: 3, fast: 12 },
};
/** Hand-overs are fast below this mean, in ms. Above it, blocks of 3 are at most 50 notes a second. */
const FAST_MS = 40;
/** Ms until a refused note is tried again: twice as long after each refusal. */
const REFUSED_MS = { least: 100, most: 10_000 };
/** Weight of the newest hand-over in their mean duration. */
const NEWEST = 0.2;

export type MailerDependencies = {
  mailClass: MailClass;
  now(): number;
  /** Resolves after `ms`, or when `until` resolves. */
  wait(ms: number, until: Promise<void>): Promise<void>;
  /** Never throws. */
  handOver(send: ClaimedSend): Promise<{ sender: string; handover: Handover }>;
  notes: NoteStore;
};

export const keyOf = ({ n, attempt }: Claim): string => `${n}.${attempt}`;

type Open = { stamp: Order["stamp"]; end(): void };

/** Sends mails in parallel. A durable note precedes each attempt, so that a crash causes no duplicate. */
export class MailerQueue {
  readonly #dependencies: MailerDependencies;
  /** Of an earlier life of this object: `claims` may be with a mail provider. */
  readonly #before: Map<string, Claim>;
  readonly #waiting = new Map<string, ClaimedSend>();
  readonly #noted = new Map<string, ClaimedSend>();
  readonly #ready = new Map<string, ClaimedSend>();
  readonly #inFlight = new Map<string, ClaimedSend>();
  readonly #results = new Map<string, SendResult>();
  /** Recalled claims. They never start, even if their order is still in transit. */
  readonly #recalled = new Set<string>();
  #stamp: Order["stamp"];
  #until = 0;
  #open: Open | undefined;
  #noting: Promise<void> | undefined;
  #lanes = 0;
  #free = 0;
  #mean = FAST_MS;
  /** Notes in a row that the store refused. */
  #refused = 0;
  /** The durable note has results. */
  #isNoted: boolean;
  #changed: (() => void) | undefined;

  constructor(dependencies: MailerDependencies) {
    this.#dependencies = dependencies;
    const { claims, results, stamp } = dependencies.notes.read();
    this.#stamp = stamp;
    this.#before = new Map(claims.map((claim) => [keyOf(claim), claim]));
    for (const result of results) this.#results.set(keyOf(result), result);
    this.#isNoted = results.length > 0;
  }

  /**
   * Takes mails, and answers with results as soon as there are enough, or after `wait`. The same order again starts
   * nothing twice. A result is kept until `known` no longer names its claim. Mails wait while notes are refused.
   */
  async exchange(order: Order): Promise<Answer> {
    if (isOlder(order.stamp, this.#stamp)) return { superseded: this.#stamp };
    this.#stamp = order.stamp;
    this.#until = order.until;
    this.#open?.end();
    const known = this.#keepOnly(order.known);
    this.#take(order.sends);
    const { lost, never } = this.#missing(known);
    // A later life of this object must refuse the order of such a claim, which may still be in transit.
    const told = never.length > 0 && (await this.#write()) ? never : [];
    // Replies may have addresses, which must not outlive an erasure.
    if (known.size === 0 && this.#isNoted) await this.#write();
    if (told.length + lost.length === 0) await this.#resultsOf(order);
    if (this.#stamp !== order.stamp) return { superseded: this.#stamp };
    return { results: [...this.#results.values()], lost, never: told, ...(this.#isNoted ? { noted: true } : {}) };
  }

  /** Returns claims that will never start. Others are in flight, have results, or are still in transit. */
  recall(claims: readonly Claim[]): Claim[] {
    return claims.filter((claim) => {
      const key = keyOf(claim);
      const isHeld = [this.#waiting, this.#noted, this.#ready].map((held) => held.delete(key)).includes(true);
      if (!this.#inFlight.has(key) && !this.#results.has(key)) this.#recalled.add(key);
      return isHeld;
    });
  }

  /** Any other claim is settled, or was taken back. */
  #keepOnly(claims: readonly Claim[]): Map<string, Claim> {
    const known = new Map(claims.map((claim) => [keyOf(claim), claim]));
    for (const held of [this.#results, this.#waiting, this.#noted, this.#ready, this.#before, this.#recalled])
      for (const key of [...held.keys()]) if (!known.has(key)) held.delete(key);
    return known;
  }

  #take(sends: readonly ClaimedSend[]): void {
    for (const send of sends) {
      const key = keyOf(send);
      if (!this.#has(key) && !this.#before.has(key) && !this.#recalled.has(key)) this.#waiting.set(key, send);
    }
    // An idle lane ends.
    const more = Math.min(LANES - this.#lanes, this.#waiting.size + this.#ready.size);
    this.#lanes += Math.max(0, more);
    for (let n = 0; n < more; n++) void this.#lane();
  }

  #has(key: string): boolean {
    return [this.#waiting, this.#noted, this.#ready, this.#inFlight, this.#results].some((held) => held.has(key));
  }

  /** `lost`: may have started in an earlier life. `never`: certainly did not start. */
  #missing(known: ReadonlyMap<string, Claim>): { lost: Claim[]; never: Claim[] } {
    const missing = [...known].filter(([key]) => !this.#has(key));
    const wasNoted = ([key]: [string, Claim]) => this.#before.has(key);
    return {
      lost: missing.filter(wasNoted).map(([, claim]) => claim),
      never: missing.filter((one) => !wasNoted(one)).map(([, claim]) => claim),
    };
  }

  async #resultsOf({ stamp, wait }: Order): Promise<void> {
    const { now } = this.#dependencies;
    const end = now() + wait;
    while (this.#stamp === stamp && !this.#isAnswerDue() && now() < end) {
      const changed = new Promise<void>((resolve) => {
        this.#changed = resolve;
        this.#open = { stamp, end: resolve };
      });
      await this.#dependencies.wait(end - now(), changed);
    }
  }

  #unstarted(): number {
    return this.#waiting.size + this.#noted.size + this.#ready.size;
  }

  /** A slow mail must not delay other results. An empty answer at each refused note would be a busy loop. */
  #isAnswerDue(): boolean {
    const { size } = this.#results;
    const isIdle = this.#inFlight.size === 0 && this.#refused === 0;
    return size >= ANSWER_AT || (this.#unstarted() === 0 && (size > 0 || isIdle));
  }

  async #lane(): Promise<void> {
    for (let send = await this.#next(); send; send = await this.#next()) {
      const key = keyOf(send);
      const started = this.#dependencies.now();
      const outcome = await this.#dependencies.handOver(send);
      this.#mean += NEWEST * (this.#dependencies.now() - started - this.#mean);
      this.#inFlight.delete(key);
      this.#results.set(key, { n: send.n, attempt: send.attempt, ...outcome });
      if (this.#isAnswerDue()) this.#changed?.();
    }
    this.#lanes -= 1;
    if (this.#isAnswerDue()) this.#changed?.();
  }

  /** Mails in flight are named by the note until the next one. */
  async #next(): Promise<ClaimedSend | undefined> {
    this.#free += 1;
    try {
      for (;;) {
        const [first] = this.#ready;
        if (first) {
          const [key, send] = first;
          this.#ready.delete(key);
          this.#inFlight.set(key, send);
          return send;
        }
        if (!this.#noting && this.#waiting.size === 0) return undefined;
        this.#noting ??= this.#note().finally(() => {
          this.#noting = undefined;
        });
        await this.#noting;
      }
    } finally {
      this.#free -= 1;
    }
  }

  /** A late order starts nothing: the Workspace may have given its mails to another life of this object. */
  async #note(): Promise<void> {
    const { now, wait, mailClass } = this.#dependencies;
    // Lanes that start together share a note.
    await undefined;
    const block = BLOCK[mailClass][this.#mean < FAST_MS ? "fast" : "slow"];
    const isLate = this.#until <= now();
    for (const [key, send] of [...this.#waiting].slice(0, Math.max(block, this.#free))) {
      this.#waiting.delete(key);
      if (!isLate) this.#noted.set(key, send);
    }
    if (this.#noted.size === 0) return;
    const isDurable = await this.#write();
    const rest = [...this.#waiting];
    if (!isDurable) this.#waiting.clear();
    for (const [key, send] of this.#noted) (isDurable ? this.#ready : this.#waiting).set(key, send);
    this.#noted.clear();
    if (isDurable) return;
    for (const [key, send] of rest) this.#waiting.set(key, send);
    await wait(Math.min(REFUSED_MS.most, REFUSED_MS.least * 2 ** (this.#refused - 1)), new Promise(() => {}));
  }

  /** Returns false if the store refused the note. */
  async #write(): Promise<boolean> {
    const { notes, mailClass } = this.#dependencies;
    const note = this.#noteNow();
    try {
      await notes.write(note);
      this.#isNoted = note.results.length > 0;
      this.#refused = 0;
    } catch (error) {
      this.#refused += 1;
      log("note_refused", { class: mailClass, error: error instanceof Error ? error.message : String(error) });
    }
    return this.#refused === 0;
  }

  #noteNow(): Note {
    const started = [this.#before, this.#inFlight, this.#ready, this.#noted];
    const claims = started.flatMap((held) => [...held.values()]);
    return {
      claims: claims.map(({ n, attempt }) => ({ n, attempt })),
      results: [...this.#results.values()],
      stamp: this.#stamp,
    };
  }
}

const isOlder = ([epoch, number]: Order["stamp"], [thanEpoch, thanNumber]: Order["stamp"]): boolean =>
  epoch < thanEpoch || (epoch === thanEpoch && number < thanNumber);
