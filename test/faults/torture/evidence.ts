import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Delivery } from "../../../src/outbox/model/journal-types.ts";
import { type Shown, secrets } from "../../system/mailspan.ts";

/** A webhook of the journal, in the order of acceptance. */
export type Accepted = { id: string; source: string; eventId: string; type: string; deliveries: Delivery[] };

export type ServiceTables = {
  keys: { operation: string; key: string }[];
  contacts: { email: string | null; userId: string | null; data: Record<string, unknown> }[];
  events: { email: string | null; name: string; properties: Record<string, unknown> }[];
  sends: { recipient: string; state: string }[];
};

const get = async <T>(url: string): Promise<T> => {
  const response = await fetch(url, { headers: { Authorization: `Bearer ${secrets.ADMIN_TOKEN}` } });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
};

/** The number of waiting deliveries at the bridge, a few seconds ago. */
export const countWaiting = async (bridge: string): Promise<number> =>
  (await get<{ waiting: number }>(`${bridge}/health`)).waiting;

export const listJournal = async (bridge: string): Promise<Shown[]> => {
  const all: Shown[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page: { data: Shown[]; next: string | null } = await get(
      `${bridge}/admin/webhooks?limit=100${cursor === "" ? "" : `&cursor=${cursor}`}`,
    );
    all.push(...page.data);
    cursor = page.next;
  }
  return all.toReversed();
};

/** The whole journal with every attempt, oldest webhook first. */
export const readJournal = async (bridge: string): Promise<Accepted[]> => {
  const webhooks: Accepted[] = [];
  for (const { id } of await listJournal(bridge)) webhooks.push(await get<Accepted>(`${bridge}/admin/webhooks/${id}`));
  return webhooks;
};

export const countMails = async (service: string): Promise<number> =>
  (await get<{ total: number }>(`${service}/inbox.json`)).total;

/** Reads the tables of the email service's only team. The email service must not run. */
export const readService = (state: string): ServiceTables => {
  const files = readdirSync(state, { recursive: true, encoding: "utf8" });
  for (const file of files.filter((name) => /Workspace\/[^/]+\.sqlite$/.test(name))) {
    const database = new DatabaseSync(join(state, file));
    const rows = <T>(query: string) => database.prepare(query).all() as T[];
    try {
      const [tables] = rows<{ n: number }>("SELECT count(*) AS n FROM sqlite_master WHERE name = 'team'");
      if (!tables?.n || rows("SELECT slug FROM team").length === 0) continue;
      return {
        keys: rows("SELECT operation, key FROM idempotency"),
        contacts: rows<{ email: string; userId: string; data: string }>(
          "SELECT email, user_id AS userId, json(data) AS data FROM contacts",
        ).map((row) => ({ ...row, data: JSON.parse(row.data) })),
        events: rows<{ email: string; name: string; properties: string }>(
          `SELECT contacts.email, event_patterns.name, json(events.properties) AS properties
           FROM events JOIN contacts ON contacts.n = events.contact JOIN event_patterns ON event_patterns.n = events.pattern
           ORDER BY events.n`,
        ).map((row) => ({ ...row, properties: JSON.parse(row.properties) })),
        sends: rows("SELECT recipient, state FROM sends"),
      };
    } finally {
      database.close();
    }
  }
  throw new Error(`No state of the email service's team in ${state}.`);
};
