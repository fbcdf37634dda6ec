import type { ReactNode } from "react";
import type { Shown } from "../use-workflow.ts";
import type { StepEdits } from "./edits.ts";

/** Props of the node editor. `onSelect`: shows a node or none. Actions refetch automatically. */
export type NodeEditProps = Shown & { nodeId: string; onSelect: (nodeId: string | undefined) => void };

/** Props of a step's form. `note`: what a change does to people who wait there. */
export type StepProps = Shown & { nodeId: string; edits: StepEdits; isLocked: boolean; note: ReactNode };
