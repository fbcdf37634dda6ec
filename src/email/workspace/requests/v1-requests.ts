import { keyRefusal, type Refusal } from "../../../lib/contract/errors.ts";
import type { Reply } from "../../../lib/contract/mount.ts";
import { operationsOf } from "../../../lib/contract/operation.ts";
import type { ApiRequest } from "../../../lib/contract/read-request.ts";
import { v1 } from "../../../lib/contract/v1.ts";
import { isDiskFull, NO_ROOM } from "../../../lib/util/full-disk.ts";
import { log } from "../../../lib/util/log.ts";
import type { TeamRequest } from "../../types/workspace-rpc.ts";
import { type Context, nothing, type Result } from "../core/context.ts";
import { isFull, storageFull } from "../core/size.ts";
import { askToConfirm } from "../double-opt-in/confirmation.ts";
import { isKey, noteUse } from "../team/known-keys.ts";
import { isTeam } from "../team/team.ts";
import { startRuns } from "../workflows/runs/trigger.ts";
import { keyTaken, takeKey } from "./idempotency.ts";
import { countRequest, OPERATOR, windowsOf } from "./rate.ts";
import { handlers } from "./v1-handlers.ts";
import { growsOf } from "./when-full.ts";

type AnyHandler = (context: Context, input: Record<string, unknown>) => Result<unknown>;

const handlerOf = (name: string): AnyHandler => {
  const [group = "", method = ""] = name.split(".");
  return (handlers as unknown as Record<string, Record<string, AnyHandler>>)[group]?.[method] as AnyHandler;
};

type Known = { status: number; windows: ReturnType<typeof windowsOf>; handler: AnyHandler; grows: boolean };

const table = new Map<string, Known>(
  operationsOf(v1).map(({ name, operation }) => [
    name,
    {
      status: operation.status,
      windows: windowsOf(operation.window),
      handler: handlerOf(name),
      grows: growsOf(name, operation),
    },
  ]),
);

const NO_TEAM: Refusal = {
  code: "not_found",
  path: "team",
  message: "There is no such team. Create it first: POST /admin/teams.",
};

/** Runs an API request in one transaction. A refusal changes only the rate count. */
export const runRequest = (
  storage: DurableObjectStorage,
  context: Context,
  { keyHash, request }: Omit<TeamRequest, "origin" | "noRoom">,
): Reply => {
  if (keyHash === null) {
    if (!isTeam(context.sql)) return { refusal: NO_TEAM };
  } else if (!isKey(context.sql, keyHash)) return { refusal: keyRefusal("invalid_api_key") };
  const known = table.get(request.operation);
  if (!known) return { refusal: { code: "not_found", message: `There is no operation ${request.operation}.` } };
  if (context.noRoom) return runWithoutRoom(storage, context, known, request);
  return storage.transactionSync(() => {
    const { headers, refusal } = countRequest(context, keyHash === null ? OPERATOR : known.windows);
    if (refusal) return { refusal, headers };
    return { ...runCounted(storage, context, known, keyHash, request), headers };
  });
};

/** Writes nothing beside the operation. Mail needs more rows than a full disk has. */
const runWithoutRoom = (storage: DurableObjectStorage, context: Context, known: Known, request: ApiRequest): Reply =>
  known.grows || request.idempotencyKey !== undefined || request.operation === "transactional.send"
    ? { refusal: storageFull(context) }
    : runCounted(storage, context, known, null, request);

const runCounted = (
  storage: DurableObjectStorage,
  context: Context,
  { status, handler, grows }: Known,
  keyHash: string | null,
  request: ApiRequest,
): Reply => {
  const { operation, idempotencyKey } = request;
  const taken = idempotencyKey === undefined ? undefined : keyTaken(context, operation, idempotencyKey);
  if (taken) return { refusal: taken };
  if ("refusal" in request) return { refusal: request.refusal };
  if (grows && isFull(context)) return { refusal: storageFull(context) };
  try {
    // The inner transaction reverts a refused operation, but the request stays counted.
    return storage.transactionSync(() => {
      const named = idempotencyKey === undefined ? context : { ...context, idempotencyKey };
      const outcome = handler(named, request.input);
      if ("refusal" in outcome) throw new Refused(outcome.refusal);
      askToConfirm(context);
      startRuns(context);
      if (keyHash !== null) noteUse(context, keyHash);
      if (idempotencyKey !== undefined) takeKey(context, operation, idempotencyKey);
      return { status, body: outcome.body };
    });
  } catch (error) {
    context.after = nothing();
    if (error instanceof Refused) return { refusal: error.refusal };
    if (isDiskFull(error)) return { refusal: NO_ROOM };
    log("operation_failed", { operation, error: error instanceof Error ? error.message : String(error) });
    return { refusal: { code: "internal_error", message: "Something went wrong here; it is not your request." } };
  }
};

/** Only a throw reverts a transaction. The error never leaves this file. */
class Refused extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}
