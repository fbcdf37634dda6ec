import type { Refusal } from "../../../lib/contract/errors.ts";
import { type DeadLink, deadLinks } from "../../../lib/lmx/dead-links.ts";
import { type Parts, variablesOf } from "../../../lib/lmx/draw/parts.ts";
import { missing, type Values } from "../../../lib/lmx/fill.ts";
import { isAddress, notAnAddress, senderOf, wrongCopy } from "../../delivery/mailer/compose-mail.ts";
import type { CompiledMessage } from "../../types/compiled-message.ts";

/** A row may have 2 MB, and a value may fill several parts. */
const MAX_VALUES = 256_000;

const FIELDS = { data: "dataVariables", contact: "contactProperties", event: "eventProperties" } as const;
type Field = (typeof FIELDS)[keyof typeof FIELDS];

export type Given = { readonly [Name in Field]?: Readonly<Record<string, unknown>> | undefined };

const EVENT = "event.";

/** Returns all event properties, because the message may change before sending. */
export const eventValues = (properties: Readonly<Record<string, unknown>>): Values =>
  Object.fromEntries(Object.entries(properties).map(([name, value]) => [`${EVENT}${name}`, value])) as Values;

export const eventIn = (variables: string): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(JSON.parse(variables) as Values).flatMap(([name, value]) =>
      name.startsWith(EVENT) ? [[name.slice(EVENT.length), value]] : [],
    ),
  );

const fieldAndName = (variable: string): [field: Field, name: string] => {
  const dot = variable.indexOf(".");
  return [FIELDS[variable.slice(0, dot) as keyof typeof FIELDS], variable.slice(dot + 1)];
};

/** A fallback replaces a missing, null or blank value. Without one, a value stays. */
const orFallback = (given: unknown, fallback: string | undefined): unknown => {
  const isBlank = given == null || (typeof given === "string" && given.trim() === "");
  return isBlank ? (fallback ?? given) : given;
};

const fallbackOf = ({ fallbacks }: CompiledMessage, variable: string): string | undefined =>
  Object.hasOwn(fallbacks, variable) ? fallbacks[variable] : undefined;

const usedIn = (message: CompiledMessage, given: Given) =>
  message.variables.flatMap((variable) => {
    if (variable.startsWith("system.")) return [];
    const [field, name] = fieldAndName(variable);
    const values = given[field];
    const own = values !== undefined && Object.hasOwn(values, name) ? values[name] : undefined;
    const value = orFallback(own, fallbackOf(message, variable));
    return value == null ? [] : [[variable, value] as const];
  });

/** Puts fallbacks in the places of values that make dead links. */
const withoutDeadLinks = (message: CompiledMessage, values: Values): { values: Values; dead?: DeadLink } => {
  const found = deadLinks(message.html, values);
  if (found.length === 0) return { values };
  const others = found.flatMap(({ variables }) =>
    variables.map((name) => [name, fallbackOf(message, name) ?? values[name]] as const),
  );
  const replaced = { ...values, ...Object.fromEntries(others) } as Values;
  const [dead] = deadLinks(message.html, replaced);
  return dead ? { values: replaced, dead } : { values: replaced };
};

/** Returns values for a viewed mail; some may be missing. */
export const knownValues = (message: CompiledMessage, given: Given): Values =>
  withoutDeadLinks(
    message,
    Object.fromEntries(usedIn(message, given).filter(([, value]) => typeof value !== "object")) as Values,
  ).values;

/** Returns the used values with fallbacks, or a refusal. The Mailer adds system values. */
export const resolveValues = (
  message: CompiledMessage,
  given: Given,
  domain: string,
): { values: Values } | { refusal: Refusal; lacking?: readonly string[] } => {
  const variables = message.variables.filter((variable) => !variable.startsWith("system."));
  const used = usedIn(message, given);
  const list = used.find(([, value]) => typeof value === "object");
  if (list) {
    const path = fieldAndName(list[0]).join(".");
    return invalid(path, `${path}: must be a string, a number or a boolean`);
  }
  const own = Object.fromEntries(used) as Values;
  const lacking = missing(variables, own);
  if (lacking.length > 0) return { refusal: missingRefusal(lacking), lacking };
  if (JSON.stringify(own).length > MAX_VALUES) {
    const [path] = fieldAndName(used[0]?.[0] ?? "data.");
    return invalid(path, `${path}: more than ${MAX_VALUES} characters in total.`);
  }
  const { values, dead } = withoutDeadLinks(message, own);
  if (dead !== undefined) return deadLink(dead);
  const from = senderOf(message, values, domain);
  if (!isAddress(from)) return invalidAddress("fromEmail", message.fromEmail, notAnAddress(from));
  const copy = wrongCopy(message, values);
  return copy === undefined ? { values } : invalidAddress(copy.field, message[copy.part] ?? [], copy.message);
};

/** Returns the values of a contact, or an error sentence. */
export const valuesOfContact = (
  message: CompiledMessage,
  given: Pick<Given, "contactProperties" | "eventProperties">,
  domain: string,
): { values: Values } | { reason: string } => {
  const resolved = resolveValues(message, given, domain);
  if (!("refusal" in resolved)) return resolved;
  const { refusal, lacking } = resolved;
  if (lacking === undefined) return { reason: refusal.message };
  const them = lacking.length === 1 ? "it" : "them";
  return { reason: `No value for ${lacking.join(", ")}. The message has no fallback for ${them}.` };
};

const invalidAddress = (field: string, parts: Parts, message: string): { refusal: Refusal } => {
  const [variable] = variablesOf(parts);
  const path = variable === undefined ? field : fieldAndName(variable)[0];
  return invalid(path, `${path}: ${message}`);
};

const deadLink = ({ variables: [variable = ""], why }: DeadLink): { refusal: Refusal } => {
  const path = fieldAndName(variable).join(".");
  return invalid(
    path,
    why === "dots"
      ? `${path}: a link would lead out of its path, because browsers take "." and ".." as steps. Give another value, or the variable a fallback in the message.`
      : `${path}: no address that a link can lead to. Give a full one such as https://example.com (or mailto: or tel:), or the variable a fallback in the message.`,
  );
};

const invalid = (path: string, message: string): { refusal: Refusal } => ({
  refusal: { code: "invalid_request", path, message },
});

const missingRefusal = (lacking: readonly string[]): Refusal => {
  const fields = [...new Set(lacking.map((variable) => fieldAndName(variable)[0]))];
  const isData = fields.every((field) => field === FIELDS.data);
  return {
    code: isData ? "missing_data_variables" : "missing_variables",
    path: fields[0] ?? FIELDS.data,
    message: `No value for ${lacking.join(", ")}. Give values in ${fields.join(" and ")}, or fallbacks in the message. Names are case-sensitive.`,
  };
};
