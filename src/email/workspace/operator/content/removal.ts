import type { Refusal } from "../../../../lib/contract/errors.ts";
import type { AdminInput } from "../../../types/workspace-rpc.ts";
import { components, deleteComponent } from "../../content/components.ts";
import { deleteTheme, themes } from "../../content/themes.ts";
import type { Context, Result } from "../../core/context.ts";
import { componentUsage, themeUsage, type Usage } from "./uses.ts";

type Done = Result<{ success: true }>;

const NAMED = 3;

/** Returns text such as `campaign "Spring", component "Footer" and 4 more`, or undefined. */
const usersIn = ({ total, data, components: others }: Usage): string | undefined => {
  const names = [
    ...data.map(({ kind, name, id }) => `${kind === "transactional" ? "transactional email" : kind} "${name || id}"`),
    ...others.map(({ name }) => `component "${name}"`),
  ].slice(0, NAMED);
  const more = total + others.length - names.length;
  return names.length === 0 ? undefined : `${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
};

const inUse = (
  code: "theme_in_use" | "component_in_use",
  path: string,
  usage: Usage,
  what: string,
): { refusal: Refusal } | undefined => {
  const users = usersIn(usage);
  if (users === undefined) return undefined;
  const message = `The ${what} is in use by ${users}. Take it out of their content first.`;
  return { refusal: { code, path, message, detail: { ...usage } } };
};

/** Deletes an unused theme. Sent mail keeps its look. */
export const removeTheme = (context: Context, input: AdminInput<"themes.remove">): Done => {
  const { themeId } = input;
  const theme = themes.get(context, { themeId });
  if ("refusal" in theme) return theme;
  const { name, isDefault } = theme.body;
  if (isDefault) {
    const message = `The theme "${name}" is that of messages that name none, so it cannot be deleted. Change its values instead.`;
    return { refusal: { code: "default_theme", path: "themeId", message } };
  }
  const usage = themeUsage(context, input);
  if ("refusal" in usage) return usage;
  const refused = inUse("theme_in_use", "themeId", usage.body, `theme "${name}"`);
  if (refused) return refused;
  deleteTheme(context.sql, themeId);
  return { body: { success: true } };
};

/** Deletes an unused component. Sent mail keeps its content. */
export const removeComponent = (context: Context, input: AdminInput<"components.remove">): Done => {
  const { componentId } = input;
  const component = components.get(context, { componentId });
  if ("refusal" in component) return component;
  const usage = componentUsage(context, input);
  if ("refusal" in usage) return usage;
  const refused = inUse("component_in_use", "componentId", usage.body, `component "${component.body.name}"`);
  if (refused) return refused;
  deleteComponent(context.sql, componentId);
  return { body: { success: true } };
};
