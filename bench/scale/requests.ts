import { bridgeContract } from "../../src/lib/contract/admin/bridge.ts";
import { dashboardContract } from "../../src/lib/contract/admin/dashboard.ts";
import { adminContract } from "../../src/lib/contract/admin/email.ts";
import { type Contract, operationsOf, pathParameters } from "../../src/lib/contract/operation.ts";
import { v1 } from "../../src/lib/contract/v1.ts";
import { marketingIn } from "./marketing.ts";
import { addressOf, BUSY } from "./seed.ts";
import type { Scale } from "./start.ts";

/** `path`: after /api. `pages`: read to page 200. `whole`: read to the end, `within` seconds. */
export type Request = {
  name: string;
  path: string;
  body?: object;
  method?: "DELETE";
  pages?: true;
  whole?: true;
  within?: number;
};

const QUIET = addressOf(4_321);
const TEAM = "/email/teams/demo";

const idsIn = async (scale: Scale): Promise<Record<string, string>> => {
  const { ask } = scale;
  const first = async (path: string, field = "id") => {
    const { data = [] } = (await ask(path)).json as { data?: Record<string, string>[] };
    return data[0]?.[field] ?? "";
  };
  const template = await first(`${TEAM}/v1/transactional-emails`);
  const { json } = await ask(`${TEAM}/v1/transactional-emails/${template}`);
  const { publishedEmailMessageId = "" } = json as { publishedEmailMessageId?: string };
  return {
    team: "demo",
    contact: encodeURIComponent(BUSY),
    transactionalId: template,
    webhookId: await first("/bridge/webhooks"),
    sendId: await first(`${TEAM}/sends`),
    emailMessageId: publishedEmailMessageId,
    eventPatternId: await first(`${TEAM}/v1/event-patterns`),
    eventName: await first(`${TEAM}/v1/event-patterns`, "name"),
    themeId: await first(`${TEAM}/v1/themes`),
    componentId: await first(`${TEAM}/v1/components`),
    audienceSegmentId: await first(`${TEAM}/v1/audience-segments`),
    listId: await firstList(scale),
    ...(await marketingIn(scale)),
  };
};

const firstList = async ({ ask }: Scale): Promise<string> =>
  ((await ask(`${TEAM}/v1/lists`)).json as { id: string }[])[0]?.id ?? "";

const queriesOf = ({
  transactionalId,
  version,
}: Readonly<Record<string, string>>): Readonly<Record<string, string>> => ({
  "email.transactionalEmails.counts": `ids=${transactionalId}`,
  "email.insight.diff": `from=${version}`,
  "bridge.people.get": `email=${BUSY}`,
  "email.tracking.get": `email=${BUSY}`,
  "bridge.people.suppression": `email=${BUSY}`,
  "v1.contacts.find": `email=${BUSY}`,
  "v1.suppression.get": `email=${BUSY}`,
  "bridge.people.search": "q=person1",
  "email.overview.search": "q=person1",
  "bridge.webhooks.search": "limit=50",
  "bridge.deliveries.search": "limit=50",
  "email.contacts.list": "perPage=50",
  "email.contacts.timeline": "perPage=50",
  "email.sends.list": "perPage=50",
  "email.insight.here": "perPage=20",
  "email.suppressions.list": "perPage=50",
});

const NOT_SEEDED: ReadonlySet<string> = new Set(["email.webhooks.get"]);

const PAGED: ReadonlySet<string> = new Set([
  "bridge.webhooks.search",
  "bridge.deliveries.search",
  "email.contacts.list",
  "email.sends.list",
  "email.contacts.timeline",
  "email.suppressions.list",
  "email.insight.here",
]);

const WHOLE: ReadonlySet<string> = new Set(["email.insight.diff"]);

const reading = (ids: Readonly<Record<string, string>>) => {
  const all: [string, string, Contract][] = [
    ["dashboard", "", dashboardContract],
    ["bridge", "/bridge", bridgeContract],
    ["email", "/email", adminContract],
    ["v1", `${TEAM}/v1`, v1],
  ];
  const queries = queriesOf(ids);
  const found: Request[] = [];
  const missing: string[] = [];
  for (const [half, prefix, contract] of all)
    for (const { name, operation } of operationsOf(contract)) {
      if (operation.method !== "GET") continue;
      const whole = `${half}.${name}`;
      const lacks = pathParameters(operation.path).some((parameter) => !ids[parameter]);
      if (lacks || NOT_SEEDED.has(whole)) missing.push(whole);
      else {
        const own: Readonly<Record<string, string | undefined>> =
          whole === "v1.workflows.nodeMetrics" ? { ...ids, nodeId: ids.mailNodeId } : ids;
        const path = prefix + operation.path.replaceAll(/\{(\w+)\}/g, (_, parameter) => own[parameter] ?? "");
        const query = queries[whole];
        found.push({
          name: whole,
          path: query === undefined ? path : `${path}?${query}`,
          ...(PAGED.has(whole) ? { pages: true as const } : {}),
          ...(WHOLE.has(whole) ? { whole: true as const } : {}),
        });
      }
    }
  return { found, missing };
};

