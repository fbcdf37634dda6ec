import type { Disk } from "../../model/config.ts";
import { readFact, saveFact } from "../../model/kv.ts";
import type { Outcome } from "../outcome.ts";
import { addHold, type Holds } from "./downtime.ts";
import { nextPause, type Pause, resumed, type Stops } from "./interruption.ts";

/**
 * What stops delivery: the host's limit or its refusal of the key (pause), and people (stops). Both survive the object,
 * and so do the spans in which nothing could leave (holds), which no clock of a waiting call counts.
 */
export class Brakes {
  readonly #disk: Disk;
  #pause: Pause | undefined;
  #stops: Stops;
  /** Of all delivery under "", else by source. */
  #holds: Readonly<Record<string, Holds>>;
  /** Start of the newest try whose key the host accepted, Unix ms. */
  #acceptedAt = 0;

  constructor(disk: Disk, now: number) {
    this.#disk = disk;
    this.#pause = resumed(readFact<Pause>(disk.sql, "pause"), now);
    this.#stops = readFact<Stops>(disk.sql, "stops") ?? { sources: {} };
    this.#holds = readFact<Record<string, Holds>>(disk.sql, "holds") ?? {};
  }

  get pause(): Pause | undefined {
    return this.#pause;
  }

  get stops(): Stops {
    return this.#stops;
  }

  get acceptedAt(): number {
    return this.#acceptedAt;
  }

  /** What an outcome means for delivery as a whole. True when that changed the pause. */
  learn(outcome: Outcome, startedAt: number, now: number): boolean {
    if (outcome.kind === "done" || outcome.kind === "dead") this.#acceptedAt = Math.max(this.#acceptedAt, startedAt);
    const before = this.#pause;
    const pause = nextPause(before, outcome, startedAt, now);
    if (pause === before) return false;
    this.#pause = pause;
    this.#disk.transactionSync(() => {
      saveFact(this.#disk.sql, "pause", pause);
      if (before && before.since !== pause?.since) this.#hold("", before.since, now);
    });
    return true;
  }

  /** Stops all delivery (source undefined) or the calls of one source, or lets it go on. True when that changed it. */
  stop(source: string | undefined, stopped: boolean, now: number): boolean {
    const { all, sources } = this.#stops;
    const since = source === undefined ? all : sources[source];
    if (stopped === (since !== undefined)) return false;
    const { [source ?? ""]: _, ...others } = sources;
    this.#stops =
      source === undefined
        ? { ...(stopped ? { all: now } : {}), sources }
        : { ...(all === undefined ? {} : { all }), sources: { ...others, ...(stopped ? { [source]: now } : {}) } };
    this.#disk.transactionSync(() => {
      saveFact(this.#disk.sql, "stops", this.#stops);
      if (since !== undefined) this.#hold(source ?? "", since, now);
    });
    return true;
  }

  /** When the calls of a source could not leave, up to now. */
  holdsOf(source: string, now: number): Holds {
    const since = this.#pause?.since;
    return [
      ...(this.#holds[""] ?? []),
      ...(source === "" ? [] : (this.#holds[source] ?? [])),
      ...(since === undefined ? [] : [[since, now] as const]),
    ];
  }

  #hold(name: string, from: number, to: number): void {
    this.#holds = { ...this.#holds, [name]: addHold(this.#holds[name] ?? [], from, to) };
    saveFact(this.#disk.sql, "holds", this.#holds);
  }
}
