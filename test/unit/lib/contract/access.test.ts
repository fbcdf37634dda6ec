import { expect, it } from "vitest";
import * as z from "zod";
import { operations } from "../../../../src/dashboard/worker/routes.ts";
import {
  act,
  type Contract,
  type Operation,
  operationsOf,
  question,
  read,
} from "../../../../src/lib/contract/operation.ts";

const common = { path: "/x", summary: "", request: z.object({}), response: z.object({}), status: 200 } as const;
const rest = { ...common, refusals: [], example: {} } as const;

it("compiles no operation without a role or an effect, a GET included", () => {
  const things = {
    // @ts-expect-error: needs is missing
    get: { ...rest, method: "GET", effect: "read" } satisfies Operation,
    // @ts-expect-error: effect is missing
    list: { ...rest, method: "GET", needs: "viewer" } satisfies Operation,
    // @ts-expect-error: only a GET reads
    post: { ...rest, method: "POST", effect: "read", needs: "viewer" } satisfies Operation,
    // @ts-expect-error: the role is missing
    read: read(rest),
    // @ts-expect-error: there is no such role
    ask: question("guest", rest),
    // @ts-expect-error: only an act can be dangerous
    find: read("viewer", { ...rest, danger: true }),
    // @ts-expect-error: only an act has a dry run
    test: question("viewer", { ...rest, dryRun: true }),
    // @ts-expect-error: a GET changes nothing
    remove: act("owner", { ...rest, method: "GET", danger: false }),
    // @ts-expect-error: danger is missing
    erase: act("owner", { ...rest, method: "DELETE" }),
    // @ts-expect-error: danger is missing
    end: { ...rest, method: "DELETE", effect: "act", needs: "owner" } satisfies Operation,
    // @ts-expect-error: only an act can be dangerous
    show: { ...rest, method: "GET", effect: "read", needs: "viewer", danger: true } satisfies Operation,
    good: act("owner", { ...rest, method: "DELETE", danger: true }),
  };
  expect(operationsOf({ things: { good: things.good } } satisfies Contract)).toEqual([
    { name: "things.good", operation: { ...rest, method: "DELETE", danger: true, effect: "act", needs: "owner" } },
  ]);
});

it("gives every operation the role, effect, danger and dry run of the table", async () => {
  const rows = [...operations].map(([name, { method, needs, effect, danger, dryRun, part }]) => {
    const dangerous = !danger ? "" : danger === true ? "dangerous" : "dangerous by its request";
    const dry = dryRun === undefined ? "" : dryRun ? "dry run unless dryRun is false" : "dry run with dryRun";
    const apart = part ? `?${part.name}: ${part.needs}` : "";
    return [name, method, effect, needs, ...[dangerous, dry, apart].filter((text) => text !== "")].join(" | ");
  });
  await expect(`${rows.toSorted().join("\n")}\n`).toMatchFileSnapshot("./operations.txt");
});
