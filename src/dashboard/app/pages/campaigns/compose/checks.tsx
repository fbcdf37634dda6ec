import { Anchor, Button, Group, List, Stack, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { findingWords } from "../../../parts/finding-words.ts";
import { Answer, type Asked } from "../../../parts/states.tsx";
import { fieldOfPath } from "./draft.ts";
import { idOfField } from "./ids.ts";
import type { SendAnswer } from "./use-checks.ts";

type Problem = SendAnswer["problems"][number];

/** Lists problems that block sending and warnings, each with a link to the fix. */
export const Checks = ({ query, message }: { query: Asked<SendAnswer>; message: string }) => (
  <Answer query={query} rows={2}>
    {({ problems, warnings }) => (
      <Stack gap="sm">
        {problems.length === 0 ? (
          <Text size="sm">Ready to send.</Text>
        ) : (
          <Findings title="It cannot be sent yet" found={problems} message={message} />
        )}
        {warnings.length > 0 && <Findings title="Look at this before" found={warnings} message={message} />}
      </Stack>
    )}
  </Answer>
);

const Findings = ({ title, found, message }: { title: string; found: readonly Problem[]; message: string }) => (
  <Stack gap={4}>
    <Title order={3} size="h6">
      {title}
    </Title>
    <List size="sm" spacing={6} aria-label={title}>
      {found.map((one) => (
        <List.Item key={`${one.code} ${one.path} ${one.message}`} className="wrap">
          <Group gap="xs" align="baseline">
            <span>{findingWords(one)}</span>
            <Fix problem={one} message={message} />
          </Group>
        </List.Item>
      ))}
    </List>
  </Stack>
);

const Fix = ({ problem: { code, path, message: text }, message }: { problem: Problem; message: string }) => {
  const field = fieldOfPath(path) ?? (code === "whole_audience" || code === "no_recipients" ? "list" : undefined);
  if (field !== undefined)
    return (
      <Button size="compact-xs" variant="default" onClick={() => document.getElementById(idOfField(field))?.focus()}>
        Go to it
      </Button>
    );
  if (path?.startsWith("emailMessage") && code !== "same_content")
    return (
      <Anchor
        size="sm"
        renderRoot={(props) => <Link to="/messages/$emailMessageId" params={{ emailMessageId: message }} {...props} />}
      >
        Edit the mail
      </Anchor>
    );
  const other = /\((cmp_\w+)\)/.exec(text)?.[1];
  if (other !== undefined)
    return (
      <Anchor
        size="sm"
        renderRoot={(props) => <Link to="/campaigns/$campaignId" params={{ campaignId: other }} {...props} />}
      >
        Show that campaign
      </Anchor>
    );
  const page = PAGES[code];
  return page === undefined ? null : (
    <Anchor size="sm" renderRoot={(props) => <Link to={page.to} {...props} />}>
      {page.text}
    </Anchor>
  );
};

const PAGES: Readonly<Record<string, { to: "/settings/domains" | "/settings"; text: string }>> = {
  domain_not_verified: { to: "/settings/domains", text: "Sending domains" },
  mail_cannot_leave: { to: "/settings/domains", text: "Sending domains" },
  no_postal_address: { to: "/settings", text: "Settings of the team" },
};
