import type { Parts } from "../../../../../lib/lmx/compile.ts";
import { fill, type Values } from "../../../../../lib/lmx/fill.ts";
import { systemLinks } from "../../../../../lib/lmx/language/variables.ts";
import type { CompiledSource } from "../../../../../lib/lmx/message/compile-message.ts";
import { type Body, NO_LINK, plainBody } from "../../../../../lib/mail-body/body.ts";
import type { FooterTexts } from "../../../../../lib/mail-body/footer.ts";

/** A preview variable. `from`: source of the value. */
export type Value = { name: string; value: string; from: "person" | "typed" | "fallback" | "service" | "missing" };

const FIELDS = { data: "dataVariables", contact: "contactProperties", event: "eventProperties" } as const;

const isBlank = (value: unknown): boolean => value == null || (typeof value === "string" && value.trim() === "");

/** Values as for a send: typed, then contact, then fallback, else blank. */
export const valuesOf = (
  { variables, fallbacks }: Pick<CompiledSource, "variables" | "fallbacks">,
  typed: Readonly<Record<string, string>>,
  person: Values | undefined,
): Value[] =>
  variables.map((name) => {
    const fallback = Object.hasOwn(fallbacks, name) ? fallbacks[name] : undefined;
    // The service sets it for each recipient.
    if (systemLinks.includes(name)) return { name, value: NO_LINK, from: "service" };
    if (typed[name] !== undefined && typed[name] !== "") return { name, value: typed[name], from: "typed" };
    const own = person?.[name];
    if (own !== undefined && !(isBlank(own) && fallback !== undefined)) {
      return { name, value: String(own), from: "person" };
    }
    return fallback === undefined
      ? { name, value: `{${name}}`, from: "missing" }
      : { name, value: fallback, from: "fallback" };
  });

export type Filled = {
  subject: string;
  previewText: string;
  from: string;
  html: string;
  text: string;
};

/** Service facts. `publicUrl`: email service of its images. `footer`: for marketing mail. */
export type Service = { publicUrl: string | undefined; footer: FooterTexts | undefined };

/** Fills a compiled message. `preview`: compiled preview text. */
export const filledWith = (
  compiled: CompiledSource,
  preview: Parts,
  all: readonly Value[],
  service: Service,
): Filled => {
  const values = Object.fromEntries(all.map(({ name, value }) => [name, value]));
  const name = fill(compiled.fromName, values);
  return {
    subject: fill(compiled.subject, values),
    previewText: fill(preview, values),
    // The service adds the domain.
    from: name === "" ? `${fill(compiled.fromEmail, values)}@…` : name,
    ...bodyWith(compiled, values, service),
  };
};

const bodyWith = ({ html, text }: Pick<CompiledSource, "html" | "text">, values: Values, service: Service): Body =>
  plainBody({ html: fill(html, values, service.publicUrl), text: fill(text, values) }, service.footer);

const MISSING = "background:#fee2e2;color:#7f1d1d;outline:1px solid #b91c1c";

/** True if the next HTML is visible text, outside tags and the head. */
const isInText = (before: string): boolean =>
  before.includes("<body") && before.lastIndexOf(">") > before.lastIndexOf("<");

/** Preview HTML with missing values marked in visible text. */
export const markedHtml = (compiled: CompiledSource, all: readonly Value[], service: Service): string => {
  const values = Object.fromEntries(all.map(({ name, value }) => [name, value]));
  const missing = new Set(all.flatMap(({ name, from }) => (from === "missing" ? [name] : [])));
  let before = "";
  // A section with a missing value is shown, so that the value is seen to be missing.
  const parts = compiled.html.filter(
    (part) => typeof part === "string" || !("section" in part) || !part.of.some((name) => missing.has(name)),
  );
  const html = parts.map((part) => {
    if (typeof part === "string") before += part;
    const isMarked = typeof part !== "string" && "variable" in part && part.as === "html" && missing.has(part.variable);
    return isMarked && isInText(before) ? `<mark style="${MISSING}">{${part.variable}}</mark>` : part;
  });
  return bodyWith({ html, text: [] }, values, service).html;
};

/** Values for a preview request. The service applies fallbacks. */
export const requestValues = (all: readonly Value[]): Record<string, Record<string, string>> => {
  const fields: Record<string, Record<string, string>> = {};
  for (const { name, value, from } of all) {
    if (from !== "typed" && from !== "person") continue;
    const dot = name.indexOf(".");
    const field = FIELDS[name.slice(0, dot) as keyof typeof FIELDS];
    if (field !== undefined) fields[field] = { ...fields[field], [name.slice(dot + 1)]: value };
  }
  return fields;
};
