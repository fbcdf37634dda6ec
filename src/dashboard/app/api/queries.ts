import { MutationCache, QueryCache, QueryClient, type QueryKey } from "@tanstack/react-query";
import { isLost, RequestError, wasDoneBefore } from "./client.ts";

/** True for the end of the session. Other 401s are about a token that a person gave. */
export const isLoggedOut = (error: unknown): boolean =>
  error instanceof RequestError && error.code === "session_required";

/** The key of the fact that the session has ended while a page is open. */
export const EXPIRED = ["expired"] as const;

const noticeEnd = (error: unknown): void => {
  if (isLoggedOut(error)) queries.setQueryData(EXPIRED, true);
};

/** The `meta` of a query whose question is used up by an act, such as the link of an invitation: no act lets it be asked again. */
export const USED_UP = { isUsedUp: true } as const;

/** Lets all be read again after an act. */
const readAgain = (): Promise<void> => queries.invalidateQueries({ predicate: ({ meta }) => meta?.isUsedUp !== true });

/** What an act has done whose answer was lost is seen only where the page reads it again. */
const noticeLoss = (error: unknown): void => {
  noticeEnd(error);
  if (isLost(error) || wasDoneBefore(error)) void readAgain();
};

/**
 * Shows what is known of an answer that takes several requests, until it is whole. Where a whole one is there already, that is shown. A part is old at
 * once: one that was left is asked for again.
 */
export const showParts = <Part extends { next: string | null }>(queryKey: QueryKey): ((part: Part) => void) => {
  const isThere = queries.getQueryData<Part>(queryKey)?.next === null;
  return (part) => void (isThere || queries.setQueryData(queryKey, part, { updatedAt: 0 }));
};

/** Answers are kept for a while: the old rows stay on the page while new ones are read. */
export const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noticeEnd }),
  mutationCache: new MutationCache({ onError: noticeLoss, onSuccess: () => readAgain() }),
  defaultOptions: {
    // A machine without a network still reaches itself. An act that cannot be done says so at once: it does not wait for a connection.
    mutations: { networkMode: "always" },
    queries: {
      networkMode: "always",
      staleTime: 2_000,
      // A refusal stays one. No answer, or an error of the server, may be over.
      retry: (count, error) =>
        count < 2 && error instanceof RequestError && (error.status === 0 || error.status >= 500),
    },
  },
});

/** How often pages ask again, in ms. Hidden tabs do not ask. */
export const SOON = { refetchInterval: 2_000 } as const;
export const LATER = { refetchInterval: 15_000 } as const;
