import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { Page } from "../../parts/page/page.tsx";
import { Attention } from "./attention.tsx";

/** Deliveries that failed or need a decision, by cause. */
export const Deliveries = () => (
  <Page
    title="Deliveries"
    more={<CopyAs asked={{ api: "bridge", name: "deliveries.search", fields: { state: "attention" } }} />}
  >
    <Attention />
  </Page>
);
