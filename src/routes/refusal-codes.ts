/** Error codes of /hooks, /admin and /health. The gateway uses v1 codes. */
export type DoorError =
  | "missing_signature"
  | "invalid_signature"
  | "stale_timestamp"
  | "source_not_configured"
  | "key_unavailable"
  | "unknown_source"
  | "body_too_large"
  | "invalid_json"
  | "unexpected_body"
  | "no_mail"
  | "method_not_allowed"
  | "journal_unavailable"
  | "state_refused"
  | "overloaded"
  | "not_found"
  | "internal_error";

const statuses: Readonly<Record<DoorError, number>> = {
  missing_signature: 401,
  invalid_signature: 401,
  stale_timestamp: 401,
  // Without a secret no signature can be valid. The provider resends the webhook.
  source_not_configured: 401,
  invalid_json: 400,
  unexpected_body: 400,
  no_mail: 422,
  unknown_source: 404,
  not_found: 404,
  method_not_allowed: 405,
  body_too_large: 413,
  internal_error: 500,
  journal_unavailable: 503,
  state_refused: 503,
  overloaded: 503,
  key_unavailable: 503,
};

/** Builds a refusal: `{ "error": { "code", "message" } }`. */
export const refuse = (code: DoorError, message: string, headers: Record<string, string> = {}): Response =>
  Response.json({ error: { code, message } }, { status: statuses[code], headers });
