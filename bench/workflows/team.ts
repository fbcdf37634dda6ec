import type { AudienceFilter } from "../../src/lib/contract/audience/filter.ts";
import { addVerifiedDomain } from "../../test/dns/verified.ts";
import { ADMIN_TOKEN, ask, createTeam } from "../ask.ts";
import { FILL } from "../fill.ts";
import type { Running } from "./start.ts";

const CHUNK = 20_000;
const LMX = `<Style />\n${"<Paragraph>Hello {contact.firstName}, your plan is {event.plan}. Thank you.</Paragraph>\n".repeat(4)}`;

type Asked = "begin" | "count" | "enter" | "purge" | "rows" | "sql" | "work";
type Trigger = Readonly<Record<string, unknown>> & { typeName: string };

export const newTeam = async ({ url, dns }: Running, id: string) => {
  const call = await createTeam(url, id, { createProperties: true });
  const owner = { emailUrl: url, token: ADMIN_TOKEN, team: id, name: `${id}.example` };
  const domain = await addVerifiedDomain(owner, dns);
  // A new domain may send 500 marketing mails on its first day.
  await ask("POST", `${url}/admin/teams/${id}/domains/${domain.id}`, ADMIN_TOKEN, { warmup: false });
  const get = (path: string) => call("GET", path);
  const post = (path: string, body: object) => call("POST", path, body);
  const bench = (what: Asked, ...given: unknown[]) => ask("POST", `${url}/bench`, "", { team: id, what, given });
  const sql = (query: string, ...values: unknown[]): Promise<Record<string, number>[]> => bench("sql", query, values);
  await post("/contacts/create", { email: "first@example.com", plan: "pro", seats: 1, country: "GB", trial: false });
  const control = (workflow: string, what: "start" | "pause" | "resume") =>
    ask("POST", `${url}/admin/teams/${id}/workflows/${workflow}/${what}`, ADMIN_TOKEN);

  const change = async (workflow: string, path: string, body: object) => {
    const { workflowRevisionId } = await get(`/workflows/${workflow}`);
    return post(`/workflows/${workflow}${path}`, { expectedRevisionId: workflowRevisionId, ...body });
  };
  const addNode = async (workflow: string, body: object) => (await change(workflow, "/nodes", body)).node;
  const addMail = async (workflow: string, place: object): Promise<void> => {
    const { emailMessageId } = await addNode(workflow, { nodeTypeName: "SendEmailAction", ...place });
    const fields = { subject: "About your plan", fromName: "Acme", fromEmail: "hello", lmx: LMX };
    await post(`/email-messages/${emailMessageId}`, { ...fields, contactPropertiesFallbacks: { firstName: "there" } });
  };
  const setFilter = (workflow: string, node: string, seats: number) => {
    const condition = { type: "property", key: "seats", operator: "lessThan", value: seats } as const;
    const audienceFilter: AudienceFilter = { match: "all", conditions: [condition] };
    return change(workflow, `/nodes/${node}`, { payload: { audienceFilter } });
  };
  const newWorkflow = async (name: string, trigger: Trigger): Promise<{ id: string; root: string }> => {
    const { id: workflow, rootNodeId: root } = await post("/workflows", { name });
    await change(workflow, `/nodes/${root}`, { payload: trigger });
    return { id: workflow, root };
  };

  return {
    id,
    get,
    post,
    bench,
    sql,
    change,
    control,
    rowsOf: async (work: () => Promise<unknown>): Promise<number> => {
      await bench("count");
      const before: number = await bench("rows");
      await work();
      return (await bench("rows")) - before;
    },
    /** The first contact has row 2. */
    addContacts: async (count: number): Promise<void> => {
      for (let from = 0; from < count; from += CHUNK)
        await bench("sql", FILL, [from, Math.min(from + CHUNK, count) - 1]);
    },
    /** trigger → mail → timer → exit. */
    newWelcome: async (name: string, trigger: Trigger): Promise<string> => {
      const { id: workflow, root } = await newWorkflow(name, trigger);
      const timer = { insertMode: "after", nodeTypeName: "TimerAction", fromNodeId: root };
      const { id: timerId } = await addNode(workflow, timer);
      await addMail(workflow, { insertMode: "before", toNodeId: timerId });
      await control(workflow, "start");
      return workflow;
    },
    /** trigger → timer → branch → mail → timer → exit. `k`: first timer. */
    newBranching: async (name: string, trigger: Trigger): Promise<{ workflow: string; n: number; k: number }> => {
      const { id: workflow, root } = await newWorkflow(name, trigger);
      const after = (fromNodeId: string, nodeTypeName: string) =>
        addNode(workflow, { insertMode: "after", nodeTypeName, fromNodeId });
      const first = await after(root, "TimerAction");
      const last = await after(first.id, "TimerAction");
      const branch = await addNode(workflow, {
        insertMode: "between",
        nodeTypeName: "BranchNode",
        fromNodeId: first.id,
        toNodeId: last.id,
      });
      const { node: third } = await change(workflow, `/nodes/${branch.id}/add-branch`, {});
      await change(workflow, `/nodes/${third.id}/reroute`, { newTargetNodeId: last.id });
      const [low, high] = branch.nextNodeIds as string[];
      await setFilter(workflow, low ?? "", 17);
      await setFilter(workflow, high ?? "", 34);
      for (const node of [low, high, third.id]) await addMail(workflow, { insertMode: "after", fromNodeId: node });
      await control(workflow, "start");
      const [row] = await sql(
        `SELECT n, graph->'$.nodes'->?->>'k' AS k FROM workflows WHERE id = ?`,
        first.id,
        workflow,
      );
      return { workflow, n: row?.n ?? 0, k: row?.k ?? 0 };
    },
    addRuns: async ({ n, k }: { n: number; k: number }, from: number, count: number, wake: number): Promise<void> => {
      for (let at = from; at < from + count; at += CHUNK)
        await sql(
          `INSERT INTO runs (contact, workflow, seq, node, since, wake, entered_at, path, event)
           SELECT n, ?1, 1, ?2, 0, CAST(?3 AS INTEGER), 0, '[[1,0]]', jsonb('{"plan":"pro"}') FROM contacts WHERE n >= ?4 AND n < ?5`,
          n,
          k,
          wake,
          at,
          Math.min(at + CHUNK, from + count),
        );
    },
    hasDue: async (n: number): Promise<boolean> =>
      (await sql("SELECT 1 FROM runs WHERE workflow = ? AND wake <= ? LIMIT 1", n, Date.now())).length > 0,
  };
};
export type Team = Awaited<ReturnType<typeof newTeam>>;
