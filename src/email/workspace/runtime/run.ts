import { keyRefusal, type Refusal } from "../../../lib/contract/errors.ts";
import type { Call, Reply } from "../../../lib/contract/mount.ts";
import { operationsOf } from "../../../lib/contract/operation.ts";
import { v1 } from "../../../lib/contract/v1.ts";
import { log } from "../../../lib/util/log.ts";
import type { TeamCall } from "../../types/workspace.ts";
import { type Context, nothing, type Outcome } from "../base/context.ts";
import { isKey } from "../team/api-keys.ts";
import { keyTaken, takeKey } from "./idempotency.ts";
import { operations } from "./operations.ts";
import { countRequest, windowsOf } from "./rate.ts";

type AnyHandler = (context: Context, input: Record<string, unknown>) => Outcome<unknown>;

const table = new Map(
  operationsOf(v1).map(({ name, operation }) => [
    name,
    {
      status: operation.status,
      windows: windowsOf(operation.path),
      // The input was parsed by the schema the handler's type comes from.
      handler: operations[name as keyof typeof operations] as AnyHandler,
    },
  ]),
);

/**
 * Runs one API request in one transaction: known key, rate limit, idempotency key, validity, operation. A refusal
 * leaves nothing behind but its count in the rate window.
 */
export const runCall = (storage: DurableObjectStorage, context: Context, { keyHash, call }: TeamCall): Reply => {
  if (!isKey(context.sql, keyHash)) return { refusal: keyRefusal("invalid_api_key") };
  const known = table.get(call.operation);
  if (!known) return { refusal: { code: "not_found", message: `There is no operation ${call.operation}.` } };
  return storage.transactionSync(() => {
    const { headers, refusal } = countRequest(context, known.windows);
    if (refusal) return { refusal, headers };
    return { ...attempt(storage, context, known, call), headers };
  });
};

const attempt = (
  storage: DurableObjectStorage,
  context: Context,
  { status, handler }: { status: number; handler: AnyHandler },
  call: Call,
): Reply => {
  const { operation, idempotencyKey } = call;
  const taken = idempotencyKey === undefined ? undefined : keyTaken(context, operation, idempotencyKey);
  if (taken) return { refusal: taken };
  if ("refusal" in call) return { refusal: call.refusal };
  try {
    // A transaction of its own, inside: whatever a refused operation has written goes, the count of the request stays.
    return storage.transactionSync(() => {
      const outcome = handler(context, call.input);
      if ("refusal" in outcome) throw new Refused(outcome.refusal);
      if (idempotencyKey !== undefined) takeKey(context, operation, idempotencyKey);
      return { status, body: outcome.body };
    });
  } catch (error) {
    context.after = nothing();
    if (error instanceof Refused) return { refusal: error.refusal };
    log("operation_failed", { operation, error: error instanceof Error ? error.message : String(error) });
    return { refusal: { code: "internal_error", message: "Something went wrong here; it is not your request." } };
  }
};

/** Carries a refusal out of a transaction, which only a throw rolls back. Never leaves this file. */
class Refused extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}
