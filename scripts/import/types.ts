import type { Admin } from "../lib/team-service.ts";
import type { Waiting } from "./patience.ts";

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

export type Values = { [Name in Lists]?: string[] | undefined } & { [Name in Flags]?: boolean | undefined } & {
  [Name in Texts]?: string | undefined;
};

export type Shown = Record<"rows" | "processed" | "created" | "updated" | "unchanged" | "refused", number> & {
  id: string;
  name: string;
  state: "uploading" | "ready" | "running" | "done" | "cancelled";
  dryRun: boolean;
  columns: string[];
  preview: string[][];
  mapping: Record<string, string | null>;
};

export type Io = Waiting & {
  open(path: string): Promise<Blob>;
  checkOutcome(path: string): Promise<void>;
  ask: Admin;
  saveOutcome(id: string, path: string): Promise<void>;
  print(text: string): void;
  width: number;
};
