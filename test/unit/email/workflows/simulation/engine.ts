import { addressDigest } from "../../../../../src/email/links/address.ts";
import type { Batch, ClaimedSend, SendResult } from "../../../../../src/email/types/mailer.ts";
import type { RecipientAction } from "../../../../../src/email/types/recipient.ts";
import type { Hit } from "../../../../../src/email/types/tracking.ts";
import type { Graph } from "../../../../../src/email/workflows/graph/types.ts";
import { step } from "../../../../../src/email/workflows/run/step.ts";
import type { Run } from "../../../../../src/email/workflows/run/types.ts";
import { type Context, nothing } from "../../../../../src/email/workspace/base/context.ts";
import { migrations } from "../../../../../src/email/workspace/base/migrations.ts";
import { contacts } from "../../../../../src/email/workspace/contacts/handlers.ts";
import { actForRecipient } from "../../../../../src/email/workspace/contacts/recipient.ts";
import { contactInRow } from "../../../../../src/email/workspace/contacts/row.ts";
import { compileMessage } from "../../../../../src/email/workspace/content/compile-message.ts";
import { emailMessages } from "../../../../../src/email/workspace/content/email-messages.ts";
import { emptySource } from "../../../../../src/email/workspace/content/message-source.ts";
import { addMessage } from "../../../../../src/email/workspace/content/messages.ts";
import { events } from "../../../../../src/email/workspace/events/handlers.ts";
import { recordHit } from "../../../../../src/email/workspace/marketing/hits.ts";
import { pauseWorkflow, startWorkflow, stopWorkflow } from "../../../../../src/email/workspace/runs/control.ts";
import { createRunPump } from "../../../../../src/email/workspace/runs/pump.ts";
import { statusOf } from "../../../../../src/email/workspace/runs/status.ts";
import { storyOf } from "../../../../../src/email/workspace/runs/story.ts";
import { startRuns } from "../../../../../src/email/workspace/runs/trigger.ts";
import { choresOf } from "../../../../../src/email/workspace/runtime/upkeep.ts";
import { Pump } from "../../../../../src/email/workspace/sending/pump.ts";
import { nextSend } from "../../../../../src/email/workspace/sending/sends.ts";
import { suppress } from "../../../../../src/email/workspace/sending/suppression.ts";
import { changedTo } from "../../../../../src/email/workspace/workflows/change.ts";
import { workflows } from "../../../../../src/email/workspace/workflows/handlers.ts";
import { addWorkflow, findWorkflow, type StoredWorkflow } from "../../../../../src/email/workspace/workflows/rows.ts";
import type { Random } from "../../../../workerd/simulation/random.ts";
import type { Timeline } from "../../../../workerd/simulation/timeline.ts";
import { createDisk, type Life, type Mutation } from "../../sending/simulation/disk.ts";
import { createMailers } from "./mailer.ts";
import { randomGraph } from "./random-graph.ts";

export type Edit = Exclude<keyof typeof workflows, "list" | "create" | "get" | "getNode" | "nodeMetrics">;

type Row = Record<string, SqlStorageValue>;

/** A planted bug. */
export type Bug = {
  mutate?: Mutation;
  step?: (real: typeof step) => typeof step;
  /** The alarm is not set again after it has rung, or not set to an earlier time. */
  alarm?: "lost" | "never earlier";
  /** What the claims of mails read instead of the rows that they asked for. */
  claims?: (query: string, rows: Row[]) => Row[];
  /** A statement that begins so runs a little later, in another transaction. */
  deferred?: string;
  /** The graph that an edit gives instead of its own result. */
  edit?: (name: Edit, input: Record<string, unknown>, before: Graph) => Graph | undefined;
};

export type World = {
  timeline: Timeline;
  /** Unix ms: a clock that may jump, unlike the time of the timeline. */
  now(): number;
  random: Random;
  bug: Bug;
  /** What a request left to do has thrown. */
  failed(error: unknown): void;
  /** A slice of runs was committed. */
  sliced(): void;
  /** Mails were claimed, in the transaction that was just committed. */
  claimed(sends: readonly ClaimedSend[]): void;
  /** The relay has taken a mail. */
  relayed(send: ClaimedSend): void;
  /** Share of mails that the relay does not just take. */
  trouble: number;
  /** How many Mailers there are; 0 while the team has no sender. */
  mailers(): number;
  /** Most runs of a slice. */
  runsOfSlice: number;
  /** Most slices of one call of the pump. */
  slices: number;
  isDoubleOptIn: boolean;
  /** Whether the step of a run throws now. */
  fails?(run: Run): boolean;
};

/** As src/email/workspace/runtime/upkeep.ts has it. */
const MIN_PAUSE_MS = 1_000;
const NO_SENDER_MS = 3_600_000;

