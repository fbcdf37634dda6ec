import { assign } from "../../../scripts/samples/assign.ts";
import { sampleBody } from "../../../scripts/samples/samples.ts";
import { plan } from "../../../src/rules/evaluate.ts";
import type { RuleSet } from "../../../src/rules/types.ts";
import { requestOf } from "../signed.ts";

const SENT = Date.UTC(2025, 10, 12, 12);

/** Plans the deliveries of a sample of `npm run demo`. `changes`: new values by dotted path. */
export const planSample = async (ruleSet: RuleSet, type: string, changes: Record<string, unknown> = {}) => {
  const { provider } = ruleSet.handler;
  const body = sampleBody(provider, type);
  for (const [path, value] of Object.entries(changes)) assign(body, path, value);
  const headers = new Headers({ "svix-id": "msg_1", "webhook-id": "msg_1" });
  const envelope = await ruleSet.handler.read(requestOf({ headers, raw: JSON.stringify(body) }), body, SENT);
  return plan(ruleSet, { ...envelope, source: provider });
};
