import { describe, expect, it } from "vitest";
import { visitorOf } from "../../../../../src/email/mail/tracking/classify.ts";
import { SCANNERS } from "../../../../fixtures/email/scanners.ts";
import { threadTime } from "../../../../thread-time.ts";

const visitor = (what: "open" | "click", agent: string, headers: Record<string, string> = {}, method = "GET") => {
  const all = new Map(Object.entries({ "user-agent": agent, "sec-fetch-mode": "navigate", ...headers }));
  return visitorOf({ what, method, isHttps: true, headers: (name) => all.get(name) });
};

const EDGE = SCANNERS["Microsoft Defender"];
const WEBVIEW =
  "Mozilla/5.0 (Linux; Android 14; SM-S918B; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/125.0.0.0 Mobile Safari/537.36";

const PEOPLE = [
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15",
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148",
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36",
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:127.0) Gecko/20100101 Firefox/127.0",
  "Mozilla/5.0 (X11; Linux x86_64; rv:115.0) Gecko/20100101 Thunderbird/115.12.0",
  "Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 10.0; WOW64; Trident/7.0; Microsoft Outlook 16.0.17628; ms-office)",
  "Outlook-iOS/729.2421.0",
  "Mozilla/5.0 (Linux; Android 14; SM-S918B) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/125.0.0.0 Mobile Safari/537.36",
  // A model with these letters in its name is no robot.
  "Mozilla/5.0 (Linux; Android 12; CUBOT NOTE 50) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/125.0.0.0 Mobile Safari/537.36",
];

describe("a visitor", () => {
  it.each(PEOPLE)("with the program of a person is human: %s", (agent) => {
    expect([visitor("open", agent), visitor("click", agent)]).toEqual(["human", "human"]);
  });

  it.each(Object.entries(SCANNERS).filter(([name]) => !/Defender|Google|Yahoo/.test(name)))(
    "that says its name is a scanner: %s",
    (_name, agent) => {
      expect([visitor("open", agent), visitor("click", agent)]).toEqual(["scanner", "scanner"]);
    },
  );

  it.each([
    "curl/8.5.0",
    "python-requests/2.32.3",
    "Go-http-client/2.0",
    "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/120.0.0.0 Safari/537.36",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Microsoft Office Existence Discovery",
    "WhatsApp/2.23.20.0",
    SCANNERS.Google.replace(
      /.*/,
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/42.0.2311.135 Safari/537.36 Edge/12.246 Mozilla/5.0",
    ),
    "",
    "   ",
  ])("is a scanner: %j", (agent) => {
    expect([visitor("open", agent), visitor("click", agent)]).toEqual(["scanner", "scanner"]);
  });

  it.each([
    [EDGE, true, "scanner"],
    [EDGE, false, "human"],
    [EDGE.replaceAll("120.", "79."), true, "human"],
    [WEBVIEW, true, "human"],
    [PEOPLE[4] ?? "", true, "human"],
  ])(
    "without the headers of a browser is a scanner if it says that it is a newer Chromium: %s, HTTPS %s",
    (agent, isHttps, expected) => {
      const headers = (name: string) => (name === "user-agent" ? agent : undefined);
      for (const what of ["open", "click"] as const)
        expect(visitorOf({ what, method: "GET", isHttps, headers })).toBe(expected);
    },
  );

  it("that is a proxy of pictures reads for a person, loads ahead, or clicks as no person does", () => {
    expect(visitor("open", SCANNERS.Google)).toBe("proxy");
    expect(visitor("open", SCANNERS.Yahoo)).toBe("proxy");
    expect(visitor("open", "Mozilla/5.0")).toBe("prefetch");
    for (const agent of [SCANNERS.Google, SCANNERS.Yahoo, "Mozilla/5.0"])
      expect(visitor("click", agent)).toBe("scanner");
  });

  it.each<[Record<string, string>, string]>([
    [{}, "HEAD"],
    [{ "sec-purpose": "prefetch;prerender" }, "GET"],
    [{ purpose: "prefetch" }, "GET"],
    [{ "x-purpose": "preview" }, "GET"],
    [{ "x-moz": "prefetch" }, "GET"],
  ])("with the browser of a person that nobody asked to load is a scanner: %j %s", (headers, method) => {
    expect(visitor("click", PEOPLE[0] ?? "", headers, method)).toBe("scanner");
    expect(visitor("open", SCANNERS.Google, headers, method)).toBe("scanner");
  });

  it("with a very long name is judged fast", () => {
    expect(threadTime(() => visitor("click", `Mozilla/5.0 (${"bot ".repeat(100_000)}`))).toBeLessThan(50);
  });
});
