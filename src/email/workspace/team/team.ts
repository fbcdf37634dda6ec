import type { Reply } from "../../../lib/contract/mount.ts";
import { isoOf } from "../../../lib/util/dates.ts";
import type { AdminInput } from "../../types/workspace-rpc.ts";
import { spreadDefaults } from "../content/cascade.ts";
import { addUnsorted } from "../content/groups.ts";
import { addSamples } from "../content/samples.ts";
import { addTheme } from "../content/themes.ts";
import { completedUpload, uploadNotFound } from "../content/uploads.ts";
import { type Context, wake } from "../core/context.ts";
import { migrateTeam } from "../core/schema.ts";

/** Storages of teams, which never lose their tables. A look at the schema reads a row for each table and index. */
const known = new WeakSet<SqlStorage>();

/** True if this object belongs to a team. Otherwise it has no tables and stores nothing. */
export const isTeam = (sql: SqlStorage): boolean => {
  if (known.has(sql)) return true;
  const [found] = sql.exec("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'team' LIMIT 1").toArray();
  if (found) known.add(sql);
  return found !== undefined;
};

const FLAGS = {
  createProperties: "create_properties",
  attachments: "attachments",
  doubleOptIn: "double_opt_in",
  tracking: "tracking",
} as const;

const TEXTS = {
  fromName: "from_name",
  fromEmail: "from_email",
  replyToEmail: "reply_to_email",
  noticeEmail: "notice_email",
  postalAddress: "postal_address",
  footer: "footer",
  brandColor: "brand_color",
  logo: "logo",
} as const;

const LIMITS = {
  sendPerSecond: "send_per_second",
  sendPerHour: "send_per_hour",
  sendPerDay: "send_per_day",
} as const;

const ZONE = { timeZone: "time_zone" } as const;

type Team = { slug: string; name: string; createdAt: number; timeZone: string } & Record<keyof typeof FLAGS, boolean> &
  Record<keyof typeof TEXTS, string | null> &
  Record<keyof typeof LIMITS, number | null>;

type Row = Record<keyof Team, string | number | null>;

const COLUMNS = { slug: "slug", name: "name", ...FLAGS, ...TEXTS, ...LIMITS, ...ZONE, createdAt: "created_at" };

const SELECT = `SELECT ${Object.entries(COLUMNS)
  .map(([name, column]) => `${column} AS ${name}`)
  .join(", ")} FROM team`;

export const readTeam = (sql: SqlStorage): Team => {
  const row = sql.exec<Row>(SELECT).one();
  const flags = Object.keys(FLAGS).map((name) => [name, row[name as keyof typeof FLAGS] === 1]);
  return { ...row, ...Object.fromEntries(flags) } as Team;
};

/** Name of the IANA time zone database. */
export const timeZoneOf = (sql: SqlStorage): string =>
  sql.exec<{ zone: string }>("SELECT time_zone AS zone FROM team").one().zone;

export const settingsOf = (sql: SqlStorage) => {
  const { slug, createdAt, ...settings } = readTeam(sql);
  return { id: slug, ...settings, createdAt: isoOf(createdAt) };
};

/** Creates a team with tables and optional samples; 409 if it exists. */
export const createTeam = (
  storage: DurableObjectStorage,
  context: Context,
  team: AdminInput<"teams.create">,
): Reply => {
  const { sql, now } = context;
  if (isTeam(sql)) {
    const message = `The team "${team.id}" exists. Use it, or choose another id.`;
    return { refusal: { code: "team_exists", path: "id", message } };
  }
  migrateTeam(storage);
  sql.exec(
    "INSERT INTO team (one, slug, name, create_properties, created_at, blocks_due) VALUES (1, ?, ?, ?, ?, 0)",
    team.id,
    team.name,
    team.createProperties ? 1 : 0,
    now,
  );
  addUnsorted(context);
  if (team.samples) addSamples(context, { company: readTeam(sql).name });
  else addTheme(context, { name: "Default", styles: {} });
  return { status: 201, body: { success: true, id: team.id, name: team.name } };
};

const CHANGEABLE = { name: "name", ...FLAGS, ...TEXTS, ...LIMITS, ...ZONE };

const UPDATE = `UPDATE team SET ${Object.values(CHANGEABLE)
  .map((column) => `${column} = ?`)
  .join(", ")}`;

export const updateTeam = (context: Context, changes: AdminInput<"teams.update">) => {
  const { sql, now } = context;
  const before = readTeam(sql);
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  const logo = changes.logo == null ? undefined : completedUpload(sql, changes.logo);
  if (changes.logo != null && logo === undefined) {
    return { refusal: { ...uploadNotFound(changes.logo).refusal, path: "logo" } };
  }
  const team: Team = { ...before, ...given, ...(logo === undefined ? {} : { logo }) };
  const values = Object.keys(CHANGEABLE).map((name) => team[name as keyof typeof CHANGEABLE]);
  sql.exec(UPDATE, ...values.map((value) => (typeof value === "boolean" ? Number(value) : value)));
  // Mail may wait for a limit that is higher now.
  if ([changes.sendPerSecond, changes.sendPerHour, changes.sendPerDay].some((limit) => limit !== undefined))
    wake(context, now);
  const isOther = (["fromName", "fromEmail", "replyToEmail"] as const).some((name) => team[name] !== before[name]);
  if (isOther) spreadDefaults(context);
  return { body: settingsOf(sql) };
};
