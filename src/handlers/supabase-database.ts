import { sharedSecret } from "../lib/signature/schemes.ts";
import { readEvent } from "../lib/webhook/event.ts";
import type { Handler } from "../webhook.ts";

type Change<Type, Row, Before> = { type: Type; table: string; schema: string; record: Row; old_record: Before };

/** Row changes of a table, named with its schema: `TableChange<"public.teams", Team>`. */
export type TableChange<Table extends string, Row> =
  | Change<`${Table}.INSERT`, Row, null>
  | Change<`${Table}.UPDATE`, Row, Row>
  | Change<`${Table}.DELETE`, null, Row>;

/**
 * A row of `auth.users` without secrets. Times are ISO 8601 strings.
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

type SupabaseChange = TableChange<"auth.users", AuthUser>;

/** These columns of `auth.users` give access to an account. */
const SECRET_COLUMNS = [
  "encrypted_password",
  "confirmation_token",
  "recovery_token",
  "email_change_token_new",
  "email_change_token_current",
  "email_change_token",
  "phone_change_token",
  "reauthentication_token",
];

const RANKS: ReadonlyMap<string, number> = new Map([
  ["INSERT", 1],
  ["UPDATE", 2],
  ["DELETE", 3],
]);

/**
 * Supabase database webhooks are unsigned: add `Authorization: Bearer <secret>`. They are sent once; the id is the
 * body's digest.
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
