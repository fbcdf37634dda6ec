import type { TeamService } from "../lib/team-service.ts";
import type { Api } from "./describe.ts";

/** The email service: the operator's routes of campaigns, and the v1 API. */
export type Service = TeamService<Api>;

/** What a command uses. */
export type World = {
  service: Service;
  print(text: string): void;
  /** Shows a line that the next one replaces. */
  progress(text: string): void;
  /** True where a person can be asked. */
  isTerminal: boolean;
  /** The answer of a person; undefined where the input ended. */
  ask(question: string): Promise<string | undefined>;
  /** Writes a body to a file: all of it, or no file. */
  save(path: string, body: NonNullable<Response["body"]>): Promise<void>;
  /** Aborted by Ctrl-C, which does not end the process from now on. */
  interrupted(): AbortSignal;
  /** Waits, at most until the signal is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Unix ms. */
  now(): number;
};
