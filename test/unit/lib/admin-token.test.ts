import { describe, expect, it } from "vitest";
import { refusalOfToken, tokenProblem } from "../../../src/lib/admin-token/admin-token.ts";
import { createTokenWatch, createWrongTokens } from "../../../src/lib/admin-token/wrong-tokens.ts";

const TOKEN = "the-admin-token-of-the-test";
const from = (address: string, token = "wrong") =>
  new Request("https://bridge.test/admin/status", {
    headers: { Authorization: `Bearer ${token}`, "CF-Connecting-IP": address },
  });

describe("ADMIN_TOKEN", () => {
  it("needs 24 characters, and a shorter one admits no one", async () => {
    expect(tokenProblem("x".repeat(24))).toBeUndefined();
    expect(tokenProblem("x".repeat(23))).toContain("fewer than 24 characters");
    const short = "x".repeat(23);
    expect(await refusalOfToken(from("192.0.2.1", short), short)).toMatchObject({
      refusal: { code: "admin_token_unusable" },
      isWrong: false,
    });
  });

  it("admits the right one, and counts only another one as wrong", async () => {
    expect(await refusalOfToken(from("192.0.2.1", TOKEN), TOKEN)).toBeUndefined();
    expect(await refusalOfToken(from("192.0.2.1"), TOKEN)).toMatchObject({ isWrong: true });
    expect(await refusalOfToken(from("192.0.2.1"), "")).toMatchObject({
      refusal: { code: "invalid_api_key" },
      isWrong: true,
    });
    expect(await refusalOfToken(new Request("https://bridge.test/"), TOKEN)).toMatchObject({ isWrong: false });
  });
});

describe("wrong tokens", () => {
  const told = (requests: readonly [at: number, address: string][], isolates = 1) => {
    const counts = Array.from({ length: isolates }, createWrongTokens);
    const watch = createTokenWatch();
    let reports = 0;
    let counted = 0;
    const alerts = requests.flatMap(([at, address], n) => {
      const report = counts[n % isolates]?.add(from(address), at) ?? [];
      reports += report.length > 0 ? 1 : 0;
      for (const { count } of report) counted += count;
      return watch(report);
    });
    return { alerts, reports, counted };
  };
  const many = (count: number, address: (n: number) => string, gap = 100) =>
    Array.from({ length: count }, (_, n): [number, string] => [n * gap, address(n)]);

  it("of one address raise an alert at the twentieth within a minute", () => {
    expect(told(many(19, () => "192.0.2.1")).alerts).toEqual([]);
    const { alerts } = told(many(20, () => "192.0.2.1"));
    expect(alerts).toMatchObject([{ subject: "192.0.2.1", data: { refused: 20 } }]);
  });

  it("of one network of IPv6 are of one address", () => {
    const { alerts } = told(many(20, (n) => `2001:db8:1:2::${n}`));
    expect(alerts).toMatchObject([{ subject: "2001:db8:1:2::/64" }]);
  });

  it("of twenty addresses, or over several minutes, raise none", () => {
    expect(told(many(200, (n) => `192.0.2.${n % 20}`, 200)).alerts).toEqual([]);
    expect(told(many(60, () => "192.0.2.1", 4_000)).alerts).toEqual([]);
  });

  it("ask the object for little in a flood, and lose at most those of the last seconds", () => {
    const { reports, counted } = told(many(10_000, () => "192.0.2.1", 1));
    expect(reports).toBeLessThanOrEqual(4);
    expect(counted).toBeGreaterThan(4_900);
  });

  it("of many addresses take a bounded memory, and one among them is still found", () => {
    const requests = [...many(5_000, (n) => `10.0.${n >> 8}.${n & 255}`, 1), ...many(20, () => "10.0.0.1", 1)];
    expect(told(requests).alerts.length).toBeGreaterThan(0);
  });
});
