/** The exit code and output of a command. */
export type Finished = { code: number; stdout: string; stderr: string };

/** Runs a command and waits for its end. Never throws because of its exit code. */
export type Run = (
  command: string,
  args: readonly string[],
  options?: { input?: string; env?: Record<string, string> },
) => Promise<Finished>;

export type Question = {
  /** Name of the environment variable that answers with `--yes`, and of the secret, if it is one. */
  variable: string;
  text: string;
  /** The answer for Enter; without it an answer is required. */
  initial?: string;
  /** The answer is masked while it is typed. */
  secret?: boolean;
  /** The reason why an answer is refused, or undefined. Not called for an empty answer. */
  check?: (answer: string) => string | undefined | Promise<string | undefined>;
};

/** Asks until the answer passes its check. The answer is trimmed. */
export type Ask = (question: Question) => Promise<string>;

/** Everything outside of the deployment's own logic. Tests replace it. */
export type Io = {
  run: Run;
  fetch: (request: Request) => Promise<Response>;
  ask: Ask;
  print: (text: string) => void;
  sleep: (ms: number) => Promise<void>;
  /** Builds the page of the dashboard, if it has changed. */
  buildPage: () => Promise<void>;
};

/** A failure with a message for the person, and what to do before the next run. */
export class DeployError extends Error {
  override readonly name = "DeployError";
  readonly next: string;

  constructor(message: string, next: string) {
    super(message);
    this.next = next;
  }
}
