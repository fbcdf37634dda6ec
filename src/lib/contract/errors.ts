import * as z from "zod";

/** Stable error codes of the API, each with its status. */
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
  missing_variables: 400,
  contact_too_large: 400,
  draft_not_sendable: 400,
  attachments_not_enabled: 400,
  invalid_attachment: 400,
  contact_conflict: 400,
  too_many_groups: 400,
  too_many_themes: 400,
  too_many_components: 400,
  too_many_transactional_emails: 400,
  too_many_segments: 400,
  too_many_conditions: 400,
  invalid_filter: 400,
  segment_name_taken: 400,
  uploads_not_configured: 400,
  unsupported_picture_type: 400,
  too_many_pending_uploads: 400,
  upload_not_arrived: 400,
  too_many_webhooks: 400,
  too_many_events: 400,
  webhook_disabled: 400,
  wrong_content_length: 400,
  invalid_domain: 400,
  https_required: 400,
  too_many_domains: 400,
  dkim_not_configured: 400,
  links_not_configured: 400,
  domain_not_verified: 400,
  too_many_workflows: 400,
  unknown_workflow_group: 400,
  too_many_campaigns: 400,
  unknown_campaign_group: 400,
  campaign_not_ready: 400,
  unknown_revision: 400,
  group_reserved: 400,
  workflow_sending: 400,
  workflow_not_started: 400,
  workflow_not_ready: 400,
  no_event_trigger: 400,
  too_many_imports: 400,
  consent_ignored: 400,
  ambiguous_dates: 400,
  too_many_keys: 400,
  too_many_lists: 400,
  too_many_event_patterns: 400,
  invalid_mapping: 400,
  invalid_placement: 400,
  invalid_target: 400,
  passkeys_unavailable: 400,
  node_limit: 400,
  invalid_api_key: 401,
  missing_api_key: 401,
  session_required: 401,
  wrong_token: 401,
  login_code_used: 401,
  wrong_passkey: 401,
  wrong_recovery_code: 401,
  invite_used: 401,
  invalid_upload_url: 403,
  upload_url_expired: 403,
  wrong_origin: 403,
  proof_required: 403,
  role_required: 403,
  not_found: 404,
  unknown_source: 404,
  contact_not_found: 404,
  mailing_list_not_found: 404,
  event_pattern_not_found: 404,
  transactional_not_found: 404,
  group_not_found: 404,
  theme_not_found: 404,
  component_not_found: 404,
  email_message_not_found: 404,
  upload_not_found: 404,
  send_not_found: 404,
  domain_not_found: 404,
  segment_not_found: 404,
  campaign_not_found: 404,
  workflow_not_found: 404,
  node_not_found: 404,
  import_not_found: 404,
  revision_not_found: 404,
  half_missing: 404,
  method_not_allowed: 405,
  wave_closed: 409,
  contact_exists: 409,
  person_exists: 409,
  team_exists: 409,
  domain_exists: 409,
  domain_in_use: 409,
  segment_in_use: 409,
  property_in_use: 409,
  theme_in_use: 409,
  component_in_use: 409,
  default_theme: 409,
  idempotency_key_used: 409,
  revision_conflict: 409,
  message_published: 409,
  no_draft: 409,
  send_not_retryable: 409,
  not_pending: 409,
  stale_revision: 409,
  workflow_in_use: 409,
  import_not_ready: 409,
  email_message_locked: 409,
  campaign_not_draft: 409,
  campaign_in_use: 409,
  campaign_not_scheduled: 409,
  campaign_not_sending: 409,
  campaign_not_paused: 409,
  campaign_not_sent: 409,
  one_time_mail: 409,
  campaign_cancelled: 409,
  campaign_busy: 409,
  audience_changed: 409,
  audience_not_counted: 409,
  upload_url_used: 409,
  confirmation_needed: 409,
  not_retryable: 409,
  not_discardable: 409,
  key_expired: 409,
  too_many_views: 409,
  no_person: 409,
  too_many_people: 409,
  too_many_passkeys: 409,
  body_too_large: 413,
  upload_too_large: 413,
  unsupported_media_type: 415,
  invalid_content: 422,
  invalid_csv: 422,
  breaks_messages: 422,
  invalid_picture: 422,
  rate_limited: 429,
  too_many_logins: 429,
  preview_quota_used: 429,
  confirmation_limit_reached: 429,
  upload_limit_reached: 429,
  internal_error: 500,
  node_update_not_implemented: 501,
  half_unreachable: 502,
  service_refused: 502,
  admin_token_unusable: 503,
  state_refused: 503,
  service_unavailable: 503,
  overloaded: 503,
  storage_full: 507,
} as const;

type ErrorCode = keyof typeof errorStatus;

/** An expected error as a value. `path`: dotted field name. */
export type Refusal = {
  code: ErrorCode;
  message: string;
  path?: string;
  /** Seconds until the same request may succeed. */
  retryAfter?: number;
  /** Extra fields for published clients, such as `transactionalId`. */
  detail?: Record<string, unknown>;
};

/** The 401 of a missing or refused key. A published client reads `error`. */
export const keyRefusal = (code: "missing_api_key" | "invalid_api_key", message?: string): Refusal => ({
  code,
  message: message ?? "This API key is not valid.",
  detail: { error: "Invalid API key" },
});

export const errorBody = z
  .looseObject({
    success: z.literal(false),
    code: z.string(),
    message: z.string(),
    path: z.string().optional(),
  })
  .meta({ id: "Error" });

/**
 * Returns the body of an error.
 *
 * @param errorObject adds an object `error`; only if published, because the Go client reads `error` as text
 */
export const bodyOf = (refusal: Refusal, errorObject = false): z.output<typeof errorBody> => {
  const { code, message, path, detail } = refusal;
  return {
    success: false,
    code,
    message,
    ...(path === undefined ? {} : { path }),
    ...(path !== undefined && errorObject ? { error: { path, message } } : {}),
    ...detail,
  };
};

const REQUIRED = "is required";

const types: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

export const wording: z.core.$ZodErrorMap = (issue) => {
  if (issue.code === "invalid_type") {
    return issue.input === undefined ? REQUIRED : `must be ${types[issue.expected] ?? issue.expected}`;
  }
  if (issue.code === "unrecognized_keys") return "is not a field of this request";
  return issue.code === "invalid_key" ? issue.issues[0]?.message : "is not valid";
};

export const refusalOf = (error: z.ZodError): Refusal => {
  const [issue] = error.issues;
  const { path: keys = [], message = "The request is not valid." } = issue ?? {};
  const unknown = issue?.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : [];
  const path = [...keys, ...unknown].map(String).join(".");
  if (path === "") return { code: "invalid_request", message };
  if (message === REQUIRED) return { code: "invalid_request", path, message: `${path} is required.` };
  return { code: "invalid_request", path, message: message.startsWith(path) ? message : `${path}: ${message}` };
};