const searches = ({ webhookId, campaignId, workflowId }: Readonly<Record<string, string>>): Request[] => [
  { name: "webhooks of a person with few", path: `/bridge/webhooks?email=${QUIET}&limit=20`, whole: true, within: 3 },
  { name: "webhooks of a person with many", path: `/bridge/webhooks?email=${BUSY}&limit=20`, pages: true },
  { name: "webhooks of a type that never came", path: "/bridge/webhooks?type=invoice.void&limit=50", whole: true },
  {
    name: "deliveries of a person with few",
    path: `/bridge/deliveries?email=${QUIET}&limit=50`,
    whole: true,
    within: 3,
  },
  { name: "deliveries that need a person", path: "/bridge/deliveries?state=attention&limit=100", whole: true },
  { name: "failed deliveries", path: "/bridge/deliveries?state=failed&limit=50", pages: true },
  { name: "retry of all, dry run", path: "/bridge/deliveries/retry", body: { state: "attention", dryRun: true } },
  {
    name: "replay of one source, dry run",
    path: "/bridge/replay",
    body: { source: "stripe", since: "30d", dryRun: true },
  },
  { name: "try of a rule on a stored webhook", path: "/bridge/rules/try", body: { webhook: webhookId } },
  { name: "erase, dry run", path: "/bridge/erase", body: { email: QUIET, dryRun: true } },
  { name: "contacts by the beginning of an address", path: `${TEAM}/contacts?q=person1&perPage=50`, pages: true },
  { name: "contacts of a list", path: `${TEAM}/contacts?list=lst_0&perPage=50`, pages: true },
  { name: "contacts that left", path: `${TEAM}/contacts?subscribed=false&perPage=50`, whole: true },
  { name: "contacts that are suppressed", path: `${TEAM}/contacts?suppressed=true&perPage=50`, pages: true },
  { name: "mails to a person with many", path: `${TEAM}/sends?to=${BUSY}&perPage=50`, pages: true },
  { name: "mails that failed", path: `${TEAM}/sends?state=failed&perPage=50`, pages: true },
  { name: "mails that were delivered: none", path: `${TEAM}/sends?state=delivered&perPage=50`, whole: true },
  { name: "suppressed addresses by reason", path: `${TEAM}/suppressions?reason=complaint&perPage=50`, pages: true },
  { name: "segment, estimate", path: `${TEAM}/audience/estimate`, body: { filter: SEGMENT } },
  {
    name: "segment, ten examples",
    path: `${TEAM}/contacts?filter=${encodeURIComponent(JSON.stringify(SEGMENT))}&perPage=10`,
  },
  { name: "import, preview of 100 rows", path: `${TEAM}/imports/preview`, body: PREVIEW },
  { name: "campaign, estimate", path: `${TEAM}/campaigns/${campaignId}/estimate`, body: {} },
  { name: "campaign, exact", path: `${TEAM}/campaigns/${campaignId}/estimate`, body: { exact: true }, whole: true },
  {
    name: "campaign, estimate of a typed audience",
    path: `${TEAM}/campaigns/${campaignId}/estimate`,
    body: { audience: { audienceFilter: SEGMENT } },
  },
  { name: "campaign, send, dry run", path: `${TEAM}/campaigns/${campaignId}/send`, body: { dryRun: true } },
  { name: "workflow, dry run", path: `${TEAM}/workflows/${workflowId}/dry-run`, body: { days: 7 } },
  { name: "workflow, start, dry run", path: `${TEAM}/workflows/${workflowId}/start`, body: { dryRun: true } },
  { name: "segment, exact", path: `${TEAM}/audience/estimate`, body: { filter: SEGMENT, exact: true }, whole: true },
];

const previews = ({ workflowId, nodeId, revision, listId }: Readonly<Record<string, string>>): Request[] => {
  const [operated, edited] = [`${TEAM}/workflows/${workflowId}`, `${TEAM}/v1/workflows/${workflowId}`];
  const dry = { expectedRevisionId: revision, dryRun: true };
  return [
    { name: "workflow, simulate", path: `${operated}/simulate`, body: {} },
    { name: "workflow, list, dry run", path: `${edited}/mailing-list`, body: { ...dry, mailingListId: listId } },
    { name: "workflow, deletion of a node, dry run", path: `${edited}/nodes/${nodeId}`, body: dry, method: "DELETE" },
  ];
};

const PREVIEW = {
  columns: ["Email", "Last name"],
  mapping: { Email: "email", "Last name": "lastName" },
  rows: Array.from({ length: 100 }, (_, n) => ({ line: n + 2, cells: [addressOf(n * 700), `Changed ${n}`] })),
};

export const SEGMENT = {
  match: "all",
  conditions: [{ type: "property", key: "lastName", operator: "contains", value: "77" }],
};

export const requestsFor = async (scale: Scale): Promise<{ requests: Request[]; missing: string[] }> => {
  const ids = await idsIn(scale);
  const { found, missing } = reading(ids);
  return { requests: [...found, ...searches(ids), ...previews(ids)], missing };
};
