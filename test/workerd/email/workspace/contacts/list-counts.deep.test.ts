import { describe, expect, it } from "vitest";
import { FILL } from "../../../../../bench/fill.ts";
import { countLists, SLICE } from "../../../../../src/email/workspace/contacts/list-counts.ts";
import { HOUR_MS, isoOf } from "../../../../../src/lib/util/dates.ts";
import { admin, advance, arranged, createTeam } from "../../bench.ts";
import { counted } from "../counted.ts";

const arrangement = arranged(async () => {
  const team = await createTeam();
  const news = (await team.admin("POST", "/lists", { name: "News" })).json.id as string;
  const offers = (await team.admin("POST", "/lists", { name: "Offers" })).json.id as string;
  return { team, news, offers };
});

const counts = async (query = "") => {
  const { status, json, text } = await arrangement().team.admin("GET", `/lists/counts${query}`);
  expect(status, text).toBe(200);
  return json;
};

describe("the counts of mailing lists", () => {
  it("tell who gets mail from who has unsubscribed from all mail, and leave out who has left a list", async () => {
    const { team, news, offers } = arrangement();
    const join = (email: string, mailingLists: Record<string, boolean>, subscribed = true) =>
      team.put("/contacts/update", { email, mailingLists, subscribed });
    await join("a@example.com", { [news]: true });
    await join("b@example.com", { [news]: true, [offers]: true });
    await join("c@example.com", { [news]: true }, false);
    await join("d@example.com", { [news]: true });
    await join("d@example.com", { [news]: false });
    await join("e@example.com", {}, false);
    const { data, contacts, countedAt } = await counts();
    expect(data).toHaveLength(2);
    expect(data).toContainEqual({ id: news, subscribed: 2, unsubscribed: 1 });
    expect(data).toContainEqual({ id: offers, subscribed: 1, unsubscribed: 0 });
    expect([contacts, countedAt]).toEqual([{ subscribed: 3, unsubscribed: 2 }, isoOf(Date.now())]);
  });

  it("are kept for an hour, unless they are counted again", async () => {
    const { team, news } = arrangement();
    const subscribed = async (query?: string) =>
      (await counts(query)).data.find(({ id }: { id: string }) => id === news).subscribed;
    expect(await subscribed()).toBe(0);
    const { countedAt } = await counts();
    await team.put("/contacts/update", { email: "a@example.com", mailingLists: { [news]: true } });
    advance(HOUR_MS / 2);
    expect([await subscribed(), (await counts()).countedAt]).toEqual([0, countedAt]);
    expect(await subscribed("?recount=true")).toBe(1);
    await team.put("/contacts/update", { email: "b@example.com", mailingLists: { [news]: true } });
    expect(await subscribed()).toBe(1);
    advance(HOUR_MS);
    expect(await subscribed()).toBe(2);
  });

  it("show a list that was made after the count", async () => {
    await counts();
    const { json } = await arrangement().team.admin("POST", "/lists", { name: "New" });
    expect((await counts()).data).toContainEqual({ id: json.id, subscribed: 0, unsubscribed: 0 });
  });

  it("read a slice of the contacts at a time, let others in between, and write one row", async () => {
    const { team } = arrangement();
    await team.inside(async (real) => {
      real.exec(FILL, 0, 3 * SLICE - 1);
      const { sql, take } = counted(real);
      let turns = 0;
      const timer = setInterval(() => {
        turns += 1;
      }, 0);
      const { body } = await countLists({ sql, now: 1 }, { recount: false });
      clearInterval(timer);
      expect(body.contacts).toEqual({ subscribed: 3 * SLICE, unsubscribed: 0 });
      expect(turns).toBeGreaterThan(0);
      const { read, written } = take();
      expect(read).toBeLessThan(4 * 3 * SLICE);
      expect(written).toBe(1);
      await countLists({ sql, now: 2 }, { recount: false });
      expect(take().read).toBeLessThan(10);
    });
  });

  it("are refused for another recount, and 404 for a team that does not exist", async () => {
    const { status, json } = await arrangement().team.admin("GET", "/lists/counts?recount=yes");
    expect([status, json.code, json.path]).toEqual([400, "invalid_request", "recount"]);
    const ghost = await admin("GET", "/admin/teams/ghost/lists/counts");
    expect([ghost.status, ghost.json.code, ghost.json.path]).toEqual([404, "not_found", "team"]);
  });
});
