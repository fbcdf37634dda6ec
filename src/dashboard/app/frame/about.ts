import { useQuery } from "@tanstack/react-query";
import { api } from "../api/api.ts";

/** What is deployed, and who is logged in. The navigation is built from it. */
export const aboutQuery = {
  queryKey: ["about"],
  queryFn: () => api.dashboard.about.get(),
  staleTime: 60_000,
  retry: false,
};

export type About = Awaited<ReturnType<typeof api.dashboard.about.get>>;

export const useAbout = () => {
  const { data } = useQuery(aboutQuery);
  if (!data) throw new Error("The frame shows pages only when it knows what is deployed.");
  return data;
};
