import { request } from "node:http";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { build } from "../../../../scripts/email/build.ts";
import { isLocal, type Preview, servePreview } from "../../../../scripts/email/serve.ts";
import { makeFolder } from "./folder.ts";

const folder = makeFolder({ "a.lmx": "<H1>Hello</H1>", "b.lmx": "<H1>Bye</H1>", "c.lmx": "<H9>" });
const mail = (name: string) => build(join(folder.path, name), name);
const open: Preview[] = [];
/** At any free port: connections to a closed server at the same port would be used again. */
const serve = async (name = "a.lmx", port: number | undefined = 0) => {
  const preview = await servePreview(mail(name), port);
  open.push(preview);
  return preview;
};
afterEach(async () => {
  for (const preview of open.splice(0)) await preview.close();
});

const statusFor = (url: string, host: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    request(url, { headers: { Host: host } }, (response) => resolve(response.resume().statusCode))
      .once("error", reject)
      .end();
  });

describe("the page's server", () => {
  it("answers with a policy under which only its own script and style run, each time with another nonce", async () => {
    const { url } = await serve();
    const answers = await Promise.all([fetch(url), fetch(url)]);
    const policies = answers.map(({ headers }) => headers.get("Content-Security-Policy") ?? "");
    expect(new Set(policies).size).toBe(2);
    for (const policy of policies) {
      expect(policy).toMatch(/^default-src 'none'; script-src 'nonce-[\w+/]{22}=='; style-src 'nonce-[\w+/]{22}=='; /);
      expect(policy).not.toMatch(/unsafe|https?:|\*/);
    }
    expect(answers[0]?.headers.get("Cache-Control")).toBe("no-store");
  });

  it("answers with the mail under a policy without scripts, in a sandbox", async () => {
    const { url } = await serve();
    for (const scheme of ["light", "dark"]) {
      const response = await fetch(`${url}mail/${scheme}.html`);
      const policy = response.headers.get("Content-Security-Policy") ?? "";
      expect(policy).toContain("default-src 'none'");
      expect(policy).toMatch(/; sandbox(;|$)/);
      expect(policy).not.toContain("script-src");
      expect(await response.text()).toContain("Hello");
    }
  });

  it.each([
    ["127.0.0.1:8790", true],
    ["localhost", true],
    ["LOCALHOST:1", true],
    ["[::1]:8790", true],
    ["evil.example", false],
    ["localhost.evil.example:8790", false],
    ["127.0.0.1.evil.example", false],
    ["192.168.0.1:8790", false],
    [undefined, false],
    ["", false],
  ])("with the Host %j answers: %j", (host, answers) => {
    expect(isLocal(host)).toBe(answers);
  });

  it("answers 403 under another Host, on every path", async () => {
    const { url } = await serve();
    for (const path of ["", "mail/light.html", "events", "x"])
      expect(await statusFor(url + path, "evil.example")).toBe(403);
    expect(await statusFor(url, "localhost:1")).toBe(200);
  });

  it("answers 404 to other paths, and 405 to other methods", async () => {
    const { url } = await serve("c.lmx");
    for (const path of ["x", "mail/blue.html", "mail/light.html", "%00", "../a.lmx"])
      expect([path, (await fetch(url + path)).status]).toEqual([path, 404]);
    const posted = await fetch(url, { method: "POST" });
    expect([posted.status, posted.headers.get("Allow")]).toEqual([405, "GET, HEAD"]);
  });

  it("announces its version at once and after each change, and shows the change", async () => {
    const preview = await serve();
    const { body } = await fetch(`${preview.url}events`);
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
    const first = await reader?.read();
    preview.show(mail("b.lmx"));
    const second = await reader?.read();
    for (const one of [first, second]) expect(one?.value).toMatch(/^data: [\w-]{16}\n\n$/);
    expect(second?.value).not.toBe(first?.value);
    const page = await (await fetch(preview.url)).text();
    expect(page).toContain(`data-version="${second?.value?.slice(6).trim()}"`);
    expect(page).toContain("Bye");
  });

  it("takes the next free port, and says so where the port that was asked for is in use", async () => {
    const [one, two] = [await servePreview(mail("a.lmx"), undefined), await servePreview(mail("a.lmx"), undefined)];
    open.push(one, two);
    const port = Number(new URL(one.url).port);
    expect(port).toBeGreaterThanOrEqual(8790);
    expect(Number(new URL(two.url).port)).toBeGreaterThan(port);
    await expect(serve("a.lmx", port)).rejects.toThrow(`Port ${port} is in use. Choose another one with --port.`);
  });
});
