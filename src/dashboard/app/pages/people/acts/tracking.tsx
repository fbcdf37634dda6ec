import { api } from "../../../api/api.ts";
import { type Act, ActButton } from "../../../parts/acts/act.tsx";
import type { Contact } from "../queries.ts";

type Named = { email: string } | { userId: string };

/** The team setting overrides this. */
const measuring = (team: string, named: Named, tracked: boolean): Act<unknown> => ({
  title: tracked ? "Measure opens and clicks of this contact?" : "Stop measuring opens and clicks of this contact?",
  label: tracked ? "Measure" : "Stop measuring",
  effect: async () => {
    const { tracking } = await api.email.teams.get({ team });
    const nothing = tracking ? "" : " The team measures nobody now: its setting comes first.";
    return {
      text: tracked
        ? `Opens and clicks of the next marketing mail are measured.${nothing}`
        : "The next marketing mail has no picture that tells an open, and its links lead straight to their pages. What was measured before stays.",
    };
  },
  run: () => api.email.tracking.set({ team, ...named, tracked }),
  done: () => (tracked ? "Opens and clicks are measured." : "Opens and clicks are not measured any more."),
  asked: { api: "email", name: "tracking.set", fields: { team, ...named, tracked } },
});

/** Switches open and click tracking for a contact. */
export const TrackingAct = ({ team, contact, tracked }: { team: string; contact: Contact; tracked: boolean }) => {
  const { email, userId } = contact;
  const named = email ? { email } : { userId: userId ?? "" };
  return (
    <ActButton act={measuring(team, named, !tracked)}>
      {tracked ? "Stop measuring" : "Measure opens and clicks"}
    </ActButton>
  );
};
