import { describe, expect, it, vi } from "vitest";
import { createBench, mail } from "../setup.ts";

const ada = { email: "ada@example.com" };

describe("a journal that grows past its bound", () => {
  it("deletes the oldest bodies first, logs it, and keeps the state of every call", async () => {
    let megabytes = 50;
    const bench = await createBench(({ env }) => ({
      env: {
        ...env,
        get MAX_JOURNAL_MB() {
          return megabytes;
        },
      },
    }));
    const raw = JSON.stringify({ padding: "x".repeat(200_000) });
    const ids = [];
    for (let n = 0; n < 12; n++) {
      const { id } = await bench.accept({ raw, calls: n === 0 ? [mail(ada)] : [] });
      ids.push(id);
    }
    await bench.calls(ids[0] ?? "");
    bench.host.before = () => "hang";
    const open = await bench.accept({ raw, calls: [mail(ada)] });
    await bench.ring();
    expect((await bench.webhook(ids[0] ?? "")).body).toBe(raw);

    megabytes = 0.3;
    const lines = vi.spyOn(console, "log");
    await bench.ring();
    expect(lines.mock.calls.flat().join("\n")).toContain('"bodies_purged"');
    lines.mockRestore();
    const bodies = await Promise.all(ids.map(async (id) => (await bench.webhook(id)).body));
    expect(new Set(bodies)).toEqual(new Set([""]));
    expect((await bench.webhook(open.id)).body).toBe(raw);
    expect((await bench.webhook(ids[0] ?? "")).calls).toMatchObject([{ state: "done" }]);
  });
});
