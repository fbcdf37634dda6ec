import type { TeamService } from "../lib/team-service.ts";
import type { Api } from "./describe.ts";

type Service = TeamService<Api>;

export type World = {
  service: Service;
  print(text: string): void;
  /** Shows a line that the next one replaces. */
  progress(text: string): void;
  isTerminal: boolean;
  /** Undefined if the input ended. */
  ask(question: string): Promise<string | undefined>;
  /** Writes the whole body or no file. */
  save(path: string, body: NonNullable<Response["body"]>): Promise<void>;
  /** Aborted by Ctrl-C, which then does not end the process. */
  interrupted(): AbortSignal;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Unix ms. */
  now(): number;
};
