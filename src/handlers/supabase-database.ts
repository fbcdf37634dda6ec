import { sharedSecret } from "../lib/signature/schemes.ts";
import type { Handler } from "../webhook.ts";
import { readEvent } from "./event.ts";

/** A change of a row: `type` is `<schema>.<table>.<INSERT, UPDATE or DELETE>`. */
export type SupabaseChange<Row = Readonly<Record<string, unknown>>> = {
  type: string;
  table: string;
  schema: string;
  record: Row | null;
  old_record: Row | null;
};

/**
 * Supabase database webhooks sign nothing: add a header `Authorization: Bearer <secret>` to the webhook. They have no
 * id and are sent once, so the id is a digest of the body.
 * @see https://supabase.com/docs/guides/database/webhooks
 */
export const supabaseDatabase: Handler<SupabaseChange> = {
  provider: "supabase-database",
  about: {
    title: "Supabase database webhooks",
    secret: "SUPABASE_DATABASE_WEBHOOK_SECRET",
    setUp: "Database → Webhooks → HTTP headers: `Authorization: Bearer <secret>`, yours to choose",
  },
  scheme: sharedSecret,
  freeSecret: true,
  read: readEvent({
    what: "a Supabase database webhook",
    type: ["schema", "table", "type"],
    time: [
      ["record.updated_at", "iso"],
      ["record.created_at", "iso"],
    ],
  }),
};
