import { useQuery } from "@tanstack/react-query";
import type { api } from "../../api/api.ts";
import { LATER } from "../../api/queries.ts";
import { useAbout } from "../../api/use-about.ts";
import { sourcesQuery } from "../sources/query.ts";

export type Source = Awaited<ReturnType<typeof api.bridge.sources.list>>["data"][number];

export const useSources = () => {
  const { bridge } = useAbout();
  const enabled = bridge !== null && bridge.unreachable === undefined;
  return useQuery({ ...sourcesQuery, ...LATER, enabled }).data?.data;
};

/** Names a source as its provider does. */
export const useTitleOf = (): ((source: string) => string) => {
  const sources = useSources();
  return (source) => sources?.find(({ name }) => name === source)?.title ?? source;
};
