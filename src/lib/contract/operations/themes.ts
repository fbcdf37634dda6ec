import * as z from "zod";
import { page, paginated, resourceId, resourceName } from "../fields.ts";
import { act, read } from "../operation.ts";
import { type EachStyle, NUMBER_STYLES, TEXT_STYLES } from "./theme-styles.ts";

const styleForms = (typeOf: (kind: string) => unknown) => ({
  properties: Object.fromEntries([
    ...TEXT_STYLES.map((name) => [name, { type: typeOf("string") }]),
    ...NUMBER_STYLES.map((name) => [name, { type: typeOf("number") }]),
  ]),
  propertyNames: undefined,
  additionalProperties: false,
});

const styles = z.record(z.string(), z.union([z.string(), z.number()])).meta({
  id: "ThemeStyles",
  ...styleForms((kind) => kind),
  required: [...TEXT_STYLES, ...NUMBER_STYLES],
}) as unknown as z.ZodType<EachStyle>;

/** Sizes in px, line heights in percent, colors as #rrggbb. null restores the default. */
const styleChanges = z
  .record(
    z.string().max(100, "must have a name of at most 100 characters"),
    z.union([z.string().max(500, "must be at most 500 characters"), z.number(), z.null()], {
      error: "must be a string, a number or null",
    }),
  )
  .meta({ id: "ThemeStyleChanges", ...styleForms((kind) => [kind, "null"]) }) as unknown as z.ZodType<
  { [Name in keyof EachStyle]?: EachStyle[Name] | null | undefined },
  { [Name in keyof EachStyle]?: EachStyle[Name] | null | undefined }
>;

/**
 * `styles`: all values, including defaults. `failedEmailCount`: messages that kept their old values after an error.
 */
const theme = z
  .object({
    id: z.string(),
    name: z.string(),
    styles,
    isDefault: z.boolean(),
    pendingEmailCount: z.int(),
    failedEmailCount: z.int(),
    createdAt: z.string(),
    updatedAt: z.string(),
  })
  .meta({ id: "Theme" });

export const themes = {
  /** Newest first. */
  list: read("viewer", {
    path: "/themes",
    summary: "List themes",
    request: z.object(page),
    response: paginated(theme),
    status: 200,
    refusals: [400],
    example: { perPage: "20" },
  }),

  create: act("editor", {
    method: "POST",
    path: "/themes",
    summary: "Create a theme",
    danger: false,
    request: z.object({ name: resourceName, styles: styleChanges.optional() }),
    response: theme,
    status: 201,
    refusals: [400, 409],
    idempotent: true,
    example: { name: "Brand", styles: { buttonBodyColor: "#4f46e5", bodyXPadding: 32 } },
  }),

  get: read("viewer", {
    path: "/themes/{themeId}",
    summary: "Get a theme",
    request: z.object({ themeId: resourceId }),
    response: theme,
    status: 200,
    refusals: [400, 404],
    example: { themeId: "thm_1" },
  }),

  /**
   * Messages that use the theme get the values within minutes, except values they set. `affectedEmailCount`: 0 for a
   * rename.
   */
  update: act("editor", {
    method: "POST",
    path: "/themes/{themeId}",
    summary: "Update a theme",
    danger: false,
    request: z.object({ themeId: resourceId, name: resourceName.optional(), styles: styleChanges.optional() }),
    response: theme.extend({ affectedEmailCount: z.int() }).meta({ id: "UpdatedTheme" }),
    status: 200,
    refusals: [400, 404],
    example: { themeId: "thm_1", styles: { textLinkColor: "#4f46e5" } },
  }),
};
