import { keyOf } from "../../../../../../src/email/delivery/mailer/mailer-queue.ts";
import { step } from "../../../../../../src/email/policy/workflows/run/step.ts";
import type { Run } from "../../../../../../src/email/policy/workflows/run/types.ts";
import type { MailClass } from "../../../../../../src/email/types/mail-handover.ts";
import type { Claim, ClaimedSend } from "../../../../../../src/email/types/mailer-rpc.ts";
import { type Context, nothing } from "../../../../../../src/email/workspace/core/context.ts";
import { schema as tables } from "../../../../../../src/email/workspace/core/schema.ts";
import { createRunPump } from "../../../../../../src/email/workspace/requests/slice-pump.ts";
import { chores as sendingChores } from "../../../../../../src/email/workspace/sending/chores.ts";
import { MailPump } from "../../../../../../src/email/workspace/sending/mail-pump.ts";
import { nextSend } from "../../../../../../src/email/workspace/sending/sends.ts";
import { chores } from "../../../../../../src/email/workspace/workflows/runs/chores.ts";
import { startRuns } from "../../../../../../src/email/workspace/workflows/runs/trigger.ts";
import type { Random } from "../../../../../workerd/simulation/random.ts";
import type { Timeline } from "../../../../../workerd/simulation/timeline.ts";
import { AMPLE, type Budgets, createEvents, TOO_MANY } from "../../../workspace/sending/simulation/budgets.ts";
import { createDisk, type Life, type Mutation } from "../../../workspace/sending/simulation/disk.ts";
import { createMailers, type Faults } from "./mailer.ts";

type Row = Record<string, SqlStorageValue>;

type Given = { values: readonly SqlStorageValue[]; attemptOf: (n: number) => number | undefined };

export type ObjectBug = {
  mutate?: Mutation;
  step?: (real: typeof step) => typeof step;
  alarm?: "lost" | "never earlier";
  claims?: (query: string, rows: Row[], given: Given) => Row[];
  recall?: (answer: Promise<Claim[]>, claims: readonly Claim[]) => Promise<Claim[]>;
  deferred?: (query: string) => boolean;
};

export type ObjectWorld = {
  timeline: Timeline;
  /** Unix ms: a clock that may jump, unlike the time of the timeline. */
  now(): number;
  random: Random;
  bug: ObjectBug;
  failed(error: unknown): void;
  sliced(): void;
  claimed(sends: readonly ClaimedSend[]): void;
  withMailProvider(send: ClaimedSend): void;
  trouble: number;
  faults?: Faults;
  mailProvider?: string;
  mailers(): number;
  transactionalMailers?(): number;
  runsOfSlice: number;
  slices: number;
  pauseMs?: number;
  isDoubleOptIn: boolean;
  budgets?: Budgets;
  fail?(what: string): void;
  smaller?: Mutation;
  fails?(run: Run): boolean;
};

/** As src/email/workspace/requests/alarm.ts has it. */
const MIN_PAUSE_MS = 1_000;
const NO_SENDER_MS = 3_600_000;

const teamOf = (isDoubleOptIn: boolean) => [
  `INSERT INTO team (one, slug, name, create_properties, created_at, double_opt_in) VALUES (1, 't', 'T', 1, 0, ${isDoubleOptIn ? 1 : 0})`,
  "INSERT OR IGNORE INTO content_groups VALUES (1, 'grp_1', 'workflow', 'Unsorted', '', 0, 0, 1)",
  "INSERT OR IGNORE INTO content_groups VALUES (2, 'grp_2', 'campaign', 'Unsorted', '', 0, 0, 1)",
  "INSERT INTO properties (name, label, type, created_at) VALUES ('plan', 'Plan', 'string', 0), ('seats', 'Seats', 'number', 0)",
  "INSERT INTO mailing_lists (id, name, description, visibility, created_at) VALUES ('lst_1', 'News', '', 'public', 0)",
];

const deferring = (sql: SqlStorage, timeline: Timeline, deferred: NonNullable<ObjectBug["deferred"]>): SqlStorage =>
  ({
    exec: (query: string, ...values: SqlStorageValue[]) => {
      if (!deferred(query)) return sql.exec(query, ...values);
      timeline.in(1, () => sql.exec(query, ...values));
      return { toArray: () => [] };
    },
  }) as unknown as SqlStorage;

