import { type UseMutationOptions, type UseMutationResult, useMutation } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { once } from "./once.ts";

type Options<Data, Given> = UseMutationOptions<Data, Error, Given> & {
  /** True where the form stays on the page after it, and may be sent again at once: a save, or a switch. */
  stays?: boolean;
};

/**
 * Every act of a page, in the place of `useMutation`: what is asked while the act runs is ignored, and so is what is asked for a moment after it.
 * The look of a button comes too late for the second click of a double click. Who awaits an ignored act gets the outcome of the one that runs.
 */
export const useAct = <Data = unknown, Given = void>({
  stays = false,
  ...options
}: Options<Data, Given>): UseMutationResult<Data, Error, Given> => {
  const act = useMutation(options);
  const [gate] = useState(() => once<Data>(stays ? 0 : undefined));
  const run = act.mutateAsync;
  const mutateAsync: typeof run = useCallback((...asked) => gate(() => run(...asked)), [gate, run]);
  // A failure is shown from the state.
  const mutate: typeof act.mutate = useCallback(
    (...asked) => void mutateAsync(...asked).catch(() => {}),
    [mutateAsync],
  );
  return { ...act, mutate, mutateAsync } as typeof act;
};
