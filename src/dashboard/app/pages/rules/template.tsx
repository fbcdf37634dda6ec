import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useAbout, useTeamOfBridge } from "../../api/about.ts";
import { api } from "../../api/api.ts";
import { RequestError } from "../../api/client.ts";
import { Answer } from "../../parts/states.tsx";
import { State } from "../../parts/text.tsx";
import { type Published, type TemplateWords, wordsOfTemplate } from "./template-words.ts";
import type { Rule } from "./words.ts";

const findPublished = async (team: string | undefined, id: string): Promise<Published | null> => {
  try {
    const found = await api.v1(team).transactionalEmails.get({ transactionalId: id });
    return found.publishedEmailMessageId === null ? null : found;
  } catch (error) {
    if (error instanceof RequestError && error.status === 404) return null;
    throw error;
  }
};

/** Shows if the template is published and which variables the rule sets. */
export const Template = ({ mail, isOfItsPage }: { mail: NonNullable<Rule["transactional"]>; isOfItsPage?: true }) => {
  const { bridge, email } = useAbout();
  const ofBridge = useTeamOfBridge();
  const team = bridge?.team ?? undefined;
  const id = bridge?.templates?.[mail.template];
  const query = useQuery({
    queryKey: ["v1", team, "transactional", id],
    queryFn: () => findPublished(email === null ? undefined : team, id ?? ""),
    enabled: id !== undefined,
  });
  if (id === undefined) return <Says words={wordsOfTemplate(mail, id, null)} />;
  return (
    <Answer query={query} rows={1}>
      {(found) => (
        <Says words={wordsOfTemplate(mail, id, found)}>
          {!isOfItsPage && found !== null && (
            <Link to="/transactional/$transactionalEmailId" params={{ transactionalEmailId: id }} search={ofBridge}>
              Its page
            </Link>
          )}
        </Says>
      )}
    </Answer>
  );
};

const Says = ({ words: { state, text }, children }: { words: TemplateWords; children?: ReactNode }) => (
  <Text size="sm" component="div">
    <State state={state} /> {text} {children}
  </Text>
);
