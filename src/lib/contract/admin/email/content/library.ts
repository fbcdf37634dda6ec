import * as z from "zod";
import { resourceId } from "../../../fields.ts";
import { operation } from "../../../operation.ts";
import { done, team } from "../fields.ts";
import { usage } from "./use.ts";

export const themes = {
  usage: operation({
    method: "GET",
    path: "/teams/{team}/themes/{themeId}/usage",
    summary: "Show the messages that use a theme",
    request: z.strictObject({ team, themeId: resourceId }),
    response: usage,
    status: 200,
    refusals: [400, 404],
    example: { team: "acme", themeId: "thm_1" },
  }),

  /** Refused while a message uses the theme, also as the default. */
  remove: operation({
    method: "DELETE",
    path: "/teams/{team}/themes/{themeId}",
    summary: "Delete a theme that no message uses",
    request: z.strictObject({ team, themeId: resourceId }),
    response: done,
    status: 200,
    refusals: [400, 404, 409],
    example: { team: "acme", themeId: "thm_2" },
  }),
};

export const components = {
  /** Messages that use the component, directly or through another component. */
  usage: operation({
    method: "GET",
    path: "/teams/{team}/components/{componentId}/usage",
    summary: "Show the messages and components that use a component",
    request: z.strictObject({ team, componentId: resourceId }),
    response: usage,
    status: 200,
    refusals: [400, 404],
    example: { team: "acme", componentId: "cmp_1" },
  }),

  /** Refused while a message or another component uses the component. */
  remove: operation({
    method: "DELETE",
    path: "/teams/{team}/components/{componentId}",
    summary: "Delete a component that nothing uses",
    request: z.strictObject({ team, componentId: resourceId }),
    response: done,
    status: 200,
    refusals: [400, 404, 409],
    example: { team: "acme", componentId: "cmp_2" },
  }),
};
