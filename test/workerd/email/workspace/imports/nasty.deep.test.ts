import { expect, it } from "vitest";
import { arranged, createTeam } from "../../bench.ts";
import { importFile } from "./bench.ts";
import { nastyFiles } from "./files.ts";

const fixture = (name: string) => `../../../../fixtures/email/imports/${name}.txt`;

const prepared = arranged(async () => {
  const team = await createTeam();
  for (const [name, type] of [
    ["plan", "string"],
    ["score", "number"],
    ["vip", "boolean"],
    ["since", "date"],
  ]) {
    await team.post("/contacts/properties", { name, type });
  }
  const { json: list } = await team.admin("POST", "/lists", { name: "News" });
  await team.post("/contacts/create", { email: "ada@example.com", userId: "u-ada" });
  await team.put("/contacts/update", { userId: "u-bob" });
  await team.post("/contacts/create", { email: "left@example.com", mailingLists: { [list.id]: true } });
  await team.put("/contacts/update", {
    email: "left@example.com",
    subscribed: false,
    mailingLists: { [list.id]: false },
  });
  await team.admin("POST", "/suppressions", { email: "suppressed@example.com" });
  return team;
});

it("covers at least forty files", () => {
  expect(new Set(nastyFiles.map(({ name }) => name)).size).toBe(nastyFiles.length);
  expect(nastyFiles.length).toBeGreaterThanOrEqual(40);
});

it.each(nastyFiles)("a file gives a clear outcome: $name", async ({ name, body, query, mapping }) => {
  const team = prepared();
  const { answer, outcome } = await importFile(team, body, mapping ? { mapping } : {}, query ? `?${query}` : "");
  const contacts = await team.inside((sql) =>
    sql
      .exec<{ email: string; user_id: string; data: string }>(
        "SELECT email, user_id, json(data) AS data FROM contacts ORDER BY n",
      )
      .toArray()
      .map(({ email, user_id, data }) => ({ email, userId: user_id, ...JSON.parse(data) }))
      .map(({ optInStatus: _, lastName: _last, userGroup: _group, mailingLists, ...rest }) =>
        JSON.stringify({ ...rest, lists: Object.keys(mailingLists).length }),
      ),
  );
  const golden = outcome === "" ? `refused,${answer.code},"${answer.message}"\n` : outcome;
  const all = `${golden.replaceAll("\r\n", "\n")}\nContacts\n${contacts.slice(3).join("\n")}\n`;
  await expect(all).toMatchFileSnapshot(fixture(name));
  if (outcome === "")
    expect(
      (await team.admin("GET", "/imports")).json.data.filter(({ state }: { state: string }) => state !== "ready"),
    ).toEqual([]);
  else expect(outcome.trim().split("\r\n").length - 1).toBe(answer.rows);
});
