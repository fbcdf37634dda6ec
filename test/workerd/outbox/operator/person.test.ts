import { describe, expect, it } from "vitest";
import { adminOf } from "../admin.ts";
import { createBench, update } from "../setup.ts";

type Person = { identifiers: { kind: string; value: string; source?: string }[]; written: Record<string, string> };

describe("GET /admin/people", () => {
  it("shows all identifiers that are linked, with source and time, and when each value was written", async () => {
    const bench = await createBench();
    const ask = adminOf(bench);
    const at = Date.UTC(2026, 0, 31, 12);
    const { id } = await bench.accept({
      occurredAt: at,
      links: [{ userId: "user_1", email: "Ada@Example.com", ref: "stripe:cus_1" }],
      deliveries: [update({ userId: "user_1" }, { plan: "pro" })],
    });
    await bench.deliveries(id);
    const expected = {
      identifiers: [
        { kind: "email", value: "Ada@Example.com", learnedAt: "2026-01-31T12:00:00.000Z" },
        { kind: "ref", value: "cus_1", source: "stripe", learnedAt: "2026-01-31T12:00:00.000Z" },
        { kind: "userId", value: "user_1" },
      ],
      written: { plan: "2026-01-31T12:00:00.000Z" },
      seenAt: expect.any(String),
    };
    for (const query of ["email=ada@example.com", "userId=user_1", "ref=stripe:cus_1", "ref=cus_1"]) {
      const { status, json } = await ask<Person>("GET", `/people?${query}`);
      expect({ query, status, json }).toMatchObject({ query, status: 200, json: expected });
      expect(Object.keys(json.written)).toEqual(["plan"]);
    }
  });

  it("is refused for nobody, for two identifiers, and for a person whom no webhook has named", async () => {
    const ask = adminOf(await createBench());
    for (const query of ["", "?email=a@b.example&userId=1"])
      expect(await ask("GET", `/people${query}`)).toMatchObject({
        status: 400,
        json: { code: "invalid_request", message: expect.stringMatching(/Exactly one/) },
      });
    expect(await ask("GET", "/people?email=eve@example.com")).toMatchObject({
      status: 404,
      json: { code: "not_found", message: "No webhook has named this person." },
    });
  });
});
