import type { Scheme } from "./scheme.ts";
import { verifyWith } from "./verify.ts";

const UNSIGNED = { method: "POST", url: "https://bridge.invalid/hooks/source", headers: new Headers(), raw: "" };

/** Returns the reason why a scheme cannot use a secret, by verifying an unsigned request. */
export const whyUnusable = async (scheme: Scheme, secret: string): Promise<string | undefined> => {
  const context = {
    fetch: () => Promise.reject(new Error("this check makes no request")),
    cache: new Map(),
    sleep: () => Promise.resolve(),
  };
  const refusal = await verifyWith(scheme, UNSIGNED, [secret], 0, context);
  return refusal?.code === "source_not_configured" ? refusal.message : undefined;
};
