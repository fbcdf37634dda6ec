import { Button, Group, SimpleGrid, Stack, Text, TextInput, Title } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { useAbout } from "../../api/use-about.ts";
import { toast } from "../../parts/acts/toast.tsx";
import { Facts, Issue, Note, Panel, Tiles, Verdict } from "../../parts/cards/cards.tsx";
import { CodeBlock } from "../../parts/code.tsx";
import { Failure } from "../../parts/failure.tsx";
import { address, filled } from "../../parts/form/checks.ts";
import { FormDialog } from "../../parts/form/form-dialog.tsx";
import { Icon } from "../../parts/icons.tsx";
import { MailThumb } from "../../parts/mail-frame/thumb.tsx";
import { Missing } from "../../parts/page/missing.tsx";
import { Page } from "../../parts/page/page.tsx";
import { Span } from "../../parts/span/span.tsx";
import { Copyable, Empty, Loading, NoMatch, Stale } from "../../parts/states.tsx";
import { Status } from "../../parts/status/status.tsx";
import { Story } from "../../parts/story/story.tsx";
import { clock } from "../../parts/time.ts";
import { Charts } from "./charts.tsx";
import { People } from "./people.tsx";
import { BROKEN, DAYS, FLOWING, MAIL, SENT } from "./samples.tsx";

/** Every part in every state, for people who build pages. */
export const Kit = () =>
  useAbout().isLocal ? (
    <Page title="Kit">
      <States />
      <Spans />
      <Problems />
      <Charts />
      <Figures />
      <People />
      <Section title="Story">
        <Story days={DAYS} />
      </Section>
      <Forms />
      <Blocks />
    </Page>
  ) : (
    <Missing />
  );

const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <Stack gap="sm" component="section" aria-label={title}>
    <Title order={2}>{title}</Title>
    {children}
  </Stack>
);

const KINDS = [
  ["delivered", "opened", "sent", "done", "subscribed", "waiting", "not_sent", "draft", "unsubscribed"],
  ["scheduled", "sending", "published"],
  ["retrying", "held", "paused", "undecided", "missing", "failed", "refused", "bounced", "suppressed"],
];

const States = () => (
  <Section title="Status">
    {KINDS.map((kinds) => (
      <Group key={kinds[0]} gap="sm">
        {kinds.map((kind) => (
          <Status key={kind} kind={kind} />
        ))}
      </Group>
    ))}
    <Group gap="sm">
      <Status kind="failed" count={1204} />
      <Status kind="undecided" count={2} />
    </Group>
  </Section>
);

const Spans = () => (
  <Section title="The way of a mail">
    <Span label="Everything flows" stops={FLOWING} />
    <Span label="From source to mailbox" stops={BROKEN} />
    <Span label="December offer" stops={SENT} />
  </Section>
);

const Problems = () => (
  <Section title="Answers and problems">
    <Note tone="good" title="Ada got the receipt.">
      All 3 deliveries are done.
    </Note>
    <Note tone="warn" icon="pause" title="Mara paused delivery at 21:40.">
      Webhooks are still received. 212 deliveries wait.
    </Note>
    <Note title="Nothing to do:">no rule is for this event.</Note>
    <Stale error={new Error("The server does not answer.")} at={clock() - 120_000} onRetry={() => {}} />
    <Title order={3}>Needs you</Title>
    <Issue
      tone="bad"
      title="The email service does not answer"
      facts={[
        <span key="since">
          Since <b>22:26</b>, 3 min 39 s
        </span>,
        <span key="wait">
          <b>1,284</b> deliveries wait
        </span>,
      ]}
      actions={
        <>
          <Button>Try now</Button>
          <Button variant="default">Details</Button>
        </>
      }
    >
      Connection refused. Deliveries are stopped, not lost: Mailspan tries one request every 15 seconds.
    </Issue>
    <Issue tone="warn" title="mail.fieldnote.example is not verified" actions={<Button variant="default">Show</Button>}>
      1 of 4 DNS records differs. Campaigns from this domain are held until it is right.
    </Issue>
    <Issue tone="good" title="Stripe is accepted again">
      Over since 22:31. It lasted 5 minutes.
    </Issue>
  </Section>
);

