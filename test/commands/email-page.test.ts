import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { cleanUp, createFolder, email, folder, MAIL, NODE, openPage, theme, write } from "./email-page.ts";

beforeEach(createFolder);
afterEach(cleanUp);

const root = join(import.meta.dirname, "..", "..");

const ended = async (...run: Parameters<typeof email>) => {
  const { code, output } = email(...run);
  return { code: await code, output: output() };
};

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
    // Most editors replace the file by a new one.
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
    const samples = readdirSync(join(root, "src/email/samples"), { encoding: "utf8", recursive: true });
    const mails = samples.filter((name) => name.endsWith(".lmx")).length;
    expect(mails).toBeGreaterThan(12);
    expect(await ended(["--check", "../src/email/samples"], { cwd: join(root, "docs") })).toEqual({
      code: 0,
      output: `✓ ${mails} mails, no problems\n`,
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

  it.each<[what: string, args: string[], message: string, code?: number]>([
    ["no file", [], "Missing required argument 'files'", 2],
    ["a file that does not exist", ["no.lmx", "--port", "0"], "no.lmx:1:1 error no_file: There is no such file"],
    ["a folder", ["docs", "--port", "0"], "fix: name a file in it, or check all: npm run email -- --check docs"],
    ["a folder without mails", ["--check", "docs"], "docs:1:1 error no_mails: The folder has no .lmx files"],
    ["two files for one page", ["a.lmx", "b.lmx", "--port", "0"], "To check 2 files, add --check.", 2],
    ["a port that is none", ["a.lmx", "--port", "x"], "--port x: expected a whole number from 0 to 65535.", 2],
    ["a page and --check", ["a.lmx", "--check", "--open"], "--check shows and writes nothing", 2],
    ["--set without a value", ["a.lmx", "--set", "name"], "such as --set data.name=Ada.", 2],
    ["two mails of one name", ["a/x.lmx", "b/x.lmx", "--out", "o"], "a/x.lmx and b/x.lmx would be the same file"],
  ])("says what to do about %s", async (_what, args, message, expected = 1) => {
    const { code, output } = await ended(args, { by: NODE });
    expect([code, existsSync(join(root, "o"))]).toEqual([expected, false]);
    expect(output).toContain(message);
    expect(output).not.toMatch(/\n {4}at /);
  });
});
