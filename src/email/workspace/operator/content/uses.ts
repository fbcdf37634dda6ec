import { MAX_USES } from "../../../../lib/contract/admin/email/content/use.ts";
import type { AdminContract } from "../../../../lib/contract/admin/email.ts";
import type { Response } from "../../../../lib/contract/operation.ts";
import type { AdminInput } from "../../../types/workspace-rpc.ts";
import { CAN_CHANGE } from "../../content/cascade.ts";
import { components } from "../../content/components.ts";
import { KIND } from "../../content/messages.ts";
import { themes } from "../../content/themes.ts";
import type { Context, Result } from "../../core/context.ts";

export type Usage = Response<AdminContract["themes"]["usage"]>;
type Use = Usage["data"][number];

/** A replaced or removed message is no longer sent. */
const FROM = `FROM email_messages m JOIN message_revisions r ON r.n = m.revision
  LEFT JOIN templates t ON t.n = m.template LEFT JOIN workflows w ON w.n = m.workflow LEFT JOIN campaigns c ON c.n = m.campaign
  WHERE m.removed_at IS NULL AND w.deleted_at IS NULL AND (t.n IS NULL OR m.n IN (t.draft_message, t.published_message))`;

const IS_DRAFT =
  "CASE WHEN t.n IS NULL THEN coalesce(w.status, c.status) = 'Draft' ELSE t.published_message IS NOT m.n END";

/** Returns the first messages that match a condition on `m` and `r`, drafts last, and their total. */
export const messagesWith = (sql: SqlStorage, condition: string, value: string): Pick<Usage, "total" | "data"> => {
  const rows = sql
    .exec<Omit<Use, "waits"> & { waits: number; total: number }>(
      `SELECT m.id AS emailMessageId, ${KIND} AS kind, coalesce(t.id, w.id, c.id, '') AS id, coalesce(t.name, w.name, c.name, '') AS name,
         CASE WHEN t.published_message = m.n THEN 'published' ELSE coalesce(w.status, c.status, 'draft') END AS state,
         EXISTS (SELECT 1 FROM stale_messages WHERE message = m.n) AS waits,
         (SELECT reason FROM kept_messages WHERE message = m.n) AS kept, count(*) OVER () AS total
       ${FROM} AND ${condition} ORDER BY ${IS_DRAFT}, m.n DESC LIMIT ${MAX_USES}`,
      value,
    )
    .toArray();
  return {
    total: rows[0]?.total ?? 0,
    data: rows.map(({ total: _, waits, ...use }) => ({ ...use, waits: waits === 1 })),
  };
};

/** Returns components with a text, except one id. */
export const componentsWith = (sql: SqlStorage, text: string, except = ""): Usage["components"] =>
  sql
    .exec<{ id: string; name: string }>(
      `SELECT id, name FROM components WHERE instr(lmx, ?) > 0 AND id <> ? ORDER BY n DESC LIMIT ${MAX_USES}`,
      text,
      except,
    )
    .toArray();

const OF_LIBRARY = `m.n IN (SELECT u.message FROM message_uses u WHERE u.used = ? AND ${CAN_CHANGE})`;

export const themeUsage = (context: Context, { themeId }: AdminInput<"themes.usage">): Result<Usage> => {
  const theme = themes.get(context, { themeId });
  if ("refusal" in theme) return theme;
  return { body: { ...messagesWith(context.sql, OF_LIBRARY, themeId), components: [] } };
};

export const componentUsage = (context: Context, { componentId }: AdminInput<"components.usage">): Result<Usage> => {
  const component = components.get(context, { componentId });
  if ("refusal" in component) return component;
  const { sql } = context;
  return {
    body: {
      ...messagesWith(sql, OF_LIBRARY, componentId),
      components: componentsWith(sql, componentId, componentId),
    },
  };
};
