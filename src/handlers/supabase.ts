import type { User } from "@supabase/auth-js";
import { readStandardHeaders, standard, TOLERANCE_S } from "../lib/signature/schemes.ts";
import { digest } from "../lib/util/hmac.ts";
import type { Json } from "../lib/util/json.ts";
import { isoTime, object, optionalObject, optionalText, unixTime } from "../lib/webhook/shape.ts";
import type { Handler } from "../webhook.ts";

const WHAT = "a Supabase auth hook";
const PREFIXES = ["webhook"] as const;

/** Values that do not apply are empty strings. */
export type EmailData = {
  token: string;
  token_hash: string;
  redirect_to: string;
  email_action_type: EmailAction;
  site_url: string;
  token_new: string;
  token_hash_new: string;
  old_email?: string;
  old_phone?: string;
  provider?: string;
  factor_type?: string;
};

/** Notifications come only if the project has enabled them. */
export type EmailAction =
  | "signup"
  | "invite"
  | "magiclink"
  | "recovery"
  | "email_change"
  | "email"
  | "reauthentication"
  | "password_changed_notification"
  | "email_changed_notification"
  | "phone_changed_notification"
  | "identity_linked_notification"
  | "identity_unlinked_notification"
  | "mfa_factor_enrolled_notification"
  | "mfa_factor_unenrolled_notification";

type Metadata = { uuid: string; time: string; name: string; ip_address?: string };

/** `type` is `metadata.name`, added by `read`. */
export type SupabaseHook =
  | { type: "send-email"; metadata?: Metadata; user: User; email_data: EmailData }
  | { type: "before-user-created" | "after-user-created"; metadata?: Metadata; user: User };

/** An accepted hook without a proper answer would break sign-in or lose a text message. */
const REFUSED: ReadonlySet<string> = new Set([
  "send-sms",
  "customize-access-token",
  "mfa-verification",
  "password-verification",
]);

const SHAPES: readonly (readonly [key: string, hook: string])[] = [
  ["sms", "send-sms"],
  ["claims", "customize-access-token"],
  ["authentication_method", "customize-access-token"],
  ["factor_id", "mfa-verification"],
  ["valid", "password-verification"],
];

const hookOf = (body: Json): string => {
  if (optionalObject(body, "email_data")) return "send-email";
  return SHAPES.find(([key]) => Object.hasOwn(body, key))?.[1] ?? "unknown";
};

/** Milliseconds. All attempts end within 5 s. Later, the same body under another signed id is another mail. */
const ATTEMPTS = 10_000;

const repeatOf = async (raw: string, id: string) => {
  const bodyDigest = (await digest(raw)).slice(0, 32);
  return { id: `${bodyDigest}.${id}`, bodyDigest, repeatsFor: ATTEMPTS };
};

/**
 * Supabase Auth hooks: secret `v1,whsec_<base64>`. `webhook-id` changes per attempt. The answer must be JSON with 200
 * or 202 within 5 s.
 * @see https://supabase.com/docs/guides/auth/auth-hooks
 */
export const supabase: Handler<SupabaseHook> = {
  provider: "supabase",
  about: {
    title: "Supabase auth hooks",
    secret: "SUPABASE_HOOK_SECRET",
    setUp: "Authentication → Hooks → Send Email",
  },
  accepted: { status: 200 },
  mail: "send-email",
  secretPaths: ["email_data.token", "email_data.token_hash", "email_data.token_new", "email_data.token_hash_new"],
  scheme: standard(PREFIXES),
  read: async ({ headers, raw }, json, now) => {
    const body = object(json, WHAT);
    const metadata = optionalObject(body, "metadata");
    const email = optionalObject(body, "email_data");
    const type = optionalText(metadata, "name") ?? hookOf(body);
    if (REFUSED.has(type)) {
      throw new Error(
        `The hook ${type} needs an answer that this bridge cannot give. Set another URL for it in the Auth settings.`,
      );
    }
    if (type !== "unknown") object(body.user, `${WHAT} (its user)`);
    if (type === "send-email") object(body.email_data, `${WHAT} (its email_data)`);

    const uuid = optionalText(metadata, "uuid");
    const hash = optionalText(email, "token_hash");
    // A distant `metadata.time` is wrong. It would expire a sign-in mail.
    const { id = "", timestamp } = readStandardHeaders(headers, PREFIXES) ?? {};
    const signed = unixTime(Number(timestamp), 1000) ?? now;
    const stated = isoTime(optionalText(metadata, "time"));
    return {
      ...(uuid === undefined && hash === undefined
        ? await repeatOf(raw, id)
        : { id: uuid ?? (await digest(hash ?? raw)) }),
      type,
      occurredAt: stated !== undefined && Math.abs(stated - signed) <= TOLERANCE_S * 1000 ? stated : signed,
      body: { ...body, type } as SupabaseHook,
    };
  },
};