const misread = (
  sql: SqlStorage,
  claims: NonNullable<ObjectBug["claims"]>,
  attemptOf: Given["attemptOf"],
): SqlStorage =>
  ({
    exec: (query: string, ...values: SqlStorageValue[]) => {
      const rows = claims(query, sql.exec<Row>(query, ...values).toArray(), { values, attemptOf });
      return { toArray: () => rows, one: () => rows[0] };
    },
  }) as unknown as SqlStorage;

/** Ms between searches for abandoned or old mails. The product searches at each alarm, which takes long here. */
const SWEEP_MS = 3_600_000;
const ERASED =
  "SELECT 1 FROM sends WHERE class IN ('transactional', 'marketing') AND due <= ? AND state = 'unknown' LIMIT 1";
const smaller =
  (size: number): Mutation =>
  (query) =>
    query
      .replace(
        /(INSERT INTO sweeps .*) VALUES \(\?, \?, \?, \?, \?, \?\)/,
        `$1 SELECT ?, ?, ?, ?, ?, json_group_array(json(value)) FROM json_each(?) GROUP BY key / ${size}`,
      )
      .replace(/FROM runs(.*)ORDER BY wake( DESC)? LIMIT \?/s, `FROM runs$1ORDER BY wake$2 LIMIT min(?, ${size})`);

