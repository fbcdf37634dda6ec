import { expect, it } from "vitest";
import { groupOf, sendColumns } from "../../../src/dashboard/app/pages/overview/columns.ts";
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
  const columns = sendColumns(sends, { since: 0, until: 3 * HOUR, step: HOUR });
  expect(columns.map(({ counts }) => counts)).toEqual([{}, { sent: 5 }, { waiting: 1, failed: 4 }]);
  expect(sendStates.filter((state) => groupOf(state) === "failed")).toEqual([
    ...["bounced", "complained", "not_sent", "failed"],
  ]);
});
