import { describe, expect, it } from "vitest";
import { namesInWords, senderNamed, senders } from "../../../../../src/email/delivery/senders/sender-list.ts";

describe("the list of senders", () => {
  it("has each name, and each variable, once", () => {
    const names = senders.map(({ name }) => name);
    expect(names).toEqual([...new Set(names)]);
    const variables = senders.flatMap((sender) => Object.keys(sender.variables));
    expect(variables).toEqual([...new Set(variables)]);
  });

  it("finds a sender by its name", () => {
    for (const sender of senders) expect(senderNamed(sender.name)).toBe(sender);
    expect(senderNamed("toString")).toBeUndefined();
  });

  it("has one local sender: its mail leaves to nobody", () => {
    expect(senders.filter(({ local }) => local).map(({ name }) => name)).toEqual(["inbox"]);
  });

  it("is written in words", () => {
    expect(namesInWords(senders.slice(0, 3))).toBe("inbox, smtp or ses");
    expect(namesInWords(senders.slice(1, 3))).toBe("smtp or ses");
  });

  it("shows no value in the problem of a variable, because it may be a secret", () => {
    for (const { variables } of senders)
      for (const { check } of Object.values(variables))
        if (check) {
          expect(check("gehe im")).toEqual(expect.any(String));
          expect(check("gehe im")).not.toContain("gehe im");
        }
  });
});
