import type { CompiledMessage } from "../../src/email/types/compiled-message.ts";
import { compileLine } from "../../src/lib/lmx/compile.ts";
import type { LmxFile } from "../../src/lib/lmx/file.ts";
import { fill } from "../../src/lib/lmx/fill.ts";
import type { MessageSource } from "../../src/lib/lmx/message/message-source.ts";
import type { Finding } from "./frames.ts";
import { positionAt, type Values } from "./values.ts";

/** A variable. `value`: absent if nothing gives one. */
export type Value = { name: string; value?: string; from: "option" | "sample" | "fallback" | "service" | "nothing" };

/** A mail with its values. `bytes`: HTML size. */
export type Mail = {
  from: string;
  replyTo: string;
  subject: string;
  preview: string;
  html: string;
  text: string;
  bytes: number;
  values: Value[];
};

const UNSUBSCRIBE = "system.unsubscribe_link";
const isBlank = (value: string | undefined): value is undefined => value === undefined || value.trim() === "";

/** Fills variables; a fallback replaces a missing or blank value. */
export const valuesOf = ({ variables }: CompiledMessage, { values, fallbacks }: LmxFile, given: Values): Value[] =>
  variables.map((name): Value => {
    const option = Object.hasOwn(given, name) ? String(given[name]) : undefined;
    const own = option ?? values[name];
    const fallback = fallbacks[name];
    if (isBlank(own) && fallback !== undefined) return { name, value: fallback, from: "fallback" };
    if (own !== undefined) return { name, value: own, from: option === undefined ? "sample" : "option" };
    if (name === UNSUBSCRIBE) return { name, value: "https://example.com/unsubscribe", from: "service" };
    return { name, from: "nothing" };
  });

export const missingValues = (path: string, text: string, values: readonly Value[]): Finding[] =>
  values.flatMap(({ name, from }) => {
    if (from !== "nothing") return [];
    const position = { path, text, ...positionAt(text, Math.max(text.indexOf(`{${name}}`), 0)) };
    const fix = `add "${name}: …" to the front matter, or --set ${name}=…`;
    const message = `${name} has no value here, so the mail shows its name`;
    return [{ ...position, severity: "warning", code: "no_value", message, fix }];
  });

/** A variable without a value shows its name. */
export const mailOf = (source: MessageSource, compiled: CompiledMessage, values: Value[]): Mail => {
  const all = Object.fromEntries(values.map(({ name, value }) => [name, value ?? `{${name}}`]));
  const filled = (parts: CompiledMessage["html"] | undefined) => fill(parts ?? [], all);
  // The domain is the sending team's.
  const address = source.fromEmail === "" ? "" : `<${filled(compiled.fromEmail)}@…>`;
  const html = filled(compiled.html);
  return {
    from: [filled(compiled.fromName), address].filter(Boolean).join(" "),
    replyTo: filled(compiled.replyTo),
    subject: filled(compiled.subject),
    preview: filled(compileLine(source.previewText, "component").parts),
    html,
    text: filled(compiled.text),
    bytes: new TextEncoder().encode(html).length,
    values,
  };
};
