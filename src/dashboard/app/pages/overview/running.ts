import { counted } from "../../parts/ledger/ledger-words.ts";

/** Formats "1 workflow runs.". */
export const runningText = ({ campaigns, workflows }: { campaigns: number; workflows: number }): string => {
  const some = [
    ...(campaigns > 0 ? [counted(campaigns, "campaign")] : []),
    ...(workflows > 0 ? [counted(workflows, "workflow")] : []),
  ];
  if (some.length === 0) return "No campaign and no workflow runs.";
  return `${some.join(" and ")} ${campaigns + workflows === 1 ? "runs" : "run"}.`;
};
