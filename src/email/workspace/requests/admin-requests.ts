import { adminContract } from "../../../lib/contract/admin/email.ts";
import type { Refusal } from "../../../lib/contract/errors.ts";
import type { Reply } from "../../../lib/contract/mount.ts";
import { operationsOf } from "../../../lib/contract/operation.ts";
import type { Listed } from "../../types/directory-rpc.ts";
import type { AdminReply, AdminRequest } from "../../types/workspace-rpc.ts";
import { inTime } from "../core/between-slices.ts";
import type { Context } from "../core/context.ts";
import type { Act, Answer, Prepared, Read, Tools } from "../core/handler.ts";
import { isFull, storageFull } from "../core/size.ts";
import { readDomains } from "../domains/domain-rows.ts";
import { createTeam, isTeam, readTeam } from "../team/team.ts";
import { adminHandlers, fileActs, fileReads } from "./admin-handlers.ts";
import { growsOf } from "./when-full.ts";

type Input = AdminRequest["input"];

const reads = new Map<string, Read<Input>>(Object.entries(fileReads) as [string, Read<Input>][]);
const acts = new Map<string, Act<Input>>(Object.entries(fileActs) as [string, Act<Input>][]);
const growing = new Set(Object.keys(fileActs));

for (const { name, operation } of operationsOf(adminContract)) {
  const [group = "", own = ""] = name.split(".");
  const handler = (adminHandlers as unknown as Record<string, Record<string, unknown>>)[group]?.[own];
  if (growsOf(name, operation)) growing.add(name);
  if (operation.effect === "act") acts.set(name, handler as Act<Input>);
  else reads.set(name, handler as Read<Input>);
}

/** Answers a read or a question without a transaction; else undefined. */
export const answerAdmin = async (
  context: Context,
  { operation, input }: AdminRequest,
  tools: Tools,
): Promise<AdminReply | undefined> => {
  const read = reads.get(operation);
  if (!read) return undefined;
  if (!isTeam(context.sql)) return { reply: teamNotFound(teamOf(input)), listed: undefined };
  return { reply: replyOf(await inTime(read(context, input, tools))), listed: listedOf(context.sql) };
};

/** Prepares an act, and returns what runs in its transaction. */
export const prepareAdmin = async (
  context: Context,
  { operation, input }: AdminRequest,
  tools: Tools,
): Promise<Prepared> => {
  const act = acts.get(operation);
  if (act === undefined || !isTeam(context.sql)) return () => teamNotFound(teamOf(input));
  const isLook = operation === "campaigns.send" && "dryRun" in input && input.dryRun === true;
  if (growing.has(operation) && !isLook && isFull(context)) return () => ({ refusal: storageFull(context) });
  return typeof act === "function" ? (given) => act(given, input) : act.prepare(context, input, tools);
};

/** Runs a prepared act in one transaction. Tables exist only after a request creates the team. */
export const runAdmin = (
  storage: DurableObjectStorage,
  context: Context,
  { operation, input }: AdminRequest,
  act: Prepared,
): AdminReply => {
  const answered = storage.transactionSync(() =>
    operation === "teams.create" ? { reply: createTeam(storage, context, input) } : runAct(act, context),
  );
  const listed = isTeam(context.sql) ? listedOf(context.sql) : undefined;
  if (listed === undefined || !operation.startsWith("domains.")) return { ...answered, listed };
  return { ...answered, listed, domains: readDomains(context.sql).map(({ name }) => name) };
};

const runAct = (act: Prepared, context: Context): Pick<AdminReply, "reply" | "erase"> => {
  const answer = act(context);
  const names = "refusal" in answer ? undefined : answer.names;
  return { reply: replyOf(answer), ...(names === undefined ? {} : { erase: names }) };
};

const replyOf = (answer: Answer): Reply =>
  "refusal" in answer ? answer : { status: answer.status ?? 200, body: answer.body };

const teamOf = (input: Input): string => String("team" in input ? input.team : input.id);

const teamNotFound = (team: string): { refusal: Refusal } => {
  const message = `There is no team "${team}". Create it first: POST /admin/teams.`;
  return { refusal: { code: "not_found", path: "team", message } };
};

const listedOf = (sql: SqlStorage): Listed => {
  const { slug, name, createdAt } = readTeam(sql);
  return { id: slug, name, createdAt };
};
