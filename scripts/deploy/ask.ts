import type { Readable, Writable } from "node:stream";
import { isCancel, password, text } from "@clack/prompts";
import { type Ask, DeployError, type Question } from "./io.ts";

const problemOf = async ({ check, initial }: Question, answer: string): Promise<string | undefined> => {
  if (answer === "") return initial === undefined ? "This question needs an answer." : undefined;
  return check?.(answer);
};

/** Takes answers from environment variables, for `--yes`. A variable that is not set counts as Enter. */
export const askEnvironment =
  (env: Readonly<Record<string, string | undefined>>): Ask =>
  async (question) => {
    const given = env[question.variable]?.trim() ?? "";
    const answer = given === "" ? (question.initial ?? "") : given;
    const problem = await problemOf(question, answer);
    if (problem === undefined) return answer;
    throw given === ""
      ? new DeployError(
          `${question.variable} is not set: ${question.text}`,
          `Set ${question.variable} and run this again.`,
        )
      : new DeployError(`${question.variable}: ${problem}`, `Correct ${question.variable} and run this again.`);
  };

/** The streams of a terminal. */
type Terminal = { input: Readable; output: Writable };

/** Asks at a terminal, again until the answer is good. Secrets are masked while they are typed or pasted. */
export const askAt =
  (terminal: Terminal): Ask =>
  async (question) => {
    for (;;) {
      const answer = (await read(question, terminal)).trim() || (question.initial ?? "");
      const problem = await problemOf(question, answer);
      if (problem === undefined) return answer;
      terminal.output.write(`  ${problem}\n`);
    }
  };

const read = async ({ text: message, initial, secret }: Question, terminal: Terminal): Promise<string> => {
  const ended = new AbortController();
  const end = () => ended.abort();
  // Ctrl-D closes the input. The library does not see that: nothing is left to wait for, and the process would end as if
  // all were well.
  process.once("beforeExit", end);
  const options = { ...terminal, message, signal: ended.signal, withGuide: false };
  const answer = await (secret
    ? password(options)
    : text({ ...options, placeholder: initial ?? "", defaultValue: initial ?? "" }));
  process.off("beforeExit", end);
  if (!isCancel(answer)) return answer ?? "";
  // In raw mode Ctrl-C is a key: it must end the process as usual.
  if (!ended.signal.aborted) process.emit("SIGINT");
  throw new DeployError("The input ended.", "Run this again, or use --yes (see --help).");
};

/** Asks a question with the answer yes or no. */
export const yesOrNo = async (ask: Ask, question: Question): Promise<boolean> => {
  const check = (answer: string) => (/^(y|yes|n|no)$/i.test(answer) ? undefined : "Answer yes or no.");
  return /^y/i.test(await ask({ ...question, check }));
};
