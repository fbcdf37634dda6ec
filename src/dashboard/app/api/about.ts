import { createContext, useContext } from "react";
import { api } from "./api.ts";

type Answer<Get extends () => Promise<unknown>> = Awaited<ReturnType<Get>>;

/** A half that is deployed says what its own `GET /admin/about` says, or only `unreachable`. */
type Half<Facts> = (Partial<Facts> & { unreachable?: string | undefined }) | null;

export type About = Omit<Answer<typeof api.dashboard.about.get>, "bridge" | "email"> & {
  bridge: Half<Answer<typeof api.bridge.about.get>>;
  email: Half<Answer<typeof api.email.about.get>>;
};

/** What is deployed, and who is logged in. The navigation is built from it. */
export const aboutQuery = {
  queryKey: ["about"],
  queryFn: async () => (await api.dashboard.about.get()) as About,
  staleTime: 60_000,
  retry: false,
};

/** What the frame knows. Pages have it from there, not from the query: a logout empties that while a page may still be drawn. */
export const AboutContext = createContext<About | undefined>(undefined);

export const useAbout = (): About => {
  const data = useContext(AboutContext);
  if (!data) throw new Error("The frame shows pages only when it knows what is deployed.");
  return data;
};

/** The bridge's own word for the team that its API key names. */
export const teamOf = (bridge: About["bridge"]): string | undefined => bridge?.team ?? undefined;

/**
 * What the address of a page about a person needs, where a page of the bridge leads to it: the tab may be about another team. Empty where no
 * page has a team.
 */
export const useTeamOfBridge = (): { team?: string } => {
  const { bridge, email } = useAbout();
  const team = email === null ? undefined : teamOf(bridge);
  return team === undefined ? {} : { team };
};
