import type { ConsentColumn } from "../../src/lib/imports/consent/consent.ts";
import type { Line } from "../lib/command.ts";
import type { Admin } from "../lib/team-service.ts";
import type { Waiting } from "./patience.ts";
import type { IMPORT } from "./usage.ts";

export type Values = Partial<Line<typeof IMPORT>["values"]>;

export type Shown = Record<"rows" | "processed" | "created" | "updated" | "unchanged" | "refused", number> & {
  id: string;
  name: string;
  state: "uploading" | "ready" | "running" | "done" | "cancelled";
  dryRun: boolean;
  columns: string[];
  preview: string[][];
  mapping: Record<string, string | null>;
  consent?: ConsentColumn[];
  fileSaysNo?: boolean;
  dates?: Record<string, "day-first" | "month-first" | "unclear">;
};

export type Io = Waiting & {
  open(path: string): Promise<Blob>;
  checkOutcome(path: string): Promise<void>;
  ask: Admin;
  saveOutcome(id: string, path: string): Promise<void>;
  print(text: string): void;
  width: number;
};