const teamOf = (isDoubleOptIn: boolean) => ({
  version: 1_000,
  statements: [
    `INSERT INTO team (one, slug, name, create_properties, created_at, double_opt_in) VALUES (1, 't', 'T', 1, 0, ${isDoubleOptIn ? 1 : 0})`,
    "INSERT OR IGNORE INTO content_groups VALUES (1, 'grp_1', 'workflow', 'Unsorted', '', 0, 0, 1)",
    "INSERT INTO properties VALUES ('plan', 'Plan', 'string', 0), ('seats', 'Seats', 'number', 0)",
    "INSERT INTO mailing_lists (id, name, description, visibility, created_at) VALUES ('lst_1', 'News', '', 'public', 0)",
  ],
});

const deferring = (sql: SqlStorage, timeline: Timeline, start: string): SqlStorage =>
  ({
    exec: (query: string, ...values: SqlStorageValue[]) => {
      if (!query.startsWith(start)) return sql.exec(query, ...values);
      timeline.in(1, () => sql.exec(query, ...values));
      return { toArray: () => [] };
    },
  }) as unknown as SqlStorage;

const misread = (sql: SqlStorage, claims: NonNullable<Bug["claims"]>): SqlStorage =>
  ({
    exec: (query: string, ...values: SqlStorageValue[]) => {
      const rows = claims(query, sql.exec<Row>(query, ...values).toArray());
      return { toArray: () => rows, one: () => rows[0] };
    },
  }) as unknown as SqlStorage;

/** Mails that are given up or old are looked for so often, in ms. */
const SWEEP_MS = 3_600_000;
/** Slices of few runs, so that few runs make many slices. */
const smaller =
  (size: number): Mutation =>
  (query) =>
    query
      .replace("OVER () - 1) / 1000", `OVER () - 1) / ${size}`)
      .replace(/FROM runs(.*)ORDER BY wake( DESC)? LIMIT \?/s, `FROM runs$1ORDER BY wake$2 LIMIT min(?, ${size})`);

const chores = [...choresOf.workflows, ...choresOf.runs];

