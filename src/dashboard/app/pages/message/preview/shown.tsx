import { Anchor, Stack, Text, Title } from "@mantine/core";
import { Link, useNavigate } from "@tanstack/react-router";
import type { FooterTexts } from "../../../../../lib/mail-body/footer.ts";
import type { Editing } from "../editing.ts";
import type { kindOf } from "../source.ts";
import { Preview } from "./preview.tsx";
import type { useCompiled } from "./use-compiled.ts";
import { Person, type usePerson, Variables } from "./variables.tsx";

/** View and person of the preview, stored in the URL. */
export type Search = { view?: string; dark?: string; as?: string };

export const Shown = ({
  kind,
  editing,
  compiled: { mail, values },
  typed,
  onType,
  search,
  person,
  locked,
  footer,
}: {
  kind: ReturnType<typeof kindOf>;
  editing: Editing;
  compiled: ReturnType<typeof useCompiled>;
  typed: Readonly<Record<string, string>>;
  onType: (typed: Record<string, string>) => void;
  search: Search;
  person: ReturnType<typeof usePerson>;
  locked: boolean;
  footer: FooterTexts | undefined;
}) => {
  const navigate = useNavigate();
  const go = (changes: Record<string, string | undefined>) =>
    void navigate({ to: ".", search: (before: object) => ({ ...before, ...changes }), replace: true });
  return (
    <Stack gap="md" miw={0}>
      {mail ? (
        <Preview
          mail={mail}
          marked={mail.marked}
          view={search.view ?? "desktop"}
          dark={search.dark === "1"}
          onView={(view) => go({ view: view === "desktop" ? undefined : view })}
          onDark={(dark) => go({ dark: dark ? "1" : undefined })}
        />
      ) : (
        <Text size="sm" role="status">
          The mail is shown when the errors are fixed.
        </Text>
      )}
      {kind !== "transactional" && <AboutFooter footer={footer} />}
      <Title order={2} size="h5">
        Variables
      </Title>
      {kind !== "transactional" && <Person who={search.as} query={person} onChoose={(who) => go({ as: who })} />}
      <Variables editing={editing} values={values} typed={typed} onType={onType} locked={locked} />
    </Stack>
  );
};

const AboutFooter = ({ footer }: { footer: FooterTexts | undefined }) => {
  if (!footer) return <Text size="sm">The email service adds its footer, with the link to unsubscribe.</Text>;
  return (
    <Text size="sm">
      {footer.postalAddress == null && "The footer has no postal address, and laws ask for one. "}
      Its words are set on{" "}
      <Anchor renderRoot={(props) => <Link to="/settings" {...props} />}>the page of the team</Anchor>. The links to
      unsubscribe and to the preferences lead nowhere here: each recipient has their own.
    </Text>
  );
};
