import type { RouteTable } from "../../api/client.ts";
import { requestOf } from "../../api/client.ts";

/** Who answers an operation: the bridge, the email service for its operator, or the v1 API for a team's own key. */
export type Api = "bridge" | "email" | "v1";

/** An operation with its fields, as the page would ask for it. `name`: such as "calls.retry". */
export type Asked = { api: Api; name: string; fields?: Record<string, unknown> };

const BASES: Record<Api, { url: string; secret: string; path: string }> = {
  bridge: { url: "BRIDGE_URL", secret: "ADMIN_TOKEN", path: "/admin" },
  email: { url: "EMAIL_URL", secret: "ADMIN_TOKEN", path: "/admin" },
  v1: { url: "EMAIL_URL", secret: "EMAIL_API_KEY", path: "/v1" },
};

const requestIn = (table: RouteTable, { api, name, fields = {} }: Asked) => {
  const [group = "", operation = ""] = name.split(".");
  const route = table[group]?.[operation];
  if (!route) throw new Error(`The ${api} API has no operation ${name}.`);
  return requestOf(route, BASES[api].path, fields);
};

/** A word for a POSIX shell. Nothing in single quotes is special. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The operation for a shell. The secret goes through a pipe: other users of a machine can read command lines. */
export const curlOf = (table: RouteTable, asked: Asked): string => {
  const { method, url, body } = requestIn(table, asked);
  const base = BASES[asked.api];
  const words = [
    ...(method === "GET" ? [] : [`-X ${method}`]),
    ...(body ? ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body))}`] : []),
  ];
  return `printf 'Authorization: Bearer %s' "$${base.secret}" |\n  curl -H @- ${[...words, `"$${base.url}"${quoted(url)}`].join(" ")}`;
};

/** The operation for a program: with the published client for the v1 API, with fetch for the others. */
export const programOf = (table: RouteTable, asked: Asked): string => {
  const { method, url, body } = requestIn(table, asked);
  const base = BASES[asked.api];
  if (asked.api === "v1") {
    const made = `createClient({ baseUrl: process.env.${base.url}, apiKey: process.env.${base.secret} })`;
    return `import { createClient } from "mailspan/client";\n\nconst api = ${made};\nawait api.${asked.name}(${JSON.stringify(asked.fields ?? {})});`;
  }
  const json = body ? `, "Content-Type": "application/json"` : "";
  return [
    `await fetch(process.env.${base.url} + ${JSON.stringify(url)}, {`,
    `  method: ${JSON.stringify(method)},`,
    `  headers: { Authorization: "Bearer " + process.env.${base.secret}${json} },`,
    ...(body ? [`  body: JSON.stringify(${JSON.stringify(body)}),`] : []),
    "});",
  ].join("\n");
};
