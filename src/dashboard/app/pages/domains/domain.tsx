import { Alert, Badge, Group, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { api } from "../../api/api.ts";
import { LATER } from "../../api/queries.ts";
import { useAct } from "../../api/use-act.ts";
import { useEvery } from "../../frame/every.ts";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { Refused } from "../../parts/acts/refused.tsx";
import { PageHead } from "../../parts/page/page.tsx";
import { Answer } from "../../parts/states.tsx";
import { Status } from "../../parts/status/status.tsx";
import { Id, Time } from "../../parts/text.tsx";
import { TeamPage } from "../../team/team.tsx";
import { commandOf, DomainActs } from "./domain-acts.tsx";
import { type Domain, isCheckDue, meaningOf, warmupInWords } from "./domain-words.ts";
import { RecordCard } from "./record.tsx";
import { ReportDays } from "./report-days.tsx";

const route = getRouteApi("/team/settings/domains/$domainId");

/** Milliseconds between looks for a due check. */
const LOOK_MS = 15_000;

export const DomainPage = () => {
  const { domainId } = route.useParams();
  return (
    <TeamPage
      title="Sending domain"
      isOne
      more={({ id }) =>
        id !== undefined && <CopyAs asked={{ api: "email", name: "domains.get", fields: { team: id, domainId } }} />
      }
    >
      {({ id }) =>
        id === undefined ? (
          <Text>The email service has the sending domains.</Text>
        ) : (
          <One key={`${id} ${domainId}`} team={id} domainId={domainId} />
        )
      }
    </TeamPage>
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
            <Head domain={domain} />
            <DomainActs team={team} domain={domain} isChecking={check.isPending} onCheck={() => check.mutate()} />
            {check.error && <Refused error={check.error} onProved={() => check.mutate()} />}
            <Standing domain={domain} />
            <Records team={team} domain={domain} />
            <Reports team={team} domain={domain} />
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

const Head = ({ domain: { name, state, isDefault, id } }: { domain: Domain }) => (
  <PageHead
    name={name}
    meta={
      <>
        <Status kind={state} />
        {isDefault && (
          <Badge variant="light" color="gray" tt="none">
            default
          </Badge>
        )}
        <Id>{id}</Id>
      </>
    }
  />
);

const Standing = ({ domain }: { domain: Domain }) => {
  const { checkedAt, nextCheckAt, failingSince, notes } = domain;
  const warmup = warmupInWords(domain);
  return (
    <>
      {notes.length > 0 && (
        <Alert color="yellow" variant="light" title="Settings of the email service">
          {notes.map((note) => (
            <Text key={note} size="sm">
              {note}
            </Text>
          ))}
        </Alert>
      )}
      <Stack gap={2} role="status">
        <Text size="sm">
          {meaningOf(domain)}
          {failingSince !== null && (
            <>
              {" "}
              Not right since <Time at={failingSince} />.
            </>
          )}
        </Text>
        <Text size="sm">
          {checkedAt === null ? "Its records have not been checked yet." : "Checked "}
          {checkedAt !== null && <Time at={checkedAt} />}
          {nextCheckAt !== null && (
            <>
              {checkedAt === null ? " The first check comes " : "; by itself again "}
              <Time at={nextCheckAt} />
            </>
          )}
          {checkedAt === null && nextCheckAt === null ? "" : "."}
        </Text>
        {warmup !== undefined && <Text size="sm">{warmup}</Text>}
      </Stack>
    </>
  );
};

const Reports = ({ team, domain }: { team: string; domain: Domain }) => {
  const { id } = domain;
  const fields = { team, domainId: id };
  const query = useQuery({
    queryKey: ["email", team, "domain", id, "reports"],
    queryFn: ({ signal }) => api.email.domains.reports(fields, { signal }),
    ...LATER,
  });
  return (
    <Stack gap="xs" component="section" aria-labelledby="reports">
      <Group justify="space-between">
        <Title order={2} size="h4" id="reports">
          DMARC reports
        </Title>
        <CopyAs
          asked={{ api: "email", name: "domains.reports", fields }}
          command={commandOf("reports", team, domain)}
        />
      </Group>
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
    </Stack>
  );
};

const Records = ({ team, domain }: { team: string; domain: Domain }) => (
  <Stack gap="xs" component="section" aria-labelledby="records">
    <Group justify="space-between">
      <Title order={2} size="h4" id="records">
        DNS records
      </Title>
      <CopyAs
        asked={{ api: "email", name: "domains.zone", fields: { team, domainId: domain.id } }}
        command={commandOf("zone", team, domain)}
      />
    </Group>
    <Text size="sm">
      Some DNS providers add the domain to a host by themselves: enter only the part before it there.
    </Text>
    {domain.records.map((record) => (
      <RecordCard key={`${record.type} ${record.host} ${record.value}`} domain={domain} record={record} />
    ))}
  </Stack>
);
