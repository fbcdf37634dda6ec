import { readFile } from "../../../lib/lmx/file.ts";
import { emptySource } from "../../../lib/lmx/message/message-source.ts";
import { confirmSubscription, templates, themes } from "../../samples/files.ts";
import type { CompiledMessage } from "../../types/message.ts";
import { CONFIRMATION_URL } from "../../types/recipient.ts";
import type { Context } from "../core/context.ts";
import { findTemplate, publishTemplate } from "./templates.ts";
import { addTheme, hasTheme, removeUnusedDefault } from "./themes.ts";

/** One sample, and whether the team has it only now. */
type Sample = { id: string; name: string; added: boolean };

/**
 * Adds the sample themes and the sample templates, published, that the team lacks. What it has already stays as it is, edited
 * or not. `company` and `website` are in the mails where a send gives no others. In a new team the first sample
 * becomes the theme of messages that name none.
 */
export const addSamples = (
  context: Context,
  { company, website }: { company: string; website?: string | undefined },
): { themes: Sample[]; templates: Sample[] } => {
  const named = Object.entries(themes).map(([file, theme]) => ({ id: `thm_${file}`, ...theme }));
  removeUnusedDefault(context);
  const addedThemes = named.map((theme): Sample => {
    const added = !hasTheme(context.sql, theme.id);
    if (added) addTheme(context, theme);
    return { id: theme.id, name: theme.name, added };
  });
  const own = { "data.company": company, ...(website ? { "data.website": website, "data.link": website } : {}) };
  // Lists show the newest first, so the first sample is added last.
  const addedTemplates = templates.toReversed().map((text): Sample => {
    const { id, name, source } = sampleOf(text, own);
    const added = findTemplate(context.sql, id) === undefined;
    if (added) publishTemplate(context, { id, name, source });
    return { id, name, added };
  });
  return { themes: addedThemes, templates: addedTemplates.toReversed() };
};

/** The transactional email that asks a person to confirm a subscription. */
export const CONFIRMATION_TEMPLATE = "tpl_confirm_subscription";

/** Adds the published confirmation mail, unless the team has it. `company`: the name in it. */
export const addConfirmationTemplate = (context: Context, company: string): void => {
  const { id, name, source } = sampleOf(confirmSubscription, { "data.company": company });
  if (findTemplate(context.sql, id) === undefined) publishTemplate(context, { id, name, source });
};

/** What stops a message from being the confirmation mail; undefined when nothing does, and for every other template. */
export const confirmationFault = (
  template: string,
  { variables, fallbacks = {} }: CompiledMessage,
): string | undefined => {
  if (template !== CONFIRMATION_TEMPLATE) return undefined;
  const link = `data.${CONFIRMATION_URL}`;
  if (!variables.includes(link)) return `The confirmation mail needs its link: use {${link}}`;
  const lacking = variables.filter((name) => name !== link && !Object.hasOwn(fallbacks, name));
  return lacking.length === 0
    ? undefined
    : `Only {${link}} has a value in the confirmation mail: add a fallback for ${lacking.join(", ")}`;
};

/** A sample as a message. `own`: values of the team in the place of the file's fallbacks. */
const sampleOf = (text: string, own: Readonly<Record<string, string>>) => {
  const { fields, fallbacks, lmx } = readFile(text).file;
  // The theme is for previews of the file: the message uses that of the team.
  const { id = "", name = "", theme: _, emailFormat: __, ...lines } = fields;
  const dataVariablesFallbacks = Object.fromEntries(
    Object.entries(fallbacks).map(([key, value]) => [key.slice("data.".length), own[key] ?? value]),
  );
  return { id, name, source: { ...emptySource, ...lines, lmx, dataVariablesFallbacks } };
};
