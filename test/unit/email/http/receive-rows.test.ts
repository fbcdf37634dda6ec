import { describe, expect, it } from "vitest";
import { receiveRows } from "../../../../src/email/http/imports/receive-rows.ts";
import type { UploadStep } from "../../../../src/email/types/upload-step.ts";

const upload = async (file: string, now?: () => number) => {
  const steps: UploadStep[] = [];
  const take = async (step: UploadStep) => {
    steps.push(step);
    return { status: 200 as const, body: { id: "imp_1" } };
  };
  const request = new Request("https://mail.test/", { method: "POST", body: file });
  const reply = await receiveRows(request, { name: "contacts.csv" }, take, now);
  return { reply, steps };
};
const rowsIn = (steps: readonly UploadStep[]): number =>
  steps.flatMap((step) => (step.step === "add" ? step.batches : [])).reduce((sum, { rows }) => sum + rows.length, 0);

describe("the upload of a CSV file", () => {
  it("of 10 MB makes a handful of calls, and loses no row", async () => {
    const row = `ada@example.com,${"x".repeat(84)}\n`;
    const { steps } = await upload(`email,note\n${row.repeat(100_000)}`);
    expect(rowsIn(steps)).toBe(100_000);
    expect(steps.at(-1)).toMatchObject({ step: "end", rows: 100_000 });
    // A file of 100 MB has ten times as many, and an event of the free plan 50.
    expect(steps.length).toBeLessThanOrEqual(5);
  });

  it("that takes longer than 25 s is refused before the platform ends the request, and leaves no import", async () => {
    let now = 0;
    const late = () => (now += 30_000);
    const { reply, steps } = await upload(`email\n${"ada@example.com\n".repeat(100_000)}`, late);
    expect(reply).toMatchObject({
      refusal: { code: "body_too_large", message: expect.stringContaining("within 25 s") },
    });
    expect(steps.at(-1)).toEqual({ step: "drop", importId: "imp_1" });
  });
});
