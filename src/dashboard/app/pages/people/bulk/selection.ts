import { useCallback, useState } from "react";

type Selected = { of: string; ids: ReadonlySet<string>; isAll: boolean };

/** Selected rows of a search. `isAll`: all results, including other pages. */
export const useSelection = (search: string) => {
  const [state, setState] = useState<Selected>({ of: search, ids: new Set(), isAll: false });
  const { ids, isAll } = state.of === search ? state : { ids: new Set<string>(), isAll: false };
  const toggle = (rows: readonly string[], on: boolean) => {
    const next = new Set(ids);
    for (const id of rows) on ? next.add(id) : next.delete(id);
    setState({ of: search, ids: next, isAll: false });
  };
  const all = (rows: readonly string[]) => setState({ of: search, ids: new Set([...ids, ...rows]), isAll: true });
  const clear = useCallback(() => setState({ of: search, ids: new Set(), isAll: false }), [search]);
  return { selected: ids, isAll, toggle, all, clear };
};
