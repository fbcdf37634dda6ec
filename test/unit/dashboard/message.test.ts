import { describe, expect, it } from "vitest";
import { linesOf } from "../../../src/dashboard/app/pages/message/lines.ts";
import {
  filledWith,
  markedHtml,
  requestValues,
  valuesOf,
} from "../../../src/dashboard/app/pages/message/preview/filled.ts";
import {
  changesIn,
  kindOf,
  lockOf,
  type Message,
  requestOf,
  senderProblem,
} from "../../../src/dashboard/app/pages/message/source.ts";
import { fieldRefusal } from "../../../src/email/workspace/content/email-messages.ts";
import { compileMessage } from "../../../src/lib/lmx/message/compile-message.ts";
import { emptySource } from "../../../src/lib/lmx/message/message-source.ts";

const messageOf = (fields: Partial<Message>): Message => ({
  ...emptySource,
  id: "msg_1",
  contentRevisionId: "rev_1",
  updatedAt: "2026-11-24T00:00:00Z",
  ...fields,
});

describe("the changes of a message", () => {
  const saved = { ...emptySource, subject: "One", dataVariablesFallbacks: { a: "1", b: "2" } };

  it("are those that make a difference", () => {
    expect(changesIn(saved, { subject: "One", fromName: "Acme" })).toEqual({ fromName: "Acme" });
    expect(changesIn(saved, { dataVariablesFallbacks: { b: "2", a: "1" } })).toEqual({});
    expect(changesIn(saved, { dataVariablesFallbacks: { a: "1" } })).toEqual({ dataVariablesFallbacks: { a: "1" } });
  });

  it("remove a fallback that is not there any more", () => {
    expect(requestOf(saved, { subject: "", dataVariablesFallbacks: { a: "1", c: "3" } })).toEqual({
      subject: "",
      dataVariablesFallbacks: { a: "1", b: null, c: "3" },
    });
    expect(requestOf(saved, { subject: "Two" })).toEqual({ subject: "Two" });
  });

  it("are compared line by line, each line of the other text once", () => {
    expect(linesOf("a\nb\nb", "b\nc")).toEqual([
      { line: "a", isOnly: true },
      { line: "b", isOnly: false },
      { line: "b", isOnly: true },
    ]);
  });
});

describe("the address of a sender", () => {
  it.each([
    ["", undefined],
    ["hello", undefined],
    ["{data.team}", undefined],
    ["hello@acme.test", "Must be only the part before the @: the sending domain of the team follows."],
    ["{data.team}@acme.test", "Must be only the part before the @: the sending domain of the team follows."],
    ["hello there", "Cannot be the part before the @ of an address."],
    ["hello.", "Cannot be the part before the @ of an address."],
    ["x".repeat(65), "Cannot be the part before the @ of an address."],
  ])("is checked at its field as the service does it: %j", (fromEmail, words) => {
    expect(senderProblem(fromEmail)).toBe(words);
    expect(fieldRefusal({ fromEmail }, "acme.example") === undefined).toBe(words === undefined);
  });
});

describe("a message", () => {
  it("is of the kind of what it belongs to", () => {
    expect(kindOf(messageOf({ transactionalId: "tpl_1" }))).toBe("transactional");
    expect(kindOf(messageOf({ campaignId: "cmp_1" }))).toBe("campaign");
    expect(kindOf(messageOf({ workflowId: "wfl_1" }))).toBe("workflow");
  });

  it.each([
    [{ transactionalId: "tpl_1" }, { draftId: "msg_1", publishedId: "msg_0" }, undefined],
    [{ transactionalId: "tpl_1" }, { draftId: null, publishedId: "msg_1" }, "is published and stays"],
    [{ transactionalId: "tpl_1" }, { draftId: "msg_2", publishedId: "msg_1" }, "is published and stays"],
    [{ transactionalId: "tpl_1" }, { draftId: "msg_2", publishedId: "msg_3" }, "was published earlier"],
    [{ campaignId: "cmp_1" }, { status: "Draft" }, undefined],
    [{ campaignId: "cmp_1" }, { status: "Sent" }, "Its campaign is sent or scheduled"],
    [{ workflowId: "wfl_1" }, { status: "Draft" }, undefined],
    [{ workflowId: "wfl_1" }, { status: "Sending" }, "Pause it"],
  ])("says why it cannot be edited: %j %j", (fields, owner, why) => {
    const said = lockOf(messageOf(fields), { name: "A", ...owner });
    if (why === undefined) expect(said).toBeUndefined();
    else expect(said).toContain(why);
  });
});

