import { useNavigate } from "@tanstack/react-router";
import type { Team } from "../../team/team.tsx";
import { NewNamed } from "../components/new-named.tsx";
import { GroupField } from "./group-field.tsx";

type Draft = { name: string; group: string | null };

const FIRST: Draft = { name: "", group: null };

const requestOf = ({ name, group }: Draft) => ({ name, ...(group === null ? {} : { transactionalGroupId: group }) });

export const NewEmail = ({ team }: { team: Team }) => {
  const navigate = useNavigate();
  return (
    <NewNamed
      noun="transactional email"
      draftKey={`new transactional email ${team.id}`}
      first={FIRST}
      about="Of its page and its lists. Its recipients do not see it"
      create={(draft) => team.v1.transactionalEmails.create(requestOf(draft))}
      begins="with an empty draft"
      asked={(draft) => ({ api: "v1", name: "transactionalEmails.create", fields: requestOf(draft) })}
      onCreated={(transactionalEmailId) =>
        void navigate({ to: "/transactional/$transactionalEmailId", params: { transactionalEmailId } })
      }
    >
      {(form) => <GroupField team={team} {...form.getInputProps("group")} />}
    </NewNamed>
  );
};
