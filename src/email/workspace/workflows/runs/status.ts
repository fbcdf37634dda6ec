import { isoOrNull } from "../../../../lib/util/dates.ts";
import { inOrder, isTrigger, node } from "../../../../lib/workflow-graph/edges.ts";
import { wordsOfNode, wordsOfTrigger } from "../../../policy/workflows/run/run-words.ts";
import type { Context } from "../../core/context.ts";
import { sweeping } from "../../core/sweeps.ts";
import { countsOf } from "../counts.ts";
import { createNames } from "../node-names.ts";
import { passedIn, wentOn } from "../node-passes.ts";
import { allWaiting } from "../waiting-runs.ts";
import type { StoredWorkflow } from "../workflow-rows.ts";

type Waiting = { waiting: number; due: number; next: number | null };

/** Each accepted mail is in exactly one count. */
type Mails = { queued: number; held: number; sent: number; notSent: number; failed: number; unknown: number };

const NONE: Waiting = { waiting: 0, due: 0, next: null };

/** Returns the numbers of contacts and mails. Its time does not grow with ended runs. */
export const statusOf = ({ sql, now }: Context, workflow: StoredWorkflow) => {
  const { n, id, name, status, revision, graph } = workflow;
  const waiting = waitingIn(sql, n, now);
  const nameOf = createNames(sql, n);
  const mails = mailsIn(sql, workflow);
  const { ended, dropped } = countsOf(sql, n);
  const { ever, lastDay, since } = passedIn(sql, n, now);
  const active = sum([...waiting.values()].map((one) => one.waiting));
  return {
    id,
    name,
    status,
    workflowRevisionId: revision,
    entered: active + sum(Object.values(ended)),
    active,
    ended,
    dropped,
    sweeping: sweeping(sql).includes(n),
    passedSince: isoOrNull(since),
    nodes: inOrder(graph).map((nodeId) => {
      const workflowNode = node(graph, nodeId);
      const ways = ever(workflowNode.k);
      const { next, ...counts } = waiting.get(workflowNode.k) ?? NONE;
      return {
        nodeId,
        typeName: workflowNode.typeName,
        text: isTrigger(workflowNode)
          ? `the start: ${wordsOfTrigger(workflowNode) ?? "nothing yet"}`
          : wordsOfNode(graph, nodeId, nameOf),
        ...counts,
        nextWake: isoOrNull(next),
        passed: wentOn(ways),
        passedLastDay: wentOn(lastDay(workflowNode.k)),
        left: ways.out,
        edges: workflowNode.nextNodeIds.map((to) => ({ nodeId: to, passed: ways.on.get(node(graph, to).k) ?? 0 })),
        ...(workflowNode.typeName === "SendEmailAction" ? { mails: mails.get(workflowNode.emailMessageId) } : {}),
      };
    }),
  };
};

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

const waitingIn = (sql: SqlStorage, workflow: number, now: number): ReadonlyMap<number, Waiting> => {
  const { sql: condition, values } = allWaiting(workflow);
  const rows = sql
    .exec<Waiting & { node: number }>(
      `SELECT node, count(*) AS waiting, total(wake <= now) AS due, min(wake) AS next
       FROM (SELECT node, wake FROM runs WHERE ${condition}), (SELECT ? AS now) GROUP BY node`,
      ...values,
      now,
    )
    .toArray();
  return new Map(rows.map(({ node: k, ...counts }) => [k, counts]));
};

type MailRow = { id: string; accepted: number; settled: number; not_sent: number; failed: number; unknown: number };

/** Each waiting mail counts as held while the workflow is not sending. */
const mailsIn = (sql: SqlStorage, { n, status }: StoredWorkflow): ReadonlyMap<string, Mails> =>
  new Map(
    sql
      .exec<MailRow>(
        `SELECT m.id, coalesce(accepted, 0) AS accepted, coalesce(settled, 0) AS settled, coalesce(not_sent, 0) AS not_sent,
           coalesce(failed, 0) AS failed, coalesce(unknown, 0) AS unknown
         FROM email_messages m LEFT JOIN message_counts c ON c.message = m.n WHERE m.workflow = ?`,
        n,
      )
      .toArray()
      .map(({ id, accepted, settled, not_sent: notSent, failed, unknown }) => {
        const waiting = accepted - settled;
        const [queued, held] = status === "Sending" ? [waiting, 0] : [0, waiting];
        return [id, { queued, held, sent: settled - notSent - failed - unknown, notSent, failed, unknown }];
      }),
  );
