import type { Handover, MailClass } from "../../types/mail-handover.ts";
import type { Batch, Claim, ClaimedSend, Fate, SendResult } from "../../types/mailer-rpc.ts";
import { createRecalled } from "./recalled.ts";
import { keyOf, type StartedClaims } from "./started.ts";

/** A Worker has six outgoing connections. */
export const LANES = 6;
/** The lanes never wait for the Workspace with this number. */
export const CAPACITY = 100;
/**
 * The minimum block per durable note. A crash makes its mails unknown, so transactional blocks are small; large ones
 * save writes for marketing mail.
 */
const BLOCK: Readonly<Record<MailClass, number>> = { transactional: 1, marketing: 12 };
const REPORT_AT = 25;
/** Milliseconds; the Workspace may soon ask about the lease. */
const MARGIN_MS = 30_000;
/** Milliseconds. */
const REPORT_PAUSE_MS = 1_000;

export type MailerDependencies = {
  mailClass: MailClass;
  now(): number;
  sleep(ms: number): Promise<void>;
  /** Never throws. */
  handOver(send: ClaimedSend): Promise<{ sender: string; handover: Handover }>;
  /** Settles results and returns at most `wants` mails. */
  report(results: readonly SendResult[], wants: number): Promise<Batch | undefined>;
  started: StartedClaims;
};

/** `id` is 0 until the note is durable. */
type Block = { id: number; open: number };
type Waiting = { send: ClaimedSend; until: number };
type Started = { send: ClaimedSend; block: Block };

/** Sends mails in parallel. A durable note precedes each attempt, so that a crash causes no duplicate. */
export class MailerQueue {
  readonly #dependencies: MailerDependencies;
  readonly #waiting: Waiting[] = [];
  readonly #noted: Started[] = [];
  readonly #ready: Started[] = [];
  readonly #inFlight = new Set<string>();
  readonly #done = new Map<string, { result: SendResult; block: Block }>();
  readonly #recalled = createRecalled();
  #noting: Promise<void> | undefined;
  #lanes = 0;
  #free = 0;
  #reporting = false;
  #whenIdle: (() => void)[] = [];

  constructor(dependencies: MailerDependencies) {
    this.#dependencies = dependencies;
  }

  /** Resolves after all results are reported. */
  deliver(batch: Batch): Promise<void> {
    return new Promise((resolve) => {
      this.#whenIdle.push(resolve);
      this.#take(batch);
    });
  }

  /** Settles expired claims; unsent mails are dropped. */
  reclaim(claims: readonly Claim[]): Fate[] {
    const started = new Set(this.#dependencies.started.among(claims).map(keyOf));
    return claims.map((claim) => this.#fateOf(claim, started));
  }

  /** Returns unstarted mails and unreported results. Mails in transit are omitted; they are dropped on arrival. */
  recall(claims: readonly Claim[]): Fate[] {
    const held = new Set([...this.#waiting, ...this.#noted, ...this.#ready].map(({ send }) => keyOf(send)));
    const fates = this.reclaim(claims);
    const unstarted = fates.filter(({ state }) => state === "not_started");
    this.#recalled.add(unstarted, this.#dependencies.now());
    return fates.filter((fate) => fate.state === "done" || (fate.state === "not_started" && held.has(keyOf(fate))));
  }

  #take({ sends, until }: Batch): void {
    const kept = sends.filter((send) => !this.#recalled.has(send));
    this.#waiting.push(...kept.map((send) => ({ send, until })));
    // An idle lane ends and signals completion.
    const more = Math.min(LANES - this.#lanes, Math.max(1, this.#waiting.length));
    this.#lanes += more;
    for (let n = 0; n < more; n++) void this.#lane();
  }

  async #lane(): Promise<void> {
    for (let started = await this.#next(); started; started = await this.#next()) {
      const { send, block } = started;
      const key = keyOf(send);
      this.#inFlight.add(key);
      const outcome = await this.#dependencies.handOver(send);
      this.#inFlight.delete(key);
      this.#done.set(key, { result: { n: send.n, attempt: send.attempt, ...outcome }, block });
      if (this.#isReportDue()) void this.#report();
    }
    this.#lanes -= 1;
    void this.#report();
  }

  async #next(): Promise<Started | undefined> {
    this.#free += 1;
    try {
      for (;;) {
        const started = this.#ready.shift();
        if (started) return started;
        if (!this.#noting && this.#waiting.length === 0) return undefined;
        this.#noting ??= this.#note().finally(() => {
          this.#noting = undefined;
        });
        await this.#noting;
      }
    } finally {
      this.#free -= 1;
    }
  }

  /** Mails near lease end are left to the Workspace. */
  async #note(): Promise<void> {
    const { now, started, mailClass } = this.#dependencies;
    // Lanes that start together share a note.
    await undefined;
    const isInTime = ({ until }: Waiting) => until - MARGIN_MS > now();
    const sends = this.#waiting.splice(0, Math.max(BLOCK[mailClass], this.#free)).filter(isInTime);
    if (sends.length === 0) return;
    const block: Block = { id: 0, open: sends.length };
    this.#noted.push(...sends.map(({ send }) => ({ send, block })));
    block.id = await started.add(
      sends.map(({ send }) => send),
      now(),
    );
    // A reclaim may drop some meanwhile.
    this.#ready.push(...this.#noted.splice(0));
    if (block.open === 0) started.remove(block.id);
  }

  #notStarted(): number {
    return this.#waiting.length + this.#noted.length + this.#ready.length;
  }

  /** A slow mail must not delay other results. */
  #isReportDue(): boolean {
    return this.#done.size >= REPORT_AT || (this.#done.size > 0 && this.#notStarted() === 0);
  }

  async #report(): Promise<void> {
    if (this.#reporting) return;
    this.#reporting = true;
    while (this.#isReportDue()) {
      const reported = [...this.#done];
      const wants = Math.max(0, CAPACITY - this.#notStarted() - this.#inFlight.size);
      try {
        const results = reported.map(([, { result }]) => result);
        const more = await this.#dependencies.report(results, wants);
        for (const [key, entry] of reported) {
          if (this.#done.get(key) === entry) this.#done.delete(key);
          this.#close(entry.block);
        }
        if (more) this.#take(more);
      } catch {
        await this.#dependencies.sleep(REPORT_PAUSE_MS);
      }
    }
    this.#reporting = false;
    if (this.#lanes > 0) return;
    for (const resolve of this.#whenIdle.splice(0)) resolve();
  }

  #close(block: Block): void {
    block.open -= 1;
    if (block.open === 0 && block.id !== 0) this.#dependencies.started.remove(block.id);
  }

  #fateOf({ n, attempt }: Claim, started: ReadonlySet<string>): Fate {
    const key = keyOf({ n, attempt });
    const result = this.#done.get(key)?.result;
    if (result) return { n, attempt, state: "done", result };
    if (this.#inFlight.has(key)) return { n, attempt, state: "in_flight" };
    const dropped = drop(this.#noted, key) ?? drop(this.#ready, key);
    if (dropped) this.#close(dropped.block);
    // The earlier recall's answer was lost; its note may remain.
    const wasRecalled = this.#recalled.has({ n, attempt });
    const isUnstarted = dropped !== undefined || drop(this.#waiting, key) !== undefined || wasRecalled;
    return { n, attempt, state: started.has(key) && !isUnstarted ? "lost" : "not_started" };
  }
}

const drop = <Entry extends { send: ClaimedSend }>(list: Entry[], key: string): Entry | undefined => {
  const at = list.findIndex(({ send }) => keyOf(send) === key);
  return at === -1 ? undefined : list.splice(at, 1)[0];
};
