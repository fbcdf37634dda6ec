import { expect } from "vitest";
import { addMessage } from "../../../../../../src/email/workspace/content/messages.ts";
import { createRunPump } from "../../../../../../src/email/workspace/requests/slice-pump.ts";
import { startWorkflow } from "../../../../../../src/email/workspace/workflows/runs/control.ts";
import {
  addWorkflow,
  findWorkflow,
  type StoredWorkflow,
} from "../../../../../../src/email/workspace/workflows/workflow-rows.ts";
import { compileMessage } from "../../../../../../src/lib/lmx/message/compile-message.ts";
import { emptySource, type MessageSource } from "../../../../../../src/lib/lmx/message/message-source.ts";
import type { Graph } from "../../../../../../src/lib/workflow-graph/types.ts";
import { graphOf } from "../../../../../unit/email/policy/workflows/run/graphs.ts";
import { advance, handedOver, runAlarm, type Team } from "../../../bench.ts";
import { contextOf } from "../../counted.ts";

export const DAY = 86_400_000;

export type Line = Parameters<typeof graphOf>[number];

/** The graph with unique ids for one workflow: "mail" of "a" is "a_mail", and its message "msg_a_mail". */
export const graphNamed = (name: string, ...lines: Line[]): Graph => {
  const own = (id: string) => `${name}_${id}`;
  const inside = (id: string) => (id === "x" ? id : own(id));
  const graph = graphOf(
    ...lines.map(([id, typeName, next, more = {}]): Line => [own(id), typeName, next.map(inside), more]),
  );
  const { x, ...nodes } = graph.nodes;
  const renamed = Object.fromEntries(
    Object.entries(nodes).map(([id, one]) => [
      id,
      { ...one, nextNodeIds: one.nextNodeIds.map((next) => (next === "x" ? own("x") : next)) },
    ]),
  );
  return { ...graph, exit: own("x"), nodes: { ...renamed, [own("x")]: x } as Graph["nodes"] };
};

export type Mail = Partial<MessageSource>;

/** Adds a workflow. Each mail has a subject and a sender. `mails`: other parts of a message, by the id of its node. */
export const addGraph = (team: Team, graph: Graph, list: string | null = null, mails: Record<string, Mail> = {}) =>
  team.inside((sql) => {
    const context = contextOf(sql);
    const { group } = sql
      .exec<{ group: number }>(`SELECT n AS "group" FROM content_groups WHERE kind = 'workflow' AND reserved = 1`)
      .one();
    const id = addWorkflow(context, { name: graph.root, description: "", group, list, graph });
    const { n } = stored(sql, id);
    for (const [node, one] of Object.entries(graph.nodes)) {
      if (one.typeName !== "SendEmailAction") continue;
      const subject = `Mail ${node}`;
      const source = {
        ...emptySource,
        subject,
        fromName: "Acme",
        fromEmail: "hello",
        lmx: "<Paragraph>Hello</Paragraph>",
        ...mails[node],
      };
      const { compiled, problems } = compileMessage(source, "workflow", {});
      expect(problems).toEqual([]);
      const content = { source: JSON.stringify(source), compiled: JSON.stringify(compiled), uses: [] };
      addMessage(context, one.emailMessageId, { workflow: n, node }, content);
    }
    return id;
  });

export const stored = (sql: SqlStorage, id: string): StoredWorkflow => {
  const found = findWorkflow({ sql, now: Date.now() }, id);
  if ("refusal" in found) throw new Error(found.refusal.message);
  return found.workflow;
};

export const control = async (team: Team, id: string, what: "start" | "pause" | "stop") => {
  advance(1_000);
  const { status, text } = await team.admin("POST", `/workflows/${id}/${what}`);
  expect(status, text).toBe(200);
};

/** Starts an incomplete workflow, which no request can start. */
export const startUnready = (team: Team, id: string) =>
  team.inside((sql) => startWorkflow(contextOf(sql), stored(sql, id)));

/** Runs the due work of the object: steps, and the mails that they queue. */
export const work = async (team: Team) => {
  await team.inside((_, storage) => storage.setAlarm(Date.now()));
  await runAlarm(team.stub);
  await handedOver();
};

/** Resumes a workflow and runs its due steps, but leaves their mails in the queue. */
export const stepOnly = (team: Team, workflow: string) =>
  team.inside(async (sql, storage) => {
    startWorkflow(contextOf(sql), stored(sql, workflow));
    const inboxOnly = ["marketing" as const];
    const runs = createRunPump({
      context: () => ({ ...contextOf(sql), mail: { envelope: undefined, envelopeClasses: [], inboxOnly, notes: [] } }),
      transaction: (work) => storage.transactionSync(work),
      pause: async () => {},
      follow: () => {},
    });
    await runs.run(10);
  });

export const told = (answer: {
  runs: { run: number; code: string; text: string; lines: { at: string; nodeId: string | null; text: string }[] }[];
  entry: { code: string; text: string; lines: { at: string; text: string }[] };
}): string[] => {
  const when = (at: string) => at.slice(0, 16).replace("T", " ");
  return [
    ...answer.runs.flatMap(({ run, code, text, lines }) => [
      ...lines.map((line) => `run ${run} | ${when(line.at)} | ${line.nodeId ?? "-"} | ${line.text}`),
      `run ${run} | ${code} | ${text}`,
    ]),
    `entry | ${answer.entry.code} | ${answer.entry.text}`,
    ...answer.entry.lines.map((line) => `entry | ${when(line.at)} | ${line.text}`),
  ];
};
