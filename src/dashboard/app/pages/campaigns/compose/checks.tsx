import { Anchor, Button, Stack, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Checked, Panel } from "../../../parts/cards/cards.tsx";
import { counted } from "../../../parts/ledger/ledger-words.ts";
import { Answer, type Asked } from "../../../parts/states.tsx";
import { MessageLink } from "../../../parts/usage/message-link.tsx";
import { idOfField } from "./ids.ts";
import { type Finding, fieldOf, isMail, judged, type SendAnswer, type Typed } from "./judged.ts";

/** Checks of a draft: what keeps it from being sent, what a person should know, and what is well. Each leads to the fix. */
export const Checks = ({ query, message, typed }: { query: Asked<SendAnswer>; message: string; typed: Typed }) => (
  <Answer query={query} rows={2}>
    {(answer) => {
      const { lines, problems } = judged(answer, typed);
      const doubts = lines.filter(({ tone }) => tone === "warn").length;
      return (
        <Panel title="Before it goes" aside={doubts > 0 && `${doubts} worth a look`}>
          <Stack gap="sm">
            {saysOf(problems, typed.changed.length > 0).map((text) => (
              <Text key={text} size="sm">
                {text}
              </Text>
            ))}
            <Checked
              label="Checks"
              lines={lines.map(({ finding, ...line }) => ({
                ...line,
                act: finding && <Fix finding={finding} message={message} />,
              }))}
            />
          </Stack>
        </Panel>
      );
    }}
  </Answer>
);

const saysOf = (problems: number, isChanged: boolean): string[] => {
  if (problems === 0 && !isChanged) return ["Ready to send."];
  return [
    ...(problems > 0 ? [`Fix ${counted(problems, "thing")} first.`] : []),
    ...(isChanged ? ["Save the changes first: only what is saved is sent, and checked in full."] : []),
  ];
};

const Fix = ({ finding, message }: { finding: Finding; message: string }) => {
  const { code, message: text } = finding;
  const field = fieldOf(finding);
  if (field !== undefined)
    return (
      <Button size="compact-xs" variant="default" onClick={() => document.getElementById(idOfField(field))?.focus()}>
        Go to it
      </Button>
    );
  if (isMail(finding)) return <MessageLink emailMessageId={message}>Edit the mail</MessageLink>;
  const other = /\((cmp_\w+)\)/.exec(text)?.[1];
  if (other !== undefined)
    return (
      <Anchor
        inherit
        renderRoot={(props) => <Link to="/campaigns/$campaignId" params={{ campaignId: other }} {...props} />}
      >
        Show that campaign
      </Anchor>
    );
  const page = PAGES[code];
  return page === undefined ? null : (
    <Anchor inherit renderRoot={(props) => <Link to={page.to} {...props} />}>
      {page.text}
    </Anchor>
  );
};

const PAGES: Readonly<Record<string, { to: "/settings/domains" | "/settings"; text: string }>> = {
  domain_not_verified: { to: "/settings/domains", text: "Sending domains" },
  mail_cannot_leave: { to: "/settings/domains", text: "Sending domains" },
  no_postal_address: { to: "/settings", text: "Settings of the team" },
};
