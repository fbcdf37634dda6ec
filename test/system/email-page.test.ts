import { type ChildProcess, spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { hasBrowser, launchBrowser } from "./browser.ts";

const root = join(import.meta.dirname, "..", "..");

const MAIL = `---
subject: Receipt for {data.amount}
previewText: Thank you
fromName: Acme
fromEmail: billing
theme: calm
data.amount: $49.00
---
<H1>Thank you</H1>
<Paragraph>You paid {data.amount}. <Link href="https://acme.example/">Open</Link></Paragraph>
<Component componentId="footer"/>
`;

let folder = "";
const write = (name: string, text: string) => {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
};
const theme = (color: string) => JSON.stringify({ name: "Calm", styles: { bodyColor: color } });
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "mailspan-email-"));
  write("receipt.lmx", MAIL);
  write("themes/calm.json", theme("#ffeeee"));
  write("components/footer.lmx", "<Paragraph>Acme Ltd</Paragraph>");
});

const children: ChildProcess[] = [];
afterEach(() => {
  // The whole group: npm, its shell and node.
  for (const { pid, exitCode, signalCode } of children.splice(0))
    if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, "SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

const NPM = ["npm", "run", "--silent", "email", "--"] as const;
/** What npm runs. npm itself ends with the signal that it gets. */
const NODE = [join(root, "node_modules", ".bin", "node"), "scripts/email.ts"] as const;

/** Runs the command in its own process group, without a terminal. */
const email = (args: readonly string[], { cwd = root, by = NPM as typeof NPM | typeof NODE } = {}) => {
  const [command, ...first] = by;
  const child = spawn(command, [...first, ...args], { cwd, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  children.push(child);
  let text = "";
  let look = () => {};
  const hear = (chunk: Buffer) => {
    text += chunk.toString();
    look();
  };
  child.stdout?.on("data", hear);
  child.stderr?.on("data", hear);
  const code = new Promise<number | null>((resolve) => child.once("close", resolve));
  /** Resolves when the output has the text. */
  const prints = (wanted: RegExp): Promise<RegExpExecArray> =>
    new Promise((resolve, reject) => {
      look = () => {
        const found = wanted.exec(text);
        if (found !== null) resolve(found);
      };
      look();
      code.then((ended) => reject(new Error(`ended with ${ended}:\n${text}`)));
    });
  const interrupt = () => {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGINT");
    return code;
  };
  return { code, prints, interrupt, output: () => text };
};

const ended = async (...run: Parameters<typeof email>) => {
  const { code, output } = email(...run);
  return { code: await code, output: output() };
};

/** Starts the page of a file at any free port. */
const openPage = async (...args: string[]) => {
  const running = email([join(folder, "receipt.lmx"), "--port", "0", ...args], { by: NODE });
  const [, url = ""] = await running.prints(/(http:\/\/127\.0\.0\.1:\d+\/)/);
  return { ...running, url };
};

/** The versions that the page's server announces. */
const versionsOf = async (url: string) => {
  const { body } = await fetch(`${url}events`);
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  return async (): Promise<string> => {
    const { value, done } = (await reader?.read()) ?? { done: true };
    if (done) throw new Error("The server closed the connection.");
    return value ?? "";
  };
};
const page = async (url: string, path = ""): Promise<string> => (await fetch(url + path)).text();

describe("npm run email", () => {
  it("shows a file, then each save of it, of its theme and of its components, until Ctrl-C", async () => {
    const { url, interrupt, prints, output } = await openPage();
    expect(await page(url)).toContain("Receipt for $49.00");
    const next = await versionsOf(url);
    const seen = [await next()];
    const saved = async (): Promise<string> => {
      seen.push(await next());
      return page(url, "mail/light.html");
    };

    write("receipt.lmx", MAIL.replace("Thank you</H1>", "Thanks a lot</H1>"));
    expect(await saved()).toContain("Thanks a lot</h1>");
    // Most editors put a new file in the place of the old one.
    write("receipt.new", MAIL.replace("Thank you</H1>", "Many thanks</H1>"));
    renameSync(join(folder, "receipt.new"), join(folder, "receipt.lmx"));
    expect(await saved()).toContain("Many thanks</h1>");
    write("themes/calm.json", theme("#eeeeff"));
    expect(await saved()).toContain("#eeeeff");
    write("components/footer.lmx", "<Paragraph>Acme Inc</Paragraph>");
    expect(await saved()).toContain("Acme Inc");
    rmSync(join(folder, "components/footer.lmx"));
    await saved();
    expect(await page(url)).toContain("There is no component footer");
    write("components/footer.lmx", "<Paragraph>Acme again</Paragraph>");
    expect(await saved()).toContain("Acme again");
    expect(new Set(seen).size).toBe(seen.length);

    write("receipt.lmx", MAIL.replace(/H1>/g, "H9>"));
    seen.push(await next());
    await prints(
      /receipt\.lmx:9:1 error unknown_tag: Unknown tag <H9>\n 9 \| <H9>Thank you<\/H9>\n {3}\| \^\^\^\n {2}fix: /,
    );
    const broken = await page(url);
    expect(broken).toContain("Unknown tag &lt;H9&gt;");
    expect(broken).not.toContain("<iframe");
    write("receipt.lmx", MAIL);
    expect(await saved()).toContain("Thank you</h1>");
    expect(await interrupt()).toBe(0);
    expect(output()).not.toContain("\u001b[");
  });

  it("shows values of the command line and of a file, and its changes", async () => {
    write("values.json", '{ "data": { "amount": "€1.00" } }');
    const { url } = await openPage("--data", join(folder, "values.json"), "--theme", "bold");
    expect(await page(url)).toContain("There is no theme bold");
    const next = await versionsOf(url);
    await next();
    write("themes/bold.json", theme("#112233"));
    await next();
    expect(await page(url)).toContain("Receipt for €1.00");
    expect(await page(url, "mail/dark.html")).toContain("#112233");
    write("values.json", "{");
    await next();
    expect(await page(url)).toContain("The file is not JSON");
  });

  it("without a terminal only checks: exit 0, or 1 with every error at its place", async () => {
    expect(await ended([join(folder, "receipt.lmx")])).toEqual({ code: 0, output: "✓ 1 mail, no problems\n" });
    write("bad.lmx", MAIL.replace("<Paragraph>You", "<Paragaph>You").replace("calm", "clam"));
    write("sub/empty.lmx", "");
    const { code, output } = await ended(["--check", folder]);
    expect(code).toBe(1);
    expect(output.replaceAll(`${folder}/`, "")).toMatchInlineSnapshot(`
      "bad.lmx:6:8 error unknown_theme: There is no theme clam
       6 | theme: clam
         |        ^^^^
        fix: did you mean calm? Or make the file themes/clam.json beside the mail

      bad.lmx:10:1 error unclosed_tag: <Paragaph> is never closed
       10 | <Paragaph>You paid {data.amount}. <Link href="https://acme.example/">Open</Link></Paragraph>
          | ^^^^^^^^^
        fix: add </Paragaph>

      bad.lmx:10:81 error mismatched_tag: </Paragraph> does not match <Paragaph>
       10 | <Paragaph>You paid {data.amount}. <Link href="https://acme.example/">Open</Link></Paragraph>
          |                                                                                 ^^^^^^^^^^^
        fix: close <Paragaph> of line 10 with </Paragaph> first

      sub/empty.lmx:1:1 error empty_file: The file is empty
        fix: write LMX, such as <Paragraph>Hello</Paragraph>

      ✗ 3 mails, 4 errors
      "
    `);
  });

  it("checks the sample templates, also from another folder", async () => {
    expect(await ended(["--check", "../src/email/samples"], { cwd: join(root, "docs") })).toEqual({
      code: 0,
      output: "✓ 9 mails, no problems\n",
    });
  });

  it("writes the HTML and the text of each mail, and none of a mail with an error", async () => {
    write("sub/bad.lmx", "<H9>");
    write("sub/good.lmx", MAIL.replace("theme: calm\n", "").replace(/<Component.*/, ""));
    const out = join(folder, "out");
    const { code, output } = await ended([folder, "--out", out]);
    expect(code).toBe(1);
    expect(output).toContain(`✗ 2 of 3 mails written to ${out}`);
    expect(readdirSync(out, { recursive: true }).sort()).toEqual([
      "receipt.html",
      "receipt.txt",
      "sub",
      "sub/good.html",
      "sub/good.txt",
    ]);
    expect(readFileSync(join(out, "receipt.txt"), "utf8")).toContain("You paid $49.00.");
    expect(readFileSync(join(out, "receipt.html"), "utf8")).toContain("<!doctype html>");
  });

  it.each<[string, string[], string]>([
    ["no file", [], "Which file? Example: npm run email -- src/email/samples/receipt.lmx"],
    ["a file that does not exist", ["no.lmx", "--port", "0"], "no.lmx:1:1 error no_file: There is no such file"],
    ["a folder", ["docs", "--port", "0"], "fix: name a file in it, or check all: npm run email -- --check docs"],
    ["a folder without mails", ["--check", "docs"], "docs:1:1 error no_mails: The folder has no .lmx files"],
    ["two files for one page", ["a.lmx", "b.lmx", "--port", "0"], "To check 2 files, add --check."],
    ["a port that is none", ["a.lmx", "--port", "x"], "--port x: expected a whole number from 0 to 65535."],
    ["a page and --check", ["a.lmx", "--check", "--open"], "--check shows and writes nothing"],
    ["--set without a value", ["a.lmx", "--set", "name"], "such as --set data.name=Ada."],
    ["two mails of one name", ["a/x.lmx", "b/x.lmx", "--out", "o"], "a/x.lmx and b/x.lmx would be the same file"],
  ])("says what to do about %s", async (_what, args, message) => {
    const { code, output } = await ended(args, { by: NODE });
    expect([code, existsSync(join(root, "o"))]).toEqual([1, false]);
    expect(output).toContain(message);
    expect(output).not.toMatch(/\n {4}at /);
  });
});

const canBrowse = hasBrowser("The page of npm run email was", "test:browser");

describe.skipIf(!canBrowse)("in a browser", () => {
  const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  const browse = async (url: string, options: Parameters<Browser["newPage"]>[0] = {}) => {
    const opened = await browser.newPage(options);
    const complaints: string[] = [];
    // Violations of the policy are console errors.
    opened.on("console", (message) => complaints.push(message.text()));
    opened.on("pageerror", (error) => complaints.push(String(error)));
    await opened.goto(url);
    return { opened, complaints };
  };

  it("has no complaint and no violation of accessibility, in any tab, in light and dark mode", async () => {
    write("receipt.lmx", `${MAIL}<Paragraph>{data.none}</Paragraph>`);
    const { url } = await openPage();
    for (const colorScheme of ["light", "dark"] as const) {
      const { opened, complaints } = await browse(url, { colorScheme });
      const tabs = opened.getByRole("tab");
      expect(await tabs.count()).toBe(7);
      await opened.evaluate(axe);
      for (const tab of await tabs.all()) {
        await tab.click();
        expect(await opened.locator("section:visible").count()).toBe(1);
        // Frames are judged by the tests of mails; axe-core cannot look into a sandbox.
        const violations = await opened.evaluate(
          `axe.run({ exclude: [["iframe"]] }, { resultTypes: ["violations"] }).then(({ violations }) =>
            violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ": " + html.slice(0, 120))))`,
        );
        expect([await tab.textContent(), violations]).toEqual([await tab.textContent(), []]);
      }
      expect(complaints).toEqual([]);
      await opened.close();
    }
  });

  it("shows light and dark mode side by side, whatever the mode of the reader", async () => {
    const { url } = await openPage();
    for (const colorScheme of ["light", "dark"] as const) {
      const { opened } = await browse(url, { colorScheme });
      const heading = (name: string) =>
        opened
          .frameLocator(`#desktop iframe[src="/mail/${name}.html"]`)
          .locator("h1")
          .evaluate((node) => {
            const all = globalThis as unknown as { getComputedStyle(node: unknown): { color: string } };
            return all.getComputedStyle(node).color;
          });
      const [light, dark] = [await heading("light"), await heading("dark")];
      expect(light).toBe("rgb(24, 24, 27)");
      expect(Number(/\d+/.exec(dark)?.[0])).toBeGreaterThan(180);
      await opened.close();
    }
  });

  it("reloads on save and stays in its tab", async () => {
    const { url } = await openPage();
    const { opened, complaints } = await browse(url);
    await opened.getByRole("tab", { name: "Text" }).click();
    write("receipt.lmx", MAIL.replace("You paid", "You have paid"));
    await opened.locator("#text", { hasText: "You have paid $49.00." }).waitFor();
    expect(await opened.locator("section:visible h2").textContent()).toBe("Text");
    expect(complaints).toEqual([]);
  });

  it("has tabs for the keyboard, and findings lead to their line", async () => {
    write("receipt.lmx", MAIL.replace(/H1>/g, "H9>"));
    const { url } = await openPage();
    const { opened } = await browse(url);
    await opened.getByRole("tab", { name: "Checks" }).focus();
    await opened.keyboard.press("ArrowRight");
    expect(await opened.getByRole("tab", { selected: true }).textContent()).toBe("LMX");
    await opened.keyboard.press("Home");
    await opened
      .getByRole("link", { name: /receipt\.lmx:9:1/ })
      .first()
      .click();
    await opened.locator("#line-9:target").waitFor();
    expect(await opened.getByRole("tab", { selected: true }).textContent()).toBe("LMX");
  });

  it("shows everything without a script", async () => {
    const { url } = await openPage();
    const { opened } = await browse(url, { javaScriptEnabled: false });
    expect(await opened.locator("section:visible").count()).toBe(7);
    expect(await opened.getByRole("link", { name: "LMX" }).count()).toBe(1);
  });

  it("runs no script of a mail and sends nothing elsewhere", async () => {
    write("receipt.lmx", MAIL.replace("$49.00", "<script>document.title='x'</script><img src=x onerror=alert(1)>"));
    const { url } = await openPage();
    const opened = await browser.newPage();
    const asked: string[] = [];
    opened.on("request", (request) => asked.push(request.url()));
    await opened.goto(url);
    await opened.frameLocator("#desktop iframe >> nth=0").locator("h1").waitFor();
    expect(await opened.title()).toContain("receipt.lmx");
    expect(asked.filter((address) => !address.startsWith(url) && !address.startsWith("data:"))).toEqual([]);
    expect(asked.some((address) => address.endsWith("/mail/dark.html"))).toBe(true);
  });
});
