import type { Reply } from "../../../lib/contract/mount.ts";
import { isoOf } from "../../../lib/util/dates.ts";
import { migrate } from "../../../lib/util/migrate.ts";
import type { AdminInput } from "../../types/workspace.ts";
import { type Context, wake } from "../base/context.ts";
import { migrations } from "../base/migrations.ts";
import { addUnsorted } from "../content/groups.ts";
import { addSamples } from "../content/samples.ts";
import { addTheme } from "../content/themes.ts";

/**
 * True when this object belongs to a team. An object that only got a request with a key of a team that does not exist
 * has no tables, and so stores nothing.
 */
export const isTeam = (sql: SqlStorage): boolean =>
  sql.exec("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'team'").toArray().length > 0;

/**
 * `postalAddress`: for the footer of marketing mail. `sendPerSecond` and so on: the send limits; null for none. `createdAt`: Unix ms.
 */
type Team = {
  slug: string;
  name: string;
  createProperties: boolean;
  attachments: boolean;
  doubleOptIn: boolean;
  tracking: boolean;
  postalAddress: string | null;
  sendPerSecond: number | null;
  sendPerHour: number | null;
  sendPerDay: number | null;
  createdAt: number;
};

type Row = {
  slug: string;
  name: string;
  create_properties: number;
  attachments: number;
  double_opt_in: number;
  tracking: number;
  postal_address: string | null;
  send_per_second: number | null;
  send_per_hour: number | null;
  send_per_day: number | null;
  created_at: number;
};

/** Settings of the team. */
export const readTeam = (sql: SqlStorage): Team => {
  const row = sql
    .exec<Row>(
      `SELECT slug, name, create_properties, attachments, double_opt_in, tracking, postal_address, send_per_second, send_per_hour,
         send_per_day, created_at FROM team`,
    )
    .one();
  return {
    slug: row.slug,
    name: row.name,
    createProperties: row.create_properties === 1,
    attachments: row.attachments === 1,
    doubleOptIn: row.double_opt_in === 1,
    tracking: row.tracking === 1,
    postalAddress: row.postal_address,
    sendPerSecond: row.send_per_second,
    sendPerHour: row.send_per_hour,
    sendPerDay: row.send_per_day,
    createdAt: row.created_at,
  };
};

/** The settings as the admin API gives them. */
export const settingsOf = (sql: SqlStorage) => {
  const { slug, createdAt, ...settings } = readTeam(sql);
  return { id: slug, ...settings, createdAt: isoOf(createdAt) };
};

/** Creates the team with its tables and, on request, the sample themes and the published sample templates. 409 when it exists. */
export const createTeam = (
  storage: DurableObjectStorage,
  context: Context,
  team: AdminInput<"teams.create">,
): Reply => {
  const { sql, now } = context;
  if (isTeam(sql)) {
    const message = `The team "${team.team}" exists. Use it, or choose another id.`;
    return { refusal: { code: "team_exists", path: "id", message } };
  }
  migrate(storage, migrations);
  sql.exec(
    "INSERT INTO team (one, slug, name, create_properties, created_at) VALUES (1, ?, ?, ?, ?)",
    ...[team.team, team.name, team.createProperties ? 1 : 0, now],
  );
  addUnsorted(context);
  if (team.samples) addSamples(context, { company: readTeam(sql).name });
  else addTheme(context, { name: "Default", styles: {} });
  return { status: 201, body: { success: true, id: team.team, name: team.name } };
};

/** Changes the settings in the request. */
export const updateTeam = (context: Context, changes: AdminInput<"teams.update">) => {
  const { sql, now } = context;
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  const team: Team = { ...readTeam(sql), ...given };
  const flags = [team.createProperties, team.attachments, team.doubleOptIn, team.tracking];
  sql.exec(
    `UPDATE team SET name = ?, postal_address = ?, send_per_second = ?, send_per_hour = ?, send_per_day = ?,
       create_properties = ?, attachments = ?, double_opt_in = ?, tracking = ?`,
    ...[team.name, team.postalAddress, team.sendPerSecond, team.sendPerHour, team.sendPerDay],
    ...flags.map((flag) => (flag ? 1 : 0)),
  );
  // Mail may wait for a limit that is higher now.
  if ([changes.sendPerSecond, changes.sendPerHour, changes.sendPerDay].some((limit) => limit !== undefined))
    wake(context, now);
  return { body: settingsOf(sql) };
};
