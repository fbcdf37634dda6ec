import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/api.ts";
import { useAbout } from "../../frame/about.ts";
import { Answer } from "../../parts/states.tsx";
import { State } from "../../parts/text.tsx";
import { type Published, type TemplateWords, wordsOfTemplate } from "./template-words.ts";
import type { Rule } from "./words.ts";

/** Most pages of transactional emails that are read. */
const PAGES = 20;

/** The published transactional email with this id; null where there is none. */
const findPublished = async (team: string | undefined, id: string): Promise<Published | null> => {
  let cursor: string | null = null;
  for (let pages = 0; pages < PAGES; pages++) {
    const asked = { perPage: "50", ...(cursor === null ? {} : { cursor }) };
    const { data, pagination }: Awaited<ReturnType<ReturnType<typeof api.v1>["transactional"]["list"]>> = await api
      .v1(team)
      .transactional.list(asked);
    const found = data.find((one) => one.id === id);
    if (found) return found;
    cursor = pagination.nextCursor;
    if (cursor === null) return null;
  }
  return null;
};

/** Whether the template of a rule's mail is published, and which of its variables the rule gives. */
export const Template = ({ mail }: { mail: NonNullable<Rule["transactional"]> }) => {
  const { bridge, email } = useAbout();
  const { team, templates = {} } = (bridge ?? {}) as { team?: string | null; templates?: Record<string, string> };
  const id = templates[mail.template];
  const query = useQuery({
    queryKey: ["v1", team, "transactional", id],
    queryFn: () => findPublished(email === null ? undefined : (team ?? undefined), id ?? ""),
    enabled: id !== undefined,
  });
  if (id === undefined) return <Says words={wordsOfTemplate(mail, id, null)} />;
  return (
    <Answer query={query} rows={1}>
      {(found) => <Says words={wordsOfTemplate(mail, id, found)} />}
    </Answer>
  );
};

const Says = ({ words: { state, text } }: { words: TemplateWords }) => (
  <Text size="sm" component="div">
    <State state={state} /> {text}
  </Text>
);
