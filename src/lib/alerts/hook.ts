import { standardKey } from "../webhook/standard-webhook.ts";

/** Address of the notices, and the secret that signs them (whsec_<base64>). Default: the log only. */
export type AlertEnv = { ALERT_WEBHOOK_URL?: string; ALERT_WEBHOOK_SECRET?: string };

export type AlertHook = { url: string; key: Uint8Array<ArrayBuffer> } | { problem: string } | undefined;

/** Reads where notices are posted, and the key that signs them; undefined if not set. */
export const alertHookOf = ({ ALERT_WEBHOOK_URL, ALERT_WEBHOOK_SECRET }: AlertEnv): AlertHook => {
  const url = ALERT_WEBHOOK_URL?.trim() ?? "";
  if (url === "") return undefined;
  if (!/^https?:/i.test(url) || !URL.canParse(url)) return { problem: "ALERT_WEBHOOK_URL is not a URL." };
  const key = standardKey(ALERT_WEBHOOK_SECRET ?? "");
  return key
    ? { url, key }
    : { problem: "ALERT_WEBHOOK_SECRET must have the form whsec_<base64>. Without it, alerts cannot be signed." };
};
