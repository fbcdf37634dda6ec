import { hasBody, type Operation, pathParameters } from "../../../src/lib/contract/operation.ts";
import type { Team } from "./bench.ts";

/** Gives a team (with samples) the rows of the contract's examples, so that each example succeeds. */
export const arrange = async (team: Team): Promise<void> => {
  await team.post("/contacts/create", { email: "ada@example.com", userId: "user_42" });
  await team.post("/contacts/create", { email: "bob@example.com" });
  await team.post("/events/send", { userId: "user_42", eventName: "signedUp", eventProperties: { plan: "pro" } });
  await team.run("UPDATE event_patterns SET id = 'evp_1'");
  await team.run("INSERT INTO suppressions (email_key, reason, at) VALUES ('bob@example.com', 'bounce', 1)");
  const wave = "INSERT INTO waves (n, destination, cause, at) VALUES (5, 'gd.example', '550 unknown', ?)";
  await team.run(wave, Date.now());
  await team.admin("POST", "/lists", { name: "News" });
  await team.run("UPDATE mailing_lists SET id = 'lst_1'");
  await team.post("/campaign-groups", { name: "Newsletters" });
  await team.post("/transactional-groups", { name: "Billing" });
  await team.post("/workflow-groups", { name: "Onboarding" });
  await team.run(
    `UPDATE content_groups SET id = CASE kind WHEN 'campaign' THEN 'grp_1' WHEN 'transactional' THEN 'grp_2' ELSE 'grp_3' END
     WHERE reserved = 0`,
  );
  await arrangeWorkflow(team);
  const { json: paused } = await team.post("/workflows", { name: "Paused" });
  const trigger = { typeName: "EventTrigger", eventName: "signedUp", reEligible: false };
  await team.run(
    "UPDATE workflows SET id = 'wfl_2', status = 'Paused', paused_at = 1, graph = json_patch(graph, ?) WHERE id = ?",
    JSON.stringify({ nodes: { [paused.rootNodeId]: trigger } }),
    paused.id,
  );
  await draft(team);
  await team.post("/campaigns", { name: "Spring sale" });
  await team.run("UPDATE campaigns SET id = 'cmp_2'");
  const { json: old } = await team.post("/campaigns", { name: "Old idea" });
  await team.run("UPDATE campaigns SET id = 'cmp_6' WHERE id = ?", old.id);
  for (const [id, status, state] of [
    ["cmp_3", "Scheduled", null],
    ["cmp_4", "Sending", "paused"],
    ["cmp_5", "Sending", "held"],
  ] as const) {
    const { json } = await team.post("/campaigns", { name: id });
    await team.run(
      "UPDATE campaigns SET id = ?, status = ?, state = ?, method = 'schedule', scheduled_at = ?, max_contact = 0 WHERE id = ?",
      id,
      status,
      state,
      Date.now() + 86_400_000,
      json.id,
    );
  }
  await team.run("UPDATE themes SET id = 'thm_1' WHERE is_default");
  await team.post("/components", { name: "Footer", lmx: "<Paragraph>Acme</Paragraph>" });
  await team.run("UPDATE components SET id = 'cmp_1'");
  const { json: theme } = await team.post("/themes", { name: "Old brand" });
  await team.run("UPDATE themes SET id = 'thm_2' WHERE id = ?", theme.id);
  const { json: component } = await team.post("/components", {
    name: "Old footer",
    lmx: "<Paragraph>Acme</Paragraph>",
  });
  await team.run("UPDATE components SET id = 'cmp_2' WHERE id = ?", component.id);
  await team.post("/uploads", { contentType: "image/png", contentLength: 100 });
  await team.run("UPDATE uploads SET id = 'upl_1', arrived_at = 1");
  await team.run(
    `INSERT INTO uploads (n, id, file, content_type, size, arrived_at, completed_at)
     SELECT max(n) + 1, 'upl_2', 'pic_00000000000000000002.png', 'image/png', 100, 1, 1 FROM uploads`,
  );
  await arrangeSend(team, "snd_2s_4f7k1q", "sent");
  await arrangeSend(team, "snd_2t_8m2p0z", "unknown");
  await arrangeDomain(team, "dom_1");
  await team.admin("POST", "/webhooks", { url: "https://app.example.com/webhooks", events: ["email.opened"] });
  await team.run("UPDATE webhook_endpoints SET id = 'whk_1', url = 'https://webhooks.invalid/'");
  await team.post("/contacts/create", { email: "eve@example.com" });
  await team.run(
    "UPDATE contacts SET data = jsonb_set(data, '$.optInStatus', 'pending') WHERE email = 'eve@example.com'",
  );
  await team.admin("POST", "", { doubleOptIn: true });
  await team.admin("POST", "", { doubleOptIn: false });
  for (const name of ["seg_1", "seg_2"]) {
    await team.post("/audience-segments", {
      name,
      filter: { match: "all", conditions: [{ type: "optIn", status: null }] },
    });
  }
  await team.run("UPDATE segments SET id = name");
  for (const [n, id] of ["imp_1", "imp_2"].entries()) {
    await team.run(
      `INSERT INTO imports (n, id, name, state, form, columns, preview, created_at)
       VALUES (?, ?, 'a.csv', 'ready', '{"encoding":"utf-8","delimiter":","}', '["Email","Name","Notes"]', '[]', ?)`,
      n + 1,
      id,
      Date.now(),
    );
  }
  const form = { encoding: "utf-8", delimiter: ",", file: { bytes: 32, fingerprint: "0".repeat(64) } };
  for (const n of [3, 5]) {
    await team.run(
      `INSERT INTO imports (n, id, name, state, form, columns, preview, rows, created_at)
       VALUES (?, ?, 'b.csv', 'uploading', ?, '["Email","Name"]', '[]', ?, ?)`,
      n,
      `imp_${n}`,
      JSON.stringify(form),
      n === 5 ? 1 : 0,
      Date.now(),
    );
  }
  const settings = { mapping: {}, columns: [], mailingLists: [], updateExisting: true, triggerWorkflows: false };
  await team.run(
    `INSERT INTO imports (n, id, name, state, form, columns, preview, settings, created_at, started_at)
     VALUES (4, 'imp_4', 'c.csv', 'running', ?1, '["Email"]', '[]', ?2, ?3, ?3)`,
    JSON.stringify(form),
    JSON.stringify({ ...settings, pausedAt: Date.now() }),
    Date.now(),
  );
  for (const name of ["currentPlan", "oldPlan"]) await team.post("/contacts/properties", { name, type: "string" });
  await team.admin("POST", "/keys", { name: "second" });
  await team.run("UPDATE api_keys SET id = 'key_1' WHERE name = 'second'");
};

