import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/api.ts";
import { LATER } from "../../api/queries.ts";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { Note } from "../../parts/cards/cards.tsx";
import { counted } from "../../parts/ledger/ledger-words.ts";
import { type Column, ListTable, RowLink } from "../../parts/list/list-table.tsx";
import { Page } from "../../parts/page/page.tsx";
import { Answer, Empty } from "../../parts/states.tsx";
import { Status } from "../../parts/status/status.tsx";
import { Time } from "../../parts/text.tsx";
import { KINDS } from "./alert-words.ts";

type Alert = Awaited<ReturnType<typeof api.bridge.alerts.list>>["data"][number];

const COLUMNS: readonly Column<Alert>[] = [
  {
    title: "Alert",
    cell: ({ kind, subject, message }) => {
      const [words, to] = KINDS[kind] ?? [kind, "/"];
      return (
        <RowLink to={to} className="wrap" second={message || undefined}>
          {subject === "" ? words : `${words}: ${subject}`}
        </RowLink>
      );
    },
  },
  { title: "State", cell: ({ since }) => <Status kind={since === null ? "over" : "lasts"} />, onPhone: "beside" },
  { title: "Since", cell: ({ since, notifiedAt }) => <Time at={since ?? notifiedAt} />, isNumber: true },
];

/** Lists what was reported, and whether it lasts. */
export const Alerts = () => {
  const query = useQuery({
    queryKey: ["bridge", "alerts"],
    queryFn: ({ signal }) => api.bridge.alerts.list({ signal }),
    ...LATER,
  });
  return (
    <Page title="Alerts" more={<CopyAs asked={{ api: "bridge", name: "alerts.list" }} />}>
      <Answer query={query} rows={1}>
        {({ data, pending }) => (
          <>
            {data.length > 0 && <Verdict alerts={data} />}
            {pending > 0 && (
              <Note
                tone="warn"
                title={`${counted(pending, "notice")} of them ${pending === 1 ? "has" : "have"} not arrived yet.`}
              >
                The bridge tries again by itself.
              </Note>
            )}
            {data.length > 0 ? (
              <ListTable
                what="alerts"
                rows={data}
                columns={COLUMNS}
                idOf={({ kind, subject }) => `${kind} ${subject}`}
              />
            ) : (
              <Empty icon="done" title="No alerts yet">
                What goes wrong at the bridge is listed here, and sent to the address for alerts.
              </Empty>
            )}
          </>
        )}
      </Answer>
    </Page>
  );
};

const Verdict = ({ alerts }: { alerts: readonly Alert[] }) => {
  const lasting = alerts.filter(({ since }) => since !== null);
  const [worst] = lasting;
  if (worst === undefined)
    return (
      <Note title="No alert lasts now.">
        The newest notice was sent <Time at={alerts[0]?.notifiedAt ?? ""} />.
      </Note>
    );
  return (
    <Note tone="bad" title={`${counted(lasting.length, "alert")} ${lasting.length === 1 ? "lasts" : "last"}.`}>
      {worst.message}
    </Note>
  );
};
