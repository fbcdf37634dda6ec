import { existsSync } from "node:fs";
import { isAbsolute } from "node:path";
import { describe, expect, test } from "vitest";
import { type Json, workers, world } from "./world.ts";

const email = ({ deployed }: { deployed: Json[] }) => deployed.filter(({ name }) => name === "mailspan-email").at(-1);
const BUCKET = [{ binding: "UPLOADS", bucket_name: "mailspan-uploads" }];

describe("the bucket of pictures", () => {
  test("is created before the email Worker that is bound to it", async () => {
    const w = world({ TEAM_NAME: "Acme" });
    expect(await w.deploy()).toBe(true);
    expect(w.done.indexOf("r2 bucket create")).toBeLessThan(w.done.indexOf("deploy mailspan-email"));
    expect([...w.buckets]).toEqual(["mailspan-uploads"]);
    expect(w.output()).toContain("Created the bucket mailspan-uploads.");
    expect(email(w)?.r2_buckets).toEqual(BUCKET);
  });

  test("is used if it exists", async () => {
    const w = world({ TEAM_NAME: "Acme" });
    await w.deploy();
    expect(await w.deploy()).toBe(true);
    expect(w.output()).toContain("The bucket mailspan-uploads exists and is used.");
    expect(email(w)?.r2_buckets).toEqual(BUCKET);
  });

  test.each([false, true])("is left out if the answer is no (unattended: %s)", async (unattended) => {
    const w = world({ TEAM_NAME: "Acme", ADMIN_TOKEN: "an-admin-token-of-my-own", UPLOADS_BUCKET: "no" });
    expect(await w.deploy({ unattended })).toBe(true);
    expect(w.done).not.toContain("r2 bucket create");
    expect(w.output()).toContain("No bucket. Uploads of pictures are refused, and everything else works.");
    const raw = email(w);
    expect(raw?.r2_buckets).toEqual([]);
    const { main, assets, r2_buckets: _, alias: _alias, ...rest } = raw as { main: string; assets: Json } & Json;
    const { main: _main, assets: before, r2_buckets: _buckets, ...same } = workers.email.raw;
    expect(rest).toEqual(same);
    expect(assets).toEqual({ ...(before as Json), directory: expect.stringMatching(/dist\/assets$/) });
    expect([isAbsolute(main), existsSync(main), isAbsolute(String(assets.directory))]).toEqual([true, true, true]);
  });

  test("is left out, with the way to add it, if the account has no R2", async () => {
    const w = world({ TEAM_NAME: "Acme" });
    w.fail.set("r2 bucket create", "Please enable R2 through the Cloudflare Dashboard. [code: 10042]");
    expect(await w.deploy()).toBe(true);
    expect(w.output()).toContain("This account has no R2 yet: add it in Cloudflare's dashboard");
    expect(w.output()).toContain("To add the bucket, run this again.");
    expect(email(w)?.r2_buckets).toEqual([]);
    w.fail.clear();
    expect(await w.deploy()).toBe(true);
    expect(email(w)?.r2_buckets).toEqual(BUCKET);
  });

  test("stops the deployment if it can be neither created nor found: the pictures of an earlier run stay", async () => {
    const w = world({ TEAM_NAME: "Acme" });
    await w.deploy();
    w.fail.set("r2 bucket create", "Authentication error [code: 10000]");
    w.fail.set("r2 bucket info", "Authentication error [code: 10000]");
    expect(await w.deploy()).toBe(false);
    expect(w.output()).toContain("Step 3 of 13 (Bucket for pictures) failed");
    expect(w.output()).toContain("Authentication error [code: 10000]");
    expect(w.output()).toContain("UPLOADS_BUCKET=no");
    expect(w.done).not.toContain("deploy mailspan-email");
  });
});
