import type { RouteTable } from "../../api/client.ts";
import { requestOf } from "../../api/client.ts";
import { quoted } from "./shell.ts";

/** API of an operation: bridge, operator's email service, team's v1 API, or dashboard. */
type Api = "bridge" | "email" | "v1" | "dashboard";

/** An operation with fields. `name`: such as "deliveries.retry". */
export type Asked = { api: Api; name: string; fields?: Record<string, unknown> };

const BASES: Record<Api, { url: string; secret: string; path: string }> = {
  bridge: { url: "BRIDGE_URL", secret: "ADMIN_TOKEN", path: "/admin" },
  email: { url: "EMAIL_URL", secret: "ADMIN_TOKEN", path: "/admin" },
  v1: { url: "EMAIL_URL", secret: "EMAIL_API_KEY", path: "/v1" },
  dashboard: { url: "DASHBOARD_URL", secret: "ADMIN_TOKEN", path: "/api" },
};

/** Runs `each` for listed items in a state. `parameter`: path parameter for the id. */
export type Each = { list: Asked; state: string; each: string; parameter: string; fields?: Record<string, unknown> };

const requestIn = (table: RouteTable, { api, name, fields = {} }: Asked) => {
  const [group = "", operation = ""] = name.split(".");
  const route = table[group]?.[operation];
  if (!route) throw new Error(`The ${api} API has no operation ${name}.`);
  return requestOf(route, BASES[api].path, fields);
};

/** The dashboard API accepts only same-origin requests. */
const OWN = `-H 'X-Mailspan: 1' -H "Origin: $DASHBOARD_URL"`;
const JSON_TYPE = "-H 'Content-Type: application/json'";

/** Shell command of an operation. The secret goes through a pipe, because other users can read command lines. */
export const curlOf = (table: RouteTable, asked: Asked): string => {
  const { method, url, body } = requestIn(table, asked);
  const base = BASES[asked.api];
  const words = [
    ...(method === "GET" ? [] : [`-X ${method}`]),
    ...(body ? [JSON_TYPE, `-d ${quoted(JSON.stringify(body))}`] : []),
  ];
  if (asked.api === "dashboard") {
    // Opens a session; curl keeps the cookie in memory.
    const logIn = `curl -sS -o /dev/null -b '' ${OWN} ${JSON_TYPE} -d @- "$DASHBOARD_URL/api/session"`;
    return `printf '{"token":"%s"}' "$ADMIN_TOKEN" |\n  ${logIn} --next -b '' ${[...words, OWN].join(" ")} "$DASHBOARD_URL"${quoted(url)}`;
  }
  return `printf 'Authorization: Bearer %s' "$${base.secret}" |\n  curl -H @- ${[...words, `"$${base.url}"${quoted(url)}`].join(" ")}`;
};

/**
 * Shell command that tests an API key without exposing it in arguments or history. `url`: email service; otherwise
 * from the environment.
 */
export const keyTestOf = (url: string | undefined): string =>
  `printf 'API key: '; stty -echo; read -r key; stty echo; echo; printf 'Authorization: Bearer %s' "$key" | curl -H @- ${url === undefined ? `"$EMAIL_URL"` : quoted(url)}/v1/api-key`;

const ownProgram = (method: string, url: string, body: unknown): string =>
  [
    `const headers = { Origin: process.env.DASHBOARD_URL, "X-Mailspan": "1", "Content-Type": "application/json" };`,
    `const token = JSON.stringify({ token: process.env.ADMIN_TOKEN });`,
    `const session = await fetch(process.env.DASHBOARD_URL + "/api/session", { method: "POST", headers, body: token });`,
    `const Cookie = session.headers.getSetCookie()[0].split(";")[0];`,
    `await fetch(process.env.DASHBOARD_URL + ${JSON.stringify(url)}, {`,
    `  method: ${JSON.stringify(method)},`,
    `  headers: { ...headers, Cookie },`,
    ...(body ? [`  body: JSON.stringify(${JSON.stringify(body)}),`] : []),
    "});",
  ].join("\n");

/** Program code: the published client for v1, fetch for other APIs. */
export const programOf = (table: RouteTable, asked: Asked): string => {
  const { method, url, body } = requestIn(table, asked);
  const base = BASES[asked.api];
  if (asked.api === "dashboard") return ownProgram(method, url, body);
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

const PAGE = "100";
const ONE = "ONE";

const partsOf = (table: RouteTable, { list, each, parameter, fields = {} }: Each) => ({
  found: requestIn(table, { ...list, fields: { ...list.fields, limit: PAGE } }),
  one: requestIn(table, { api: list.api, name: each, fields: { ...fields, [parameter]: ONE } }),
  base: BASES[list.api],
});

/** Shell command for the newest 100 items, one request each. Repeat for more. */
export const curlOfEach = (table: RouteTable, each: Each): string => {
  const { found, one, base } = partsOf(table, each);
  const auth = `printf 'Authorization: Bearer %s' "$${base.secret}" | curl -sS -H @-`;
  const [before = "", after = ""] = one.url.split(ONE);
  const read = `for (const { id, state } of JSON.parse(require("fs").readFileSync(0)).data) if (state === ${JSON.stringify(each.state)})`;
  return [
    `${auth} "$${base.url}"${quoted(found.url)} | node -e ${quoted(`${read} console.log(id)`)} |`,
    `  while read -r id; do ${auth} -X ${one.method} ${JSON_TYPE} -d ${quoted(JSON.stringify(one.body ?? {}))} "$${base.url}"${quoted(before)}"$id"${quoted(after)}; done`,
  ].join("\n");
};

/** Program code for `Each`. */
export const programOfEach = (table: RouteTable, each: Each): string => {
  const { found, one, base } = partsOf(table, each);
  const [before = "", after = ""] = one.url.split(ONE);
  return [
    `const headers = { Authorization: "Bearer " + process.env.${base.secret}, "Content-Type": "application/json" };`,
    `const list = await fetch(process.env.${base.url} + ${JSON.stringify(found.url)}, { headers });`,
    `const found = (await list.json()).data.filter(({ state }) => state === ${JSON.stringify(each.state)});`,
    `const body = JSON.stringify(${JSON.stringify(one.body ?? {})});`,
    `for (const { id } of found) {`,
    `  const url = process.env.${base.url} + ${JSON.stringify(before)} + id + ${JSON.stringify(after)};`,
    `  await fetch(url, { method: ${JSON.stringify(one.method)}, headers, body });`,
    "}",
  ].join("\n");
};
