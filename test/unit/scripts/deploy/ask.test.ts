import { PassThrough } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { askAt } from "../../../../scripts/deploy/ask.ts";
import type { Question } from "../../../../scripts/deploy/io.ts";

const ask = async (question: Question, ...typed: string[]) => {
  const input = new PassThrough();
  const output = new PassThrough();
  let shown = "";
  output.on("data", (chunk: Buffer) => {
    const text = stripVTControlCharacters(chunk.toString());
    shown += text;
    if (text.includes(question.text)) for (const key of typed.shift() ?? "") setImmediate(() => input.write(key));
  });
  const answer = await askAt({ input, output })(question);
  return { answer, shown };
};

test("an answer is trimmed, and shown as it is typed", async () => {
  const { answer, shown } = await ask({ variable: "TEAM_NAME", text: "Name of the team" }, " Acme \r");
  expect(answer).toBe("Acme");
  expect(shown).toContain("Acme");
});

test("Enter takes the initial answer; without one an answer is required", async () => {
  expect((await ask({ variable: "A", text: "Go on?", initial: "yes" }, "\r")).answer).toBe("yes");
  const { answer, shown } = await ask({ variable: "A", text: "Name" }, "\r", "Ada\r");
  expect(answer).toBe("Ada");
  expect(shown).toContain("This question needs an answer.");
});

test("an answer that the check refuses is asked again, with the reason", async () => {
  const check = async (answer: string) => (answer === "good" ? undefined : `Not ${answer}.`);
  const { answer, shown } = await ask({ variable: "A", text: "Which?", check }, "bad\r", "good\r");
  expect(answer).toBe("good");
  expect(shown).toContain("Not bad.");
});

test("a secret is never shown", async () => {
  const secret = "an-admin-token-of-my-own";
  const { answer, shown } = await ask({ variable: "A", text: "ADMIN_TOKEN", secret: true }, `${secret}\r`);
  expect(answer).toBe(secret);
  expect(shown).toMatch(new RegExp(`[▪•]{${secret.length}}`));
  for (let length = 2; length <= secret.length; length++) expect(shown).not.toContain(secret.slice(0, length));
});