const Figures = () => (
  <Section title="Figures and facts">
    <Tiles
      label="December offer in numbers"
      tiles={[
        { label: "Open rate", value: "43.7 %", note: "3.1 points more than November" },
        { label: "Click rate", value: "8.5 %", note: "1.2 points more than November" },
        { label: "Bounced", value: "0.8 %", note: "47, of which 31 are suppressed now" },
        { label: "Complaints", value: 0, unit: "of 5,984" },
      ]}
    />
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <Panel title="Known as" aside={<a href="#all">All 4</a>}>
        <Facts
          facts={[
            { label: "Address", value: "ada@example.com" },
            { label: "User id", value: <span className="mono">user_35Lm8QzXcVbNm</span> },
            { label: "Plan", value: "Pro", note: "from Stripe, 2 min ago" },
          ]}
        />
      </Panel>
      <Panel title="2,736 did not get it">
        <Facts
          isOfNumbers
          facts={[
            { label: "Not in the segment", value: "1,902", share: 1, tone: "c-quiet" },
            { label: "Unsubscribed", value: 722, share: 0.38, tone: "c2" },
            { label: "Suppressed", value: 112, share: 0.06, tone: "c-bad" },
          ]}
        />
      </Panel>
    </SimpleGrid>
  </Section>
);

const save = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1_500));

const Forms = () => {
  const [saved, setSaved] = useState(0);
  return (
    <Section title="Dialogs and toasts">
      <Group>
        <FormDialog
          opener="Add a person"
          title="Add a person"
          draft="kit person"
          first={{ name: "", email: "" }}
          check={{ name: filled("Write the name that mails use"), email: address }}
          label="Add"
          run={save}
          done={(_, { name }) => `${name} is added.`}
          onDone={() => setSaved(saved + 1)}
        >
          {(form) => (
            <>
              <TextInput label="Name" description="Only your team sees it" {...form.getInputProps("name")} />
              <TextInput label="Address" type="email" {...form.getInputProps("email")} />
            </>
          )}
        </FormDialog>
        <Text size="sm">{saved} added</Text>
        <Button variant="default" onClick={() => toast("3 of 3 sent. The last one was accepted just now.")}>
          Say a success
        </Button>
        <Button
          variant="default"
          onClick={() =>
            toast("Failed again: template “tpl_welcom” does not exist.", {
              tone: "bad",
              act: { label: "Show", onAct: () => {} },
            })
          }
        >
          Say a failure
        </Button>
        <Button
          variant="default"
          onClick={() =>
            toast("Starts in 24 s.", {
              tone: "wait",
              for: 24_000,
              act: { label: "Undo", onAct: () => toast("Stopped.") },
            })
          }
        >
          Say what can be undone
        </Button>
        <Button color="red" leftSection={<Icon name="remove" size={16} />}>
          Delete
        </Button>
      </Group>
    </Section>
  );
};

const Blocks = () => (
  <Section title="Blocks">
    <SimpleGrid cols={{ base: 1, sm: 3 }}>
      <Empty icon="campaigns" title="No campaigns yet" action={<Button>Choose a layout</Button>}>
        A campaign is one mail to many people at one time. Start from a layout, your logo is in it.
      </Empty>
      <NoMatch what="person" query="graze" among="8,767 people are searched by name and address." onClear={() => {}} />
      <Failure isBlock title="The people cannot be loaded" error={new Error("The email service does not answer.")} />
    </SimpleGrid>
    <Loading rows={3} />
    <Copyable text="npm run demo" />
    <CodeBlock
      name="How to fix it"
      isDiff
      text={'wrangler.toml, line 55\n- welcome = "tpl_welcom"\n+ welcome = "tpl_welcome"'}
    />
    <MailThumb name="December offer" html={MAIL} />
    <Verdict tone="good" title="Everything is flowing">
      Every webhook since 21:04 yesterday is handled.
    </Verdict>
  </Section>
);
