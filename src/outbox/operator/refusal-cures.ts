import { nearest } from "../../lib/util/nearest.ts";
import { reasons } from "../model/reasons.ts";

/** A refused delivery. `status`: of the last attempt. `template`: the name that its rule uses. */
export type RefusedDelivery = { action: string; message: string; status?: number; template?: string };

/** `templates`, `lists`: names to ids, as set. `known`: templates of the email service; absent if it gave no answer. */
export type Named = {
  templates: Readonly<Record<string, string>>;
  lists: Readonly<Record<string, string>>;
  known?: readonly { id: string; name: string }[];
};

const DOMAIN = /domain.{0,120}(not verified|unverified|verify|lost DNS records)|no domain to send from/i;
const VARIABLES = /^No value for (.+?)\. |variable/i;
const UNPUBLISHED = /not published/i;

/** Returns the cure of what the email service, or the settings, refused; undefined if the refusal is of no known kind. */
export const refusalCure = (delivery: RefusedDelivery, named: Named): string | undefined => {
  const { action, message, status, template } = delivery;
  if (message.startsWith(reasons.noTemplate)) return withoutId(quoted(message) ?? template ?? "", named);
  if (message.startsWith(reasons.noList)) return withoutList(quoted(message) ?? "", named);
  if (DOMAIN.test(message))
    return "The sending domain is not verified: enter the records that npm run domains shows at your DNS provider, run npm run domains -- check <domain>, then retry.";
  if (action !== "transactional" || template === undefined) return undefined;
  if (UNPUBLISHED.test(message)) return `Publish ${lineOf(template, named)} at the email service, then retry.`;
  if (isUnknownTemplate(message, status)) return unknownTemplate(template, named);
  if (!VARIABLES.test(message)) return undefined;
  const [, names = "the missing variable"] = VARIABLES.exec(message) ?? [];
  return `Give ${names} in transactional.variables of the rule, or a fallback in the template "${template}". After a change of the rule, replay the webhook; after one of the template, retry.`;
};

/** A line to change in a section of a file. `before`: null for a new line. */
export type Change = { file: string; section: string; before: string | null; after: string };

/** Returns the line to change; undefined if none is known for sure. */
export const refusalChange = (delivery: RefusedDelivery, named: Named): Change | undefined => {
  const { templates, known = [] } = named;
  const name = delivery.message.startsWith(reasons.noTemplate) ? quoted(delivery.message) : delivery.template;
  if (!isAboutTemplate(delivery) || name === undefined) return undefined;
  const id = templates[name];
  const meant = nearestTemplate(name, id ?? "", known);
  if (meant === undefined || meant.id === id) return undefined;
  const before = id === undefined ? null : lineOf(name, named);
  return { file: "wrangler.toml", section: "vars.TEMPLATES", before, after: `${tomlKey(name)} = "${meant.id}"` };
};

/** True if the templates of the email service are needed for the cure. */
export const isAboutTemplate = ({ action, message, status }: RefusedDelivery): boolean =>
  action === "transactional" && (message.startsWith(reasons.noTemplate) || isUnknownTemplate(message, status));

const isUnknownTemplate = (message: string, status: number | undefined): boolean =>
  status === 404 || /no transactional|transactional.{0,80}not found|no template|unknown template/i.test(message);

const quoted = (message: string): string | undefined => /"([^"]*)"/.exec(message)?.[1];

const tomlKey = (name: string): string => (/^[\w-]+$/.test(name) ? name : JSON.stringify(name));

const lineOf = (template: string, { templates }: Named): string =>
  `${tomlKey(template)} = "${templates[template] ?? ""}"`;

const near = (name: string | undefined): string => (name === undefined ? "" : ` The nearest name there is "${name}".`);

const withoutId = (template: string, { templates, known = [] }: Named): string => {
  if (templates[template] !== undefined) return `TEMPLATES has the template "${template}" by now: retry.`;
  const meant = nearest(template, Object.keys(templates));
  const there = meant === undefined ? known.find(({ name }) => nearest(template, [name]) !== undefined) : undefined;
  const id = there ? `"${there.id}"` : '"<id of the template>"';
  return `Add the line ${tomlKey(template)} = ${id} to [vars.TEMPLATES] in wrangler.toml, or correct the name in the rule.${near(meant)} Then retry.`;
};

const withoutList = (list: string, { lists }: Named): string =>
  `Add the line ${tomlKey(list)} = "<id of the list>" to [vars.LISTS] in wrangler.toml, or correct the name in the rule.${near(nearest(list, Object.keys(lists)))} Then retry.`;

const unknownTemplate = (template: string, named: Named): string => {
  const { templates, known } = named;
  const isRight = known?.some(({ id }) => id === templates[template]);
  if (isRight) return `The email service has the template of the line ${lineOf(template, named)} by now: retry.`;
  const line = `In [vars.TEMPLATES] of wrangler.toml, the line ${lineOf(template, named)} has an id that the email service does not know.`;
  const meant = known && nearestTemplate(template, templates[template] ?? "", known);
  const hint = meant ? ` The nearest there is ${tomlKey(template)} = "${meant.id}" ("${meant.name}").` : "";
  return `${line}${hint} Correct it, then retry.`;
};

const nearestTemplate = (template: string, id: string, known: NonNullable<Named["known"]>) => {
  const byId = nearest(
    id,
    known.map((one) => one.id),
  );
  const byName = nearest(
    template.replaceAll("-", " "),
    known.map(({ name }) => name),
  );
  return known.find((one) => one.id === byId) ?? known.find(({ name }) => name === byName);
};