/** The part of the Workspace that workflows need, on a disk that a crash takes back to its last flush, and its Mailers. */
export const createEngine = (world: World) => {
  const { timeline, random, bug } = world;
  const schema = [...migrations, teamOf(world.isDoubleOptIn)];
  const disk = createDisk(
    timeline,
    () => random.int(0, 20),
    schema,
    (query) => smaller(world.runsOfSlice)(bug.mutate ? bug.mutate(query) : query),
  );
  const sql = bug.deferred === undefined ? disk.sql : deferring(disk.sql, timeline, bug.deferred);
  const taken = bug.step ? bug.step(step) : step;
  const transaction = <T>(work: () => T): T => disk.transaction(work);
  let ids = 0;
  let swept = 0;
  const contextOf = (): Context => ({
    ...{ sql, now: world.now(), id: (prefix: string) => `${prefix}_${(ids++).toString().padStart(6, "0")}` },
    ...{ origin: "", domain: "mail.example.com", sendingIps: [], hasBucket: false, publicUrl: "", after: nothing() },
    mail: { envelope: undefined, envelopeClasses: [], inboxOnly: ["marketing"], notes: [] },
  });
  const report = async (name: string, results: readonly SendResult[]): Promise<Batch | undefined> => {
    const { life, sends } = now;
    const batch = sends.report(name, results, 10);
    world.claimed(batch?.sends ?? []);
    await disk.durable(life);
    return batch;
  };
  const mailers = createMailers({ ...world, random: random.fork(), report });

  /** One process of the object. */
  const start = () => {
    const life: Life = { alive: true };
    let alarmAt = disk.alarm() ?? Number.POSITIVE_INFINITY;
    let ringing = false;
    const wake = (at: number) => {
      if (at >= alarmAt || (bug.alarm === "never earlier" && Number.isFinite(alarmAt))) return;
      alarmAt = at;
      disk.setAlarm(at);
    };
    const sends = new Pump({
      ...{
        sql: bug.claims ? misread(sql, bug.claims) : sql,
        transaction,
        team: () => "t",
        now: world.now,
        random: random.next,
        wake,
      },
      mailer: () => ({
        deliver: async (name, batch) => {
          world.claimed(batch.sends);
          await disk.durable(life);
          await mailers.deliver(name, batch);
        },
        reclaim: async (name, claims) => {
          await disk.durable(life);
          return mailers.reclaim(name, claims);
        },
      }),
      mailers: (mailClass) => (mailClass === "marketing" ? world.mailers() : 0),
      isIdempotent: () => false,
      ...{ copiesOf: () => [], routeOf: () => undefined, onlyRoute: () => undefined },
    });
    const follow = ({ after }: Context) => {
      wake(after.wake);
      // After the answer, so that the model knows the request when the first slice is compared.
      if (after.entered) timeline.in(0, () => life.alive && void runs.run(world.slices).catch(world.failed));
    };
    const runs = createRunPump({
      context: contextOf,
      transaction,
      pause: () => new Promise((resolve) => timeline.in(1, () => life.alive && resolve())),
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
        ...[runs.next(), ...chores.map((chore) => chore.next(sql))],
        Math.max(
          world.now() + (world.mailers() > 0 ? MIN_PAUSE_MS : NO_SENDER_MS),
          nextSend(sql, () => 0),
        ),
      );
    wake(Math.max(world.now() + 1, next()));
    const alarm = async () => {
      ringing = true;
      disk.setAlarm(undefined);
      alarmAt = Number.POSITIVE_INFINITY;
      const at = world.now();
      for (const chore of chores) void chore.run(sql, at, 7);
      if (at - swept > SWEEP_MS) for (const chore of choresOf.sending) void chore.run(sql, at, 100);
      if (at - swept > SWEEP_MS) swept = at;
      await runs.run(world.slices);
      await sends.reclaim();
      void sends.run();
      ringing = false;
      if (bug.alarm !== "lost") wake(Math.max(world.now() + 1, next()));
    };
    return { life, alarm, follow, sends, isRinging: () => ringing };
  };
  let now = start();

  const run = <T>(work: (context: Context) => T): T => {
    const context = contextOf();
    const result = transaction(() => {
      const answer = work(context);
      startRuns(context);
      return answer;
    });
    now.follow(context);
    return result;
  };
  const workflowOf = (context: Context, id: string) =>
    (findWorkflow(context, id) as { workflow: StoredWorkflow }).workflow;
  type Answer = { body?: unknown; refusal?: { code: string } };

  return {
    ...{ disk, sql, contextOf },
    current: () => now,
    crash: () => {
      now.life.alive = false;
      disk.crash();
      now = start();
    },
    sendersAreBack: () => void now.sends.run(),
    crashMailers: () => mailers.crash(),
    update: (input: Record<string, unknown>): Answer => run((context) => contacts.update(context, input as never)),
    remove: (input: Record<string, unknown>): Answer => run((context) => contacts.delete(context, input as never)),
    send: (input: Record<string, unknown>): Answer => run((context) => events.send(context, input as never)),
    suppress: (email: string) => run((context) => suppress(context, email, "manual")),
    /** What the owner of the contact's address does on a page of a mail. */
    recipient: (n: number, action: RecipientAction, list?: string) =>
      run((context) => {
        const contact = contactInRow(sql, n);
        if (!contact) return;
        const address = addressDigest(contact.email ?? "");
        const target = { team: "t", row: n, contact: contact.id, address, ...(list === undefined ? {} : { list }) };
        actForRecipient(context, target, action);
      }),
    hit: (hit: Hit) => transaction(() => recordHit({ sql, now: world.now() }, hit)),
    /** A workflow with a message for each of its mails. */
    addWorkflow: (name: string, list: string | null, graph = randomGraph(random, name, true)) =>
      run((context) => {
        const id = addWorkflow(context, { name, description: "", group: 1, list, graph });
        const { n } = workflowOf(context, id);
        const source = { ...emptySource, subject: "Hello", fromName: "T", fromEmail: "hello", lmx: "" };
        const { compiled } = compileMessage(source, "workflow", {});
        const content = { source: JSON.stringify(source), compiled: JSON.stringify(compiled), uses: [] };
        for (const [node, one] of Object.entries(graph.nodes))
          if (one.typeName === "SendEmailAction")
            addMessage(context, one.emailMessageId, { workflow: n, node }, content);
        return id;
      }),
    workflow: (id: string) => workflowOf(contextOf(), id),
    control: (id: string, what: "start" | "pause" | "stop") =>
      run((context) => {
        const act = { start: startWorkflow, pause: pauseWorkflow, stop: stopWorkflow }[what];
        act(context, workflowOf(context, id));
      }),
    edit: (name: Edit, input: Record<string, unknown>): Answer =>
      run((context) => {
        const before = findWorkflow(context, String(input.workflowId));
        const isAllowed =
          "workflow" in before &&
          before.workflow.status !== "Sending" &&
          before.workflow.revision === input.expectedRevisionId;
        const graph = isAllowed ? bug.edit?.(name, input, before.workflow.graph) : undefined;
        if (!graph || !isAllowed) return workflows[name](context, input as never) as Answer;
        return { body: changedTo(context, before.workflow, { graph }) };
      }),
    editMessage: (emailMessageId: string, subject: string): Answer =>
      run((context) => emailMessages.update(context, { emailMessageId, subject } as never) as Answer),
    status: (id: string) => statusOf(contextOf(), workflowOf(contextOf(), id)),
    story: (workflow: string, contact: number) => {
      const context = contextOf();
      const stored = contactInRow(sql, contact);
      return stored && storyOf(context, workflowOf(context, workflow), stored);
    },
  };
};

export type Engine = ReturnType<typeof createEngine>;
