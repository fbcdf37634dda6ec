import { endOfTimer, type step } from "../../../../../../src/email/policy/workflows/run/step.ts";
import type { Flow, Run, RunContact } from "../../../../../../src/email/policy/workflows/run/types.ts";
import { parentsOf, redirected } from "../../../../../../src/lib/workflow-graph/edges.ts";
import type { Graph } from "../../../../../../src/lib/workflow-graph/types.ts";
import type { Bug } from "./engine.ts";

type Arguments = { flow: Flow; run: Run; contact: RunContact; now: number };

const stepWith =
  (change: (given: Arguments) => Partial<Arguments>) =>
  (real: typeof step): typeof step =>
  (flow, run, facts, now) => {
    const changed = { flow, run, contact: facts.contact, now, ...change({ flow, run, contact: facts.contact, now }) };
    return real(changed.flow, changed.run, { ...facts, contact: changed.contact }, changed.now);
  };

const replaced =
  (piece: string, by: string) =>
  (query: string): string =>
    query.replace(piece, by);

const withNodes = (flow: Flow, change: (one: Graph["nodes"][string]) => Graph["nodes"][string]): Flow => ({
  ...flow,
  graph: {
    ...flow.graph,
    nodes: Object.fromEntries(Object.entries(flow.graph.nodes).map(([id, one]) => [id, change(one)])),
  },
});

const misjudged = (flow: Flow, isWrong: (operator: string, value: unknown, plan: unknown) => boolean): Flow => ({
  ...flow,
  matches: (id, facts, now) => {
    const one = flow.graph.nodes[id];
    const plan = facts.contact.data.properties.plan;
    const conditions = one?.typeName === "AudienceFilter" ? (one.audienceFilter?.conditions ?? []) : [];
    const wrong = conditions.some(
      (condition) => condition.type === "property" && isWrong(condition.operator, condition.value, plan),
    );
    return wrong ? false : flow.matches(id, facts, now);
  },
});

const openGate = (contact: RunContact): RunContact => ({
  ...contact,
  data: { ...contact.data, subscribed: true, optInStatus: null },
});

