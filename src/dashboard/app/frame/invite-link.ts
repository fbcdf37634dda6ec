import { useNavigate, useRouterState } from "@tanstack/react-router";
import { useCallback, useEffect, useState } from "react";

/** The secret in the link of an invitation, which is taken out of the address at once, so that it stays neither there nor in the history. */
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