/** The Workspace's part for workflows and campaigns, with its Mailers. A crash restores the last flush of the disk. */
export const createObject = (world: ObjectWorld) => {
  const { timeline, random, bug } = world;
  const schema = [...tables.migrations.map(({ sql }) => sql), ...teamOf(world.isDoubleOptIn)];
  const mutated: Mutation = (query) => smaller(world.runsOfSlice)(bug.mutate?.(query) ?? query);
  const disk = createDisk(
    timeline,
    () => random.int(0, 20),
    schema,
    (query) => world.smaller?.(mutated(query)) ?? mutated(query),
  );
  const sql = bug.deferred === undefined ? disk.sql : deferring(disk.sql, timeline, bug.deferred);
  const taken = bug.step ? bug.step(step) : step;
  const transaction = <T>(work: () => T): T => disk.transaction(work);
  /** Attempts of the results that are settled now. */
  const settling = new Map<number, number>();
  const attemptOf: Given["attemptOf"] = (n) => settling.get(n);
  let ids = 0;
  let swept = 0;
  const contextOf = (): Context => ({
    sql,
    now: world.now(),
    id: (prefix: string) => `${prefix}_${(ids++).toString().padStart(6, "0")}`,
    origin: "",
    domain: "mail.example.com",
    sendingIps: [],
    hasBucket: false,
    publicUrl: "",
    after: nothing(),
    mail: { envelope: undefined, envelopeClasses: [], inboxOnly: ["marketing"], notes: [] },
  });
  const mailers = createMailers({ ...world, random: random.fork() });

  const routeOf = (mailClass: MailClass) => (mailClass === "marketing" ? world.mailProvider : undefined);

  const events = createEvents(world);

  const start = () => {
    const life: Life = { alive: true };
    let alarmAt = disk.alarm() ?? Number.POSITIVE_INFINITY;
    let ringing = false;
    const wake = (at: number) => {
      if (at >= alarmAt || (bug.alarm === "never earlier" && Number.isFinite(alarmAt))) return;
      alarmAt = at;
      disk.setAlarm(at);
    };
    /** Recalled mails never start, also if their order is still in transit. */
    const recalled = new Set<string>();
    const sends = new MailPump({
      sql: bug.claims ? misread(sql, bug.claims, attemptOf) : sql,
      transaction,
      team: () => "t",
      now: world.now,
      random: random.next,
      wake,
      mailer: () => ({
        exchange: async (name, order) => {
          world.claimed(order.sends.filter((claim) => !recalled.has(keyOf(claim))));
          await disk.durable(life);
          if (events.refuses(1)) throw new Error(TOO_MANY);
          const answer = await mailers.exchange(name, order);
          if (!life.alive) return new Promise<never>(() => {});
          settling.clear();
          if ("results" in answer) for (const { n, attempt } of answer.results) settling.set(n, attempt);
          return answer;
        },
        recall: async (name, claims) => {
          for (const claim of claims) recalled.add(keyOf(claim));
          await disk.durable(life);
          if (events.refuses(1)) throw new Error(TOO_MANY);
          const answer = mailers.recall(name, claims);
          const fates = await (bug.recall ? bug.recall(answer, claims) : answer);
          return life.alive ? fates : new Promise<never>(() => {});
        },
      }),
      mailers: (mailClass) => (mailClass === "marketing" ? world.mailers() : (world.transactionalMailers?.() ?? 0)),
      isIdempotent: () => false,
      copiesOf: () => [],
      routeOf,
      onlyRoute: routeOf,
      recipients: (wanted) => {
        const claimed = runs.claim(wanted);
        queueMicrotask(() => life.alive && world.sliced());
        return claimed;
      },
      budget: (world.budgets ?? AMPLE).budget,
      calls: events.calls,
      settled: () => void runs.campaigns().catch(world.failed),
      sleep: (ms) => new Promise((resolve) => timeline.in(ms, () => life.alive && resolve())),
    });
    sends.restore();
    const follow = ({ after }: Context) => {
      wake(after.wake);
      if (after.sends.length > 0) void sends.run();
      if (after.stopped.length > 0) void sends.recall(after.stopped).catch(world.failed);
      // After the answer, so that the model knows the request at the first slice.
      if (after.entered) timeline.in(0, () => life.alive && void runs.run(world.slices).catch(world.failed));
    };
    const runs = createRunPump({
      context: contextOf,
      transaction,
      hasSender: () => world.mailers() > 0,
      pause: () => new Promise((resolve) => timeline.in(world.pauseMs ?? 1, () => life.alive && resolve())),
      follow: (context) => {
        follow(context);
        world.sliced();
        void sends.run();
      },
      step: (flow, run, facts, at) => {
        if (world.fails?.(run)) throw new Error("a planned fault");
        return taken(flow, run, facts, at);
      },
    });
    const next = () =>
      Math.min(
        runs.next(),
        sends.next(),
        ...chores.map((chore) => chore.next(sql)),
        Math.max(
          world.now() + (world.mailers() > 0 ? MIN_PAUSE_MS : NO_SENDER_MS),
          nextSend(sql, world.now(), (mailClass) => sends.limits.opensAt(mailClass, world.now())),
        ),
      );
    wake(Math.max(world.now() + 1, Number.isFinite(sends.next()) || runs.isSending() ? 0 : next()));
    const alarm = async () => {
      ringing = true;
      events.begin();
      disk.setAlarm(undefined);
      alarmAt = Number.POSITIVE_INFINITY;
      const at = world.now();
      for (const chore of chores) void chore.run(sql, at, 7);
      if (at - swept > SWEEP_MS || sql.exec(ERASED, at).toArray().length > 0) {
        for (const chore of sendingChores) void chore.run(sql, at, 100);
        swept = at;
      }
      await runs.run(world.slices);
      void sends.run();
      ringing = false;
      if (bug.alarm !== "lost") wake(Math.max(world.now() + 1, next()));
    };
    return { life, alarm, follow, sends, runs, isRinging: () => ringing };
  };
  let now = start();

  const run = <T>(work: (context: Context) => T): T => {
    events.begin();
    const context = contextOf();
    const result = transaction(() => {
      const answer = work(context);
      startRuns(context);
      return answer;
    });
    now.follow(context);
    return result;
  };
  return {
    disk,
    sql,
    contextOf,
    transaction,
    run,
    current: () => now,
    crash: () => {
      now.life.alive = false;
      disk.crash();
      now = start();
    },
    event: events.begin,
    sendersAreBack: () => {
      events.begin();
      void now.sends.run();
    },
    crashMailers: (isAlone = false) => mailers.crash(isAlone),
  };
};

export type SimulatedObject = ReturnType<typeof createObject>;
