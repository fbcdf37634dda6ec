import type { Browser } from "playwright-core";
import type { Figure } from "../outbox/report.ts";
import { sleep, until } from "../outbox/report.ts";
import { figuresOf } from "./figures.ts";
import { openTab } from "./tab.ts";
import { MAIL, type Team } from "./team.ts";

const DUE_OF = 10;
const OVER_MS = 30_000;
const PAGES = 20;
const CHUNK = 10_000;
const DAY = 86_400_000;

type Node = { id: string; emailMessageId: string };

export const newWorkflow = async ({ post, get, scale }: Team, name: string) => {
  const { id, rootNodeId: root } = await post("/v1/workflows", { name });
  const edit = async (path: string, body: object) => {
    const { workflowRevisionId: expectedRevisionId } = await get(`/v1/workflows/${id}`);
    return post(`/v1/workflows/${id}${path}`, { expectedRevisionId, ...body });
  };
  const after = async (nodeTypeName: string, fromNodeId: string): Promise<Node> =>
    (await edit("/nodes", { insertMode: "after", nodeTypeName, fromNodeId })).node;
  await edit(`/nodes/${root}`, { payload: { typeName: "EventTrigger", eventName: "welcome", reEligible: true } });
  const first = await after("TimerAction", root);
  const mail = await after("SendEmailAction", first.id);
  const last = await after("TimerAction", mail.id);
  await post(`/v1/email-messages/${mail.emailMessageId}`, MAIL);
  await post(`/workflows/${id}/start`);
  const [row] = await scale.fillEmail({
    query: "SELECT n, graph->'$.nodes'->?->>'k' AS k FROM workflows WHERE id = ?",
    rows: [[first.id, id]],
  });
  return { id, first: first.id, last: last.id, n: Number(row?.n), k: Number(row?.k) };
};

type Waiting = { n: number; k: number; waiting: number; due: number };

/** The first contacts become due within half a minute. */
export const addWaiting = async ({ scale }: Team, { n, k, waiting, due }: Waiting): Promise<void> => {
  const began = Date.now();
  for (let from = 1; from <= waiting; from += CHUNK)
    await scale.fillEmail({
      query: `INSERT INTO runs (contact, workflow, seq, node, since, wake, entered_at, path, event)
        SELECT n, ?1, 1, ?2, since, since + ${DAY}, since, '[[1,0]]', NULL FROM
          (SELECT n, CAST(iif(n <= ?4, ?3 - ${DAY} + n * ${OVER_MS} / ?4, ?3) AS INTEGER) AS since FROM contacts WHERE n BETWEEN ?5 AND ?6)`,
      rows: [[n, k, began, due, from, Math.min(waiting, from + CHUNK - 1)]],
    });
};

/** Measures the page of a workflow with many waiting contacts. */
export const workflow = async (team: Team, browser: Browser, waiting: number): Promise<Figure[]> => {
  const { id, first, last, n, k } = await newWorkflow(team, "Welcome");
  const due = Math.floor(waiting / DUE_OF);
  await addWaiting(team, { n, k, waiting, due });
  // Direct writes set no alarm. This request makes the object check for due runs.
  await team.get("/domains");
  const tab = await openTab(browser, team.scale, `/workflows/${id}?team=demo&view=graph&node=${first}`);
  const { page } = tab;
  const here = page.getByRole("list", { name: "people here" });
  await page.getByRole("tab", { name: "Who is here" }).click();
  await here.getByRole("listitem").first().waitFor();
  for (let shown = 0; shown < PAGES; shown++) {
    const next = page.waitForResponse((answer) => /\/contacts\?.*cursor=/.test(answer.url()));
    await page.getByRole("button", { name: "More", exact: true }).click();
    await next;
    await here.getByRole("listitem").first().waitFor();
  }
  let most = await tab.heap();
  await page.getByText("List", { exact: true }).click();
  await page.getByRole("region", { name: "Steps of the workflow" }).waitFor();
  type Status = { nodes: { nodeId: string; waiting: number }[] };
  await until(
    "those that were due have gone on",
    async () => {
      most = Math.max(most, await tab.heap());
      await sleep(2_000);
      const { nodes } = (await team.get(`/workflows/${id}/status`)) as Status;
      return nodes.find(({ nodeId }) => nodeId === last)?.waiting === due;
    },
    OVER_MS + 60_000 + due * 30,
  );
  await page.getByText("Graph", { exact: true }).click();
  await page.getByRole("region", { name: "Graph of the workflow" }).waitFor();
  most = Math.max(most, await tab.heap());
  const figures = figuresOf(`a workflow with ${waiting} waiting`, tab, most);
  await tab.close();
  return figures;
};
