import { join } from "node:path";
import { experimental_readRawConfig as readRawConfig } from "wrangler";
import { type Recipients, recipientsOf } from "../../src/outbox/model/recipients.ts";

export type Config = {
  templates: Readonly<Record<string, string>>;
  lists: Readonly<Record<string, string>>;
  contactProperties: "nested" | "flat";
  /** Empty: the embedded email service. */
  apiUrl: string;
};

export const readConfig = (root: string): Config & { recipients: Recipients } => {
  const { rawConfig } = readRawConfig({ config: join(root, "wrangler.toml") });
  const vars = (rawConfig.vars ?? {}) as Record<string, unknown>;
  return {
    templates: (vars.TEMPLATES ?? {}) as Record<string, string>,
    lists: (vars.LISTS ?? {}) as Record<string, string>,
    contactProperties: vars.CONTACT_PROPERTIES === "flat" ? "flat" : "nested",
    recipients: recipientsOf(vars),
    apiUrl: typeof vars.EMAIL_API_URL === "string" ? vars.EMAIL_API_URL : "",
  };
};
