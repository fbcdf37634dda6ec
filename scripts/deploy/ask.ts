import { askLine, type Terminal } from "../lib/ask.ts";
import { type Ask, DeployError, type Question } from "./io.ts";

const problemOf = async ({ check, initial }: Question, answer: string): Promise<string | undefined> => {
  if (answer === "") return initial === undefined ? "This question needs an answer." : undefined;
  return check?.(answer);
};

/** Answers from environment variables, for `--yes`. An unset variable counts as Enter. */
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

/** Asks at a terminal until the answer is valid. Secrets are masked. */
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

const read = async ({ text, initial, secret }: Question, terminal: Terminal): Promise<string> => {
  const answer = await askLine({ text, initial, isSecret: secret }, terminal);
  if (answer !== undefined) return answer;
  throw new DeployError("The input ended.", "Run this again, or use --yes (see --help).");
};

export const yesOrNo = async (ask: Ask, question: Question): Promise<boolean> => {
  const check = (answer: string) => (/^(y|yes|n|no)$/i.test(answer) ? undefined : "Answer yes or no.");
  return /^y/i.test(await ask({ ...question, check }));
};
