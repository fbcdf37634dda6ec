import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  entriesFor,
  missingAt,
  placesFor,
  sectionsAt,
  tabsAt,
} from "../../../src/dashboard/app/parts/page/navigation.ts";
import { isPage, movedTo } from "../../../src/lib/pages/pages.ts";
import { SRC } from "../source.ts";

const app = join(SRC, "dashboard/app");
const routes = ["router.tsx", ...readdirSync(join(app, "routes")).map((name) => join("routes", name))]
  .flatMap((name) =>
    [...readFileSync(join(app, name), "utf8").matchAll(/path: "([^"]+)"/g)].map(([, path = ""]) => path),
  )
  // The page of parts is no page of a deployment.
  .filter((path) => path !== "/kit");

describe("the pages that the Worker knows", () => {
  it("are those of the router", () => {
    expect(routes.length).toBeGreaterThan(40);
    expect(routes.filter((route) => !isPage(route.replaceAll(/\$\w+/g, "ada@example.com")))).toEqual([]);
    const pages = readFileSync(join(SRC, "lib/pages/pages.ts"), "utf8").split("].map(")[0] ?? "";
    const known = [...pages.matchAll(/"(\/[^"]*)"/g)].map(([, path = ""]) => path);
    expect(known.toSorted()).toEqual(routes.map((route) => route.replaceAll(/\$\w+/g, "$")).toSorted());
  });

  it.each([
    "/nowhere",
    "/people/a/b",
    "/peoples",
    "/people//x",
    "/settings/team",
    "/.well-known/security.txt",
    "/alerts/x",
  ])("are not %s", (path) => {
    expect(isPage(path)).toBe(false);
  });

  it.each(["/", "/people/", "/people/ada@example.com", "/sources/rules/clerk/signed%20up"])("are %s", (path) => {
    expect(isPage(path)).toBe(true);
  });
});

describe("an address of before", () => {
  it.each([
    ["/lists", "", "/people/lists"],
    ["/suppressions", "?reason=manual", "/people/suppressed?reason=manual"],
    ["/imports", "", "/people/imports"],
    ["/imports/new", "?team=demo", "/people/imports/new?team=demo"],
    ["/imports/imp_1", "", "/people/imports/imp_1"],
    ["/properties", "", "/people/properties"],
    ["/events", "", "/workflows/events"],
    ["/events/evp_1", "", "/workflows/events/evp_1"],
    ["/mail", "?to=a%40b.example", "/sent?to=a%40b.example"],
    ["/mail/snd_1", "", "/sent/snd_1"],
    ["/themes/thm_1", "", "/templates/brand/thm_1"],
    ["/themes", "", "/templates/brand"],
    ["/components/cmp_1", "", "/templates/components/cmp_1"],
    ["/uploads", "", "/templates/pictures"],
    ["/calls", "", "/deliveries"],
    ["/calls", "?view=all&rule=receipt", "/deliveries/all?rule=receipt"],
    ["/deliveries", "?view=all", "/deliveries/all"],
    ["/deliveries", "?email=a%40b.example", "/deliveries/all?email=a%40b.example"],
    ["/health", "", "/deliveries/throughput"],
    ["/replay", "?source=clerk&since=1h", "/webhooks/replays/new?source=clerk&since=1h"],
    ["/rules", "?source=clerk", "/sources/rules?source=clerk"],
    ["/rules/clerk/signed%20up", "", "/sources/rules/clerk/signed%20up"],
    ["/settings/team", "", "/settings"],
    ["/settings/team/confirmations", "", "/settings/confirmations"],
    ["/settings/people", "", "/settings/members"],
  ])("%s%s leads to the new one with its query", (path, query, to) => {
    expect(movedTo(path, query)).toBe(to);
    expect(movedTo(to.split("?")[0] ?? "", query)).toBeUndefined();
  });

  it.each(["/", "/deliveries", "/people/lists", "/settings", "/nowhere", "/mail/a/b", "/calls/x/y", "//mail"])(
    "is not %s",
    (path) => {
      expect(movedTo(path, "")).toBeUndefined();
    },
  );
});

describe("the navigation", () => {
  const both = { bridge: {}, email: {} };
  const labels = (about: { bridge: object | null; email: object | null }) =>
    entriesFor(about).map(({ label }) => label);

  it("has twelve entries, and fewer where a half is not deployed", () => {
    expect(labels(both)).toHaveLength(12);
    expect(labels({ bridge: {}, email: null })).toEqual([
      "Overview",
      "Transactional",
      "People",
      "Webhooks",
      "Deliveries",
      "Sources",
      "Settings",
    ]);
    expect(labels({ bridge: null, email: {} })).toHaveLength(9);
  });

  it("leads to pages only", () => {
    const places = placesFor(both).map(({ to }) => to);
    expect(places.length).toBeGreaterThan(20);
    expect(places.filter((to) => !isPage(to))).toEqual([]);
    expect(new Set(places).size).toBe(places.length);
    const keys = entriesFor(both).map(({ key }) => key);
    expect(new Set(keys).size).toBe(12);
  });

  it("has the sections of the settings beside each of their pages, and beside no other", () => {
    const all = ["General", "Sending domains", "API keys", "Outgoing webhooks", "Members", "Audit log"];
    for (const path of ["/settings", "/settings/keys", "/settings/domains/dom_1", "/settings/confirmations"])
      expect(sectionsAt(path, both).map(({ label }) => label)).toEqual(all);
    const bridge = sectionsAt("/settings", { bridge: {}, email: null }).map(({ label }) => label);
    expect(bridge).toEqual(["General", "Members", "Audit log"]);
    expect([sectionsAt("/", both), sectionsAt("/people/lists", both)]).toEqual([[], []]);
  });

  it("has the tabs of a page whose half is deployed, and says which half a page lacks", () => {
    expect(tabsAt("/people/lists", both).map(({ label }) => label)).toEqual([
      "Everyone",
      "Lists",
      "Suppressed",
      "Imports",
      "Properties",
    ]);
    expect(tabsAt("/people", { bridge: {}, email: null }).map(({ label }) => label)).not.toContain("Imports");
    expect(tabsAt("/people/ada@example.com", both)).toEqual([]);
    expect(missingAt("/people/imports/imp_1", { bridge: {}, email: null })).toMatchObject({ needs: "email" });
    expect(missingAt("/workflows/wfl_1", { bridge: {}, email: null })).toMatchObject({ needs: "email" });
    expect(missingAt("/workflows/events", { bridge: {}, email: null })).toBeUndefined();
    expect(missingAt("/deliveries/all", { bridge: null, email: {} })).toMatchObject({ needs: "bridge" });
    expect(missingAt("/people", { bridge: null, email: null })).toBeUndefined();
  });
});
