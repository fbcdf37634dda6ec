import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { beforeAll, describe, expect, it } from "vitest";
import { pictureOf } from "../pictures.ts";
import { type Mailspan, sharedMailspan } from "./mailspan.ts";
import { workflowCases } from "./workflow-cases.ts";

const root = join(import.meta.dirname, "..", "..");
const read = (path: string) => JSON.parse(readFileSync(join(root, path), "utf8"));

type Schema = Record<string, unknown>;
type Published = { operation: string; method: string; path: string; responses: Record<string, Schema | null> };
const published: { operations: Published[]; schemas: Record<string, Schema> } = read(
  "test/fixtures/api/published.json",
);

/** A schema that takes no other fields: the published one is open for those of later versions. */
const closed = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== "object" || schema === null) return schema;
  const entries = Object.entries(schema).map(([key, value]) => [key, closed(value)]);
  const isOpen = "properties" in schema && !("additionalProperties" in schema) && "type" in schema;
  return { ...Object.fromEntries(entries), ...(isOpen ? { additionalProperties: false } : {}) };
};
const openapi = closed(read("openapi.json")) as {
  paths: Record<string, Record<string, { responses: Record<string, unknown> }>>;
};

/**
 * The published schemas with three faults corrected: `oneOf` of overlapping shapes, `"null"` as text in an enum,
 * and closed workflow nodes inside an `allOf`.
 */
const meant = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(meant);
  if (typeof schema !== "object" || schema === null) return schema;
  const isNode = Object.hasOwn((schema as { properties?: object }).properties ?? {}, "workflowId");
  const entries = Object.entries(schema).filter(([key]) => !(isNode && key === "additionalProperties"));
  return Object.fromEntries(
    entries.map(([key, value]) => {
      if (key === "oneOf") return ["anyOf", meant(value)];
      if (key === "enum" && Array.isArray(value) && value.includes("null")) return [key, [...value, null]];
      if (key === "$ref") return [key, String(value).replace("#/components/schemas/", "published#/schemas/")];
      return [key, meant(value)];
    }),
  );
};

