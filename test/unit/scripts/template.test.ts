import { describe, expect, it } from "vitest";
import { run } from "../../../scripts/template/run.ts";
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
const once = { overwrite: false };

describe("npm run template", () => {
  it("get writes the published content to a file that npm run email reads", async () => {
    const { files, ...rest } = world();
    await run(["get", "tpl_receipt"], once, { ...rest });
    const { file, problems } = readFile(files["tpl_receipt.lmx"] ?? "");
    expect(problems).toEqual([]);
    expect(file).toMatchObject({
      fields: { id: "tpl_receipt", subject: "Your receipt", fromName: "Acme", emailFormat: "plain" },
      fallbacks: { "data.name": "there" },
      lmx: "<Paragraph>{data.name}</Paragraph>",
    });
    await expect(run(["get", "tpl_receipt"], once, { ...rest })).rejects.toThrow("is there already");
  });

  it("publish sends the file as the draft, over no other revision, and publishes it", async () => {
    const { files, asked, printed, ...rest } = world();
    await run(["get", "tpl_receipt"], once, { ...rest, print: () => {} });
    files["tpl_receipt.lmx"] = (files["tpl_receipt.lmx"] ?? "").replace("fallback.data.name: there\n", "");
    await run(["publish", "tpl_receipt.lmx"], once, { ...rest });
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
    await run(["get", "tpl_receipt"], once, { ...rest });
    await expect(run(["publish", "tpl_receipt.lmx"], once, { ...rest })).rejects.toThrow("another person works on it");
    expect(asked).toEqual([]);
    await run(["publish", "tpl_receipt.lmx"], { overwrite: true }, { ...rest });
    expect(asked).toHaveLength(3);
    expect(Object.keys(files)).toEqual(["tpl_receipt.lmx"]);
  });

  it("publish refuses where another person has published since, and takes its own file again", async () => {
    const { files, asked, answers, ...rest } = world();
    await run(["get", "tpl_receipt"], once, { ...rest });
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
    await run(["publish", "tpl_receipt.lmx"], once, { ...rest, admin });
    await run(["publish", "tpl_receipt.lmx"], once, { ...rest, admin });
    expect(asked).toHaveLength(6);
    answers[email] = before;
    const told = run(["publish", "tpl_receipt.lmx"], once, { ...rest, admin });
    await expect(told).rejects.toThrow("Receipt was published by another person after tpl_receipt.lmx was written");
    expect(asked).toHaveLength(6);
    await run(["publish", "tpl_receipt.lmx"], { overwrite: true }, { ...rest, admin });
    expect(asked).toHaveLength(9);
    answers[email] = before;
    files["tpl_receipt.lmx"] = (files["tpl_receipt.lmx"] ?? "").replace(/^# .*\n/m, "");
    await run(["publish", "tpl_receipt.lmx"], once, { ...rest, admin });
    expect(asked).toHaveLength(12);
  });

  it.each([
    [[], /npm run template -- get/],
    [["mend", "tpl_receipt"], /npm run template -- get/],
    [["publish", "none.lmx"], /none.lmx cannot be read/],
    [["publish", "wrong.lmx"], /wrong.lmx:2:1 .*subjekt/],
    [["publish", "bare.lmx"], /says no id/],
  ])("refuses with a sentence: %j", async (args, message) => {
    const { files, ...rest } = world();
    files["wrong.lmx"] = "---\nsubjekt: Hi\n---\n";
    files["bare.lmx"] = "<Paragraph>Hi</Paragraph>";
    await expect(run(args, once, { ...rest })).rejects.toThrow(message);
  });
});
