import type { Config } from "../config.ts";

type Vars = Readonly<Record<string, string | undefined>>;

/** The email service to compare with. `from`: the setting of its address. */
export type Where = { url: string; key: string; from: string; local: boolean };

const LOCAL = new Set(["127.0.0.1", "localhost", "[::1]"]);

/** Defaults to `npm start`. Throws if the address or key is missing or wrong. */
export const whereOf = (env: Vars, devVars: Vars, config: Config): Where => {
  const localUrl = `http://127.0.0.1:${env.EMAIL_PORT || devVars.EMAIL_PORT || 8788}`;
  const candidates: [string | undefined, string][] = [
    [env.EMAIL_API_URL, "EMAIL_API_URL of the environment"],
    [devVars.EMAIL_API_URL, "EMAIL_API_URL of .dev.vars"],
    [config.apiUrl, "EMAIL_API_URL of wrangler.toml"],
    [localUrl, "the email service of npm start"],
  ];
  const [url = localUrl, from = ""] = candidates.find(([address]) => address) ?? [];
  if (!URL.canParse(url)) throw new Error(`${from} is not an address: ${url}`);
  const { protocol, hostname } = new URL(url);
  const local = LOCAL.has(hostname);
  if (protocol !== "https:" && !(local && protocol === "http:")) {
    throw new Error(`${from} must be an https address, or an address of this machine: ${url}`);
  }
  // The key of .dev.vars must not go to another email service.
  const ownKey = env.EMAIL_API_URL && env.EMAIL_API_URL !== devVars.EMAIL_API_URL ? "" : devVars.EMAIL_API_KEY;
  const key = env.EMAIL_API_KEY || ownKey || "";
  if (key) return { url, key, from, local };
  const how =
    local && !env.EMAIL_API_URL ? "Run npm start once: it writes the key to .dev.vars." : "Set EMAIL_API_KEY.";
  throw new Error(`There is no API key for ${url}. ${how}`);
};

/** Template ids by name. `TEMPLATE_<NAME>` overrides wrangler.toml. */
export const templatesOf = (env: Vars, { templates }: Config): Record<string, string> =>
  Object.fromEntries(
    Object.entries(templates).map(([name, id]) => [
      name,
      env[`TEMPLATE_${name.toUpperCase().replace(/[^A-Z0-9]+/g, "_")}`] || id,
    ]),
  );
