import { expect, it } from "vitest";
import { createTeam, isolated, type Team } from "../../bench.ts";
import { file, importFile } from "./bench.ts";
import { dialects } from "./dialects.ts";

isolated();

const subscribedIn = (team: Team): Promise<Record<string, boolean>> =>
  team.inside((sql) =>
    Object.fromEntries(
      sql
        .exec<{ email: string; subscribed: number }>("SELECT email, data->>'$.subscribed' AS subscribed FROM contacts")
        .toArray()
        .map(({ email, subscribed }) => [email.split("@")[0] ?? "", subscribed === 1]),
    ),
  );

it("at least fourteen products", () => {
  expect(new Set(dialects.map(({ product }) => product)).size).toBe(dialects.length);
  expect(dialects.length).toBeGreaterThanOrEqual(14);
});

it.each(dialects)("every no of an export is kept: $product", async ({ csv, name, yes, no, settings = {} }) => {
  const team = await createTeam();
  const query = `?name=${name ?? "export.csv"}`;
  const { answer } = await importFile(team, csv, settings, query);
  expect(answer).toMatchObject({ state: "done", refused: 0 });
  expect(await subscribedIn(team)).toEqual(
    Object.fromEntries([...yes.map((one) => [one, true]), ...no.map((one) => [one, false])]),
  );
});

it.each(dialects)("no export starts with its answers ignored: $product", async ({ csv, name, no }) => {
  const team = await createTeam();
  const { json } = await file(`?name=${name ?? "export.csv"}`, csv);
  const email = json.columns.find((_: string, index: number) => json.preview[0][index].includes("@example.com"));
  const started = await team.admin("POST", `/imports/${json.id}/start`, { mapping: { [email]: "email" } });
  expect([started.status, started.json.code]).toEqual(no.length > 0 ? [400, "consent_ignored"] : [200, undefined]);
  const names = [...json.consent.map(({ column }: { column: string }) => column), ...(json.fileSaysNo ? [name] : [])];
  const ignored = await team.admin("POST", `/imports/${json.id}/start`, {
    mapping: { [email]: "email" },
    ignoreConsent: names,
  });
  expect(ignored.status).toBe(200);
});
