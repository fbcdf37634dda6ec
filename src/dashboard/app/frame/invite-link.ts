import { useNavigate, useRouterState } from "@tanstack/react-router";
import { useCallback, useEffect, useState } from "react";

/** Reads the invitation secret and removes it from the address and the history at once. */
export const useInvite = () => {
  const hash = useRouterState({ select: ({ location }) => location.hash });
  const [invite, setInvite] = useState<string>();
  const navigate = useNavigate();
  useEffect(() => {
    const [, given] = /^invite=([\w-]+)$/.exec(hash) ?? [];
    if (given === undefined) return;
    setInvite(given);
    void navigate({ to: ".", hash: "", replace: true });
  }, [hash, navigate]);
  const leave = useCallback(() => setInvite(undefined), []);
  return { invite, leave };
};