const ajv = new Ajv2020({ strict: false, allErrors: true });
ajv.addFormat("date-time", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
ajv.addFormat("email", /@/);
ajv.addFormat("uri", /^https?:\/\//);
ajv.addSchema({ $id: "published", schemas: meant(published.schemas) });
ajv.addSchema({ ...openapi, $id: "openapi" });

let mailspan: Mailspan;
beforeAll(async () => {
  mailspan = await sharedMailspan();
});

const send = async (
  method: string,
  path: string,
  key: string,
  body?: unknown,
  headers: Record<string, string> = {},
) => {
  const response = await fetch(mailspan.emailUrl + path, {
    method,
    headers: {
      Authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  return {
    status: response.status,
    body: (response.status === 204 ? {} : await response.json()) as { data?: { id: string }[]; key?: string },
  };
};

let teams = 0;
const newTeam = async (samples = true) => {
  const id = `team-${++teams}`;
  const key = await mailspan.newTeam(id, { samples });
  const delivery = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
    send(method, `/v1${path}`, key, body, headers);
  const admin = (path: string, body: object) => mailspan.emailAdmin(`/admin/teams/${id}${path}`, body);
  return { id, key, delivery, admin };
};

const newTeamWithData = async () => {
  const team = await newTeam();
  const [ada, bo] = await Promise.all([
    team.delivery("POST", "/contacts/create", {
      email: "ada@example.com",
      userId: "u1",
      firstName: "Ada",
      plan: "pro",
    }),
    team.delivery("POST", "/contacts/create", { email: "bo@example.com", userId: "u2" }),
    team.admin("/lists", { name: "News", description: "What is new", visibility: "public" }),
    team.admin("/suppressions", { email: "ada@example.com" }),
  ]);
  const event = { userId: "u1", eventName: "signedUp", eventProperties: { plan: "pro", at: 1 } };
  const sent = await team.delivery("POST", "/events/send", event);
  expect([ada.status, bo.status, sent.status]).toEqual([200, 200, 200]);
  return team;
};
type Team = Awaited<ReturnType<typeof newTeam>>;

type Sent = { path?: string; body?: unknown; headers?: Record<string, string> };
type Case = Sent | ((team: Team) => Promise<Sent>);

const again = { "Idempotency-Key": "taken" };
const event = { email: "ada@example.com", eventName: "signedUp" };
const mail = { transactionalId: "tpl_welcome", email: "ada@example.com", dataVariables: { name: "Ada" } };
const tooLong = "x".repeat(101);
const first = (path: string) => async (team: Team) => {
  const { body } = await team.delivery("GET", path);
  return { path: `${path}/${body.data?.[0]?.id}` };
};
const taken =
  (method: string, path: string, body: unknown, status = 200) =>
  async (team: Team) => {
    expect((await team.delivery(method, path, body, again)).status).toBe(status);
    return { body, headers: again };
  };

const draftOf = async ({ delivery }: Team): Promise<string> => {
  const { body } = await delivery("POST", "/transactional-emails/tpl_welcome/draft");
  return `/email-messages/${(body as { draftEmailMessageId?: string }).draftEmailMessageId}`;
};

const previewed = { emails: ["ada@example.com", "bo@example.com"], dataVariables: { name: "Ada" } };
const footer = { name: "Footer", lmx: "<Paragraph>Acme, 1 Main Street</Paragraph>" };
const componentOf = async ({ delivery }: Team): Promise<string> => {
  const { body } = await delivery("POST", "/components", footer);
  return `/components/${(body as { id?: string }).id}`;
};

const file = { contentType: "image/png", contentLength: pictureOf("image/png").length };
const arrivedUpload = async ({ delivery }: Team): Promise<string> => {
  const { body } = await delivery("POST", "/uploads", file);
  const { emailAssetId, presignedUrl = "" } = body as { emailAssetId?: string; presignedUrl?: string };
  const headers = { "Content-Type": file.contentType };
  expect((await fetch(presignedUrl, { method: "PUT", headers, body: pictureOf("image/png") })).status).toBe(200);
  return `/uploads/${emailAssetId}/complete`;
};

const groupCases = (kind: string, path: string): Record<string, Record<string, Case>> => {
  const made = async ({ delivery }: Team) => {
    const { body } = await delivery("POST", path, { name: "Billing" });
    return `${path}/${(body as { id?: string }).id}`;
  };
  return {
    [`list${kind}Groups`]: { 200: {}, 400: { path: `${path}?perPage=9` } },
    [`create${kind}Group`]: {
      200: { body: { name: "Billing", description: "Receipts" } },
      400: { body: { description: "Receipts" } },
      409: taken("POST", path, { name: "Billing" }),
    },
    [`get${kind}Group`]: {
      200: async (team) => ({ path: await made(team) }),
      400: { path: `${path}/${tooLong}` },
      404: { path: `${path}/grp_none` },
    },
    [`update${kind}Group`]: {
      200: async (team) => ({ path: await made(team), body: { description: "Receipts" } }),
      400: async (team) => ({ path: await made(team), body: { name: "" } }),
      404: { path: `${path}/grp_none`, body: { name: "x" } },
    },
  };
};

const condition = { type: "property", key: "userGroup", operator: "equals", value: "math" };
const segment = { name: "Mathematicians", filter: { match: "all", conditions: [condition] } };
const campaign = { name: "Spring sale", audienceFilter: segment.filter };
const campaignOf = async ({ delivery }: Team): Promise<string> => {
  const { body } = await delivery("POST", "/campaigns", campaign);
  return `/campaigns/${(body as { id?: string }).id}`;
};

const scheduledCampaignOf = async ({ admin, delivery }: Team): Promise<string> => {
  const scheduling = { method: "schedule", timestamp: Date.now() + 86_400_000 };
  const { body } = await delivery("POST", "/campaigns", { name: "Autumn sale", scheduling });
  const { id: campaignId, emailMessageId } = body as { id?: string; emailMessageId?: string };
  const content = { subject: "Sale", fromName: "Acme", fromEmail: "news", lmx: "<Paragraph>Sale</Paragraph>" };
  expect((await delivery("POST", `/email-messages/${emailMessageId}`, content)).status).toBe(200);
  expect(await admin(`/campaigns/${campaignId}/send`, { expected: 1 })).toMatchObject({ status: "Scheduled" });
  return `/campaigns/${campaignId}`;
};
const campaignCases: Record<string, Record<string, Case>> = {
  listCampaigns: {
    200: async (team) => {
      await campaignOf(team);
      return {};
    },
    400: { path: "/campaigns?perPage=9" },
  },
  createCampaign: {
    201: { body: { ...campaign, scheduling: { method: "now" } } },
    400: { body: { ...campaign, campaignGroupId: "grp_none" } },
    404: { body: { ...campaign, mailingListId: "lst_none" } },
    409: taken("POST", "/campaigns", campaign, 201),
  },
  getCampaign: {
    200: async (team) => ({ path: await campaignOf(team) }),
    400: { path: `/campaigns/${tooLong}` },
    404: { path: "/campaigns/cmp_none" },
  },
  updateCampaign: {
    200: async (team) => ({ path: await campaignOf(team), body: { audienceFilter: null } }),
    400: async (team) => ({ path: await campaignOf(team), body: {} }),
    404: { path: "/campaigns/cmp_none", body: { name: "x" } },
    409: async (team) => ({ path: await scheduledCampaignOf(team), body: { audienceFilter: null } }),
  },
  getCampaignMetrics: {
    200: async (team) => ({ path: `${await campaignOf(team)}/metrics` }),
    400: { path: `/campaigns/${tooLong}/metrics` },
    404: { path: "/campaigns/cmp_none/metrics" },
  },
};

const ofNoCampaign = { type: "activity", action: "opened", negate: false, target: "campaign", id: "cmp_none" };

const cases: Record<string, Record<string, Case>> = {
  testApiKey: { 200: {} },
  createContact: {
    200: { body: { email: "new@example.com", seats: 3 } },
    400: { body: { email: "no address" } },
    409: { body: { email: "ada@example.com" } },
  },
  updateContact: {
    200: { body: { userId: "u1", lastName: "Lovelace" } },
    400: { body: { email: "ada@example.com", userId: "u2" } },
  },
  findContact: { 200: { path: "/contacts/find?email=ada@example.com" }, 400: { path: "/contacts/find" } },
  deleteContact: {
    200: { body: { email: "ada@example.com" } },
    400: { body: { email: "ada@example.com", userId: "u1" } },
    404: { body: { userId: "nobody" } },
  },
  getContactSuppression: {
    200: { path: "/contacts/suppression?email=ada@example.com" },
    400: { path: "/contacts/suppression?email=ada@example.com&userId=u1" },
    404: { path: "/contacts/suppression?userId=nobody" },
  },
  removeContactSuppression: {
    200: { path: "/contacts/suppression?userId=u1" },
    400: { path: "/contacts/suppression?userId=u2" },
    404: { path: "/contacts/suppression?userId=nobody" },
  },
  createContactProperty: {
    200: { body: { name: "renewsAt", type: "date" } },
    400: { body: { name: "plan", type: "string" } },
    409: taken("POST", "/contacts/properties", { name: "renewsAt", type: "date" }),
  },
  listContactProperties: { 200: {}, 400: { path: "/contacts/properties?list=some" } },
  listMailingLists: { 200: {} },
  sendEvent: { 200: { body: event }, 400: { body: { eventName: "x" } }, 409: taken("POST", "/events/send", event) },
  listEventPatterns: { 200: {}, 400: { path: "/event-patterns?perPage=9" } },
  getEventPattern: {
    200: first("/event-patterns"),
    400: { path: `/event-patterns/${tooLong}` },
    404: { path: "/event-patterns/evp_none" },
  },
  getEventPatternByName: {
    200: { path: "/event-patterns/by-name/signedUp" },
    400: { path: `/event-patterns/by-name/${tooLong}` },
    404: { path: "/event-patterns/by-name/SignedUp" },
  },
  sendTransactionalEmail: {
    200: { body: mail },
    400: { body: { ...mail, email: "no address" } },
    404: { body: { ...mail, transactionalId: "tpl_none" } },
    409: taken("POST", "/transactional", mail),
  },
  listPublishedTransactionalEmails: { 200: {}, 400: { path: "/transactional?cursor=nonsense" } },
  listTransactionalEmails: { 200: {}, 400: { path: "/transactional-emails?status=some" } },
  getTransactionalEmail: {
    200: first("/transactional-emails"),
    400: { path: `/transactional-emails/${tooLong}` },
    404: { path: "/transactional-emails/tpl_none" },
  },
  getTransactionalEmailMetrics: {
    200: { path: "/transactional-emails/tpl_welcome/metrics" },
    400: { path: `/transactional-emails/${tooLong}/metrics` },
    404: { path: "/transactional-emails/tpl_none/metrics" },
  },
  listDedicatedSendingIps: { 200: {} },
  createTransactionalEmail: {
    201: { body: { name: "Order shipped" } },
    400: { body: { name: " " } },
    404: { body: { name: "Order shipped", transactionalGroupId: "grp_none" } },
    409: taken("POST", "/transactional-emails", { name: "Order shipped" }, 201),
  },
  updateTransactionalEmail: {
    200: { path: "/transactional-emails/tpl_welcome", body: { name: "Hello" } },
    400: { path: "/transactional-emails/tpl_welcome", body: {} },
    404: { path: "/transactional-emails/tpl_none", body: { name: "Hello" } },
  },
  ensureTransactionalDraft: {
    200: { path: "/transactional-emails/tpl_welcome/draft" },
    400: { path: `/transactional-emails/${tooLong}/draft` },
    404: { path: "/transactional-emails/tpl_none/draft" },
  },
  publishTransactionalEmail: {
    200: async ({ delivery }) => {
      await delivery("POST", "/transactional-emails/tpl_welcome/draft");
      return { path: "/transactional-emails/tpl_welcome/publish" };
    },
    400: { path: `/transactional-emails/${tooLong}/publish` },
    404: { path: "/transactional-emails/tpl_none/publish" },
    409: { path: "/transactional-emails/tpl_welcome/publish" },
    422: async ({ delivery }) => {
      const { body } = await delivery("POST", "/transactional-emails", { name: "Empty" });
      return { path: `/transactional-emails/${(body as { id?: string }).id}/publish` };
    },
  },
  getEmailMessage: {
    200: async (team) => ({ path: await draftOf(team) }),
    400: { path: `/email-messages/${tooLong}` },
    404: { path: "/email-messages/msg_none" },
  },
  updateEmailMessage: {
    200: async (team) => ({
      path: await draftOf(team),
      body: { subject: "Hello", lmx: '<Paragraph x="1">A</Paragraph>' },
    }),
    400: async (team) => ({ path: await draftOf(team), body: { emailFormat: "fancy" } }),
    404: { path: "/email-messages/msg_none", body: { subject: "Hello" } },
    409: async (team) => ({ path: await draftOf(team), body: { subject: "Hello", expectedRevisionId: "rev_0" } }),
    413: async (team) => ({ path: await draftOf(team), body: { lmx: "x".repeat(100_001) } }),
    422: async (team) => ({ path: await draftOf(team), body: { lmx: "<Paragraph>" } }),
  },
  previewEmailMessage: {
    200: async (team) => ({ path: `${await draftOf(team)}/preview`, body: previewed }),
    400: async (team) => ({ path: `${await draftOf(team)}/preview`, body: { ...previewed, emails: [] } }),
    404: { path: "/email-messages/msg_none/preview", body: previewed },
  },
  getEmailMessageGuardian: {
    200: async (team) => {
      const path = await draftOf(team);
      const lmx = '<Button>Go</Button><Icons><Icon name="github"/></Icons>';
      const dataVariablesFallbacks = { name: null, website: null };
      const saved = await team.delivery("POST", path, { subject: "Hello", lmx, dataVariablesFallbacks });
      expect(saved.status).toBe(200);
      return { path: `${path}/guardian` };
    },
    400: { path: `/email-messages/${tooLong}/guardian` },
    404: { path: "/email-messages/msg_none/guardian" },
  },
  listThemes: { 200: {}, 400: { path: "/themes?perPage=9" } },
  createTheme: {
    201: { body: { name: "Brand", styles: { bodyXPadding: 32 } } },
    400: { body: { name: "Brand", styles: { wobble: 1 } } },
    409: taken("POST", "/themes", { name: "Brand" }, 201),
  },
  getTheme: { 200: first("/themes"), 400: { path: `/themes/${tooLong}` }, 404: { path: "/themes/thm_none" } },
  updateTheme: {
    200: async (team) => ({ ...(await first("/themes")(team)), body: { styles: { textLinkColor: "#123456" } } }),
    400: async (team) => ({ ...(await first("/themes")(team)), body: { styles: { textLinkColor: "blueish" } } }),
    404: { path: "/themes/thm_none", body: {} },
  },
  listComponents: { 200: {}, 400: { path: "/components?perPage=9" } },
  createComponent: {
    201: { body: footer },
    400: { body: { lmx: footer.lmx } },
    409: taken("POST", "/components", footer, 201),
    422: { body: { ...footer, lmx: "<Blink>" } },
  },
  getComponent: {
    200: async (team) => ({ path: await componentOf(team) }),
    400: { path: `/components/${tooLong}` },
    404: { path: "/components/cmp_none" },
  },
  updateComponent: {
    200: async (team) => ({ path: await componentOf(team), body: { name: "Foot" } }),
    400: async (team) => ({ path: await componentOf(team), body: { name: "" } }),
    404: { path: "/components/cmp_none", body: { name: "Foot" } },
    422: async (team) => ({ path: await componentOf(team), body: { lmx: "<Blink>" } }),
  },
  createUpload: {
    200: { body: file },
    400: { body: { ...file, contentType: "image/svg+xml" } },
    409: taken("POST", "/uploads", file),
    413: { body: { ...file, contentLength: 4_000_001 } },
  },
  completeUpload: {
    200: async (team) => ({ path: await arrivedUpload(team) }),
    400: async ({ delivery }) => {
      const { body } = await delivery("POST", "/uploads", file);
      return { path: `/uploads/${(body as { emailAssetId?: string }).emailAssetId}/complete` };
    },
    404: { path: "/uploads/upl_none/complete" },
  },
  ...campaignCases,
  ...groupCases("Campaign", "/campaign-groups"),
  ...groupCases("Transactional", "/transactional-groups"),
  ...groupCases("Workflow", "/workflow-groups"),
  ...workflowCases,
  createWorkflow: { ...workflowCases.createWorkflow, 409: taken("POST", "/workflows", { name: "Trial nurture" }) },
  listAudienceSegments: {
    200: async ({ delivery }) => {
      await delivery("POST", "/audience-segments", segment);
      return {};
    },
    400: { path: "/audience-segments?perPage=9" },
  },
  createAudienceSegment: {
    200: { body: { ...segment, description: "Readers of proofs" } },
    400: { body: { ...segment, filter: { match: "all", conditions: [] } } },
    404: { body: { ...segment, filter: { match: "any", conditions: [condition, ofNoCampaign] } } },
    409: taken("POST", "/audience-segments", segment),
  },
  getAudienceSegment: {
    200: async ({ delivery }) => {
      const { body } = await delivery("POST", "/audience-segments", segment);
      return { path: `/audience-segments/${(body as { id?: string }).id}` };
    },
    400: { path: `/audience-segments/${tooLong}` },
    404: { path: "/audience-segments/seg_none" },
  },
};

/** Statuses that no request causes, with the reason. */
const unreachable: Record<string, string> = {
  500: "a fault of the service itself: test/workerd/email/fuzz finds no request for it, and doors.test.ts holds its form",
  507: "a full database: test/workerd/full fills one, and holds the form of the answer",
  "getEmailMessage 409": "published for messages that are not written in LMX; all are here",
  "getEmailMessageGuardian 409": "the same",
};

const hasBody = (method: string): boolean => method === "POST" || method === "PUT";
const pathOf = (path: string) => path.replace(/^\/v1/, "").replaceAll(/\{\w+\}/g, "x");

/** Cases that write nothing share a team, up to its rate limit. */
const READS = 7;
let reader: { team: Promise<Team>; left: number } | undefined;
const teamFor = (method: string, status: string, own: Case): Promise<Team> => {
  if (typeof own === "function" || (method !== "GET" && Number(status) < 400)) return newTeamWithData();
  if (reader === undefined || reader.left === 0) reader = { team: newTeamWithData(), left: READS };
  reader.left--;
  return reader.team;
};

const produce = async ({ operation, method, path }: Published, status: string): Promise<unknown> => {
  const own = cases[operation]?.[status];
  if (!own) throw new Error(`No case makes ${operation} answer ${status}.`);
  const team = await teamFor(method, status, own);
  const { path: to = pathOf(path), body, headers } = typeof own === "function" ? await own(team) : own;
  const answer = await team.delivery(method, to, body, headers);
  expect(answer.status, JSON.stringify(answer.body)).toBe(Number(status));
  return answer.body;
};

/** Refusals before an operation begins: one code path answers them for all operations. */
const common: Record<string, (operation: Published, key: string) => Promise<{ status: number; body: unknown }>> = {
  401: ({ method, path }, key) => send(method, `/v1${pathOf(path)}`, `${key}0`, hasBody(method) ? {} : undefined),
  405: ({ path }, key) => send("PATCH", `/v1${pathOf(path)}`, key, {}),
  413: ({ method, path }, key) => send(method, `/v1${pathOf(path)}`, key, `{"x":"${"x".repeat(4_000_000)}"}`),
  415: ({ method, path }, key) => send(method, `/v1${pathOf(path)}`, key, "{}", { "Content-Type": "text/html" }),
  429: async ({ method, path }) => {
    const { key } = await newTeam(false);
    const ask = () => send(method, `/v1${pathOf(path)}`, key, hasBody(method) ? {} : undefined);
    const burst = await Promise.all(Array.from({ length: 12 }, ask));
    return burst.find((answer) => answer.status === 429) ?? { status: 0, body: "never limited" };
  },
};

const pointer = (...parts: string[]) =>
  parts.map((part) => `/${encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"))}`).join("");

const expectValid = (schema: object, body: unknown, by: string): void => {
  const validate = ajv.compile(schema);
  expect(
    validate(body) ? undefined : ajv.errorsText(validate.errors),
    `${by}: ${JSON.stringify(body)}`,
  ).toBeUndefined();
  expect(validate(1)).toBe(false);
};

const describedOf = ({ path, method }: Published) => openapi.paths[path]?.[method.toLowerCase()]?.responses ?? {};
const statusesOf = (operation: Published) => [
  ...new Set([...Object.keys(operation.responses), ...Object.keys(describedOf(operation))]),
];

const expectDocumented = (operation: Published, status: string, body: unknown): void => {
  const { path, method } = operation;
  const { $ref } = describedOf(operation)[status] as { $ref?: string };
  const at = $ref ? $ref.slice(2).split("/") : ["paths", path, method.toLowerCase(), "responses", status];
  expectValid(
    { $ref: `openapi#${pointer(...at, "content", "application/json", "schema")}` },
    body,
    `${method} ${path} by openapi.json`,
  );
  const theirs = operation.responses[status];
  if (theirs) expectValid(meant(theirs) as object, body, `${method} ${path} as published`);
};

describe.each(published.operations)("$method $path ($operation)", (operation) => {
  const { operation: name } = operation;
  const own = cases[name] ?? {};
  const statuses = statusesOf(operation);

  it(`${name} is described, with every published status`, () => {
    expect(Object.keys(describedOf(operation))).toEqual(expect.arrayContaining(Object.keys(operation.responses)));
    expect(statuses).toEqual(expect.arrayContaining(Object.keys(own)));
  });

  const left = statuses.filter(
    (status) =>
      !(status in unreachable || `${name} ${status}` in unreachable || (status in common && !(status in own))),
  );
  it.each(left)(`${name} answers %s as documented`, async (status) => {
    const body = await produce(operation, status);
    if (status !== "204") expectDocumented(operation, status, body);
  });
});

const groups = Object.entries(Object.groupBy(published.operations, ({ path }) => path.split("/")[2] ?? "")).flatMap(
  ([group, operations = []]) =>
    Object.keys(common).map((status) => ({
      group,
      status,
      operations: operations.filter(
        (one) => statusesOf(one).includes(status) && !(status in (cases[one.operation] ?? {})),
      ),
    })),
);
it.each(groups.filter(({ operations }) => operations.length > 0))(
  "/v1/$group answers $status as each of its operations documents it",
  async ({ status, operations }) => {
    const { key } = await newTeam(false);
    const [first] = operations;
    const answer = await common[status]?.(first as Published, key);
    expect(answer?.status, JSON.stringify(answer?.body)).toBe(Number(status));
    for (const operation of operations) expectDocumented(operation, status, answer?.body);
  },
);

it("covers every operation of openapi.json", () => {
  const ours = Object.entries(openapi.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(published.operations.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(ours.toSorted());
});
