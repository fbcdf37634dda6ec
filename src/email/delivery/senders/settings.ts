import { publicUrlOf } from "../../../lib/util/public-url.ts";
import type { MailClass } from "../../types/mail-handover.ts";
import type { Problem, SenderDefinition } from "./definition.ts";
import { inbox, inboxOn } from "./inbox/inbox.ts";
import { namesInWords, type SenderVariables, senderNamed, senders } from "./sender-list.ts";

/** Part of the Worker's bindings that senders read. */
export type SenderEnv = SenderVariables & {
  TRANSACTIONAL_SENDER?: string;
  MARKETING_SENDER?: string;
  MAILERS?: string;
  PUBLIC_URL?: string;
  EMAIL?: SendEmail;
};

export type Choice = { sender: SenderDefinition; settings: unknown };

const VARIABLES = { transactional: "TRANSACTIONAL_SENDER", marketing: "MARKETING_SENDER" } as const;

/** Returns the sender of a class, or a problem without secrets. */
export const readChoice = (env: SenderEnv, mailClass: MailClass): Choice | Problem | undefined => {
  const variable = VARIABLES[mailClass];
  const chosen = env[variable]?.trim() || (inboxOn(env) ? inbox.name : "");
  if (chosen === "") return undefined;
  const sender = senderNamed(chosen);
  if (!sender) return { problem: `${variable} has an unknown value: use ${namesInWords(senders)}` };
  const said = `${variable} is ${chosen}`;
  if (!takes(sender, mailClass)) {
    const others = senders.filter((other) => !other.local && takes(other, mailClass));
    return { problem: `${said}, which accepts ${sender.only} mail only: use ${namesInWords(others)}` };
  }
  const values = valuesOf(sender, env);
  const missing = missingIn(sender, values);
  if (missing !== undefined) return { problem: `${said}, and ${missing}` };
  const wrong = wrongIn(sender, values);
  if (wrong !== undefined) return { problem: wrong };
  const read = sender.read(values, mailClass, env);
  return "problem" in read ? { problem: `${said}, and ${read.problem}` } : { sender, settings: read.settings };
};

const takes = ({ only }: SenderDefinition, mailClass: MailClass): boolean => only === undefined || only === mailClass;

type Values = Readonly<Record<string, string>>;

const valuesOf = ({ variables }: SenderDefinition, env: Readonly<Record<string, unknown>>): Values =>
  Object.fromEntries(Object.keys(variables).map((name) => [name, String(env[name] ?? "").trim()]));

const missingIn = ({ variables }: SenderDefinition, values: Values): string | undefined => {
  const [first, ...more] = Object.entries(variables).filter(([name, { required }]) => required && !values[name]);
  if (!first) return undefined;
  const [name, { example }] = first;
  if (more.length > 0) return `these are not set: ${[first, ...more].map(([each]) => each).join(", ")}`;
  return `${name} is not set${example === undefined ? "" : `: set it to ${example}`}`;
};

const wrongIn = ({ variables }: SenderDefinition, values: Values): string | undefined => {
  for (const [name, { check }] of Object.entries(variables)) {
    const problem = values[name] ? check?.(values[name]) : undefined;
    if (problem !== undefined) return problem;
  }
  return undefined;
};

const DEFAULT_MAILERS = { transactional: 2, marketing: 4 } as const;
const MAX_MAILERS = 16;

/** A problem means that the default is used. */
export const readMailers = ({ MAILERS = "" }: SenderEnv): Record<MailClass, number> & Partial<Problem> => {
  if (MAILERS.trim() === "") return DEFAULT_MAILERS;
  const [, transactional = 0, marketing = 0] = (/^\s*(\d{1,2})\s*,\s*(\d{1,2})\s*$/.exec(MAILERS) ?? []).map(Number);
  const isUsable = [transactional, marketing].every((count) => count >= 1 && count <= MAX_MAILERS);
  if (isUsable) return { transactional, marketing };
  const problem = `MAILERS must be two numbers from 1 to ${MAX_MAILERS}, such as 2,4: 2,4 is used`;
  return { ...DEFAULT_MAILERS, problem };
};

export const chosenSender = (env: SenderEnv, mailClass: MailClass): SenderDefinition | undefined => {
  const choice = readChoice(env, mailClass);
  return choice && "sender" in choice ? choice.sender : undefined;
};

/** Undefined if marketing mail is sent or captured. */
export const marketingObstacle = (env: SenderEnv): string | undefined => {
  const choice = readChoice(env, "marketing");
  if (!choice) return "no sender is configured";
  if ("problem" in choice) return choice.problem;
  return publicUrlOf(env) === undefined
    ? "PUBLIC_URL is not set, so that it would have no way to unsubscribe"
    : undefined;
};

/** Reasons for GET /health why no bounce or complaint comes back. */
export const whyNothingIsHeard = (env: SenderEnv): string[] => {
  const reasons = (["transactional", "marketing"] as const).flatMap((mailClass) => {
    const choice = readChoice(env, mailClass);
    if (!choice || "problem" in choice) return [];
    const { sender, settings } = choice;
    const why = sender.unheard?.(settings, env);
    return why === undefined ? [] : [`no bounce or complaint of ${sender.title} is heard: ${why}`];
  });
  return [...new Set(reasons)];
};

const isLocal = (choice: Choice | Problem | undefined): boolean =>
  choice !== undefined && "sender" in choice && choice.sender.local === true;

/** Reasons for GET /health why no mail leaves. */
export const whyNoMailLeaves = (env: SenderEnv): string[] => {
  const transactional = readChoice(env, "transactional");
  const marketing = readChoice(env, "marketing");
  const reasons: string[] = [];
  if (!transactional) reasons.push("no mail leaves: no sender is configured");
  else if ("problem" in transactional) reasons.push(`no mail leaves: ${transactional.problem}`);
  else if (isLocal(transactional)) {
    const isOnly = !marketing || isLocal(marketing);
    reasons.push(
      isOnly
        ? "no mail leaves: the local inbox (INBOX=1) is the only sender"
        : "no transactional mail leaves: its sender is the local inbox (INBOX=1)",
    );
  }
  const obstacle = marketing && !isLocal(marketing) ? marketingObstacle(env) : undefined;
  if (obstacle !== undefined) reasons.push(`no marketing mail leaves: ${obstacle}`);
  return [...new Set(reasons)];
};
