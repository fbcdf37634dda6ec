import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/api.ts";
import { LATER } from "../../api/queries.ts";
import { useAbout } from "../../api/use-about.ts";

export type Source = Awaited<ReturnType<typeof api.bridge.sources.list>>["data"][number];

export const useSources = () => {
  const { bridge } = useAbout();
  return useQuery({
    queryKey: ["bridge", "sources"],
    queryFn: () => api.bridge.sources.list({}),
    enabled: bridge !== null && bridge.unreachable === undefined,
    ...LATER,
  }).data?.data;
};

/** Names a source as its provider does. */
export const useTitleOf = (): ((source: string) => string) => {
  const sources = useSources();
  return (source) => sources?.find(({ name }) => name === source)?.title ?? source;
};
