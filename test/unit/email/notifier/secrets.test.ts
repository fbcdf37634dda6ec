import { expect, it } from "vitest";
import { type Env, webhookSecretsOf } from "../../../../src/email/env.ts";
import { openSecret, sealSecret } from "../../../../src/email/notifier/secrets.ts";

const SECRET = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";
const envOf = (env: Partial<Env>) => webhookSecretsOf(env as Env);

it("a sealed secret shows nothing, and opens with the same Worker's secret or one that it had before", async () => {
  const env = envOf({ API_KEY_SECRET: "first", ADMIN_TOKEN: "token" });
  const sealed = await sealSecret(env, SECRET);
  expect(sealed).toMatch(/^[\w-]{60,120}$/);
  expect(atob(sealed.replaceAll("-", "+").replaceAll("_", "/"))).not.toContain("whsec_");
  const later = [env, envOf({ API_KEY_SECRET: "second", FORMER_API_KEY_SECRETS: "zero first" })];
  expect(await Promise.all(later.map((one) => openSecret(one, sealed)))).toEqual([SECRET, SECRET]);
  expect(await openSecret(envOf({ API_KEY_SECRET: "second", ADMIN_TOKEN: "token" }), sealed)).toBeUndefined();
  expect(await openSecret(env, SECRET)).toBeUndefined();
});

it("a Worker without API_KEY_SECRET seals with its ADMIN_TOKEN, and opens it after it has got one", async () => {
  const sealed = await sealSecret(envOf({ ADMIN_TOKEN: "token" }), SECRET);
  expect(await openSecret(envOf({ API_KEY_SECRET: "new", ADMIN_TOKEN: "token" }), sealed)).toBe(SECRET);
});
