import { Anchor, List, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { api } from "../../api/api.ts";
import { LATER } from "../../api/queries.ts";
import { useAbout } from "../../api/use-about.ts";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { Answer } from "../../parts/states.tsx";
import { warmupInWords } from "../domains/domain-words.ts";
import { domainInForce, senderInWords, senderStateInWords } from "./sender-words.ts";
import type { Section, Settings } from "./setting-fields.ts";

type Props = { team: string; settings: Settings };

/** Active values of a section beside its fields. */
export const InForce = ({ section, ...props }: Props & { section: Section["id"] }) => {
  if (section === "sender") return <SenderInForce {...props} />;
  if (section === "marketing") return <MarketingInForce {...props} />;
  return section === "limits" ? <LimitsInForce team={props.team} /> : null;
};

const Lines = ({ of }: { of: readonly (ReactNode | false)[] }) => (
  <Stack gap={4}>
    <Text size="sm" fw={600}>
      In force
    </Text>
    <List size="sm" spacing={4}>
      {of.flatMap((line, n) => (line ? [<List.Item key={String(n)}>{line}</List.Item>] : []))}
    </List>
  </Stack>
);

const useDomains = (team: string) =>
  useQuery({
    queryKey: ["email", team, "domains"],
    queryFn: ({ signal }) => api.email.domains.list({ team }, { signal }),
    ...LATER,
  });

const SenderInForce = ({ team, settings }: Props) => {
  const { senders, mailDomain } = useAbout().email ?? {};
  return (
    <Answer query={useDomains(team)} rows={2}>
      {({ data }) => {
        const domain = domainInForce(data, { sender: senders?.transactional.sender ?? null, mailDomain });
        const found = data.find(({ isDefault }) => isDefault);
        return (
          <Lines
            of={[
              senderInWords(settings, domain),
              senders && senderStateInWords("Transactional mail", senders.transactional),
              senders && senderStateInWords("Marketing mail", senders.marketing),
              found ? (
                <>
                  The default sending domain is{" "}
                  <Link to="/settings/domains/$domainId" params={{ domainId: found.id }}>
                    {found.name}
                  </Link>
                  , which is {found.state}.
                </>
              ) : (
                <>
                  The team has no <Link to="/settings/domains">sending domain</Link> yet.
                </>
              ),
            ]}
          />
        );
      }}
    </Answer>
  );
};

/** Template created when double opt-in is turned on. */
const CONFIRMATION = "tpl_confirm_subscription";

const MarketingInForce = ({ settings: { tracking, doubleOptIn, postalAddress } }: Props) => (
  <Lines
    of={[
      postalAddress === null && "Marketing mail has no postal address.",
      tracking
        ? "Opens and clicks are measured, but not of a person on whose page that was stopped."
        : "No opens and clicks are measured. What was measured before stays.",
      doubleOptIn ? (
        <>
          Double opt-in is on.{" "}
          <Link to="/transactional/$transactionalEmailId" params={{ transactionalEmailId: CONFIRMATION }}>
            The confirmation mail
          </Link>{" "}
          can be edited as any other.
        </>
      ) : (
        "Double opt-in is off: a new address gets marketing mail at once."
      ),
      <Anchor key="pending" size="sm" renderRoot={(props) => <Link to="/settings/confirmations" {...props} />}>
        People who have not confirmed
      </Anchor>,
    ]}
  />
);

const LimitsInForce = ({ team }: { team: string }) => {
  const limits = useQuery({
    queryKey: ["email", team, "limits"],
    queryFn: ({ signal }) => api.email.limits.list({ team }, { signal }),
    ...LATER,
  });
  const warmups = (useDomains(team).data?.data ?? []).filter(({ warmup }) => warmup !== null);
  return (
    <Answer query={limits} rows={2}>
      {({ sending, ceilings, breakers }) => (
        <Stack gap="xs" align="flex-start">
          <Lines
            of={[
              sending.length === 0 && "The team has no send limit.",
              ...sending.map(({ meaning }) => meaning),
              ...warmups.map((domain) => (
                <>
                  <Link to="/settings/domains/$domainId" params={{ domainId: domain.id }}>
                    {domain.name}
                  </Link>
                  : {warmupInWords(domain)}
                </>
              )),
              ...breakers.map(({ meaning }) => meaning),
              ...ceilings.map(({ meaning }) => meaning),
              breakers.length + ceilings.length === 0 &&
                "All mail providers answer, and none of them has asked for fewer mails.",
            ]}
          />
          {breakers.length + ceilings.length > 0 && (
            <Text size="sm">What mail providers ask for is learned, and dropped by itself: nothing has to be set.</Text>
          )}
          <CopyAs asked={{ api: "email", name: "limits.list", fields: { team } }} />
        </Stack>
      )}
    </Answer>
  );
};
