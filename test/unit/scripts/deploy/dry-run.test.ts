import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { varsOf } from "../../../../scripts/deploy/config.ts";
import { dryRun } from "../../../../scripts/deploy/dry-run.ts";
import type { Run } from "../../../../scripts/deploy/io.ts";
import { HOSTED, isEmail, type Json, workers } from "./world.ts";

describe("a dry run", () => {
  const MB = 1_000_000;
  const bundling = (sizes: Record<string, number | string>) => {
    const printed: string[] = [];
    const configs: Json[] = [];
    const run: Run = async (_command, args, { env = {} } = {}) => {
      const path = args[args.indexOf("--config") + 1] ?? "";
      if (path.endsWith(".json")) configs.push(JSON.parse(readFileSync(path, "utf8")) as Json);
      const name = path.endsWith("dashboard.json") || path === workers.dashboard.path ? "dashboard" : "bridge";
      const all: Record<string, number | string> = { dashboard: 30_000, ...sizes };
      const size = all[isEmail(path) ? "email" : name];
      expect(args).toContain("--dry-run");
      if (typeof size !== "number") return { code: 1, stdout: "", stderr: size ?? "" };
      const bundle_size = { raw_bytes: 4 * size, gzip_bytes: size };
      writeFileSync(env.WRANGLER_OUTPUT_FILE_PATH ?? "", `${JSON.stringify({ type: "deploy", bundle_size })}\n`);
      return { code: 0, stdout: "", stderr: "" };
    };
    return { io: { run, print: (text: string) => void printed.push(text) }, configs, output: () => printed.join("\n") };
  };

  test("shows the sizes and bindings of each Worker", async () => {
    const { io, output } = bundling({ email: 103_001, bridge: 90_000 });
    expect(await dryRun(io, workers)).toBe(true);
    expect(output()).toMatch(
      /^mailspan-email +413 KB +104 KB +1 MB +ok +WORKSPACE \(Workspace\), .*UPLOADS \(mailspan-uploads\), ASSETS/m,
    );
    expect(output()).toMatch(
      /^mailspan-bridge +360 KB +90 KB +1 MB +ok +OUTBOX \(Outbox\), EMAIL \(mailspan-email\), \d+ variables$/m,
    );
    expect(output()).toMatch(
      /^mailspan-dashboard +120 KB +30 KB +1 MB +ok +LOGINS \(Logins\), BRIDGE \(mailspan-bridge\), EMAIL \(mailspan-email\), ASSETS$/m,
    );
  });

  test("names every step with its reason", async () => {
    const { io, output } = bundling({ email: 103_001, bridge: 90_000 });
    await dryRun(io, workers);
    expect(output()).toMatch(/^ {2}5 +Sender +The email Worker sends mail over SMTP \(smtp\), Amazon SES/m);
    expect(output()).toMatch(/^ {2}11 +Dashboard +The dashboard shows/m);
    expect(output()).toMatch(/^ {2}12 +Sending domain +Mail is sent from a domain of yours/m);
    expect(output()).toMatch(/^ {2}13 +Trial mail /m);
  });

  test("for another email service: bridge and dashboard, without the binding to the email Worker", async () => {
    const { io, output, configs } = bundling({ bridge: 90_000 });
    expect(await dryRun(io, workers, { service: HOSTED })).toBe(true);
    expect(output()).not.toContain("mailspan-email");
    const variables = Object.keys(varsOf(workers.bridge)).length;
    expect(output()).toMatch(new RegExp(`^mailspan-bridge .* OUTBOX \\(Outbox\\), ${variables} variables$`, "m"));
    expect(output()).toMatch(/^mailspan-dashboard .* LOGINS \(Logins\), BRIDGE \(mailspan-bridge\), ASSETS$/m);
    expect(configs).toMatchObject([
      { services: [], vars: { EMAIL_API_URL: HOSTED, CONTACT_PROPERTIES: "flat" } },
      { name: "mailspan-dashboard", services: [{ binding: "BRIDGE" }] },
    ]);
  });

  test("of the email service alone: email Worker and dashboard, without the binding to the bridge", async () => {
    const { io, output, configs } = bundling({ email: 103_001 });
    expect(await dryRun(io, workers, { hasBridge: false })).toBe(true);
    expect(output()).not.toContain("mailspan-bridge");
    expect(output()).toMatch(/^mailspan-email .* ok /m);
    expect(output()).toMatch(/^mailspan-dashboard .* LOGINS \(Logins\), EMAIL \(mailspan-email\), ASSETS$/m);
    expect(configs).toMatchObject([{ name: "mailspan-dashboard", services: [{ binding: "EMAIL" }] }]);
    expect(output()).toMatch(/^ {2}9 +Dashboard /m);
    expect(output()).not.toMatch(/^ +\d+ +(Bridge|Webhook secrets) /m);
  });

  test("fails with wrangler's own error if a Worker does not bundle", async () => {
    const { io, output } = bundling({ email: 100_000, bridge: '\u001b[31mCould not resolve\u001b[0m "./planted.ts"' });
    expect(await dryRun(io, workers)).toBe(false);
    expect(output()).toMatch(/^mailspan-bridge .*does not bundle$/m);
    expect(output()).toContain('mailspan-bridge does not bundle:\nCould not resolve "./planted.ts"');
    expect(output()).toMatch(/^mailspan-email .* ok /m);
  });

  test("fails if a Worker has 1 MB or more", async () => {
    const { io, output } = bundling({ email: MB, bridge: MB - 1 });
    expect(await dryRun(io, workers)).toBe(false);
    expect(output()).toMatch(/^mailspan-email +4 MB +1 MB +1 MB +too large/m);
    expect(output()).toMatch(/^mailspan-bridge +4 MB +1 MB +1 MB +ok/m);
    expect(output()).toContain("mailspan-email is too large: 1 MB of 1 MB compressed.");
  });
});
