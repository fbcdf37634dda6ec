import { addVerifiedDomain } from "../../dns/verified.ts";
import { secrets } from "../../system/mailspan.ts";
import { VERSION_HEADER, type Version } from "./orders.ts";
import type { Both } from "./service.ts";

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Body = any;
export type Answer = { status: number; body: Body; text: string };
export type Send = { id: string; to: string; state: string };

const LMX = "<Style />\n<Paragraph>Hello {contact.firstName}, see what is new.</Paragraph>";
const FIELDS = { subject: "News", fromName: "Acme", fromEmail: "hello", lmx: LMX };
const CODE = { ...FIELDS, lmx: "<Style />\n<Paragraph>Your code is {data.code}.</Paragraph>" };
const AUDIENCE = { match: "all", conditions: [{ type: "property", key: "plan", operator: "equals", value: "pro" }] };

/** A team with a domain, a template, a workflow and contacts. Requests go to its current `version`. */
export const createTeam = async ({ url, dns, receiver }: Pick<Both, "url" | "dns" | "receiver">, id: string) => {
  const asking: { version: Version; key: string } = { version: "newer", key: "" };
  /** Throws at a server error: no version may answer with one. */
  const ask = async (method: string, path: string, body?: object | string, headers = {}): Promise<Answer> => {
    const isText = typeof body === "string";
    const response = await fetch(url + path, {
      method,
      headers: {
        Authorization: `Bearer ${path.startsWith("/v1") ? asking.key : secrets.ADMIN_TOKEN}`,
        ...(body === undefined ? {} : { "Content-Type": isText ? "text/csv" : "application/json" }),
        [VERSION_HEADER]: asking.version,
        ...headers,
      },
      ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const type = response.headers.get("Content-Type") ?? "";
    if (response.status >= 500) throw new Error(`${method} ${path} by ${asking.version}: ${response.status} ${text}`);
    return { status: response.status, text, body: type.includes("json") ? JSON.parse(text) : undefined };
  };
  const must = async (...how: Parameters<typeof ask>): Promise<Body> => {
    const { status, text, body } = await ask(...how);
    if (status >= 400) throw new Error(`${how[0]} ${how[1]} by ${asking.version}: ${status} ${text}`);
    return body;
  };
  const operate = (method: string, path: string, body?: object | string) =>
    ask(method, `/admin/teams/${id}${path}`, body);
  const operated = (method: string, path: string, body?: object | string) =>
    must(method, `/admin/teams/${id}${path}`, body);
  const post = (path: string, body: object) => must("POST", `/v1${path}`, body);

  await must("POST", "/admin/teams", { id, name: id, createProperties: true });
  asking.key = (await operated("POST", "/keys", { name: "rollback" })).key;
  const owner = { emailUrl: url, token: secrets.ADMIN_TOKEN, team: id, name: `${id}.example` };
  const domain = await addVerifiedDomain(owner, dns);
  // A new domain may send 500 marketing mails on its first day.
  await operated("POST", `/domains/${domain.id}`, { warmup: false });
  const events = ["contact.created", "transactional.email.sent", "campaign.email.sent", "loop.email.sent"];
  await operated("POST", "/webhooks", { url: receiver.url, events });
  const template = await post("/transactional-emails", { name: "Code" });
  await post(`/email-messages/${template.draftEmailMessageId}`, CODE);
  await post(`/transactional-emails/${template.id}/publish`, {});
  await createWorkflow(post, (path) => must("GET", `/v1${path}`), operated);

  const startImport = async (csv: string): Promise<string> => {
    const { id: imported, mapping } = await operated("POST", "/imports", csv);
    const settings = { mapping: { ...mapping, plan: "plan" }, createProperties: { plan: "string" } };
    await operated("POST", `/imports/${imported}/start`, settings);
    return imported;
  };
  return {
    id,
    use: (version: Version): void => {
      asking.version = version;
    },
    ask,
    operate,
    operated,
    startImport,
    importState: async (imported: string): Promise<string> => (await operated("GET", `/imports/${imported}`)).state,
    sends: async (): Promise<Send[]> => {
      const all: Send[] = [];
      for (let cursor: string | null = ""; cursor !== null; ) {
        const after: string = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
        const page: { data: Send[]; next: string | null } = await operated("GET", `/sends?perPage=50${after}`);
        all.push(...page.data);
        cursor = page.next;
      }
      return all;
    },
    mail: (email: string, key: string) =>
      ask(
        "POST",
        "/v1/transactional",
        { transactionalId: template.id, email, dataVariables: { code: "123456" } },
        { "Idempotency-Key": key },
      ),
    /** Sends a campaign to all contacts with the plan "pro", and returns its path. */
    sendCampaign: async (expected: number): Promise<string> => {
      const created = await post("/campaigns", { name: "News", audienceFilter: AUDIENCE });
      await post(`/email-messages/${created.emailMessageId}`, FIELDS);
      const path = `/campaigns/${created.id}`;
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const asked = { exact: true, ...(cursor === undefined ? {} : { cursor }) };
        cursor = (await operated("POST", `${path}/estimate`, asked)).next;
      }
      await operated("POST", `${path}/send`, { expected });
      return path;
    },
  };
};
export type Team = Awaited<ReturnType<typeof createTeam>>;

/** The event "joined" sends one mail. */
const createWorkflow = async (
  post: (path: string, body: object) => Promise<Body>,
  get: (path: string) => Promise<Body>,
  operated: (method: string, path: string) => Promise<Body>,
): Promise<void> => {
  const { id, rootNodeId } = await post("/workflows", { name: "Welcome" });
  const change = async (path: string, body: object) => {
    const { workflowRevisionId } = await get(`/workflows/${id}`);
    return post(`/workflows/${id}${path}`, { expectedRevisionId: workflowRevisionId, ...body });
  };
  await change(`/nodes/${rootNodeId}`, {
    payload: { typeName: "EventTrigger", eventName: "joined", reEligible: false },
  });
  const mail = { nodeTypeName: "SendEmailAction", insertMode: "after", fromNodeId: rootNodeId };
  const { node } = await change("/nodes", mail);
  await post(`/email-messages/${node.emailMessageId}`, {
    ...FIELDS,
    contactPropertiesFallbacks: { firstName: "there" },
  });
  await operated("POST", `/workflows/${id}/start`);
};
