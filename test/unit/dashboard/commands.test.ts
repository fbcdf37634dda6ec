import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import {
  curlOf,
  curlOfEach,
  keyTestOf,
  programOf,
  programOfEach,
} from "../../../src/dashboard/app/parts/acts/commands.ts";

const table = {
  deliveries: {
    search: ["GET", "/deliveries", false],
    retry: ["POST", "/deliveries/{deliveryId}/retry", true],
    retryAll: ["POST", "/deliveries/retry", true],
  },
  contacts: { find: ["GET", "/contacts/find", false] },
} as const;

const argumentsIn = (command: string): string[] =>
  execFileSync("sh", ["-c", `curl() { printf '%s\\n' "$@"; }\n${command}`], {
    env: {
      ...process.env,
      ADMIN_TOKEN: "token",
      BRIDGE_URL: "https://bridge.example.com",
      DASHBOARD_URL: "https://dashboard.example.com",
    },
    encoding: "utf8",
  })
    .trim()
    .split("\n");

describe("an operation to copy", () => {
  it("is a curl command with the fields in its address", () => {
    const command = curlOf(table, {
      api: "bridge",
      name: "deliveries.search",
      fields: { rule: "Ada's & more", state: "" },
    });
    expect(argumentsIn(command)).toEqual([
      "-H",
      "@-",
      "https://bridge.example.com/admin/deliveries?rule=Ada%27s+%26+more",
    ]);
  });

  it("is a curl command with the fields in its body, whatever quotes they have", () => {
    const fields = { rule: `it's "$HOME" \`id\``, dryRun: true };
    const words = argumentsIn(curlOf(table, { api: "bridge", name: "deliveries.retryAll", fields }));
    expect(words.slice(0, 6)).toEqual(["-H", "@-", "-X", "POST", "-H", "Content-Type: application/json"]);
    expect(JSON.parse(words[7] ?? "")).toEqual(fields);
    expect(words[8]).toBe("https://bridge.example.com/admin/deliveries/retry");
  });

  it("never holds the token", () => {
    expect(curlOf(table, { api: "bridge", name: "deliveries.retry", fields: { deliveryId: "wh_1.0" } })).toMatch(
      /^printf 'Authorization: Bearer %s' "\$ADMIN_TOKEN" \|/,
    );
  });

  it("is a program with fetch, or with the published client", () => {
    expect(programOf(table, { api: "bridge", name: "deliveries.retry", fields: { deliveryId: "wh_1.0" } })).toBe(
      `await fetch(process.env.BRIDGE_URL + "/admin/deliveries/wh_1.0/retry", {
  method: "POST",
  headers: { Authorization: "Bearer " + process.env.ADMIN_TOKEN, "Content-Type": "application/json" },
  body: JSON.stringify({}),
});`,
    );
    expect(programOf(table, { api: "v1", name: "contacts.find", fields: { email: "ada@example.com" } })).toContain(
      'await api.contacts.find({"email":"ada@example.com"});',
    );
  });

  it("of the dashboard's own API opens a session first, and asks from its origin", () => {
    const own = { sessions: { delete: ["DELETE", "/sessions", false] } } as const;
    const asked = { api: "dashboard", name: "sessions.delete" } as const;
    const words = argumentsIn(curlOf(own, asked));
    expect(words).toContain("https://dashboard.example.com/api/session");
    expect(words.slice(words.indexOf("--next"))).toEqual([
      "--next",
      "-b",
      "",
      "-X",
      "DELETE",
      "-H",
      "X-Mailspan: 1",
      "-H",
      "Origin: https://dashboard.example.com",
      "https://dashboard.example.com/api/sessions",
    ]);
    expect(words.join(" ")).not.toContain("token");
    expect(programOf(own, asked)).toContain("headers: { ...headers, Cookie }");
  });

  it("for each delivery of a list asks once for each that is in the state", () => {
    const given = {
      list: { api: "bridge", name: "deliveries.search", fields: { rule: "it's" } },
      state: "failed",
      each: "deliveries.retry",
      parameter: "deliveryId",
    } as const;
    const answer = JSON.stringify({
      data: [
        { id: "wh_1.0", state: "failed" },
        { id: "wh_2.0", state: "undecided" },
      ],
    });
    const asked = execFileSync(
      "sh",
      ["-c", `curl() { echo "$@" >&3; echo "$ANSWER"; }\n{ ${curlOfEach(table, given)}; } 3>&1 >/dev/null`],
      {
        env: { ...process.env, ANSWER: answer, ADMIN_TOKEN: "token", BRIDGE_URL: "https://bridge.example.com" },
        encoding: "utf8",
      },
    );
    expect(asked.trim().split("\n")).toEqual([
      "-sS -H @- https://bridge.example.com/admin/deliveries?rule=it%27s&limit=100",
      "-sS -H @- -X POST -H Content-Type: application/json -d {} https://bridge.example.com/admin/deliveries/wh_1.0/retry",
    ]);
    expect(programOfEach(table, given)).toContain(`state === "failed"`);
  });

  it("tests an API key that is typed, so that it is in no command line", () => {
    const stubs = `stty() { :; }\ncurl() { cat >&2; printf '%s\\n' "$@" >&2; }\n`;
    const test = (url: string | undefined) =>
      execFileSync("sh", ["-c", `{ ${stubs}${keyTestOf(url)}; } 2>&1 >/dev/null`], {
        env: { ...process.env, EMAIL_URL: "http://localhost:3001" },
        input: "key_secret\n",
        encoding: "utf8",
      });
    const sent = "Authorization: Bearer key_secret-H\n@-\n";
    expect(test("http://127.0.0.1:3001")).toBe(`${sent}http://127.0.0.1:3001/v1/api-key\n`);
    expect(test(undefined)).toBe(`${sent}http://localhost:3001/v1/api-key\n`);
  });

  it("has to be in the contract", () => {
    expect(() => curlOf(table, { api: "bridge", name: "deliveries.lose" })).toThrow("no operation deliveries.lose");
  });
});