describe("the preview", () => {
  const source = {
    ...emptySource,
    subject: "Order {contact.city}",
    fromName: "Acme",
    fromEmail: "news",
    lmx: '<Paragraph>Dear {contact.firstName}, <Link href="https://x.example/{contact.city}">go</Link> {contact.plan} {system.unsubscribe_link}</Paragraph>',
    contactPropertiesFallbacks: { plan: "free", city: "Bern" },
  };
  const { compiled } = compileMessage(source, "campaign", {});
  if (!compiled) throw new Error("It compiles.");
  const service = { publicUrl: undefined, footer: { team: "Acme", postalAddress: "1 Main Street" } };
  const from = (typed: Record<string, string>, person?: Record<string, string | number | boolean>) =>
    Object.fromEntries(valuesOf(compiled, typed, person).map((one) => [one.name, [one.value, one.from]]));

  it("takes what is typed, else what the person has, else the fallback, and says what is missing", () => {
    expect(from({ "contact.plan": "pro" }, { "contact.city": "", "contact.plan": "team" })).toEqual({
      "contact.city": ["Bern", "fallback"],
      "contact.firstName": ["{contact.firstName}", "missing"],
      "contact.plan": ["pro", "typed"],
      "system.unsubscribe_link": ["#", "service"],
    });
    expect(from({}, { "contact.firstName": "Ada" })["contact.firstName"]).toEqual(["Ada", "person"]);
  });

  it("marks what is missing where a reader sees it, and in no attribute and no head", () => {
    const values = valuesOf(compiled, {}, undefined);
    const html = markedHtml(compiled, values, service);
    expect(html.match(/<mark [^>]*>[^<]*<\/mark>/g)).toHaveLength(1);
    expect(html).toContain("Dear <mark");
    const inTitle = compileMessage({ ...source, subject: "To {contact.firstName}" }, "campaign", {}).compiled;
    if (!inTitle) throw new Error("It compiles.");
    const marked = markedHtml(inTitle, valuesOf(inTitle, {}, undefined), service);
    expect(marked).toContain("<title>To {contact.firstName}</title>");
    expect(marked.match(/<mark /g)).toHaveLength(1);
    expect(filledWith(compiled, [], values, service)).toMatchObject({ subject: "Order Bern", from: "Acme" });
  });

  it("ends with the footer of the team in every form, and its links lead nowhere", () => {
    const values = valuesOf(compiled, {}, undefined);
    const { html, text } = filledWith(compiled, [], values, service);
    const marked = markedHtml(compiled, values, service);
    for (const one of [html, marked]) expect(one).toMatch(/Acme<br>1 Main Street<br><a href="#"[^>]*>Unsubscribe<\/a>/);
    expect(text).toMatch(/\nAcme\n1 Main Street\nUnsubscribe: #\nEmail preferences: #\n$/);
    const without = filledWith(compiled, [], values, { publicUrl: undefined, footer: undefined });
    expect(html.replace(/<table role="presentation"[^>]*><tbody><tr><td [^>]*>Acme.*?<\/table>\n/, "")).toBe(
      without.html,
    );
  });

  it("gives a preview the values of the person and those that are typed: the service has the fallbacks", () => {
    const values = valuesOf(compiled, { "contact.firstName": "Ada" }, { "contact.city": "Rome" });
    expect(requestValues(values)).toEqual({ contactProperties: { firstName: "Ada", city: "Rome" } });
  });
});
