import * as z from "zod";
import { page, paginated, resourceId, resourceName } from "../fields.ts";
import { operation } from "../operation.ts";

/** Values by name: sizes in px, line heights in percent, colours as #rrggbb. null sets one back to its default. */
const styleChanges = z.record(
  z.string().max(100, "must have a name of at most 100 characters"),
  z.union([z.string().max(500, "must be at most 500 characters"), z.number(), z.null()], {
    error: "must be a string, a number or null",
  }),
);

/**
 * A theme: `styles` has all its values, those of the default look included. `isDefault`: messages that name no theme use
 * it. `pendingEmailCount`: messages that wait to be compiled with its newest values. `failedEmailCount`: messages that could
 * not be sent with them, and keep what they had; each says why.
 */
const theme = z.object({
  id: z.string(),
  name: z.string(),
  styles: z.record(z.string(), z.union([z.string(), z.number()])),
  isDefault: z.boolean(),
  pendingEmailCount: z.int(),
  failedEmailCount: z.int(),
  createdAt: z.string(),
  updatedAt: z.string(),
});

export const themes = {
  /** Newest first. */
  list: operation({
    method: "GET",
    path: "/themes",
    summary: "List themes",
    request: z.object(page),
    response: paginated(theme),
    status: 200,
    refusals: [400],
    example: { perPage: "20" },
  }),

  create: operation({
    method: "POST",
    path: "/themes",
    summary: "Create a theme",
    request: z.object({ name: resourceName, styles: styleChanges.optional() }),
    response: theme,
    status: 201,
    refusals: [400, 409],
    idempotent: true,
    example: { name: "Brand", styles: { buttonBodyColor: "#4f46e5", bodyXPadding: 32 } },
  }),

  get: operation({
    method: "GET",
    path: "/themes/{themeId}",
    summary: "Get a theme",
    request: z.object({ themeId: resourceId }),
    response: theme,
    status: 200,
    refusals: [400, 404],
    example: { themeId: "thm_1" },
  }),

  /**
   * Changes the given values. Every draft and published message that uses the theme gets them within minutes, except
   * values that the message sets itself. `affectedEmailCount`: how many messages that are; 0 where only the name changed.
   */
  update: operation({
    method: "POST",
    path: "/themes/{themeId}",
    summary: "Update a theme",
    request: z.object({ themeId: resourceId, name: resourceName.optional(), styles: styleChanges.optional() }),
    response: theme.extend({ affectedEmailCount: z.int() }),
    status: 200,
    refusals: [400, 404],
    example: { themeId: "thm_1", styles: { textLinkColor: "#4f46e5" } },
  }),
};
