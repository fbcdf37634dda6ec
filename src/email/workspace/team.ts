import type { Reply } from "../../lib/contract/mount.ts";
import { migrate } from "../../lib/migrate.ts";
import { samples } from "../samples/index.ts";
import type { Context } from "./context.ts";
import type { NewTeam } from "./rpc.ts";
import { migrations } from "./schema.ts";
import { publishTemplate } from "./templates.ts";

/**
 * Whether this object belongs to a team. An object that was only asked (a key for a team that does not exist) stays
 * without tables, and so leaves nothing behind.
 */
export const isTeam = (sql: SqlStorage): boolean =>
  sql.exec("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'team'").toArray().length > 0;

export type Team = { slug: string; name: string; createProperties: boolean };

/** Settings of the team. */
export const readTeam = (sql: SqlStorage): Team => {
  const row = sql
    .exec<{ slug: string; name: string; create_properties: number }>("SELECT slug, name, create_properties FROM team")
    .one();
  return { slug: row.slug, name: row.name, createProperties: row.create_properties === 1 };
};

/** Sets the team up, with its tables and, if asked, the published sample templates. 409 when it exists. */
export const createTeam = (storage: DurableObjectStorage, context: Context, team: NewTeam): Reply => {
  const { sql, now } = context;
  if (isTeam(sql)) return { refusal: { code: "team_exists", path: "id", message: `The team "${team.id}" exists.` } };
  storage.transactionSync(() => {
    migrate(storage, migrations);
    sql.exec(
      "INSERT INTO team (one, slug, name, create_properties, created_at) VALUES (1, ?, ?, ?, ?)",
      ...[team.id, team.name, team.createProperties ? 1 : 0, now],
    );
    // Listed newest first: the first sample is to stand on top.
    if (team.samples) for (const sample of samples.toReversed()) publishTemplate(context, sample);
  });
  return { status: 201, body: { success: true, id: team.id, name: team.name } };
};

/** Lets a key in. `hash`: SHA-256 of the key in hex. */
export const createKey = ({ sql, now }: Context, key: { hash: string; name: string }): Reply => {
  if (!isTeam(sql)) return { refusal: { code: "not_found", path: "team", message: "There is no such team." } };
  sql.exec("INSERT INTO api_keys (hash, name, created_at) VALUES (?, ?, ?)", key.hash, key.name, now);
  return { status: 201, body: { success: true } };
};

/** Whether a key may act for the team. Looked up by digest: its time tells nothing about the keys that exist. */
export const isKey = (sql: SqlStorage, hash: string): boolean =>
  isTeam(sql) && sql.exec("SELECT 1 FROM api_keys WHERE hash = ? AND revoked_at IS NULL", hash).toArray().length > 0;
