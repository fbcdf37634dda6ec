import { sharedSecret } from "../lib/signature/schemes.ts";
import { readEvent } from "../lib/webhook/event.ts";
import type { Handler } from "../webhook.ts";

type Change<Type, Row, Before> = { type: Type; table: string; schema: string; record: Row; old_record: Before };

/** What happens to the rows of a table, named with its schema: `TableChange<"public.teams", Team>`. */
export type TableChange<Table extends string, Row> =
  | Change<`${Table}.INSERT`, Row, null>
  | Change<`${Table}.UPDATE`, Row, Row>
  | Change<`${Table}.DELETE`, null, Row>;

/**
 * A row of `auth.users`, without its secrets. Times are ISO 8601 texts.
 * @see https://github.com/supabase/auth/blob/master/internal/models/user.go
 */
export type AuthUser = {
  id: string;
  email: string | null;
  phone: string | null;
  email_confirmed_at: string | null;
  phone_confirmed_at: string | null;
  last_sign_in_at: string | null;
  invited_at: string | null;
  banned_until: string | null;
  deleted_at: string | null;
  created_at: string;
  updated_at: string;
  raw_app_meta_data: Readonly<Record<string, unknown>> | null;
  raw_user_meta_data: Readonly<Record<string, unknown>> | null;
  is_anonymous: boolean;
  is_sso_user: boolean;
};

/** The change of a row: `type` is `<schema>.<table>.<INSERT, UPDATE or DELETE>`, added by `read`. */
type SupabaseChange = TableChange<"auth.users", AuthUser>;

/** Columns of `auth.users` that open an account to whoever reads them. */
const SECRET_COLUMNS = [
  "encrypted_password",
  "confirmation_token",
  "recovery_token",
  "email_change_token_new",
  "email_change_token_current",
  // The name of the two above in old projects.
  "email_change_token",
  "phone_change_token",
  "reauthentication_token",
];

/** A row is made, changed and gone; what the database says of one moment comes in this order. */
const RANKS: ReadonlyMap<string, number> = new Map([
  ["INSERT", 1],
  ["UPDATE", 2],
  ["DELETE", 3],
]);

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
  secretPaths: ["record", "old_record"].flatMap((row) => SECRET_COLUMNS.map((column) => `${row}.${column}`)),
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
  rank: (type) => RANKS.get(type.slice(type.lastIndexOf(".") + 1)) ?? 0,
};
