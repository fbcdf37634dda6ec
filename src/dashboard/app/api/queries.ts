import { MutationCache, QueryCache, QueryClient, type QueryKey } from "@tanstack/react-query";
import { isLost, RequestError, wasDoneBefore } from "./client.ts";

/** True if the session ended. Other 401 errors concern a typed token. */
export const isLoggedOut = (error: unknown): boolean =>
  error instanceof RequestError && error.code === "session_required";

/** Query key that marks a session that ended while a page is open. */
export const EXPIRED = ["expired"] as const;

const noticeEnd = (error: unknown): void => {
  if (isLoggedOut(error)) queries.setQueryData(EXPIRED, true);
};

/** `meta` of a query that an action uses up, such as an invitation link. It is never refetched. */
export const USED_UP = { isUsedUp: true } as const;

const readAgain = (): Promise<void> => queries.invalidateQueries({ predicate: ({ meta }) => meta?.isUsedUp !== true });

/** Only a refetch shows the result after a lost answer. */
const noticeLoss = (error: unknown): void => {
  noticeEnd(error);
  if (isLost(error) || wasDoneBefore(error)) void readAgain();
};

/** Shows partial results until the answer is complete. A part is stale at once, so it is fetched again. */
export const showParts = <Part extends { next: string | null }>(queryKey: QueryKey): ((part: Part) => void) => {
  const isThere = queries.getQueryData<Part>(queryKey)?.next === null;
  return (part) => void (isThere || queries.setQueryData(queryKey, part, { updatedAt: 0 }));
};

/** Keeps answers for a while, so old rows stay visible during a refetch. */
export const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noticeEnd }),
  mutationCache: new MutationCache({ onError: noticeLoss, onSuccess: () => readAgain() }),
  defaultOptions: {
    // `localhost` works without a network. An action that cannot be done fails at once.
    mutations: { networkMode: "always" },
    queries: {
      networkMode: "always",
      staleTime: 2_000,
      // Only missing answers and server errors are retried.
      retry: (count, error) =>
        count < 2 && error instanceof RequestError && (error.status === 0 || error.status >= 500),
    },
  },
});

/** Poll interval in ms. Hidden tabs do not poll. */
export const SOON = { refetchInterval: 2_000 } as const;
export const LIVE = { refetchInterval: 5_000 } as const;
export const LATER = { refetchInterval: 15_000 } as const;
