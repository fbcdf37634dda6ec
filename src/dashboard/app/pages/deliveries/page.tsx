import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { LATER } from "../../api/queries.ts";
import { useButtonKey } from "../../parts/keys.ts";
import { PauseButton } from "../../parts/ledger/pause.tsx";
import { statusQuery } from "../../parts/ledger/status.ts";
import { Page } from "../../parts/page/page.tsx";

type Props = { title: string; more: ReactNode; children: ReactNode };

/** A page of deliveries: what waits and failed is counted on its tabs, and delivery can be paused. */
export const DeliveriesPage = (page: Props) => {
  useButtonKey("p");
  const { data } = useQuery({ ...statusQuery, ...LATER });
  return (
    <Page
      {...page}
      counts={data && { "/deliveries": data.attention, "/deliveries/waiting": data.waiting.total }}
      actions={data && <PauseButton isPaused={data.paused.all !== null} />}
    />
  );
};
