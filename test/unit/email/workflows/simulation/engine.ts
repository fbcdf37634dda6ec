import { step } from "../../../../../src/email/workflows/run/step.ts";
import { type Context, nothing } from "../../../../../src/email/workspace/base/context.ts";
import { migrations } from "../../../../../src/email/workspace/base/migrations.ts";
import { contacts } from "../../../../../src/email/workspace/contacts/handlers.ts";
import { compileMessage } from "../../../../../src/email/workspace/content/compile-message.ts";
import { emptySource } from "../../../../../src/email/workspace/content/message-source.ts";
import { addMessage } from "../../../../../src/email/workspace/content/messages.ts";
import { events } from "../../../../../src/email/workspace/events/handlers.ts";
import { chores } from "../../../../../src/email/workspace/runs/chores.ts";
import { pauseWorkflow, startWorkflow, stopWorkflow } from "../../../../../src/email/workspace/runs/control.ts";
import { createRunPump } from "../../../../../src/email/workspace/runs/pump.ts";
import { startRuns } from "../../../../../src/email/workspace/runs/trigger.ts";
import { createGate } from "../../../../../src/email/workspace/sending/gate.ts";
import { suppress } from "../../../../../src/email/workspace/sending/suppression.ts";
import { workflows } from "../../../../../src/email/workspace/workflows/handlers.ts";
import { addWorkflow, findWorkflow, type StoredWorkflow } from "../../../../../src/email/workspace/workflows/rows.ts";
import type { Random } from "../../../../workerd/simulation/random.ts";
import type { Timeline } from "../../../../workerd/simulation/timeline.ts";
import { createDisk, type Life, type Mutation } from "../../sending/simulation/disk.ts";
import { randomGraph } from "./random-graph.ts";

/** A planted bug. */
export type Bug = {
  mutate?: Mutation;
  step?: (real: typeof step) => typeof step;
  /** The alarm is not set again after it has rung. */
  alarm?: "lost";
  /** Mails are not checked when they are claimed. */
  claim?: "unchecked";
  /** A statement that begins so runs a little later, in another transaction. */
  deferred?: string;
};

export type Claimed = {
  n: number;
  contact: number | null;
  person: string | null;
  run: number;
  recipient: string;
  message: string;
};

export type World = {
  timeline: Timeline;
  random: Random;
  bug: Bug;
  trace(line: string): void;
  sliced(): void;
  /** Why the contact may get no mail now, as the model knows it. */
  mayGet(mail: Claimed): string | undefined;
  relay(mail: Claimed, closed: string | undefined): void;
};

const team = {
  version: 1_000,
  statements: [
    "INSERT INTO team (one, slug, name, create_properties, created_at) VALUES (1, 't', 'T', 1, 0)",
    "INSERT OR IGNORE INTO content_groups VALUES (1, 'grp_1', 'workflow', 'Unsorted', '', 0, 0, 1)",
    "INSERT INTO properties VALUES ('plan', 'Plan', 'string', 0), ('seats', 'Seats', 'number', 0)",
    "INSERT INTO mailing_lists (id, name, description, visibility, created_at) VALUES ('lst_1', 'News', '', 'public', 0)",
  ],
};

const deferring = (sql: SqlStorage, timeline: Timeline, start: string): SqlStorage =>
  ({
    exec: (query: string, ...values: SqlStorageValue[]) => {
      if (!query.startsWith(start)) return sql.exec(query, ...values);
      timeline.in(1, () => sql.exec(query, ...values));
      return { toArray: () => [] };
    },
  }) as unknown as SqlStorage;

