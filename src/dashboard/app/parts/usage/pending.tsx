import { Status } from "../status/status.tsx";

type Props = { pendingEmailCount: number; failedEmailCount: number };

/** How many messages wait for the newest of what they use, and how many could not take it. */
export const Pending = ({ pendingEmailCount: pending, failedEmailCount: failed }: Props) => (
  <>
    {pending > 0 && <Status kind="waiting" count={pending} />}
    {failed > 0 && <Status kind="failed" count={failed} />}
  </>
);
