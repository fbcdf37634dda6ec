import { Badge, VisuallyHidden } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { LATER } from "../api/queries.ts";
import { statusQuery } from "../parts/ledger/status.ts";

/** Ms until the count is asked for: the rows of the page come first. */
const LATE = 1_000;

/** How many calls need a person, beside their page in the navigation. Nothing where there is none. */
export const AttentionBadge = () => {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), LATE);
    return () => clearTimeout(timer);
  }, []);
  const { data } = useQuery({ ...statusQuery, ...LATER, enabled: isLate });
  if (!data || data.attention === 0) return null;
  return (
    <Badge size="sm" variant="light" color="red">
      {data.attention}
      <VisuallyHidden> {data.attention === 1 ? "needs" : "need"} you</VisuallyHidden>
    </Badge>
  );
};
