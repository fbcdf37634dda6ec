import type { Refusal } from "../../../lib/contract/errors.ts";
import { type Parts, variablesOf } from "../../../lib/lmx/draw/parts.ts";
import { missing, type Values } from "../../../lib/lmx/fill.ts";
import { isAddress, notAnAddress, senderOf, wrongCopy } from "../../delivery/mailer/compose.ts";
import type { CompiledMessage } from "../../types/message.ts";

/** Most characters of all values of one mail: a row may have 2 MB, and a value may fill several slots. */
const MAX_VALUES = 256_000;

/** The field of a request that has the values of a namespace. */
const FIELDS = { data: "dataVariables", contact: "contactProperties", event: "eventProperties" } as const;
type Field = (typeof FIELDS)[keyof typeof FIELDS];

/** Values as requests give them, by field and name. */
export type Given = { readonly [Name in Field]?: Readonly<Record<string, unknown>> | undefined };

const EVENT = "event.";

/** The properties of an event as values of a mail that waits. Its message may change before it is sent, so all of them are kept. */
export const eventValues = (properties: Readonly<Record<string, unknown>>): Values =>
  Object.fromEntries(Object.entries(properties).map(([name, value]) => [`${EVENT}${name}`, value])) as Values;

/** The properties of the event in the stored values of a mail. */
export const eventIn = (variables: string): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(JSON.parse(variables) as Values).flatMap(([name, value]) =>
      name.startsWith(EVENT) ? [[name.slice(EVENT.length), value]] : [],
    ),
  );

/** `data.amount` as `["dataVariables", "amount"]`. */
const placeOf = (variable: string): [field: Field, name: string] => {
  const dot = variable.indexOf(".");
  return [FIELDS[variable.slice(0, dot) as keyof typeof FIELDS], variable.slice(dot + 1)];
};

/**
 * The value of one variable. A fallback stands for a value that is not given, null or blank: "Hello ," is never better
 * than "Hello there,". Without a fallback, a blank value is a value.
 */
const orFallback = (given: unknown, fallback: string | undefined): unknown => {
  const isBlank = given == null || (typeof given === "string" && given.trim() === "");
  return isBlank && fallback !== undefined ? fallback : given;
};

/** The values that a message uses, with its fallbacks, each with its variable. Some may have no value. */
const usedIn = ({ variables, fallbacks = {} }: CompiledMessage, given: Given) =>
  variables.flatMap((variable) => {
    if (variable.startsWith("system.")) return [];
    const [field, name] = placeOf(variable);
    const values = given[field];
    const own = values !== undefined && Object.hasOwn(values, name) ? values[name] : undefined;
    const value = orFallback(own, Object.hasOwn(fallbacks, variable) ? fallbacks[variable] : undefined);
    return value == null ? [] : [[variable, value] as const];
  });

/** The values of a mail that a person looks at, which may lack some. */
export const knownValues = (message: CompiledMessage, given: Given): Values =>
  Object.fromEntries(usedIn(message, given).filter(([, value]) => typeof value !== "object")) as Values;

/**
 * The values of a mail: those that its message uses, with its fallbacks; or why it cannot be sent with them. The Mailer gives those of
 * the system.
 */
export const resolveValues = (
  message: CompiledMessage,
  given: Given,
  domain: string,
): { values: Values } | { refusal: Refusal; lacking?: readonly string[] } => {
  const variables = message.variables.filter((variable) => !variable.startsWith("system."));
  const used = usedIn(message, given);
  const list = used.find(([, value]) => typeof value === "object");
  if (list) {
    const path = placeOf(list[0]).join(".");
    return invalid(path, `${path}: must be a string, a number or a boolean`);
  }
  const values = Object.fromEntries(used) as Values;
  const lacking = missing(variables, values);
  if (lacking.length > 0) return { refusal: missingRefusal(lacking), lacking };
  if (JSON.stringify(values).length > MAX_VALUES) {
    const [path] = placeOf(used[0]?.[0] ?? "data.");
    return invalid(path, `${path}: more than ${MAX_VALUES} characters in total.`);
  }
  const from = senderOf(message, values, domain);
  if (!isAddress(from)) return invalidAddress("fromEmail", message.fromEmail, notAnAddress(from));
  const copy = wrongCopy(message, values);
  return copy === undefined ? { values } : invalidAddress(copy.field, message[copy.part] ?? [], copy.message);
};

/** The values of a mail that no request gives values for, or in a sentence why it cannot be sent with them. */
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

/** Names the field of the request whose value makes an address wrong, or the field of the message. */
const invalidAddress = (field: string, parts: Parts, message: string): { refusal: Refusal } => {
  const [variable] = variablesOf(parts);
  const path = variable === undefined ? field : placeOf(variable)[0];
  return invalid(path, `${path}: ${message}`);
};

const invalid = (path: string, message: string): { refusal: Refusal } => ({
  refusal: { code: "invalid_request", path, message },
});

/** Names every variable that lacks a value. */
const missingRefusal = (lacking: readonly string[]): Refusal => {
  const fields = [...new Set(lacking.map((variable) => placeOf(variable)[0]))];
  const isData = fields.every((field) => field === FIELDS.data);
  return {
    code: isData ? "missing_data_variables" : "missing_variables",
    path: fields[0] ?? FIELDS.data,
    message: `No value for ${lacking.join(", ")}. Give values in ${fields.join(" and ")}, or fallbacks in the message. Names are case-sensitive.`,
  };
};
