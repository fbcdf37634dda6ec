/** What a finished command left behind. */
export type Finished = { code: number; stdout: string; stderr: string };

/** Runs a command and waits for its end; never throws because of its exit code. */
export type Run = (
  command: string,
  args: readonly string[],
  options?: { input?: string; env?: Record<string, string> },
) => Promise<Finished>;

export type Question = {
  /** Name of the environment variable that answers with `--yes`, and of the secret where it is one. */
  variable: string;
  text: string;
  /** What Enter means; without it an answer is required. */
  initial?: string;
  /** Not shown while it is typed. */
  secret?: boolean;
  /** Why an answer cannot be taken; undefined when it can. Not asked about an empty answer. */
  check?: (answer: string) => string | undefined | Promise<string | undefined>;
};

/** Asks until the answer passes its check. The answer is trimmed. */
export type Ask = (question: Question) => Promise<string>;

/** Everything of a deployment that is not its own logic, so that a test can bring its own. */
export type Io = {
  run: Run;
  fetch: (request: Request) => Promise<Response>;
  ask: Ask;
  print: (text: string) => void;
  sleep: (ms: number) => Promise<void>;
};

/** A failure that is told to the person: what went wrong, and what to do so that the next run passes this point. */
export class DeployError extends Error {
  override readonly name = "DeployError";
  readonly next: string;

  constructor(message: string, next: string) {
    super(message);
    this.next = next;
  }
}
