import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { type Ask, DeployError, type Question } from "./io.ts";

const problemOf = async ({ check, initial }: Question, answer: string): Promise<string | undefined> => {
  if (answer === "") return initial === undefined ? "An answer is needed." : undefined;
  return check?.(answer);
};

/** Takes every answer from the environment, for `--yes`. A variable that is not set answers like Enter. */
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

/** Asks at the terminal. Secrets are not shown while they are typed or pasted. */
export const askTerminal: Ask = async (question) => {
  const { text, initial, secret } = question;
  for (;;) {
    const shown = initial && !secret ? ` [${initial}]` : "";
    const typed = (await readLine(`  ? ${text}${shown}${secret ? " (hidden while you type)" : ""}: `, secret)).trim();
    const answer = typed === "" ? (initial ?? "") : typed;
    const problem = await problemOf(question, answer);
    if (problem === undefined) return answer;
    console.log(`    ${problem}`);
  }
};

const readLine = (prompt: string, hidden = false): Promise<string> =>
  new Promise((resolve, reject) => {
    let muted = false;
    const output = new Writable({
      write(chunk, _encoding, done) {
        if (!muted) process.stdout.write(chunk);
        done();
      },
    });
    const lines = createInterface({ input: process.stdin, output, terminal: true, historySize: 0 });
    // The terminal is in raw mode, where Ctrl-C is a key: it must end the process as everywhere else.
    lines.once("SIGINT", () => process.emit("SIGINT"));
    // Without this a closed input (Ctrl-D) would leave the question pending and the process would end as if all was well.
    lines.once("close", () =>
      reject(new DeployError("The input ended.", "Run this again, or use --yes (see --help).")),
    );
    lines
      .question(prompt)
      .then((line) => {
        if (muted) process.stdout.write("\n");
        resolve(line);
        lines.close();
      })
      .catch(reject);
    muted = hidden;
  });

/** A question that is answered yes or no. */
export const yesOrNo = async (ask: Ask, question: Question): Promise<boolean> => {
  const check = (answer: string) => (/^(y|yes|n|no)$/i.test(answer) ? undefined : "Answer yes or no.");
  return /^y/i.test(await ask({ ...question, check }));
};
