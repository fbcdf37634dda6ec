import { Button, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { api } from "../../api/api.ts";
import { LATER } from "../../api/queries.ts";
import { useAct } from "../../api/use-act.ts";
import { useEvery } from "../../frame/every.ts";
import { Refused } from "../../parts/acts/refused.tsx";
import { Facts, Note, Panel, PanelRow } from "../../parts/cards/cards.tsx";
import { Icon } from "../../parts/icons.tsx";
import { PageHead } from "../../parts/page/page.tsx";
import { Answer } from "../../parts/states.tsx";
import { Status } from "../../parts/status/status.tsx";
import { Id, Time } from "../../parts/text.tsx";
import { EmailPage } from "../../team/team.tsx";
import { commandOf, DomainActs } from "./domain-acts.tsx";
import { type Domain, isCheckDue, meaningOf, warmupInWords } from "./domain-words.ts";
import { RecordRow } from "./record.tsx";
import { ReportDays } from "./report-days.tsx";
import { ShareRecords } from "./share.tsx";

const route = getRouteApi("/team/settings/domains/$domainId");

/** Milliseconds between looks for a due check. */
const LOOK_MS = 15_000;

export const DomainPage = () => {
  const { domainId } = route.useParams();
  return (
    <EmailPage title="Sending domain" isOne>
      {(id) => <One key={domainId} team={id} domainId={domainId} />}
    </EmailPage>
  );
};

const One = ({ team, domainId }: { team: string; domainId: string }) => {
  const query = useQuery({
    queryKey: ["email", team, "domain", domainId],
    queryFn: ({ signal }) => api.email.domains.get({ team, domainId }, { signal }),
    ...LATER,
  });
  const check = useCheck(team, domainId, query.data);
  return (
    <Stack>
      <Answer query={query}>
        {(domain) => (
          <>
            <Head team={team} domain={domain} isChecking={check.isPending} onCheck={() => check.mutate()} />
            {check.error && <Refused error={check.error} onProved={() => check.mutate()} />}
            <Standing team={team} domain={domain} />
            <Records team={team} domain={domain} />
            <WarmUp domain={domain} />
            <Reports team={team} id={domain.id} />
          </>
        )}
      </Answer>
    </Stack>
  );
};

/** Checks on request, and automatically while a visible page has a problem. */
const useCheck = (team: string, domainId: string, domain: Domain | undefined) => {
  const check = useAct({ stays: true, mutationFn: () => api.email.domains.check({ team, domainId }) });
  useEvery(LOOK_MS, (now) => {
    const isFree = !check.isPending && !check.isError;
    if (domain && isFree && isCheckDue(domain, now)) check.mutate();
  });
  return check;
};

type HeadProps = { team: string; domain: Domain; isChecking: boolean; onCheck: () => void };

const Head = ({ team, domain, isChecking, onCheck }: HeadProps) => {
  const { name, state, isDefault, id, checkedAt, nextCheckAt, failingSince } = domain;
  return (
    <PageHead
      name={name}
      meta={
        <>
          <Status kind={state} />
          <span role="status">
            {checkedAt === null ? "not checked yet" : "checked "}
            {checkedAt !== null && <Time at={checkedAt} />}
            {nextCheckAt !== null && (
              <>
                , next <Time at={nextCheckAt} />
              </>
            )}
          </span>
          {failingSince !== null && (
            <span>
              not right since <Time at={failingSince} />
            </span>
          )}
          {isDefault && <span>default for all mail</span>}
          <Id>{id}</Id>
        </>
      }
      actions={<DomainActs team={team} domain={domain} isChecking={isChecking} onCheck={onCheck} />}
    />
  );
};

const Standing = ({ team, domain }: { team: string; domain: Domain }) => {
  const { state, notes } = domain;
  const tone = state === "verified" ? "good" : state === "pending" ? "quiet" : state === "warning" ? "warn" : "bad";
  return (
    <>
      <Note
        tone={tone}
        actions={
          state !== "verified" && (
            <ShareRecords team={team} domain={domain} command={commandOf("share", team, domain)} />
          )
        }
      >
        {meaningOf(domain)}
      </Note>
      {notes.map((note) => (
        <Note key={note} tone="warn" title="Settings of the email service:">
          {note}
        </Note>
      ))}
    </>
  );
};

const WarmUp = ({ domain }: { domain: Domain }) => {
  const { warmup } = domain;
  if (warmup === null) return null;
  const { day, cap, marketing, transactional, capsTransactional } = warmup;
  const sent = capsTransactional ? marketing + transactional : marketing;
  return (
    <Panel title="Warm-up" aside={`day ${day}`}>
      <Stack gap="sm">
        <Facts
          isOfNumbers
          facts={[
            {
              label: "Sent today",
              value: `${sent.toLocaleString("en")} of at most ${cap.toLocaleString("en")}`,
              share: Math.min(1, sent / Math.max(1, cap)),
            },
          ]}
        />
        <Text size="sm">{warmupInWords(domain)}</Text>
      </Stack>
    </Panel>
  );
};

const Reports = ({ team, id }: { team: string; id: string }) => {
  const query = useQuery({
    queryKey: ["email", team, "domain", id, "reports"],
    queryFn: ({ signal }) => api.email.domains.reports({ team, domainId: id }, { signal }),
    ...LATER,
  });
  return (
    <Panel title="DMARC reports">
      <Answer query={query}>
        {({ message, address, days }) => (
          <>
            <Text size="sm">{message}</Text>
            <ReportDays days={days} />
            {address !== null && (
              <Text size="sm" className="wrap">
                Receivers send reports to the address in the DMARC record, if its mail is routed to the email service:
                rua=mailto:
                {address}
              </Text>
            )}
          </>
        )}
      </Answer>
    </Panel>
  );
};

const Records = ({ team, domain }: { team: string; domain: Domain }) => {
  const needed = domain.records.filter(({ required }) => required);
  const right = needed.filter(({ status }) => status === "right").length;
  const path = [team, "domains", domain.id].map(encodeURIComponent).join("/");
  return (
    <Panel
      title="DNS records"
      isFlush
      aside={
        <>
          <progress value={right} max={needed.length} aria-label="Needed records that are right" />
          {right} of {needed.length}
          <Button
            component="a"
            size="xs"
            variant="default"
            leftSection={<Icon name="download" size={14} />}
            href={`/api/email/teams/${path}/zone`}
            download={`${domain.name}.zone`}
          >
            Zone file
          </Button>
        </>
      }
    >
      {domain.records.map((record) => (
        <RecordRow key={`${record.type} ${record.host} ${record.value}`} domain={domain} record={record} />
      ))}
      <PanelRow>
        <Text size="sm">
          Some DNS providers add the domain to a host by themselves: enter only the part before it there.
        </Text>
      </PanelRow>
    </Panel>
  );
};
