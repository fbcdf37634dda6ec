import { afterEach, describe, expect, it, vi } from "vitest";
import { createPause, inTime } from "../../../../../src/email/workspace/core/between-slices.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

describe("a request that works in slices", () => {
  it("is refused after 12 s, because the platform ends it after 30 s", async () => {
    let now = 1_000_000;
    vi.spyOn(Date, "now").mockImplementation(() => now);
    let slices = 0;
    const count = async () => {
      const pause = createPause();
      for (;;) {
        slices += 1;
        now += 1_000;
        await pause();
      }
    };
    expect(await inTime(count())).toMatchObject({ refusal: { code: "overloaded", retryAfter: 30 } });
    expect(slices).toBe(13);
  });

  it("passes on its answer and its own errors", async () => {
    expect(await inTime(Promise.resolve({ body: 1 }))).toEqual({ body: 1 });
    await expect(inTime(Promise.reject(new Error("no")))).rejects.toThrow("no");
  });
});
