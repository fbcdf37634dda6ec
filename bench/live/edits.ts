import { askToEnd } from "../../src/lib/contract/admin/to-end.ts";
import type { Figure } from "../outbox/report.ts";
import { sleep } from "../outbox/report.ts";
import { requestFigures } from "./figures.ts";
import type { Asked } from "./tab.ts";
import type { Team } from "./team.ts";
import { addWaiting, newWorkflow } from "./workflow.ts";

type Answered = { next?: string | null; queuedContactCount?: number; sweeping?: boolean };

/** Measures previews and changes of a paused workflow. */
export const edits = async (team: Team, waiting: number): Promise<Figure[]> => {
  const { id, first, ...made } = await newWorkflow(team, "Edited");
  await addWaiting(team, { ...made, waiting, due: 0 });
  const { id: list } = await team.post("/lists", { name: "Offers" });
  await team.scale.fillEmail({
    query: "UPDATE contacts SET data = jsonb_set(data, '$.mailingLists.' || ?, json('true')) WHERE n <= ? AND n % 2",
    rows: [[list, waiting]],
  });
  const path = `/workflows/${id}`;
  await team.post(`${path}/pause`);
  const asked: Asked[] = [];
  const ask = async (what: string, ...request: Parameters<Team["scale"]["ask"]>): Promise<Answered> => {
    const [to, body, method] = request;
    const { ms, status, json } = await team.scale.ask(`/email/teams/demo${to}`, body, method);
    asked.push({ what, ms, status });
    return json as Answered;
  };
  const edit = async (what: string, to: string, { method, ...body }: { method?: string; [field: string]: unknown }) => {
    const { workflowRevisionId: expectedRevisionId } = await team.get(`/v1${path}`);
    return ask(what, `/v1${path}${to}`, { expectedRevisionId, ...body }, method);
  };
  const untilChanged = async (what: string): Promise<void> => {
    while ((await ask(`status after ${what}`, `${path}/status`)).sweeping) await sleep(20);
  };
  const compare = async (what: string): Promise<void> => {
    await askToEnd((more) => ask(`difference after ${what}`, `${path}/diff?${new URLSearchParams(more)}`));
  };
  const confirm = async (what: string, to: string, body: { method?: string; mailingListId?: string }, many: number) => {
    const { queuedContactCount } = await edit(`${what}, dry run`, to, { ...body, dryRun: true });
    if (queuedContactCount !== many) throw new Error(`${queuedContactCount} contacts would leave, not ${many}.`);
    await edit(what, to, { ...body, queuedContactPolicy: "discard" });
    await untilChanged(what);
    await compare(what);
  };
  await edit("change of a timer", `/nodes/${first}`, { payload: { amount: 2, unit: "d" } });
  await untilChanged("change of a timer");
  await compare("change of a timer");
  const half = Math.floor(waiting / 2);
  await confirm("change of the list", "/mailing-list", { mailingListId: list }, half);
  await confirm("deletion of a step", `/nodes/${first}`, { method: "DELETE" }, waiting - half);
  return requestFigures(`edits of a workflow with ${waiting} waiting`, asked);
};
