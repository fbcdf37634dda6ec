import { Link } from "@tanstack/react-router";
import { Fragment } from "react";
import { useTeamOfBridge } from "../../api/use-about.ts";
import type { Filters } from "../filters.ts";
import { type Column, RowLink, Second } from "../list/list-table.tsx";
import { Status } from "../status/status.tsx";
import { Time } from "../text.tsx";
import { capital, counted, filterOf, shortOf, whatOf, whomOf } from "./ledger-words.ts";
import type { Delivery, Webhook } from "./types.ts";

/** The state that a person would ask about first. */
const RANKS = ["failed", "undecided", "sending", "waiting", "done", "replaced", "skipped"];

/** The delivery that says most of a webhook; undefined if it made none. */
const worstOf = (deliveries: readonly Delivery[]): Delivery | undefined =>
  deliveries.toSorted((a, b) => RANKS.indexOf(a.state) - RANKS.indexOf(b.state))[0];

const Outcome = ({ webhook: { deliveries, why } }: { webhook: Webhook }) => {
  const worst = worstOf(deliveries);
  const isOpen = worst && worst.state !== "done" && worst.state !== "replaced";
  return (
    <>
      <Status kind={worst?.state ?? "skipped"} />
      <Second>
        {worst === undefined
          ? why
          : isOpen
            ? `${capital(whatOf(worst))}: ${shortOf(worst).split(/(?<=\.) /)[0]}`
            : counted(deliveries.length, "delivery")}
      </Second>
    </>
  );
};

/** The people of a webhook, each as a link. */
export const People = ({ deliveries }: Pick<Webhook, "deliveries">) => {
  const search = useTeamOfBridge();
  const people = new Map(deliveries.map((delivery) => [whomOf(delivery), delivery]));
  return [...people].map(([whom, delivery], n) => (
    <Fragment key={whom}>
      {n > 0 && ", "}
      {Object.keys(filterOf(delivery)).length === 0 ? (
        whom
      ) : (
        <Link to="/people/$personId" params={{ personId: whom }} search={search}>
          {whom}
        </Link>
      )}
    </Fragment>
  ));
};

/** Columns of a list of webhooks. `filters`: kept in the links, for the neighbors of a webhook. */
export const webhookColumns = (
  titleOf: (source: string) => string,
  filters: Filters = {},
): readonly Column<Webhook>[] => [
  {
    title: "Webhook",
    cell: ({ id, type, source }) => (
      <RowLink to="/webhooks/$webhookId" params={{ webhookId: id }} search={filters} second={titleOf(source)}>
        {type}
      </RowLink>
    ),
    width: "30%",
  },
  { title: "Person", cell: ({ deliveries }) => <People deliveries={deliveries} /> },
  { title: "Outcome", cell: (webhook) => <Outcome webhook={webhook} />, width: "34%" },
  { title: "Received", cell: ({ acceptedAt }) => <Time at={acceptedAt} />, isNumber: true },
];
