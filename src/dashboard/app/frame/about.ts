import { createContext, useContext } from "react";
import { api } from "../api/api.ts";

/** What is deployed, and who is logged in. The navigation is built from it. */
export const aboutQuery = {
  queryKey: ["about"],
  queryFn: () => api.dashboard.about.get(),
  staleTime: 60_000,
  retry: false,
};

export type About = Awaited<ReturnType<typeof api.dashboard.about.get>>;

/** What the frame knows. Pages have it from there, not from the query: a logout empties that while a page may still be drawn. */
export const AboutContext = createContext<About | undefined>(undefined);

export const useAbout = (): About => {
  const data = useContext(AboutContext);
  if (!data) throw new Error("The frame shows pages only when it knows what is deployed.");
  return data;
};
