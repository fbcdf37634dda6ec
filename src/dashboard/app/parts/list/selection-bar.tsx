import "./list.css";
import { Button } from "@mantine/core";
import type { ReactNode } from "react";

/** Acts on the selected rows. `onAll`: offered after the head tick, for all rows that match. */
export const SelectionBar = ({
  count,
  text = `${count.toLocaleString("en")} selected`,
  all,
  onClear,
  children,
}: {
  count: number;
  text?: string | undefined;
  all?: { label: string; onAll: () => void } | undefined;
  onClear: () => void;
  children: ReactNode;
}) => (
  <div className="selection-bar" role="toolbar" aria-label="Selection">
    <span role="status">{text}</span>
    {all && (
      <Button size="compact-sm" variant="subtle" onClick={all.onAll}>
        {all.label}
      </Button>
    )}
    {children}
    <Button size="compact-sm" variant="subtle" onClick={onClear}>
      Clear the selection
    </Button>
  </div>
);
