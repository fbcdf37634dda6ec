import * as z from "zod";
import { resourceId } from "../../../fields.ts";
import { act, read } from "../../../operation.ts";
import { done, team } from "../email-fields.ts";
import { usage } from "./use.ts";

export const themes = {
  usage: read("viewer", {
    path: "/teams/{team}/themes/{themeId}/usage",
    summary: "Show the messages that use a theme",
    request: z.strictObject({ team, themeId: resourceId }),
    response: usage,
    status: 200,
    refusals: [400, 404],
    example: { team: "acme", themeId: "thm_1" },
  }),

  /** Refused while a message uses the theme, also as the default. */
  remove: act("editor", {
    method: "DELETE",
    path: "/teams/{team}/themes/{themeId}",
    summary: "Delete a theme that no message uses",
    danger: true,
    request: z.strictObject({ team, themeId: resourceId }),
    response: done,
    status: 200,
    refusals: [400, 404, 409],
    example: { team: "acme", themeId: "thm_2" },
  }),
};

export const components = {
  /** Messages that use the component, directly or through another component. */
  usage: read("viewer", {
    path: "/teams/{team}/components/{componentId}/usage",
    summary: "Show the messages and components that use a component",
    request: z.strictObject({ team, componentId: resourceId }),
    response: usage,
    status: 200,
    refusals: [400, 404],
    example: { team: "acme", componentId: "cmp_1" },
  }),

  /** Refused while a message or another component uses the component. */
  remove: act("editor", {
    method: "DELETE",
    path: "/teams/{team}/components/{componentId}",
    summary: "Delete a component that nothing uses",
    danger: true,
    request: z.strictObject({ team, componentId: resourceId }),
    response: done,
    status: 200,
    refusals: [400, 404, 409],
    example: { team: "acme", componentId: "cmp_2" },
  }),
};
