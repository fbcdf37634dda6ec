import * as z from "zod";
import { resourceId } from "../../../fields.ts";
import { operation } from "../../../operation.ts";
import { team } from "../fields.ts";
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
};
