import { VisuallyHidden } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { LATER } from "../api/queries.ts";
import { useAbout } from "../api/use-about.ts";
import { statusQuery } from "../parts/ledger/status.ts";

/** Milliseconds. Rows of the page load first. */
const LATE = 1_000;

/** False at first, so that the page's own requests come before. */
export const useLate = (): boolean => {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), LATE);
    return () => clearTimeout(timer);
  }, []);
  return isLate;
};

export type Counted = { count: number; what: string };

/** Counts what needs a person, by the path of its entry. */
export const useCounts = (): Readonly<Record<string, Counted>> => {
  const isLate = useLate();
  const { bridge } = useAbout();
  const { data } = useQuery({ ...statusQuery, ...LATER, enabled: isLate && bridge !== null });
  if (!data) return {};
  const refusing = data.health.problems.filter(({ kind }) => kind === "refusing").length;
  return {
    "/deliveries": { count: data.attention, what: data.attention === 1 ? "needs you" : "need you" },
    "/sources": { count: refusing, what: refusing === 1 ? "is refused" : "are refused" },
  };
};

/** A number beside an entry. Hidden at zero. */
export const Count = ({ counted }: { counted: Counted | undefined }) =>
  counted === undefined || counted.count === 0 ? null : (
    <span className="side-count">
      {counted.count.toLocaleString("en")}
      <VisuallyHidden> {counted.what}</VisuallyHidden>
    </span>
  );
