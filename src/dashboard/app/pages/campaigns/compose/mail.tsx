import { Grid } from "@mantine/core";
import { Facts, Panel } from "../../../parts/cards/cards.tsx";
import { MessageButton } from "../../../parts/usage/message-link.tsx";
import type { Team } from "../../../team/team.tsx";
import { MessagePicture } from "../../message/picture.tsx";
import { InboxLine } from "../../message/preview/inbox-line.tsx";
import { type Message, senderOf } from "../message.ts";

export const Mail = ({ team, message }: { team: Team; message: Message }) => {
  const { id, subject, previewText, replyToEmail } = message;
  return (
    <Panel
      title="Mail"
      aside={
        <MessageButton emailMessageId={id} variant={subject === "" ? "filled" : "default"}>
          {subject === "" ? "Write the mail" : "Edit the mail"}
        </MessageButton>
      }
    >
      <Grid>
        <Grid.Col span={{ base: 12, xs: 4 }} visibleFrom="xs">
          <MessagePicture team={team} emailMessageId={id} name="the mail" />
        </Grid.Col>
        <Grid.Col span={{ base: 12, xs: 8 }}>
          <Facts
            facts={[
              { label: "Subject", value: subject || "It has no subject yet." },
              { label: "Preview text", value: previewText || "–" },
              { label: "From", value: senderOf(message) },
              { label: "Replies go to", value: replyToEmail || "the sender" },
            ]}
          />
        </Grid.Col>
      </Grid>
    </Panel>
  );
};

/** As a mailbox lists it, for a person without values: with the fallbacks. */
export const InInbox = ({ message }: { message: Message }) => {
  const { subject, previewText, contactPropertiesFallbacks } = message;
  const filled = (text: string) =>
    text.replaceAll(/\{contact\.(\w+)\}/g, (name, key: string) => contactPropertiesFallbacks[key] ?? name);
  return (
    <Panel title="In the inbox" aside="without values">
      <InboxLine
        mail={{
          from: message.fromName || senderOf(message),
          subject: filled(subject),
          previewText: filled(previewText),
        }}
      />
    </Panel>
  );
};
