import { useQueryClient } from "@tanstack/react-query";
import { aboutQuery } from "../../api/use-about.ts";
import { dropDrafts } from "./draft.ts";

/** Returns what ends a login with `end`, and drops what this tab knows of it, whatever page shows then. */
export const useLeave = (): ((end: () => Promise<unknown>) => Promise<void>) => {
  const queries = useQueryClient();
  return async (end) => {
    await end();
    dropDrafts();
    // All queries would refetch later, and their refusals would open the login dialog over the page.
    await queries.resetQueries(aboutQuery);
  };
};
