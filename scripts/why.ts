import { parseArgs } from "node:util";
import { readDevVars } from "./dev-vars.ts";
import { ask } from "./why/ask.ts";
import { HELP } from "./why/help.ts";
import { print } from "./why/print.ts";
import { verdictOf } from "./why/verdict.ts";

const main = async (): Promise<void> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      since: { type: "string", default: "7d" },
      limit: { type: "string", default: "50" },
      full: { type: "boolean", default: false },
      url: { type: "string" },
      token: { type: "string" },
      json: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return console.log(HELP);
  const [who, ...rest] = positionals;
  if (who === undefined || rest.length > 0) throw new Error(`Say whom: npm run why -- ada@example.com\n\n${HELP}`);
  const limit = /^\d{1,4}$/.test(values.limit) ? Number(values.limit) : 0;
  if (limit === 0) throw new Error(`--limit ${values.limit}: has to be a whole number from 1 to 9999.`);

  const vars = { ...readDevVars(), ...process.env };
  const url = values.url ?? `http://127.0.0.1:${vars.PORT ?? 8787}`;
  const token = values.token ?? vars.ADMIN_TOKEN;
  if (!token) throw new Error("No token: set ADMIN_TOKEN in .dev.vars or the environment, or use --token.");
  const found = await ask({ url, token }, who, { since: values.since, limit, full: values.full });
  console.log(values.json ? JSON.stringify({ verdict: verdictOf(found), ...found }, null, 2) : print(found));
};

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