/** The part of the Workspace that workflows need, on a disk that a crash takes back to its last flush. */
export const createEngine = (world: World) => {
  const { timeline, random, bug } = world;
  const disk = createDisk(timeline, () => random.int(0, 20), [...migrations, team], bug.mutate);
  const sql = bug.deferred === undefined ? disk.sql : deferring(disk.sql, timeline, bug.deferred);
  const transaction = <T>(work: () => T): T => disk.transaction(work);
  let ids = 0;
  const contextOf = (): Context => ({
    ...{ sql, now: timeline.now(), id: (prefix: string) => `${prefix}_${(ids++).toString().padStart(6, "0")}` },
    ...{ origin: "", domain: "mail.example.com", sendingIps: [], hasBucket: false, publicUrl: "", after: nothing() },
    mail: { envelope: undefined, envelopeClasses: [], inboxOnly: ["marketing"], notes: [] },
  });

  /** One process of the object. */
  const start = () => {
    const life: Life = { alive: true };
    let alarmAt = disk.alarm() ?? Number.POSITIVE_INFINITY;
    const wake = (at: number) => {
      if (at >= alarmAt) return;
      alarmAt = at;
      disk.setAlarm(at);
    };
    const follow = ({ after }: Context) => {
      wake(after.wake);
      // After the answer, so that the model knows the request when the first slice is compared.
      if (after.entered) timeline.in(0, () => void (life.alive && pump.run(10)));
    };
    const pump = createRunPump({
      context: contextOf,
      transaction,
      pause: () => new Promise((resolve) => timeline.in(1, () => life.alive && resolve())),
      follow: (context) => {
        follow(context);
        world.sliced();
      },
      ...(bug.step ? { step: bug.step(step) } : {}),
    });
    wake(pump.next());
    const alarm = async () => {
      disk.setAlarm(undefined);
      alarmAt = Number.POSITIVE_INFINITY;
      const now = timeline.now();
      for (const chore of chores) void chore.run(sql, now, 7);
      await pump.run(20);
      if (bug.alarm === "lost") return;
      wake(Math.max(timeline.now() + 1, Math.min(pump.next(), ...chores.map(({ next }) => next(sql)))));
    };
    return { life, alarm, follow };
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

  return {
    disk,
    sql,
    current: () => now,
    crash: () => {
      now.life.alive = false;
      disk.crash();
      now = start();
    },
    update: (input: Record<string, unknown>) => run((context) => contacts.update(context, input as never)),
    remove: (input: { userId: string }) => run((context) => contacts.delete(context, input as never)),
    send: (input: Record<string, unknown>) => run((context) => events.send(context, input as never)),
    suppress: (email: string) => run((context) => suppress(context, email, "manual")),
    /** A workflow with a message for each of its mails. */
    addWorkflow: (name: string, list: string | null, graph = randomGraph(random, name)) =>
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
    edit: (name: "updateNode" | "createNode" | "deleteNode" | "changeMailingList", input: Record<string, unknown>) =>
      run((context) => workflows[name](context, input as never) as { body?: unknown; refusal?: { code: string } }),
    /** Hands over every marketing mail that is queued, after the check that belongs to a claim. A claim is durable before its mail leaves. */
    claim: () => {
      const claimed = run(({ now: at }) => {
        const check = createGate(sql);
        return sql
          .exec<Claimed>(
            `SELECT s.n, s.contact, c.id AS person, s.run, s.recipient, m.id AS message FROM sends s LEFT JOIN contacts c ON c.n = s.contact
             JOIN message_revisions r ON r.n = s.revision JOIN email_messages m ON m.n = r.message
             WHERE s.class = 'marketing' AND s.state = 'queued' ORDER BY s.n`,
          )
          .toArray()
          .filter(({ n, recipient }) => {
            const reason = bug.claim === "unchecked" ? undefined : check(n, recipient).reason;
            sql.exec(
              "UPDATE sends SET state = ?, due = NULL, error = ?, settled_at = ? WHERE n = ?",
              ...[reason === undefined ? "sent" : "not_sent", reason ?? null, at, n],
            );
            return reason === undefined;
          });
      });
      const mails = claimed.map((mail) => ({ mail, closed: world.mayGet(mail) }));
      void disk.durable(now.life).then(() => {
        for (const { mail, closed } of mails) world.relay(mail, closed);
      });
    },
  };
};

export type Engine = ReturnType<typeof createEngine>;
