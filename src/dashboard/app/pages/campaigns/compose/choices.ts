import { useQuery } from "@tanstack/react-query";
import { allPages } from "../../../api/all-pages.ts";
import type { Team } from "../../../team/team.tsx";
import type { Choice } from "./draft.ts";

export type Choices = { lists: Choice[]; segments: Choice[]; groups: Choice[] };

const choicesOf = (all: readonly { id: string; name: string }[]): Choice[] =>
  all.map(({ id, name }) => ({ value: id, label: name }));

export const useChoices = ({ id, v1 }: Team) =>
  useQuery({
    queryKey: ["v1", id, "campaign-choices"],
    queryFn: async (): Promise<Choices> => {
      const [lists, segments, groups] = await Promise.all([
        v1.lists.list(),
        allPages((asked) => v1.audienceSegments.list(asked)),
        allPages((asked) => v1.campaignGroups.list(asked)),
      ]);
      return { lists: choicesOf(lists), segments: choicesOf(segments), groups: choicesOf(groups) };
    },
    staleTime: 10_000,
  });
