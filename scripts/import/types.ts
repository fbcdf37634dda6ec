import type { Admin } from "../lib/team-service.ts";
import type { Waiting } from "./patience.ts";

/** The options of the command. */
export const OPTIONS = {
  map: { type: "string", multiple: true },
  create: { type: "string", multiple: true },
  list: { type: "string", multiple: true },
  start: { type: "boolean" },
  "dry-run": { type: "boolean" },
  "only-new": { type: "boolean" },
  "trigger-workflows": { type: "boolean" },
  encoding: { type: "string" },
  delimiter: { type: "string" },
  outcome: { type: "string" },
  import: { type: "string" },
  imports: { type: "boolean" },
  cancel: { type: "string" },
  team: { type: "string" },
  url: { type: "string" },
} as const;

type Lists = "map" | "create" | "list";
type Flags = "start" | "dry-run" | "only-new" | "trigger-workflows" | "imports";
type Texts = "encoding" | "delimiter" | "outcome" | "import" | "cancel";

/** The values of the options. */
export type Values = { [Name in Lists]?: string[] | undefined } & { [Name in Flags]?: boolean | undefined } & {
  [Name in Texts]?: string | undefined;
};

/** An import as the service shows it. */
export type Shown = Record<"rows" | "processed" | "created" | "updated" | "unchanged" | "refused", number> & {
  id: string;
  name: string;
  state: "uploading" | "ready" | "running" | "done" | "cancelled";
  dryRun: boolean;
  columns: string[];
  preview: string[][];
  mapping: Record<string, string | null>;
};

/** What the command needs. */
export type Io = Waiting & {
  /** Opens the file. Throws where it cannot be read. */
  open(path: string): Promise<Blob>;
  /** Throws where no outcome file can be written there. */
  checkOutcome(path: string): Promise<void>;
  ask: Admin;
  /** Saves the outcome file of an import. */
  saveOutcome(id: string, path: string): Promise<void>;
  print(text: string): void;
  /** Characters of a line of the terminal. */
  width: number;
};
