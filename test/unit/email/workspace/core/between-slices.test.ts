import { describe, expect, it } from "vitest";
import { createPause, inTime, MOST_SLICES } from "../../../../../src/email/workspace/core/between-slices.ts";

describe("a request that works in slices", () => {
  it("is refused after 2 000 of them, because the platform ends it after 30 s", async () => {
    let slices = 0;
    const count = async () => {
      const pause = createPause();
      for (;;) {
        slices += 1;
        await pause();
      }
    };
    expect(await inTime(count())).toMatchObject({ refusal: { code: "overloaded", retryAfter: 30 } });
    expect(slices).toBe(MOST_SLICES + 1);
  });

  it("passes on its answer and its own errors", async () => {
    expect(await inTime(Promise.resolve({ body: 1 }))).toEqual({ body: 1 });
    await expect(inTime(Promise.reject(new Error("no")))).rejects.toThrow("no");
  });
});
