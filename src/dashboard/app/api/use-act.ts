import { type UseMutationOptions, type UseMutationResult, useMutation } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { once } from "./once.ts";

type Options<Data, Given> = UseMutationOptions<Data, Error, Given> & {
  /** True if the form stays and may be sent again at once, such as a save. */
  stays?: boolean;
};

/**
 * Replaces `useMutation`: ignores calls during an action and shortly after, such as a double click.
 * A caller that awaits an ignored call gets the result of the running one.
 */
export const useAct = <Data = unknown, Given = void>({
  stays = false,
  ...options
}: Options<Data, Given>): UseMutationResult<Data, Error, Given> => {
  const act = useMutation(options);
  const [gate] = useState(() => once<Data>(stays ? 0 : undefined));
  const run = act.mutateAsync;
  const mutateAsync: typeof run = useCallback(
    (...mutateFunctionRest) => gate(() => run(...mutateFunctionRest)),
    [gate, run],
  );
  const mutate: typeof act.mutate = useCallback(
    (...mutateFunctionRest) => void mutateAsync(...mutateFunctionRest).catch(() => {}),
    [mutateAsync],
  );
  return { ...act, mutate, mutateAsync } as typeof act;
};
