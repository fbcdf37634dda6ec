import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { afterEach, describe, expect, test, vi } from "vitest";
import { plan } from "../../../src/rules/evaluate.ts";
import type { RuleSet } from "../../../src/rules/types.ts";
import enriched from "./recipes/enriched.ts";
import mailPerProduct from "./recipes/mail-per-product.ts";
import ownUserId from "./recipes/own-user-id.ts";
import planLists from "./recipes/plan-lists.ts";
import { send } from "./recipes/sender.ts";

const root = join(import.meta.dirname, "..", "..", "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

const stripeBody = (name: string, change: (object: Record<string, unknown>) => void = () => {}) => {
  const body = JSON.parse(read(`test/fixtures/stripe/${name}.json`));
  change(body.data.object);
  return body;
};
const planned = (ruleSet: RuleSet, body: { type: string }) => {
  const webhook = { source: "shop", id: "evt_1", type: body.type, occurredAt: 1_760_000_000_000, body };
  const { deliveries, links, outcomes } = plan(ruleSet, webhook);
  expect(outcomes.filter(({ outcome }) => outcome === "failed")).toEqual([]);
  return { deliveries, links };
};
const ofProduct = (product: string, status = "active") =>
  stripeBody("customer.subscription.created", (object) => {
    const { items } = object as { items: { data: { price: { product: string }; plan: { product: string } }[] } };
    for (const { price, plan: old } of items.data) price.product = old.product = product;
    object.status = status;
  });
const TEAM = "prod_TNyq4Zr8cWm1Hu";

test("each recipe is in docs/rule-recipes.md, word for word, with the imports of src/mappings", () => {
  const page = read("docs/rule-recipes.md");
  const files = readdirSync(join(import.meta.dirname, "recipes"));
  expect(files.length).toBe(5);
  for (const file of files) {
    const code = read(`test/unit/mappings/recipes/${file}`)
      .replaceAll("../../../../src/", "../")
      .replaceAll("../mappings/stripe/", "./stripe/");
    expect([file, page.includes(`\`\`\`ts\n${code}\`\`\``)]).toEqual([file, true]);
  }
});

describe("the recipe", () => {
  test("of a mail for each product sends one of two templates, and an event for one product", () => {
    const does = (product: string) =>
      planned(mailPerProduct, ofProduct(product)).deliveries.map((one) =>
        one.action === "transactional" ? one.template : one.action === "event" && one.eventName,
      );
    expect(does(TEAM).toSorted()).toEqual(["first-steps-team", "teamBought"]);
    expect(does("prod_other")).toEqual(["first-steps"]);
  });

  test("of lists joins, leaves and leaves alone", () => {
    const lists = (product: string, status: string) =>
      planned(planLists, ofProduct(product, status)).deliveries.map((one) => one.action === "contact" && one.lists);
    expect(lists(TEAM, "trialing")).toEqual([{ teams: true, trials: true }]);
    expect(lists("prod_other", "active")).toEqual([{ teams: false }]);
  });

  test("of an own user id links it where the metadata has it", () => {
    const linked = (metadata: object) =>
      planned(
        ownUserId,
        stripeBody("customer.created", (object) => Object.assign(object, { metadata })),
      ).links;
    const email = expect.stringContaining("@");
    expect(linked({ user_id: "u_1" })).toEqual([{ ref: expect.stringMatching(/^shop:cus_/), email, userId: "u_1" }]);
    expect(linked({})).toEqual([{ ref: expect.stringMatching(/^shop:cus_/), email }]);
  });

  const account = { userId: "u_1", email: "ada@example.com", company: "Acme", employees: 12 };

  test("of own events writes what only the sender knows", () => {
    expect(planned(enriched, { type: "account.enriched", data: account } as never)).toMatchObject({
      deliveries: [
        { contact: { userId: "u_1", email: account.email }, properties: { company: "Acme", employees: 12 } },
      ],
      links: [{ userId: "u_1", email: account.email }],
    });
  });

  afterEach(() => vi.unstubAllGlobals());

  test("of the sender signs so that the library of Standard Webhooks accepts it, and another secret does not", async () => {
    const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    const sent: { url: string; headers: Record<string, string>; body: string }[] = [];
    vi.stubGlobal("fetch", async (url: string, init: { headers: Record<string, string>; body: string }) => {
      sent.push({ url, ...init });
      return new Response(null, { status: 202 });
    });
    const url = "https://bridge.example.com/hooks/accounts";
    expect((await send("user-1", "account.enriched", account, { url, secret })).status).toBe(202);
    const [{ headers = {}, body = "" } = {}] = sent;
    expect(new Webhook(secret).verify(body, headers)).toMatchObject({ type: "account.enriched", data: account });
    expect(() => new Webhook("whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA").verify(body, headers)).toThrow();
    const envelope = await enriched.handler.read(
      { method: "POST", url, headers: new Headers(headers), raw: body },
      JSON.parse(body),
      0,
    );
    expect(envelope).toMatchObject({ id: "user-1", type: "account.enriched" });
  });
});
