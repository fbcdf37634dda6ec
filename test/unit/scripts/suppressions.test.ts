import { expect, it } from "vitest";
import { UsageError } from "../../../scripts/lib/cli.ts";
import { parse } from "../../../scripts/lib/command.ts";
import type { Admin } from "../../../scripts/lib/team-service.ts";
import { run } from "../../../scripts/suppressions/run.ts";
import { SUPPRESSIONS } from "../../../scripts/suppressions/usage.ts";

type Asked = [method: string, path: string, body?: object];

const told = (line: string[], answers: readonly object[]) => {
  const asked: Asked[] = [];
  const admin: Admin = async <T>(...request: Asked) => {
    asked.push(request);
    return answers[asked.length - 1] as T;
  };
  return run(parse(SUPPRESSIONS, line), admin).then((text) => ({ text, asked }));
};

const wave = (changes: object = {}) => ({
  id: "wav_5",
  destination: "gd.example",
  cause: "550 unknown",
  meaning: "gd.example said of 80 addresses …",
  since: "2026-03-02T12:00:00.000Z",
  mails: 80,
  campaigns: [{ id: "cmp_1", name: "News" }],
  decision: null,
  decisionAt: null,
  changed: 0,
  leftOut: {},
  done: true,
  ...changes,
});

it("lists the waves of all pages, with their campaigns and the command of a decision", async () => {
  const pages = [
    { data: [wave()], next: "c1" },
    { data: [wave({ id: "wav_4", decision: "keep", campaigns: [] })], next: null },
  ];
  const { text, asked } = await told([], pages);
  expect(asked.map(([, path]) => path)).toEqual(["waves?perPage=50", "waves?perPage=50&cursor=c1"]);
  expect(text).toContain("It holds the campaign News (cmp_1).");
  expect(text.match(/npm run suppressions -- decide \S+/g)).toEqual(["npm run suppressions -- decide wav_5"]);
  expect((await told(["waves"], [{ data: [], next: null }])).text).toBe("There was no wave in the last 30 days.");
});

it("decides about a wave, and knows the decisions", async () => {
  const { text, asked } = await told(
    ["decide", "wav_5", "resend"],
    [wave({ meaning: "The decision: they are good." })],
  );
  expect(asked).toEqual([["POST", "waves/wav_5/decide", { decision: "resend" }]]);
  expect(text).toBe("The decision: they are good.");
  await expect(told(["decide", "wav_5", "forget"], [])).rejects.toThrow(UsageError);
});

it("counts what it would lift, slice by slice, and lifts it with --yes", async () => {
  const slices = (dryRun: boolean) => [
    { dryRun, lifted: 3, next: "c1" },
    { dryRun, lifted: 1, next: null },
  ];
  const line = ["lift", "--cause", "too many", "--since", "2026-03-02"];
  const dry = await told(line, slices(true));
  expect(dry.text).toBe("4 suppressions would be removed. To remove them, add --yes.");
  expect(dry.asked[1]).toEqual([
    "POST",
    "suppressions/lift",
    { cause: "too many", since: "2026-03-02", dryRun: true, cursor: "c1" },
  ]);
  const done = await told([...line, "--yes"], slices(false));
  expect(done.text).toBe("4 suppressions removed: mail to these addresses is sent again.");
  expect(JSON.parse((await told([...line, "--json"], slices(true))).text)).toEqual({ dryRun: true, lifted: 4 });
});
