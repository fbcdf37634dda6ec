import { expect, it } from "vitest";
import type { WorkerHandlers } from "../../../../src/email/http/admin/in-team.ts";
import { adminContract } from "../../../../src/lib/contract/admin/email.ts";
import { operationsOf } from "../../../../src/lib/contract/operation.ts";

it("an operation without a team compiles only with a handler in the Worker", () => {
  const ofNoTeam = [
    "about.get",
    "metrics.get",
    "alerts.list",
    "audit.list",
    "teams.list",
    "teams.create",
  ] as const satisfies (keyof WorkerHandlers)[];
  type Others = Omit<WorkerHandlers, (typeof ofNoTeam)[number]>;
  // @ts-expect-error: their handlers are missing
  const incomplete = (others: Others): WorkerHandlers => others;
  // @ts-expect-error: the object of the team answers it
  const name: keyof WorkerHandlers = "keys.list";
  expect([incomplete, name]).toHaveLength(2);
  const names = operationsOf(adminContract)
    .filter(({ operation }) => !operation.path.includes("{team}"))
    .map((found) => found.name);
  expect(names).toEqual(ofNoTeam);
});
