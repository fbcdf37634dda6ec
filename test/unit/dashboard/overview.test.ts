import { expect, it } from "vitest";
import { groupOf, sendColumns } from "../../../src/dashboard/app/pages/overview/columns.ts";
import { runningText } from "../../../src/dashboard/app/pages/overview/running.ts";
import { sendStates } from "../../../src/lib/contract/admin/email/sends.ts";

const HOUR = 3_600_000;

it("mails are summed by hour and by what became of them; a state that is not known counts as failed", () => {
  const at = (hours: number) => new Date(hours * HOUR).toISOString();
  const sends = [
    { hour: at(1), state: "sent", count: 2 },
    { hour: at(1), state: "delivered", count: 3 },
    { hour: at(2), state: "queued", count: 1 },
    { hour: at(2), state: "bounced", count: 4 },
  ];
  const columns = sendColumns(sends, { since: 0, until: 3 * HOUR, step: HOUR, zone: "UTC" });
  expect(columns.map(({ counts }) => counts)).toEqual([{}, { sent: 5 }, { waiting: 1, failed: 4 }]);
  expect(sendStates.filter((state) => groupOf(state) === "failed")).toEqual([
    "bounced",
    "complained",
    "not_sent",
    "failed",
  ]);
});

it.each([
  [0, 0, "No campaign and no workflow runs."],
  [0, 1, "1 workflow runs."],
  [1, 0, "1 campaign runs."],
  [0, 3, "3 workflows run."],
  [1, 1, "1 campaign and 1 workflow run."],
  [2, 1_000, "2 campaigns and 1,000 workflows run."],
])("of %i campaigns and %i workflows it says: %s", (campaigns, workflows, text) => {
  expect(runningText({ campaigns, workflows })).toBe(text);
});
