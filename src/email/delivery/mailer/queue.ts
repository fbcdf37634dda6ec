import type { Handover, MailClass } from "../../types/mail.ts";
import type { Batch, Claim, ClaimedSend, Fate, SendResult } from "../../types/mailer.ts";
import { createRecalled } from "./recalled.ts";
import { keyOf, type StartedClaims } from "./started.ts";

/** Mails handed over at the same time. A Worker has six outgoing connections. */
export const LANES = 6;
/** Most mails that a Mailer has at a time: enough that its lanes never wait for the Workspace. */
export const CAPACITY = 100;
/**
 * Mails noted as started with one write, at least; more if more lanes wait. After a crash nothing is known of them. So a
 * transactional mail is noted only when a lane is free for it, while a large block saves written rows for marketing mail.
 */
const BLOCK: Readonly<Record<MailClass, number>> = { transactional: 1, marketing: 12 };
/** Results that are reported together while more mails wait. */
const REPORT_AT = 25;
/** A mail is not started this close to the end of its lease, in ms: the Workspace may be about to ask for it. */
const MARGIN_MS = 30_000;
/** Pause before a report that failed is repeated, in ms. */
const REPORT_PAUSE_MS = 1_000;

/** Everything that a Mailer needs besides its own memory. */
export type MailerDependencies = {
  mailClass: MailClass;
  now(): number;
  sleep(ms: number): Promise<void>;
  /** Composes, signs and hands over one mail. Never throws. */
  handOver(send: ClaimedSend): Promise<{ sender: string; handover: Handover }>;
  /** Settles results in the Workspace, which answers with at most `wants` mails more. */
  report(results: readonly SendResult[], wants: number): Promise<Batch | undefined>;
  started: StartedClaims;
};

/** Claims noted together. `open`: those without a reported result. `id`: 0 until the note is durable. */
type Block = { id: number; open: number };
type Waiting = { send: ClaimedSend; until: number };
type Started = { send: ClaimedSend; block: Block };

/**
 * The mails that a Mailer has. It hands some over at the same time and reports the results. It notes durably that it starts a
 * mail before it hands it over, so that after a crash no mail is sent twice.
 */
export class MailerQueue {
  readonly #dependencies: MailerDependencies;
  readonly #waiting: Waiting[] = [];
  /** In the note that is being written. */
  readonly #noted: Started[] = [];
  /** Noted as started, not handed over yet. */
  readonly #ready: Started[] = [];
  readonly #inFlight = new Set<string>();
  readonly #done = new Map<string, { result: SendResult; block: Block }>();
  readonly #recalled = createRecalled();
  #noting: Promise<void> | undefined;
  #lanes = 0;
  /** Lanes that wait for a mail. */
  #free = 0;
  #reporting = false;
  #whenIdle: (() => void)[] = [];

  constructor(dependencies: MailerDependencies) {
    this.#dependencies = dependencies;
  }

  /** Takes mails. Resolves when it has reported the results of all of them. */
  deliver(batch: Batch): Promise<void> {
    return new Promise((resolve) => {
      this.#whenIdle.push(resolve);
      this.#take(batch);
    });
  }

  /** What became of claims whose lease is over. A mail that was not handed over yet is not handed over any more. */
  reclaim(claims: readonly Claim[]): Fate[] {
    const started = new Set(this.#dependencies.started.among(claims).map(keyOf));
    return claims.map((claim) => this.#fateOf(claim, started));
  }

  /**
   * Gives mails back whose hand-over has not begun, and results that are not reported yet. Mails that are still on their way to this
   * Mailer are not in the answer: they are dropped when they arrive, and their lease ends.
   */
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
    // A lane without a mail ends at once, and tells who waits that nothing is left.
    const more = Math.min(LANES - this.#lanes, Math.max(1, this.#waiting.length));
    this.#lanes += more;
    for (let n = 0; n < more; n++) void this.#lane();
  }

  async #lane(): Promise<void> {
    for (let one = await this.#next(); one; one = await this.#next()) {
      const { send, block } = one;
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
        const one = this.#ready.shift();
        if (one) return one;
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

  /** Notes the next block of waiting mails as started. A mail whose lease is nearly over is left to the Workspace. */
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
    // A reclaim may have dropped some of them meanwhile.
    this.#ready.push(...this.#noted.splice(0));
    if (block.open === 0) started.remove(block.id);
  }

  #notStarted(): number {
    return this.#waiting.length + this.#noted.length + this.#ready.length;
  }

  /** A slow mail must not delay the results of others. */
  #isReportDue(): boolean {
    return this.#done.size >= REPORT_AT || (this.#done.size > 0 && this.#notStarted() === 0);
  }

  /** Reports results and takes more mails. One report at a time; a failed one is repeated. */
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

  /** One claim less without a reported result. */
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
    // The answer to an earlier recall was lost, and the note of the claim may be there still.
    const wasRecalled = this.#recalled.has({ n, attempt });
    const isUnstarted = dropped !== undefined || drop(this.#waiting, key) !== undefined || wasRecalled;
    return { n, attempt, state: started.has(key) && !isUnstarted ? "lost" : "not_started" };
  }
}

/** Removes a claim from mails that are not handed over yet. */
const drop = <Entry extends { send: ClaimedSend }>(list: Entry[], key: string): Entry | undefined => {
  const at = list.findIndex(({ send }) => keyOf(send) === key);
  return at === -1 ? undefined : list.splice(at, 1)[0];
};
