import { useDebouncedValue } from "@mantine/hooks";
import { Spotlight, type SpotlightActionGroupData } from "@mantine/spotlight";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useNavigate, useRouter } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { api } from "../api/api.ts";
import { type About, useAbout } from "../api/use-about.ts";
import { rulesQuery } from "../pages/rules/query.ts";
import { sourcesQuery } from "../pages/sources/query.ts";
import { Icon } from "../parts/icons.tsx";
import { placesFor } from "../parts/page/navigation.ts";
import { viewsQuery } from "../parts/views/query.ts";
import { useTeam } from "../team/use-team.ts";
import { allResults, namedResults, type Result, viewResults } from "./found.ts";

/** Debounce in ms. */
const PAUSE = 150;
/** Minimum text length for a request. */
const SHORTEST = 2;

/** The bound of requests for one text: each reads a bounded number of rows. */
const MOST_REQUESTS = 20;

/** Finds pages, people, mails and named items. */
export const Palette = ({ about }: { about: About }) => {
  const [text, setText] = useState("");
  const { results, isLooking, hasFailed } = useResults(text.trim());
  const navigate = useNavigate();
  const { history } = useRouter();
  const pages = pagesFor(placesFor(about), text);
  const groups: SpotlightActionGroupData[] = [
    {
      group: "Pages",
      actions: pages.map(({ to, label, icon }) => ({
        id: to,
        label,
        leftSection: <Icon name={icon} />,
        onClick: () => void navigate({ to }),
      })),
    },
    ...groupsOf(results).map(([group, of]) => ({
      group,
      actions: of.map(({ id, label, description, target }) => ({
        id,
        label,
        description,
        onClick: () => (target.path === undefined ? void navigate(target as never) : history.push(target.path)),
      })),
    })),
  ].filter(({ actions }) => actions.length > 0);
  useFirstSelected(results);
  return (
    <Spotlight
      attributes={{ content: { "aria-label": "Search" } }}
      actions={groups}
      filter={(_, actions) => actions}
      query={text}
      onQueryChange={setText}
      nothingFound={wordsOf(text.trim(), isLooking, hasFailed)}
      scrollable
      maxHeight={420}
      shortcut={["mod + K"]}
      tagsToIgnore={[]}
      // Spotlight clears its text only after the exit transition.
      transitionProps={{ transition: "pop", duration: 150, exitDuration: 0 }}
      searchProps={{ placeholder: FIELD, "aria-label": FIELD }}
    />
  );
};

const FIELD = "Search people, mail, webhooks, pages";

const wordsOf = (text: string, isLooking: boolean, hasFailed: boolean): string => {
  if (isLooking) return "Looking …";
  if (text.length < SHORTEST) return "Type two characters or more";
  return hasFailed ? "A half gives no answer: there may be something" : `Nothing matches “${text}”`;
};

const pagesFor = <T extends { label: string }>(entries: readonly T[], text: string): readonly T[] => {
  const wanted = text.trim().toLowerCase();
  return wanted === "" ? entries : entries.filter(({ label }) => label.toLowerCase().includes(wanted));
};

const groupsOf = (results: readonly Result[]): [group: string, results: Result[]][] => [
  ...Map.groupBy(results, ({ group }) => group),
];

type Looked = { results: Result[]; isLooking: boolean; hasFailed: boolean };

const useResults = (text: string): Looked => {
  const [asked] = useDebouncedValue(text, PAUSE);
  const isLong = asked.length >= SHORTEST;
  const team = useTeam(text.length >= SHORTEST);
  const { data, isFetching, isError, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ["email", team, "search", asked],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      api.email.overview.search(
        { team: team ?? "", q: asked, ...(pageParam === undefined ? {} : { cursor: pageParam }) },
        { signal },
      ),
    getNextPageParam: ({ next }) => next ?? undefined,
    enabled: isLong && team !== undefined,
  });
  const isOld = asked !== text;
  const looksOn = hasNextPage && !isOld && !isError && data !== undefined && data.pages.length < MOST_REQUESTS;
  useEffect(() => {
    if (looksOn && !isFetching) fetchNextPage();
  }, [looksOn, isFetching, fetchNextPage]);
  const known = useKnown(asked);
  const named = useNamed(text);
  return {
    // Shown together, so the first result does not jump.
    results: [
      ...(isLong && !isOld
        ? allResults(text, data?.pages.flatMap((page) => page.data) ?? [], known.data?.data)
        : allResults(text, [])),
      ...(isOld || (isFetching && !data) ? [] : named.results),
    ],
    isLooking: isFetching || looksOn || known.isFetching || named.isLooking || (isOld && text.length >= SHORTEST),
    hasFailed: isError || known.isError || named.hasFailed,
  };
};

const useKnown = (q: string) => {
  const { bridge } = useAbout();
  return useQuery({
    queryKey: ["bridge", "people", "search", q],
    queryFn: ({ signal }) => api.bridge.people.search({ q }, { signal }),
    enabled: q.length >= SHORTEST && bridge !== null,
  });
};

const useNamed = (text: string): Looked => {
  const { bridge } = useAbout();
  const isLong = text.length >= SHORTEST;
  const enabled = isLong && bridge !== null;
  const sources = useQuery({ ...sourcesQuery, refetchInterval: false, staleTime: 60_000, enabled });
  const rules = useQuery({ ...rulesQuery, enabled });
  const views = useQuery({ ...viewsQuery, enabled: isLong });
  const all = { sources: sources.data?.data ?? [], rules: rules.data?.data ?? [] };
  return {
    results: [
      ...(isLong ? viewResults(text, views.data?.data ?? []) : []),
      ...(enabled ? namedResults(text, all) : []),
    ],
    isLooking: sources.isFetching || rules.isFetching || views.isFetching,
    hasFailed: sources.isError || rules.isError || views.isError,
  };
};

/** Enter opens the first result, unless a person chose another. */
const useFirstSelected = (results: readonly Result[]) => {
  const first = results[0]?.id;
  useEffect(() => {
    if (first === undefined || document.querySelector("[data-action][data-selected]")) return;
    document.querySelector("[data-action]")?.setAttribute("data-selected", "true");
  }, [first]);
};
