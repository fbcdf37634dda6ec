import { describe, expect, it } from "vitest";
import { parse } from "../../../scripts/lib/command.ts";
import { run } from "../../../scripts/template/run.ts";
import { TEMPLATE } from "../../../scripts/template/usage.ts";
import { readFile } from "../../../src/lib/lmx/file.ts";

const message = (id: string, changes: object = {}) => ({
  id,
  subject: "Your receipt",
  previewText: "",
  fromName: "Acme",
  fromEmail: "billing",
  replyToEmail: "",
  ccEmail: "",
  bccEmail: "",
  languageCode: "en",
  emailFormat: "plain",
  lmx: "<Paragraph>{data.name}</Paragraph>",
  contentRevisionId: `rev_${id}`,
  contactPropertiesFallbacks: {},
  eventPropertiesFallbacks: {},
  dataVariablesFallbacks: { name: "there" },
  ...changes,
});

const world = (draft?: object) => {
  const files: Record<string, string> = {};
  const asked: [string, unknown][] = [];
  const printed: string[] = [];
  const at = "/v1/transactional-emails/tpl_receipt";
  const email = { id: "tpl_receipt", name: "Receipt", publishedEmailMessageId: "msg_1" };
  const answers: Record<string, unknown> = {
    [`GET ${at}`]: { ...email, draftEmailMessageId: draft ? "msg_2" : null },
    [`POST ${at}/draft`]: { ...email, draftEmailMessageId: "msg_2" },
    "GET /v1/email-messages/msg_1": message("msg_1"),
    "GET /v1/email-messages/msg_2": message("msg_2", draft),
  };
  return {
    files,
    asked,
    printed,
    answers,
    update: (path: string, text: string) => {
      files[path] = text;
    },
    admin: async (method: string, path: string, body?: object) => {
      if (method === "POST") asked.push([path, body]);
      return answers[`${method} ${path}`] ?? {};
    },
    print: (text: string) => void printed.push(text),
    read: (path: string) => {
      if (files[path] === undefined) throw new Error("ENOENT");
      return files[path];
    },
    save: (path: string, text: string) => {
      if (files[path] !== undefined) throw Object.assign(new Error("exists"), { code: "EEXIST" });
      files[path] = text;
    },
  };
};
type World = Parameters<typeof run>[1];
const template = (line: string, world: World) => run(parse(TEMPLATE, line === "" ? [] : line.split(" ")), world);

describe("npm run template", () => {
  it("get writes the published content to a file that npm run email reads", async () => {
    const { files, ...rest } = world();
    await template("get tpl_receipt", { ...rest });
    const { file, problems } = readFile(files["tpl_receipt.lmx"] ?? "");
    expect(problems).toEqual([]);
    expect(file).toMatchObject({
      fields: { id: "tpl_receipt", subject: "Your receipt", fromName: "Acme", emailFormat: "plain" },
      fallbacks: { "data.name": "there" },
      lmx: "<Paragraph>{data.name}</Paragraph>",
    });
    await expect(template("get tpl_receipt", { ...rest })).rejects.toThrow("is there already");
  });

  it("publish sends the file as the draft, over no other revision, and publishes it", async () => {
    const { files, asked, printed, ...rest } = world();
    await template("get tpl_receipt", { ...rest, print: () => {} });
    files["tpl_receipt.lmx"] = (files["tpl_receipt.lmx"] ?? "").replace("fallback.data.name: there\n", "");
    await template("publish tpl_receipt.lmx", { ...rest });
    expect(asked.map(([path]) => path)).toEqual([
      "/v1/transactional-emails/tpl_receipt/draft",
      "/v1/email-messages/msg_2",
      "/v1/transactional-emails/tpl_receipt/publish",
    ]);
    expect(asked[1]?.[1]).toMatchObject({
      expectedRevisionId: "rev_msg_2",
      subject: "Your receipt",
      emailFormat: "plain",
      dataVariablesFallbacks: { name: null },
    });
    expect(printed).toEqual(["Receipt is published from tpl_receipt.lmx."]);
  });

  it("publish leaves the draft of another person alone, unless it may overwrite it", async () => {
    const { files, asked, ...rest } = world({ lmx: "<Paragraph>Not ready</Paragraph>" });
    await template("get tpl_receipt", { ...rest });
    await expect(template("publish tpl_receipt.lmx", { ...rest })).rejects.toThrow("another person works on it");
    expect(asked).toEqual([]);
    await template("publish tpl_receipt.lmx --overwrite", { ...rest });
    expect(asked).toHaveLength(3);
    expect(Object.keys(files)).toEqual(["tpl_receipt.lmx"]);
  });

  it("publish refuses where another person has published since, and takes its own file again", async () => {
    const { files, asked, answers, ...rest } = world();
    await template("get tpl_receipt", { ...rest });
    const published = {
      id: "tpl_receipt",
      name: "Receipt",
      publishedEmailMessageId: "msg_2",
      draftEmailMessageId: null,
    };
    const email = "GET /v1/transactional-emails/tpl_receipt";
    const before = answers[email];
    const admin: typeof rest.admin = async (method, path, body) => {
      if (path.endsWith("/publish")) answers[email] = published;
      return rest.admin(method, path, body);
    };
    await template("publish tpl_receipt.lmx", { ...rest, admin });
    await template("publish tpl_receipt.lmx", { ...rest, admin });
    expect(asked).toHaveLength(6);
    answers[email] = before;
    const told = template("publish tpl_receipt.lmx", { ...rest, admin });
    await expect(told).rejects.toThrow("Receipt was published by another person after tpl_receipt.lmx was written");
    expect(asked).toHaveLength(6);
    await template("publish tpl_receipt.lmx --overwrite", { ...rest, admin });
    expect(asked).toHaveLength(9);
    answers[email] = before;
    files["tpl_receipt.lmx"] = (files["tpl_receipt.lmx"] ?? "").replace(/^# .*\n/m, "");
    await template("publish tpl_receipt.lmx", { ...rest, admin });
    expect(asked).toHaveLength(12);
  });

  it.each([
    ["", /No command is given. It is one of: get, publish/],
    ["fix tpl_receipt", /Unknown command 'fix'/],
    ["publish", /Missing required argument 'file'/],
    ["publish none.lmx", /none.lmx cannot be read/],
    ["publish wrong.lmx", /wrong.lmx:2:1 .*subjekt/],
    ["publish bare.lmx", /says no id/],
  ])("refuses with a sentence: %j", async (line, message) => {
    const { files, ...rest } = world();
    files["wrong.lmx"] = "---\nsubjekt: Hi\n---\n";
    files["bare.lmx"] = "<Paragraph>Hi</Paragraph>";
    await expect((async () => template(line, { ...rest }))()).rejects.toThrow(message);
  });
});
