import { Table, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { api } from "../../api/api.ts";
import { LATER } from "../../api/queries.ts";
import { Answer, type Asked, Empty } from "../../parts/states.tsx";
import { Status } from "../../parts/status/status.tsx";
import { Time } from "../../parts/text.tsx";
import { nameOfMail } from "../../story/chapters.ts";

export const LatestWebhooks = () => {
  const query = useQuery({
    queryKey: ["bridge", "webhooks", {}, "latest"],
    queryFn: ({ signal }) => api.bridge.webhooks.search({ limit: "10" }, { signal }),
    ...LATER,
  });
  type Found = NonNullable<typeof query.data>["data"][number];
  const rowOf = ({ id, type, why, acceptedAt }: Found) => {
    const link = (
      <Link key={id} to="/webhooks/$webhookId" params={{ webhookId: id }}>
        {type}
      </Link>
    );
    return { id, at: acceptedAt, cells: { link, why } };
  };
  return (
    <Latest title="Latest webhooks" query={query} rowOf={rowOf}>
      <Empty title="No webhook yet" command="npm run demo">
        Point a provider's webhooks at this bridge. On your machine, this sends samples:
      </Empty>
    </Latest>
  );
};

/** Newest mails, shown if no bridge receives webhooks. */
export const LatestMails = ({ team }: { team: string }) => {
  const query = useQuery({
    queryKey: ["email", team, "sends", "latest"],
    queryFn: ({ signal }) => api.email.sends.list({ team, perPage: "10" }, { signal }),
    ...LATER,
  });
  type Found = NonNullable<typeof query.data>["data"][number];
  const rowOf = (mail: Found) => {
    const { id, to, state, meaning, acceptedAt } = mail;
    const link = (
      <Link key={id} to="/sent/$sendId" params={{ sendId: id }} search={{ team }}>
        {to}
      </Link>
    );
    return { id, at: acceptedAt, cells: { link, what: nameOfMail(mail), state: <Status kind={state} />, meaning } };
  };
  return (
    <Latest title="Latest mails" query={query} rowOf={rowOf}>
      <Empty title="No mail yet">
        Mails are listed here as soon as the v1 API, a campaign or a workflow sends one.
      </Empty>
    </Latest>
  );
};

type Row = { id: string; at: string; cells: Readonly<Record<string, ReactNode>> };

type Props<T> = {
  title: string;
  query: Asked<{ data: readonly T[] }>;
  rowOf: (found: T) => Row;
  children: ReactNode;
};

const Latest = <T,>({ title, query, rowOf, children }: Props<T>) => (
  <section aria-labelledby="latest">
    <Title id="latest" order={2} size="h4" mb="xs">
      {title}
    </Title>
    <Answer query={query}>
      {({ data }) => (data.length === 0 ? children : <Rows title={title} rows={data.map(rowOf)} />)}
    </Answer>
  </section>
);

const Rows = ({ title, rows }: { title: string; rows: readonly Row[] }) => (
  <Table.ScrollContainer minWidth={480}>
    <Table aria-label={title}>
      <Table.Tbody>
        {rows.map(({ id, at, cells }) => (
          <Table.Tr key={id} className="row">
            {Object.entries(cells).map(([name, cell]) => (
              <Table.Td key={name}>{cell}</Table.Td>
            ))}
            <Table.Td w={140}>
              <Time at={at} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Table.ScrollContainer>
);
