import { Text } from "@mantine/core";
import { askToEnd } from "../../../../lib/contract/admin/to-end.ts";
import { api } from "../../api/api.ts";
import { type Act, ActButton } from "../../parts/acts/act.tsx";
import { counted } from "../../parts/ledger/ledger-words.ts";

type Request = Parameters<typeof api.email.suppressions.lift>[0];
type Wanted = Omit<Request, "team" | "dryRun" | "cursor">;

const liftAll = async (team: string, wanted: Wanted, dryRun: boolean): Promise<number> => {
  let lifted = 0;
  const last = await askToEnd(
    (more) => api.email.suppressions.lift({ ...wanted, team, dryRun, ...more }),
    (part) => {
      lifted += part.lifted;
    },
  );
  return lifted + last.lifted;
};

const lifting = (team: string, wanted: Wanted): Act<number> => {
  const fields = { ...wanted, team };
  const options = Object.entries(wanted).flatMap(([name, value]) => [`--${name}`, String(value)]);
  return {
    title: "Remove all suppressions of this list?",
    label: "Remove",
    color: "red",
    effect: async () => {
      const count = await liftAll(team, wanted, true);
      if (count === 0) return { nothing: true, text: <Text size="sm">No suppression fits these filters.</Text> };
      return {
        text: (
          <Text size="sm">
            {counted(count, "suppression")} {count === 1 ? "ends" : "end"}: mail to these addresses is sent again. No
            contact is subscribed again by it.
          </Text>
        ),
        count,
      };
    },
    run: () => liftAll(team, wanted, false),
    done: (count) => `${counted(count, "suppression")} removed.`,
    asked: { api: "email", name: "suppressions.lift", fields },
    command: { name: "suppressions", args: ["lift"], options: [...options, "--yes", "--team", team] },
  };
};

/** Removes all suppressions that the list shows. A list without filters has no such button. */
export const LiftButton = ({ team, wanted }: { team: string; wanted: Wanted }) =>
  Object.keys(wanted).length > 0 && <ActButton act={lifting(team, wanted)}>Remove all of this list</ActButton>;