/** A send of the newest revision, which no sender gets. */
export const arrangeSend = async (team: Team, id: string, state: "sent" | "unknown", to = "ada@example.com") => {
  const due = state === "unknown" ? Date.now() + 86_400_000 : null;
  await team.run(
    `INSERT INTO sends (n, id, class, revision, recipient, recipient_key, message_id, state, attempts, due, sender, variables, created_at, settled_at, preview)
     SELECT ?, ?, 'transactional', max(n), ?, ?, '<' || ? || '@test>', ?, 1, ?, 'smtp', ?, 1, ?, 0 FROM message_revisions`,
    Number.parseInt(id.split("_")[1] ?? "", 36),
    id,
    to,
    to,
    id,
    state,
    due,
    due === null ? null : "{}",
    due === null ? 1 : null,
  );
};

/**
 * A workflow "wfl_1" at revision "rev_1": trigger, timer, and a branch with two paths to the same email.
 *
 * @param end of all its ids
 */
export const arrangeWorkflow = async (team: Team, end = ""): Promise<void> => {
  const { json } = await team.post("/workflows", { name: "Trial nurture" });
  const { id, workflowRevisionId: expectedRevisionId, rootNodeId: fromNodeId } = json;
  const node = { expectedRevisionId, insertMode: "after", nodeTypeName: "SendEmailAction", fromNodeId };
  await team.post(`/workflows/${id}/nodes`, node);
  const filter = {
    typeName: "AudienceFilter",
    audienceFilter: null,
    audienceSegmentId: null,
    appliesDownstream: false,
  };
  const nodes = [
    ["nod_1", { typeName: "BlankTrigger" }, ["nod_timer"]],
    ["nod_timer", { typeName: "TimerAction", amount: 1, unit: "d" }, ["nod_branch"]],
    ["nod_branch", { typeName: "BranchNode" }, ["nod_filter", "nod_other"]],
    ["nod_filter", filter, ["nod_email"]],
    ["nod_other", filter, ["nod_email"]],
    ["nod_email", { typeName: "SendEmailAction", emailMessageId: `msg_workflow${end}` }, ["nod_exit"]],
    ["nod_exit", { typeName: "ExitAction" }, []],
  ] as const;
  const graph = {
    root: `nod_1${end}`,
    exit: `nod_exit${end}`,
    lastK: nodes.length,
    nodes: Object.fromEntries(
      nodes.map(([one, fields, next], i) => [
        `${one}${end}`,
        { ...fields, k: i + 1, nextNodeIds: next.map((to) => `${to}${end}`) },
      ]),
    ),
  };
  await team.run(
    "UPDATE workflows SET id = ?, revision = ?, graph = ? WHERE id = ?",
    `wfl_1${end}`,
    `rev_1${end}`,
    JSON.stringify(graph),
    id,
  );
  await team.run(
    `UPDATE workflow_versions AS v SET revision = w.revision, graph = w.graph, ran = 1 FROM workflows w
     WHERE w.id = ? AND v.workflow = w.n AND v.number = (SELECT max(number) FROM workflow_versions WHERE workflow = w.n)`,
    `wfl_1${end}`,
  );
  await team.run(
    "UPDATE email_messages SET id = ?, node = ? WHERE workflow IS NOT NULL",
    `msg_workflow${end}`,
    `nod_email${end}`,
  );
};

