import { createReadStream } from "node:fs";
import { writeFile } from "node:fs/promises";
import { Readable } from "node:stream";
import { readDevVars } from "./dev-vars.ts";
import { HELP } from "./import/help.ts";
import { OPTIONS, run, type Shown } from "./import/run.ts";
import { progress, runCommand } from "./lib/cli.ts";

await runCommand({
  name: "import",
  help: HELP,
  options: OPTIONS,
  arguments: 1,
  main: (values, args) => {
    const vars: Readonly<Record<string, string | undefined>> = { ...readDevVars(), ...process.env };
    const url = (values.url ?? vars.EMAIL_URL ?? `http://127.0.0.1:${vars.EMAIL_PORT || 8788}`).replace(/\/+$/, "");
    const token = vars.EMAIL_ADMIN_TOKEN || vars.ADMIN_TOKEN;
    if (!token) throw new Error("No token: set ADMIN_TOKEN in .dev.vars or the environment.");
    const base = `${url}/admin/teams/${encodeURIComponent(values.team ?? "demo")}/imports`;
    const send = async (path: string, init: RequestInit & { duplex?: "half" }): Promise<Response> => {
      const headers = { Authorization: `Bearer ${token}`, ...init.headers };
      const response = await fetch(base + path, { ...init, headers }).catch((error: Error) => {
        throw new Error(`Nothing answers at ${url} (${error.message}). On this machine, npm start starts it.`);
      });
      if (response.ok) return response;
      const { message } = (await response.json().catch(() => ({}))) as { message?: string };
      throw new Error(message ?? `${url} answered ${response.status}, but not as the email service does.`);
    };
    const json = async (response: Response) => (await response.json()) as Shown;
    return run(args, values, {
      upload: async (path, query) => {
        const body = Readable.toWeb(createReadStream(path)) as unknown as BodyInit;
        return json(
          await send(query, { method: "POST", body, duplex: "half", headers: { "Content-Type": "text/csv" } }),
        );
      },
      ask: async (method, path, body) => {
        const sent = body ? { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } } : {};
        return json(await send(path, { method, ...sent }));
      },
      saveOutcome: async (id, path) => writeFile(path, await (await send(`/${id}/outcome.csv`, {})).text()),
      print: (text) => console.log(text),
      progress,
      sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    });
  },
});