/** Bugs that the simulation has to find. `seed`: one that finds it. */
export const BUGS: Record<string, Bug & { seed: number }> = {
  "a mail and the move of its run are two transactions": {
    seed: 1,
    deferred: (query) => query.startsWith("UPDATE runs SET node"),
  },
  "a timer starts at the arrival at the timer before": {
    seed: 5,
    step: (real) => (flow, run, facts, now) => {
      const taken = real(flow, run, facts, now);
      const { position } = taken;
      return "wake" in position && position.since === now && run.path.length > 0
        ? { ...taken, position: { ...position, wake: position.wake - (now - run.since) } }
        : taken;
    },
  },
  "a timer starts when the timer before should have ended, so that a chain fires at once after a pause": {
    seed: 5,
    step: stepWith(({ flow, run, now }) => {
      const one = flow.graph.nodes[flow.idOf(run.node) ?? ""];
      return one?.typeName === "TimerAction" ? { now: Math.min(now, endOfTimer(one, run.since)) } : {};
    }),
  },
  "a branch takes its right-most filter": {
    seed: 18,
    step: stepWith(({ flow }) => ({
      flow: withNodes(flow, (one) =>
        one.typeName === "BranchNode" ? { ...one, nextNodeIds: [...one.nextNodeIds].reverse() } : one,
      ),
    })),
  },
  "notEquals drops a contact without the value": {
    seed: 5,
    step: stepWith(({ flow }) => ({
      flow: misjudged(flow, (operator, _value, plan) => operator === "notEquals" && plan === undefined),
    })),
  },
  "contains knows upper and lower case of ASCII only": {
    seed: 26,
    step: stepWith(({ flow }) => ({
      flow: misjudged(flow, (operator, value, plan) => operator === "contains" && value === "ö" && plan === "PRÖ"),
    })),
  },
  "the alarm does not set the next one": { seed: 4, alarm: "lost" },
  "a paused workflow queues contacts for ever": {
    seed: 1,
    mutate: replaced("status, paused_at FROM workflows", "status, 9000000000000 AS paused_at FROM workflows"),
  },
  "the purge deletes the newest run": {
    seed: 2,
    mutate: replaced("AND r.seq > runs.seq)", "AND r.seq > runs.seq) AND 0"),
  },
  "the gate is checked at the entry only": {
    seed: 1,
    step: stepWith(({ flow, contact }) => ({ flow: { ...flow, list: null }, contact: openGate(contact) })),
  },
  "a filter applies downstream to the next node only": {
    seed: 68,
    step: stepWith(({ run }) => ({ run: { ...run, path: [] } })),
  },
  "a filter applies downstream to contacts that went around it": {
    seed: 4,
    step: stepWith(({ flow, run }) => ({
      run: { ...run, path: Object.values(flow.graph.nodes).map(({ k }) => [k, 0] as const) },
    })),
  },
  "the runs of a deleted node stay": {
    seed: 9,
    mutate: replaced("event = NULL, ended = ?4 WHERE", "event = NULL, ended = ?4 WHERE 0 AND"),
  },
  "a change of the mailing list keeps the revision": {
    seed: 1,
    mutate: replaced("revision = ?, graph = ?", "revision = iif(?, revision, revision), graph = ?"),
  },
  "the subscription is not checked when a mail is claimed": {
    seed: 24,
    claims: (_, rows) =>
      rows.map((row) => {
        if (typeof row.data !== "string") return row;
        const data = { ...JSON.parse(row.data), subscribed: true, optInStatus: null, mailingLists: { lst_1: true } };
        return { ...row, data: JSON.stringify(data) };
      }),
  },
  "suppression is checked when a mail is accepted only": {
    seed: 43,
    claims: (query, rows) => (query.includes("FROM suppressions") ? [] : rows),
  },
  "mail of a paused workflow is claimed": {
    seed: 13,
    claims: (_, rows) => rows.map((row) => (row.state === "held" ? { ...row, state: "sending" } : row)),
  },
  "runs move before an edit has changed all of them": {
    seed: 6,
    mutate: (query) =>
      query
        .replace("AND NOT EXISTS (SELECT 1 FROM sweeps", "AND NOT EXISTS (SELECT 1 FROM sweeps WHERE 0")
        .replace("WHERE 0 WHERE workflow", "WHERE 0 AND workflow")
        .replace(/^SELECT DISTINCT workflow FROM sweeps$/, "SELECT DISTINCT workflow FROM sweeps WHERE 0"),
  },
  "a reroute makes a circle": {
    seed: 2,
    edit: (name, { nodeId, newTargetNodeId }, graph) => {
      const source = graph.nodes[String(nodeId)];
      const [old, ...others] = source?.nextNodeIds ?? [];
      const isAllowed = old !== undefined && others.length === 0 && parentsOf(graph, old).length > 1;
      if (name !== "reroute" || !isAllowed || newTargetNodeId === graph.root) return undefined;
      return redirected(graph, [String(nodeId)], old, String(newTargetNodeId));
    },
  },
  "a deletion leaves nodes that nothing leads to": {
    seed: 2,
    edit: (name, { nodeId }, graph) => {
      const gone = String(nodeId);
      if (name !== "deleteNodeRecursively" || !graph.nodes[gone] || parentsOf(graph, gone).length === 0)
        return undefined;
      const { [gone]: _, ...nodes } = redirected(graph, parentsOf(graph, gone), gone, graph.exit).nodes;
      return { ...graph, nodes };
    },
  },
  "a node inserted before another one takes over one of its parents": {
    seed: 53,
    edit: (name, { insertMode, nodeTypeName, toNodeId }, graph) => {
      const target = String(toNodeId);
      const parents = parentsOf(graph, target).filter((id) => graph.nodes[id]?.nextNodeIds.length === 1);
      const isPlain = name === "createNode" && insertMode === "before" && nodeTypeName === "TimerAction";
      if (!isPlain || parents.length < 2) return undefined;
      const k = graph.lastK + 1;
      const timer = { typeName: "TimerAction", k, nextNodeIds: [target], amount: 1, unit: "d" } as const;
      const nodes = { ...graph.nodes, [`nod_bug_${k}`]: timer };
      return redirected({ ...graph, lastK: k, nodes }, parents.slice(0, 1), target, `nod_bug_${k}`);
    },
  },
  "a contact that entered during a pause is dropped after 24 hours": {
    seed: 1,
    mutate: replaced(
      "WHERE workflow = ? AND wake <= ? ORDER BY wake",
      "WHERE workflow = ? AND wake <= ? AND (path <> '[]' OR entered_at > ?2 - 86400000) ORDER BY wake",
    ),
  },
  "runs of a paused workflow stand before those of others": {
    seed: 9,
    mutate: replaced(
      "FROM runs\n       WHERE workflow = ? AND wake <= ? ORDER BY wake LIMIT ?",
      "FROM (SELECT * FROM runs WHERE wake <= ?2 ORDER BY wake LIMIT 2) WHERE workflow = ?1 ORDER BY wake LIMIT ?",
    ),
  },
  "contacts that waited in a pause do not go on in their order": {
    seed: 1,
    mutate: replaced("wake <= ? ORDER BY wake LIMIT", "wake <= ? ORDER BY wake DESC LIMIT"),
  },
  "an earlier time does not set the alarm": { seed: 1, alarm: "never earlier" },
  "a deleted contact leaves its mails": {
    seed: 4,
    mutate: replaced("DELETE FROM engagement WHERE contact = ?", "DELETE FROM engagement WHERE contact = ? AND 0"),
  },
  "of two contacts that become one, one loses its mails": {
    seed: 34,
    mutate: replaced("engagement SET contact = ?4, run = run + ?3", "engagement SET contact = ?4, run = run + 0 * ?3"),
  },
  "two contacts that become one are in a workflow twice": {
    seed: 42,
    mutate: (query) =>
      query.includes("ended = 'merged'") ? query.replace("AND wake IS NOT NULL AND", "AND 0 AND") : query,
  },
  "a paused workflow moves": {
    seed: 1,
    mutate: (query) =>
      query.replace("AND w.status = 'Sending'", "").replace("status = 'Sending' AND deleted_at", "deleted_at"),
  },
  "the variant depends on the run": {
    seed: 15,
    step: stepWith(({ run, contact }) => ({
      contact: { ...contact, id: `${contact.id} ${(run as Run & { seq: number }).seq}` },
    })),
  },
  "a second passage does not get the mails of the first": {
    seed: 10,
    mutate: replaced(
      "SELECT 1 FROM engagement WHERE contact = ? AND message = ? AND run = ?",
      "SELECT 1 FROM engagement WHERE contact = ? AND message = ? AND run >= 0 * ?",
    ),
  },
  "a contact enters a second time": { seed: 2, mutate: replaced("SELECT count(*) AS total,", "SELECT 0 AS total,") },
  "a fault is not counted": {
    seed: 8,
    mutate: replaced(
      "INSERT INTO workflow_counts (workflow, kind, reason, count) VALUES (?, ?, ?, ?)",
      "INSERT INTO workflow_counts (workflow, kind, reason, count) SELECT ?1, ?2, ?3, ?4 WHERE ?3 <> 'fault'",
    ),
  },
  "a contact that did not enter is counted for another reason": {
    seed: 6,
    mutate: replaced(
      "INSERT INTO workflow_counts (workflow, kind, reason, count) VALUES (?, ?, ?, ?)",
      "INSERT INTO workflow_counts (workflow, kind, reason, count) SELECT ?1, ?2, replace(?3, 'left_list', 'unsubscribed'), ?4 WHERE 1",
    ),
  },
  "where contacts went is counted for the last hour only": {
    seed: 1,
    mutate: replaced("ON CONFLICT DO UPDATE SET counts = excluded.counts", "ON CONFLICT DO NOTHING"),
  },
  "mail that is not sent is counted as sent": {
    seed: 6,
    mutate: replaced("(NEW.state = 'not_sent') - (OLD.state = 'not_sent'),", "0,"),
  },
  "a stop restarts the 24 hours": { seed: 1, mutate: replaced("coalesce(paused_at, ?2)", "?2") },
};
