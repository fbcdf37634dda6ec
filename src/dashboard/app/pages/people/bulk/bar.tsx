import { Button } from "@mantine/core";
import { useState } from "react";
import type { Filters } from "../../../parts/filters.ts";
import { SelectionBar } from "../../../parts/list/selection-bar.tsx";
import { ACTIONS, type BulkAction } from "./bulk-acts.ts";
import { BulkContacts, type ListChoice } from "./dialog.tsx";
import type { Target } from "./target.ts";

type Props = {
  team: string;
  lists: ListChoice;
  selected: ReadonlySet<string>;
  filters: Filters;
  /** All contacts of the search, including other pages. */
  isAll: boolean;
  onAll: () => void;
  onClear: () => void;
};

export const BulkBar = ({ team, lists, selected, filters, isAll, onAll, onClear }: Props) => {
  const [chosen, setChosen] = useState<{ action: BulkAction; target: Target }>();
  const close = (hasActed: boolean) => {
    setChosen(undefined);
    if (!hasActed) return;
    onClear();
    document.getElementById("main")?.focus();
  };
  // The target must not change while the dialog is open.
  const choose = (action: BulkAction) =>
    setChosen({ action, target: isAll ? { search: filters } : { ids: [...selected] } });
  return (
    <SelectionBar
      text={isAll ? "All of this search are selected" : undefined}
      count={selected.size}
      all={isAll ? undefined : { label: "Select all of this search", onAll }}
      onClear={onClear}
    >
      {ACTIONS.map((bulkAction) => (
        <Button
          key={bulkAction.name}
          size="compact-sm"
          variant={bulkAction.word === undefined ? "default" : "outline"}
          {...(bulkAction.word === undefined ? {} : { color: "red" })}
          onClick={() => choose(bulkAction)}
        >
          {bulkAction.label}
        </Button>
      ))}
      <BulkContacts team={team} chosen={chosen} lists={lists} onClose={close} />
    </SelectionBar>
  );
};
