import { describe, expect, it } from "vitest";
import {
  allResults,
  directResult,
  type Found,
  namedResults,
  resultsOf,
  viewResults,
} from "../../../src/dashboard/app/palette/found.ts";

const found = (kind: string, id: string, name = id, detail: string | null = null): Found => ({
  kind,
  id,
  name,
  detail,
});

describe("the results of the palette", () => {
  it("lead to a page for each kind that has one, in the order of the answer", () => {
    const results = resultsOf([
      found("contact", "con_1", "ada@example.com", "Ada"),
      found("list", "lst_1", "News"),
      found("segment", "seg_1", "Pros"),
      found("campaign", "cmp_1", "Spring"),
      found("property", "planName", "Plan name"),
      found("send", "snd_1", "ada@example.com"),
      found("something new", "x"),
    ]);
    expect(results.map(({ label, target: { to, params, search } }) => [label, to, params ?? search])).toEqual([
      ["ada@example.com", "/people/$personId", { personId: "ada@example.com" }],
      ["News", "/people", { list: "lst_1" }],
      ["Pros", "/segments/$segmentId", { segmentId: "seg_1" }],
      ["Spring", "/campaigns/$campaignId", { campaignId: "cmp_1" }],
      ["Plan name", "/people/properties", undefined],
      ["ada@example.com", "/sent/$sendId", { sendId: "snd_1" }],
    ]);
    expect(results.map(({ description }) => description)).toEqual([
      "Ada",
      undefined,
      undefined,
      undefined,
      "planName",
      undefined,
    ]);
  });

  it("have the page of a whole id before anything is found", () => {
    const to = (text: string) => directResult(text)?.target;
    expect(to("wh_12.0")).toEqual({ to: "/webhooks/$webhookId", params: { webhookId: "wh_12" } });
    expect(to("snd_a_b")).toEqual({ to: "/sent/$sendId", params: { sendId: "snd_a_b" } });
    for (const text of ["ada@", "ada@example.com", "cus_1"]) expect(to(text), text).toBeUndefined();
  });

  it("have people whom webhooks named, each page once, and nobody who is not found", () => {
    const ada = { kind: "ref", value: "cus_1", source: "stripe", email: "Ada@example.com", userId: "u1" };
    const known = [ada, { kind: "userId", value: "cus_12", email: null, userId: "cus_12" }];
    const shown = (results: ReturnType<typeof allResults>) =>
      results.map(({ label, description, target: { params } }) => [label, description, params?.personId]);
    expect(shown(allResults("cus_1", [], known))).toEqual([
      ["Ada@example.com", "stripe: cus_1", "Ada@example.com"],
      ["cus_12", undefined, "cus_12"],
    ]);
    const contact = found("contact", "con_1", "ada@example.com", "Ada");
    expect(shown(allResults("ada", [contact], [ada]))).toEqual([["ada@example.com", "Ada", "ada@example.com"]]);
    expect(allResults("eve@example.com", [])).toEqual([]);
  });

  it("have the sources and rules by a part of their names, and sources by their provider", () => {
    const named = {
      sources: [
        { name: "stripe", title: "Stripe" },
        { name: "shop", title: "Stripe" },
        { name: "clerk", title: "Clerk" },
      ],
      rules: [
        { source: "stripe", name: "receipt" },
        { source: "shop", name: "stripe-trial/ends" },
      ],
    };
    const of = (text: string) => namedResults(text, named).map(({ group, label, target }) => [group, label, target]);
    const source = (name: string) => ({ to: "/sources/$source", params: { source: name } });
    expect(of("STRIPE")).toEqual([
      ["Sources", "stripe", source("stripe")],
      ["Sources", "shop", source("shop")],
      [
        "Rules",
        "stripe-trial/ends",
        { to: "/sources/rules/$source/$rule", params: { source: "shop", rule: "stripe-trial/ends" } },
      ],
    ]);
    expect(of("receipt")).toEqual([
      ["Rules", "receipt", { to: "/sources/rules/$source/$rule", params: { source: "stripe", rule: "receipt" } }],
    ]);
    expect(of("nothing like it")).toEqual([]);
    const ids = namedResults("", named).map(({ id }) => id);
    expect(new Set(ids).size).toBe(5);
  });

  it("have each page once, first the one that was typed", () => {
    const others = [found("send", "snd_2", "Receipt"), found("send", "snd_1", "Welcome")];
    expect(allResults("snd_1", others).map(({ label }) => label)).toEqual(["Welcome", "Receipt"]);
    expect(allResults("snd_3", others).map(({ label }) => label)).toEqual(["snd_3", "Receipt", "Welcome"]);
    expect(allResults("welc", others)).toHaveLength(2);
  });
});

describe("the saved views of the palette", () => {
  it("are those with the text in their names, and lead to their pages with the filters", () => {
    const views = [
      { name: "Failed deliveries of Stripe", path: "/deliveries?source=stripe&state=failed" },
      { name: "Bounced", path: "/sent?state=bounced" },
    ];
    expect(viewResults("STRIPE", views)).toEqual([
      {
        id: "view Failed deliveries of Stripe",
        group: "Views",
        label: "Failed deliveries of Stripe",
        description: "/deliveries?source=stripe&state=failed",
        target: { to: "/deliveries", path: "/deliveries?source=stripe&state=failed" },
      },
    ]);
    expect(viewResults("clerk", views)).toEqual([]);
  });
});
