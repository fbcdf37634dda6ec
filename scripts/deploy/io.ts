export type Finished = { code: number; stdout: string; stderr: string };

/** Runs a command. Never throws because of its exit code. */
export type Run = (
  command: string,
  args: readonly string[],
  options?: { input?: string; env?: Record<string, string> },
) => Promise<Finished>;

export type Question = {
  /** The environment variable for `--yes`, and the name of the secret. */
  variable: string;
  text: string;
  /** The answer for Enter; without it an answer is required. */
  initial?: string;
  secret?: boolean;
  /** Returns the reason for a refusal. Not called for an empty answer. */
  check?: (answer: string) => string | undefined | Promise<string | undefined>;
};

/** Asks until the answer passes its check. The answer is trimmed. */
export type Ask = (question: Question) => Promise<string>;

/** External effects, which tests replace. */
export type Io = {
  run: Run;
  fetch: (request: Request) => Promise<Response>;
  ask: Ask;
  print: (text: string) => void;
  sleep: (ms: number) => Promise<void>;
  buildPage: () => Promise<void>;
};

export class DeployError extends Error {
  override readonly name = "DeployError";
  readonly next: string;

  constructor(message: string, next: string) {
    super(message);
    this.next = next;
  }
}
