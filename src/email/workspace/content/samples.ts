import { readFile } from "../../../lib/lmx/file.ts";
import { emptySource } from "../../../lib/lmx/message/message-source.ts";
import { campaignNotice, confirmSubscription, templates, themes } from "../../samples/files.ts";
import type { CompiledMessage } from "../../types/compiled-message.ts";
import { CONFIRMATION_URL } from "../../types/recipient.ts";
import type { Context } from "../core/context.ts";
import { findTemplate, publishTemplate } from "./templates.ts";
import { addTheme, hasTheme, removeUnusedDefault } from "./themes.ts";

type Sample = { id: string; name: string; added: boolean };

/** Adds missing samples. `company`, `website`: default values. In a new team the first theme becomes the default. */
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

export const CONFIRMATION_TEMPLATE = "tpl_confirm_subscription";

export const NOTICE_TEMPLATE = "tpl_campaign_held";

/** Adds a template of this service, unless the team has it. `company`: the name in the mail. */
const addOwn = (context: Context, text: string, company: string): void => {
  const { id, name, source } = sampleOf(text, { "data.company": company });
  if (findTemplate(context.sql, id) === undefined) publishTemplate(context, { id, name, source });
};

/** `company`: the name in the mail. */
export const addConfirmationTemplate = (context: Context, company: string): void =>
  addOwn(context, confirmSubscription, company);

/** `company`: the name in the mail. */
export const addNoticeTemplate = (context: Context, company: string): void => addOwn(context, campaignNotice, company);

export const confirmationFault = (template: string, { variables, fallbacks }: CompiledMessage): string | undefined => {
  if (template !== CONFIRMATION_TEMPLATE) return undefined;
  const link = `data.${CONFIRMATION_URL}`;
  if (!variables.includes(link)) return `The confirmation mail needs its link: use {${link}}`;
  const lacking = variables.filter((name) => name !== link && !Object.hasOwn(fallbacks, name));
  return lacking.length === 0
    ? undefined
    : `Only {${link}} has a value in the confirmation mail: add a fallback for ${lacking.join(", ")}`;
};

const sampleOf = (text: string, own: Readonly<Record<string, string>>) => {
  const { fields, fallbacks, lmx } = readFile(text).file;
  // The file's theme is for previews: the message uses the team's theme.
  const { id = "", name = "", theme: _, emailFormat: __, ...lines } = fields;
  const dataVariablesFallbacks = Object.fromEntries(
    Object.entries(fallbacks).map(([key, value]) => [key.slice("data.".length), own[key] ?? value]),
  );
  return { id, name, source: { ...emptySource, ...lines, lmx, dataVariablesFallbacks } };
};
