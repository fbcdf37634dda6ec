import { useAbout } from "../../api/use-about.ts";
import type { Asked } from "../../parts/acts/commands.ts";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { namedBy } from "../../story/names.ts";
import type { Subject } from "../../story/subject.ts";
import type { Team } from "../../team/team.tsx";
import type { Contact, KnownPerson } from "./queries.ts";

type Props = { team: Team; contact: Contact | undefined; known: KnownPerson | undefined; subject: Subject };

/** The contact, otherwise the bridge's data. `npm run why` shows the same. */
export const CopyPerson = ({ team, contact, known, subject }: Props) => {
  const { bridge } = useAbout();
  const hasBridge = bridge !== null && team.bridge;
  const asked = askedOf({ team, contact, known, subject }, hasBridge);
  if (asked === undefined) return null;
  return (
    <CopyAs asked={asked} command={hasBridge ? { name: "why", args: Object.values(subject).slice(0, 1) } : undefined} />
  );
};

const askedOf = ({ team, contact, known, subject }: Props, hasBridge: boolean): Asked | undefined => {
  if (contact && team.id !== undefined)
    return { api: "email", name: "contacts.get", fields: { team: team.id, contact: contact.id } };
  if (contact)
    return {
      api: "v1",
      name: "contacts.find",
      fields: contact.email ? { email: contact.email } : { userId: contact.userId ?? "" },
    };
  const isRef =
    "ref" in subject && known?.identifiers.some(({ kind, value }) => kind === "ref" && value === subject.ref);
  const fields = isRef ? { ref: subject.ref } : namedBy(subject);
  return hasBridge ? { api: "bridge", name: "people.get", fields } : undefined;
};
