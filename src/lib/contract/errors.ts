import * as z from "zod";

/** Stable, machine-readable codes of the API's refusals, each with its status. */
export const errorStatus = {
  invalid_request: 400,
  invalid_json: 400,
  invalid_idempotency_key: 400,
  unknown_property: 400,
  wrong_property_type: 400,
  property_exists: 400,
  too_many_properties: 400,
  unknown_mailing_list: 400,
  mailing_list_archived: 400,
  not_suppressed: 400,
  suppression_quota_used: 400,
  template_not_published: 400,
  missing_data_variables: 400,
  attachments_not_enabled: 400,
  invalid_api_key: 401,
  missing_api_key: 401,
  not_found: 404,
  contact_not_found: 404,
  event_pattern_not_found: 404,
  transactional_not_found: 404,
  method_not_allowed: 405,
  contact_exists: 409,
  contact_conflict: 409,
  team_exists: 409,
  idempotency_key_used: 409,
  body_too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  internal_error: 500,
} as const;

type ErrorCode = keyof typeof errorStatus;

/** An expected refusal as a value. `path` names the field, dotted. */
export type Refusal = {
  code: ErrorCode;
  message: string;
  path?: string;
  /** Further fields that some published clients read, such as `transactionalId`. */
  detail?: Record<string, unknown>;
};

/** The 401 of a missing or refused bearer token. A published client reads `error`. */
export const keyRefusal = (code: "missing_api_key" | "invalid_api_key", message?: string): Refusal => ({
  code,
  message: message ?? "This API key is not valid.",
  detail: { error: "Invalid API key" },
});

/** Body of every answer that is no success. */
export const errorBody = z.looseObject({
  success: z.literal(false),
  code: z.string(),
  message: z.string(),
  path: z.string().optional(),
});

/**
 * The body of a refusal. Published clients read `path` and `message` either at top level or under `error`: both are
 * sent.
 */
export const bodyOf = (refusal: Refusal): z.output<typeof errorBody> => ({
  success: false,
  code: refusal.code,
  message: refusal.message,
  ...(refusal.path === undefined
    ? {}
    : { path: refusal.path, error: { path: refusal.path, message: refusal.message } }),
  ...refusal.detail,
});

/** Converts the first problem of a failed parse into a refusal that names the field and the fix. */
export const refusalOf = (error: z.ZodError): Refusal => {
  const issue = error.issues[0];
  const path = issue?.path.map(String).join(".") ?? "";
  const missing = issue?.code === "invalid_type" && issue.message.endsWith("received undefined");
  const message = missing
    ? `${path} is required.`
    : path
      ? `${path}: ${issue?.message}`
      : (issue?.message ?? "The request is invalid.");
  return { code: "invalid_request", message, ...(path ? { path } : {}) };
};
