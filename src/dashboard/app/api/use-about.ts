import { createContext, useContext } from "react";
import { api } from "./api.ts";

type Answer<Get extends () => Promise<unknown>> = Awaited<ReturnType<Get>>;

/** A deployed half returns its `GET /admin/about` answer, or only `unreachable`. */
type Half<Facts> = (Partial<Facts> & { unreachable?: string | undefined }) | null;

export type About = Omit<Answer<typeof api.dashboard.about.get>, "bridge" | "email"> & {
  bridge: Half<Answer<typeof api.bridge.about.get>>;
  email: Half<Answer<typeof api.email.about.get>>;
};

/** Deployed halves and the current login. The navigation depends on it. */
export const aboutQuery = {
  queryKey: ["about"],
  queryFn: async () => (await api.dashboard.about.get()) as About,
  staleTime: 60_000,
  retry: false,
};

/** Pages read this context, because a logout clears the query while a page may still render. */
export const AboutContext = createContext<About | undefined>(undefined);

export const useAbout = (): About => {
  const data = useContext(AboutContext);
  if (!data) throw new Error("The frame shows pages only when it knows what is deployed.");
  return data;
};

/** The bridge's name for the team of its API key. */
export const teamOf = (bridge: About["bridge"]): string | undefined => bridge?.team ?? undefined;

/** Returns the search parameters for links from bridge pages to person pages. Empty if no page has a team. */
export const useTeamOfBridge = (): { team?: string } => {
  const { bridge, email } = useAbout();
  const team = email === null ? undefined : teamOf(bridge);
  return team === undefined ? {} : { team };
};
