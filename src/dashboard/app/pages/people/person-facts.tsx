import { Anchor } from "@mantine/core";
import type { ReactNode } from "react";
import type { api } from "../../api/api.ts";
import { Facts, Panel } from "../../parts/cards/cards.tsx";
import { Id, Time } from "../../parts/text.tsx";
import { originOf, valueText } from "../../story/changes.ts";
import type { StoryWebhook } from "../../story/story-types.ts";
import { useTitleOf } from "../overview/sources.ts";
import type { Contact, KnownPerson } from "./queries.ts";
import { editable, type Property } from "./values.ts";

type About = Awaited<ReturnType<typeof api.email.contacts.get>>;
type Props = {
  contact: Contact | undefined;
  known: KnownPerson | undefined;
  about: About | undefined;
  webhooks: readonly StoryWebhook[];
  properties: readonly Property[];
  onAll: () => void;
};

/** Beside the story: identifiers, properties with where they came from, consent, and what became of the mail. */
export const PersonFacts = (props: Props) => (
  <>
    <Identifiers {...props} />
    <Values {...props} />
    <Consent {...props} />
    <MailCounts {...props} />
  </>
);

const LABELS = { email: "Address", userId: "User id", ref: "Provider's id" } as const;

const Identifiers = ({ contact, known }: Props) => {
  const titleOf = useTitleOf();
  const told = known?.identifiers ?? [];
  const isTold = (kind: keyof typeof LABELS, value: string) =>
    told.some((one) => one.kind === kind && one.value.toLowerCase() === value.toLowerCase());
  const own = [
    { kind: "email", value: contact?.email },
    { kind: "userId", value: contact?.userId },
  ] as const;
  const all = [
    ...own.flatMap(({ kind, value }) =>
      value && !isTold(kind, value) ? [{ label: LABELS[kind], value, learnedAt: null }] : [],
    ),
    ...told.map(({ kind, value, source, learnedAt }) => ({
      label: source === undefined ? LABELS[kind] : titleOf(source),
      value,
      learnedAt,
    })),
    ...(contact ? [{ label: "Contact id", value: contact.id, learnedAt: null }] : []),
  ];
  if (all.length === 0) return null;
  return (
    <Panel title="Known as">
      <Facts
        facts={all.map(({ label, value, learnedAt }) => ({
          label,
          value: <Id>{value}</Id>,
          note: learnedAt !== null && <Time at={learnedAt} />,
        }))}
      />
    </Panel>
  );
};

const SHOWN = 6;

const Values = ({ contact, known, webhooks, properties, onAll }: Props) => {
  const titleOf = useTitleOf();
  if (!contact) return null;
  const values = contact as Record<string, unknown>;
  const set = editable(properties).filter(({ name }) => ![null, undefined, ""].includes(values[name] as string));
  if (set.length === 0) return null;
  const noteOf = (name: string): ReactNode => {
    const at = known?.written[name];
    if (at === undefined) return undefined;
    const source = originOf(webhooks, name)?.source;
    return (
      <>
        from {source === undefined ? "a webhook" : titleOf(source)}, <Time at={at} />
      </>
    );
  };
  // Values of webhooks come first.
  const sorted = set.toSorted(
    (a, b) => Number(b.name in (known?.written ?? {})) - Number(a.name in (known?.written ?? {})),
  );
  return (
    <Panel
      title="Properties"
      aside={
        <Anchor component="button" size="sm" onClick={onAll}>
          All {set.length}
        </Anchor>
      }
    >
      <Facts
        facts={sorted
          .slice(0, SHOWN)
          .map(({ name, label }) => ({ label, value: valueText(values[name]), note: noteOf(name) }))}
      />
    </Panel>
  );
};

const OPT_IN = { pending: "not answered yet", accepted: "confirmed", rejected: "declined" } as const;

const Consent = ({ contact, about }: Props) => {
  const { optInStatus } = contact ?? {};
  const { consent } = about ?? {};
  if (!consent && !optInStatus) return null;
  const source = consent?.source ? `source: ${consent.source}, ` : "";
  return (
    <Panel title="Consent">
      <Facts
        facts={[
          ...(consent
            ? [
                {
                  label: "Agreed to get mail",
                  value: consent.at === null ? "" : <Time at={consent.at} />,
                  note: `${source}as the import said`,
                },
              ]
            : []),
          ...(optInStatus ? [{ label: "Confirmation", value: OPT_IN[optInStatus] }] : []),
        ]}
      />
    </Panel>
  );
};

const percent = (part: number, whole: number): string | undefined =>
  whole === 0 ? undefined : `${Math.round((100 * part) / whole)} %`;

const MailCounts = ({ about }: Props) => {
  if (!about) return null;
  const { days, sent, tracked, opened, clicked, failed } = about.mail;
  return (
    <Panel title={`Mail in ${days} days`}>
      <Facts
        isOfNumbers
        facts={[
          { label: "Sent", value: sent.toLocaleString("en") },
          ...(tracked > 0
            ? [
                { label: "Opened", value: opened, note: percent(opened, tracked) },
                { label: "Clicked", value: clicked, note: percent(clicked, tracked) },
              ]
            : []),
          { label: "Failed", value: failed },
        ]}
      />
    </Panel>
  );
};
