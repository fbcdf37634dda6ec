import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { api } from "../../api/api.ts";
import { RequestError } from "../../api/client.ts";
import { useAbout, useTeamOfBridge } from "../../api/use-about.ts";
import { Answer } from "../../parts/states.tsx";
import { Status } from "../../parts/status/status.tsx";
import { type Published, type TemplateOfRule, type TemplateWords, wordsOfTemplate } from "./template-words.ts";

const findPublished = async (team: string | undefined, id: string): Promise<Published | null> => {
  try {
    const transactionalEmail = await api.v1(team).transactionalEmails.get({ transactionalId: id });
    return transactionalEmail.publishedEmailMessageId === null ? null : transactionalEmail;
  } catch (error) {
    if (error instanceof RequestError && error.status === 404) return null;
    throw error;
  }
};

/** Shows if the template is published and which variables the rule sets. */
export const Template = ({ mail, isOfItsPage }: { mail: TemplateOfRule; isOfItsPage?: true }) => {
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
      {(published) => (
        <Says words={wordsOfTemplate(mail, id, published)}>
          {!isOfItsPage && published !== null && (
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
    <Status kind={state} /> {text} {children}
  </Text>
);
