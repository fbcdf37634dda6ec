import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Mailspan } from "../system/mailspan.ts";
import { createTeam, EMAIL, pause, startService } from "./team.ts";
import { npmPackage, sayMissing } from "./tools.ts";

// Older versions of the official JavaScript client, unchanged. The Nuxt module 1 uses 3.4.1, which sends JSON as
// text/plain, and 2 the newest one.

/** `positional`: email and properties are separate arguments. */
const versions = [
  { version: "6.3.0", positional: false },
  { version: "5.0.1", positional: true },
  { version: "4.1.0", positional: true },
  { version: "3.4.1", positional: true },
];

type Client = Record<string, (...args: unknown[]) => Promise<unknown>>;
type Step = [method: string, args: unknown[], answer: unknown];

const stepsOf = (positional: boolean, list: string): Step[] => {
  const contact = (method: string, properties: object) =>
    positional
      ? [method, [EMAIL, properties, { [list]: true }]]
      : [method, [{ email: EMAIL, properties, mailingLists: { [list]: true } }]];
  const done = { success: true };
  const id = expect.stringMatching(/^con_/);
  const pages = { pagination: { totalResults: 10, nextPage: null }, data: expect.any(Array) };
  return [
    ["testApiKey", [], { success: true, teamName: "Clients" }],
    ["createContactProperty", ["planName", "string"], done],
    ["getCustomProperties", ["custom"], [{ key: "planName", label: "Plan name", type: "string" }]],
    ["getCustomFields", [], expect.arrayContaining([{ name: "email", key: "email", label: "Email", type: "string" }])],
    ["getMailingLists", [], [{ id: list, name: "News", isPublic: expect.any(Boolean) }]],
    [...contact("createContact", { firstName: "Ada", userId: "u1" }), { success: true, id }] as Step,
    [...contact("updateContact", { lastName: "Lovelace" }), { success: true, id }] as Step,
    ["findContact", [{ email: EMAIL }], [{ firstName: "Ada", lastName: "Lovelace", mailingLists: { [list]: true } }]],
    ["findContact", [{ userId: "u1" }], [{ email: EMAIL }]],
    ["checkContactSuppression", [{ userId: "u1" }], { isSuppressed: true, removalQuota: { limit: 100 } }],
    ["removeContactSuppression", [{ email: EMAIL }], { success: true, removalQuota: { remaining: 99 } }],
    ["sendEvent", [{ email: EMAIL, eventName: "signedUp", eventProperties: { plan: "pro" } }], done],
    [
      "sendTransactionalEmail",
      [{ transactionalId: "tpl_welcome", email: EMAIL, dataVariables: { name: "Ada" }, addToAudience: true }],
      done,
    ],
    [
      "sendTransactionalEmail",
      [{ transactionalId: "tpl_none", email: EMAIL }],
      { success: false, message: expect.stringContaining('no transactional email with the id "tpl_none"') },
    ],
    ["getTransactionalEmails", [], pages],
    ["getTransactionalEmails", [{ perPage: 10 }], pages],
    ["deleteContact", [{ userId: "u1" }], { success: true, message: "Contact deleted." }],
    ["deleteContact", [{ email: EMAIL }], { success: false, message: expect.stringContaining("no contact") }],
  ];
};

let mailspan: Mailspan;
beforeAll(async () => {
  mailspan = await startService();
});
afterAll(() => mailspan.stop());

const refusalOf = ({ json, message }: { json?: unknown; message: string }) => json ?? { success: false, message };

const clientOf = async (path: string, key: string): Promise<Client> => {
  const { module, main } = JSON.parse(readFileSync(join(path, "package.json"), "utf8"));
  const loaded = await import(pathToFileURL(join(path, module ?? main)).href);
  const client = new loaded.LoopsClient(key);
  client.apiRoot = `${mailspan.emailUrl}/`;
  return client;
};

describe.each(versions)("npm loops $version", ({ version, positional }) => {
  const installed = npmPackage("loops", version);
  if ("missing" in installed) sayMissing(`npm loops ${version}`, installed.missing);

  it.skipIf("missing" in installed)("gets the answers it expects with every method", async () => {
    const { path } = installed as { path: string };
    const { key, list } = await createTeam(mailspan, `javascript-${version.replaceAll(".", "-")}`);
    const client = await clientOf(path, key);
    const methods = Object.getOwnPropertyNames(Object.getPrototypeOf(client)).filter(
      (name) => !/^(constructor|_)/.test(name),
    );
    const steps = stepsOf(positional, list).filter(([method]) => methods.includes(method));
    for (const [method, args, wanted] of steps) {
      await pause();
      const answer = await client[method]?.(...args).catch(refusalOf);
      expect(answer, `${method} ${JSON.stringify(args)}`).toMatchObject(wanted as object);
    }
    expect([...new Set(steps.map(([method]) => method))].toSorted()).toEqual(methods.toSorted());
  });
});
