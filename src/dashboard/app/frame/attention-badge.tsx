import { Badge, VisuallyHidden } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { LATER } from "../api/queries.ts";
import { statusQuery } from "../parts/ledger/status.ts";

/** Milliseconds. Rows of the page load first. */
const LATE = 1_000;

/** Number of deliveries that need a person. Hidden at zero. */
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
