import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readSample, SAMPLES, sampleFiles } from "../../../../scripts/lib/sample-files.ts";
import * as bundled from "../../../../src/email/samples/files.ts";
import { themeFaults } from "../../../../src/lib/lmx/check/style.ts";
import { readFile } from "../../../../src/lib/lmx/file.ts";
import { lines } from "./lines.ts";
import { sampleMail, themes } from "./sample-mails.ts";

const confirmationFile = readSample("opt-in/confirm-subscription.lmx");

const golden = (name: string): string => join(import.meta.dirname, "../../../fixtures/email/samples", name);
const read = (name: string) => readFileSync(join(SAMPLES, name), "utf8");
const named = (file: string) => {
  const found = sampleFiles.find((one) => one.file === file);
  if (!found) throw new Error(`no sample ${file}`);
  return found;
};

const VARIABLES: Readonly<Record<string, readonly [required: string, optional: string]>> = {
  cancellation: ["", "company name next plan website"],
  "ended-unpaid": ["", "company name next plan website"],
  invitation: ["link", "company email inviter website"],
  "magic-link": ["button explanation heading link", "code company"],
  "password-reset": ["link", "code company expires"],
  "payment-failed": ["amount", "company description link name next"],
  receipt: ["amount date description reference", "company link name"],
  "security-notice": ["explanation heading", "company"],
  "trial-ending": ["date", "company name plan website"],
  welcome: ["", "company name website"],
};

describe("the sample templates", () => {
  it("are all in the Worker, each once, with an id and a name of its own", () => {
    expect(bundled.templates.toSorted()).toEqual(sampleFiles.map(({ file }) => read(`${file}.lmx`)).toSorted());
    expect(sampleFiles.map(({ file }) => file)).toEqual(Object.keys(VARIABLES));
    expect(sampleFiles.map(({ id }) => id)).toEqual(sampleFiles.map(({ file }) => `tpl_${file.replaceAll("-", "_")}`));
    expect(new Set(sampleFiles.map(({ name }) => name)).size).toBe(sampleFiles.length);
  });

  it.each(sampleFiles)("$file has no problem, and its own variables", (sample) => {
    expect(readFile(read(`${sample.file}.lmx`)).problems).toEqual([]);
    expect([sample.fields.theme, sample.fields.emailFormat]).toEqual(["calm", undefined]);
    const { problems, variables } = sampleMail(sample);
    expect(problems).toEqual([]);
    const [required = "", optional = ""] = VARIABLES[sample.file] ?? [];
    const full = (names: string) => names.split(" ").flatMap((name) => (name === "" ? [] : [`data.${name}`]));
    expect(variables).toEqual([...full(required), ...full(optional)].toSorted());
    expect(Object.keys(sample.fallbacks).toSorted()).toEqual(full(optional));
    expect(variables.filter((name) => sample.values[name] === undefined)).toEqual([]);
  });

  it.each(sampleFiles)("$file reads as in its golden file", async (sample) => {
    const { lines: fields, html, text } = sampleMail(sample);
    const head = Object.entries(fields).map(([field, value]) => `${field}: ${value}`);
    const written = [...head, "", "text:", text, "html:", ...lines(html), ""].join("\n");
    await expect(written).toMatchFileSnapshot(golden(`${sample.file}.txt`));
  });

  it.each(sampleFiles)("$file is short: a subject of at most 60 characters, a preview text of 40 to 110", (sample) => {
    for (const values of [sample.values, Object.fromEntries(required(sample.file).map((name) => [name, "Ada"]))]) {
      const { subject = "", previewText = "" } = sampleMail(sample, "calm", values).lines;
      expect(subject.length).toBeLessThanOrEqual(60);
      if (values === sample.values) expect(previewText.length).toBeGreaterThan(39);
      expect(previewText.length).toBeLessThanOrEqual(110);
    }
  });

  it.each(sampleFiles)("$file reads as whole sentences with its fallbacks alone", (sample) => {
    const values = Object.fromEntries(required(sample.file).map((name) => [name, "(given)"]));
    const { lines: fields, text } = sampleMail(sample, "calm", values);
    const written = `${Object.values(fields).join("\n")}\n${text}`;
    expect(written).not.toMatch(/undefined|\{|\}| {2}\S| [,.!?]|\b(\w+) \1\b/);
    expect(written).toContain("Acme");
  });

  it("pass a link unchanged", () => {
    const { html } = sampleMail(named("magic-link"));
    expect(html.match(/href="https:\/\/acme\.example\/verify\?token=a%2Fb&amp;type=magiclink"/g)).toHaveLength(3);
  });
});

const required = (file: string): string[] =>
  (VARIABLES[file]?.[0] ?? "").split(" ").flatMap((name) => (name === "" ? [] : [`data.${name}`]));

describe("the sample themes", () => {
  it("are the files of their folder, each without a fault", () => {
    const files = readdirSync(join(SAMPLES, "themes")).map((name) => name.replace(".json", ""));
    expect(Object.keys(bundled.themes).toSorted()).toEqual(files.toSorted());
    expect(themes).toEqual(bundled.themes);
    for (const { styles } of Object.values(themes)) expect(themeFaults(styles)).toEqual([]);
  });
});

describe("the confirmation mail", () => {
  it("has no problem, needs its link only, and is short", () => {
    const { problems, variables, lines: fields, text } = sampleMail(confirmationFile);
    expect(problems).toEqual([]);
    expect(confirmationFile.id).toBe("tpl_confirm_subscription");
    expect(variables).toEqual(["data.company", "data.confirmationUrl"]);
    expect(Object.keys(confirmationFile.fallbacks)).toEqual(["data.company"]);
    expect(fields.subject?.length).toBeLessThanOrEqual(60);
    expect(fields.previewText?.length).toBeLessThanOrEqual(110);
    expect(text).toContain("https://mail.acme.example/c/");
  });
});
