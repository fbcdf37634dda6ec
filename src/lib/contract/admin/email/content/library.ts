import * as z from "zod";
import { resourceId } from "../../../fields.ts";
import { operation } from "../../../operation.ts";
import { done, team } from "../fields.ts";
import { usage } from "./use.ts";

export const themes = {
  /** The messages that a change of its values reaches. A campaign that was sent keeps its look. */
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

  /** A theme that a message could still be compiled with is in use, and so is that of messages that name none. */
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
  /** The messages that a change of its content reaches, also those that use it through another component. */
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

  /** A component that a message could still be compiled with, or that another component names, is in use. */
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
