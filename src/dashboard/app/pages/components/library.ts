import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Library } from "../../../../email/lmx/compile.ts";
import { allPages } from "../../api/all-pages.ts";
import type { Team } from "../../team/team.tsx";

/** The themes and components of a team, for the compiler in the tab. */
export const useLibrary = (team: Team) => {
  const query = useQuery({
    queryKey: ["v1", team.id, "library"],
    queryFn: async () => {
      const [themes, components] = await Promise.all([
        allPages((asked) => team.v1.themes.list(asked)),
        allPages((asked) => team.v1.components.list(asked)),
      ]);
      return { themes, components };
    },
    staleTime: 30_000,
  });
  const { data } = query;
  const library = useMemo<Library>(() => {
    const byId = <T extends { id: string }, R>(all: readonly T[], read: (one: T) => R) =>
      Object.fromEntries(all.map((one) => [one.id, read(one)]));
    const defaultThemeId = data?.themes.find(({ isDefault }) => isDefault)?.id;
    return {
      themes: byId(data?.themes ?? [], ({ styles }) => styles),
      components: byId(data?.components ?? [], ({ name, lmx }) => ({ name, lmx })),
      ...(defaultThemeId === undefined ? {} : { defaultThemeId }),
    };
  }, [data]);
  return { query, library, named: data };
};
