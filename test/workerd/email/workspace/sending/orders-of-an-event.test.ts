import { expect, it } from "vitest";
import { createTeam, isolated } from "../../bench.ts";
import { insert, pumped } from "../limits/pumped.ts";

isolated();

it("an event that has no order left claims no mail, and the next one goes on: no mail is claimed twice", async () => {
  const team = await createTeam({ samples: true });
  await team.inside(async (sql) => {
    insert(sql, 1, 300);
    const pump = pumped(sql, 1, 3);
    for (let event = 0; event < 10 && pump.given.length < 300; event += 1) {
      await (event === 0 ? pump.run() : pump.alarm());
      for (let order = 0; order < 3; order += 1) await pump.reportAll();
    }
    expect(new Set(pump.given.map(({ n }) => n)).size).toBe(300);
    expect(pump.given.filter(({ attempt }) => attempt > 1)).toEqual([]);
    expect(pump.given).toHaveLength(300);
    sql.exec("UPDATE sends SET mailer = NULL");
  });
});
