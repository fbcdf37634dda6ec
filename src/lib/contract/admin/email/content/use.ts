import * as z from "zod";

/** Most messages that an answer names. `total` counts all of them. */
export const MAX_USES = 100;

/**
 * A message that uses a theme, a component or a picture. `id`, `name`: of the transactional email, campaign or workflow that it belongs to.
 * `state`: draft or published, or the status of the campaign or workflow. `waits`: it is compiled with the newest content within minutes. `kept`: why
 * it could not take the last change, and keeps what it had; null when it took it.
 */
const use = z.strictObject({
  emailMessageId: z.string(),
  kind: z.enum(["transactional", "campaign", "workflow"]),
  id: z.string(),
  name: z.string(),
  state: z.string(),
  waits: z.boolean(),
  kept: z.string().nullable(),
});

/** Messages in use come before drafts. `components`: those whose own content names it. */
export const usage = z.strictObject({
  total: z.int(),
  data: z.array(use),
  components: z.array(z.strictObject({ id: z.string(), name: z.string() })),
});
