import * as z from "zod";

export const MAX_USES = 100;

/** `waits`: recompiled within minutes. `kept`: reason why the last change could not be applied; null if it was. */
const use = z.strictObject({
  emailMessageId: z.string(),
  kind: z.enum(["transactional", "campaign", "workflow"]),
  id: z.string(),
  name: z.string(),
  state: z.string(),
  waits: z.boolean(),
  kept: z.string().nullable(),
});

export const usage = z.strictObject({
  total: z.int(),
  data: z.array(use),
  components: z.array(z.strictObject({ id: z.string(), name: z.string() })),
});