/** A pending domain with a fake key: a real one takes long. */
export const arrangeDomain = async (team: Team, id: string, name = "mail.example.com"): Promise<void> => {
  await team.run(
    `INSERT INTO domains (n, id, name, state, since, is_default, findings, created_at) VALUES (1, ?, ?, 'pending', 0, 1, '{}', 0)`,
    id,
    name,
  );
  await team.run(
    `INSERT INTO dkim_keys (domain, selector, state, public_key, sealed_key, created_at) VALUES (1, 'ms1', 'active', 'AA', 'BB', 0)`,
  );
};

const draft = async (team: Team): Promise<void> => {
  const { draftEmailMessageId } = (await team.post("/transactional-emails", { name: "Draft" })).json;
  const content = { subject: "Hello", fromName: "Acme", fromEmail: "hello", lmx: "<Paragraph>Hello</Paragraph>" };
  await team.post(`/email-messages/${draftEmailMessageId}`, content);
  await team.run("UPDATE email_messages SET id = 'msg_1' WHERE id = ?", draftEmailMessageId);
  await team.run("UPDATE templates SET id = 'tpl_draft' WHERE name = 'Draft'");
  await team.run(
    `UPDATE message_revisions SET (message, source) = (SELECT m.n, r.source FROM email_messages m
     JOIN message_revisions r ON r.n = m.revision WHERE m.id = 'msg_1') WHERE n = 1`,
  );
};

type Sent = { method: string; path: string; body?: object };

/** An input of an operation as an HTTP request. */
export const toHttp = (prefix: string, operation: Operation, input: Readonly<Record<string, unknown>>): Sent => {
  const { method, path } = operation;
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input[name])));
  const rest = Object.entries(input).filter(([name]) => !pathParameters(path).includes(name));
  if (hasBody(operation)) return { method, path: prefix + filled, body: Object.fromEntries(rest) };
  const query = rest.length === 0 ? "" : `?${new URLSearchParams(rest as [string, string][])}`;
  return { method, path: prefix + filled + query };
};

export const fieldsOf = ({ request }: Operation): string[] =>
  Object.keys((request as unknown as { shape: Record<string, unknown> }).shape);
