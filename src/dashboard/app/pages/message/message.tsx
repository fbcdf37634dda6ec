import { Alert, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useRef } from "react";
import { LATER } from "../../api/queries.ts";
import { useAbout } from "../../api/use-about.ts";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { useDraft } from "../../parts/acts/draft.ts";
import { LmxEditor } from "../../parts/editor/lmx-editor.tsx";
import type { EditorHandle } from "../../parts/editor/types.ts";
import { Answer } from "../../parts/states.tsx";
import { type Library, useLibrary } from "../../team/library.ts";
import { type Team, TeamPage } from "../../team/team.tsx";
import { Aside, Conflict } from "./conflict.tsx";
import { messageKey, useEditing } from "./editing.ts";
import { Guardian } from "./guardian.tsx";
import { Head, Locked } from "./head.tsx";
import { LeaveGuard } from "./leave.tsx";
import { idOfField, MessageFields } from "./message-fields.tsx";
import { readOwner } from "./message-owner.ts";
import { type Search, Shown } from "./preview/shown.tsx";
import { useCompiled } from "./preview/use-compiled.ts";
import { usePerson } from "./preview/variables.tsx";
import { kindOf, lockOf, type Message, type Owner } from "./source.ts";
import { Toolbar } from "./toolbar.tsx";

const route = getRouteApi("/team/messages/$emailMessageId");

export const MessagePage = () => {
  const { emailMessageId } = route.useParams();
  return (
    <TeamPage
      title="Mail"
      isOne
      more={() => <CopyAs asked={{ api: "v1", name: "emailMessages.get", fields: { emailMessageId } }} />}
    >
      {(team) => <Found key={`${team.id} ${emailMessageId}`} team={team} id={emailMessageId} />}
    </TeamPage>
  );
};

const Found = ({ team, id }: { team: Team; id: string }) => {
  const message = useQuery({
    queryKey: messageKey(team, id),
    queryFn: ({ signal }) => team.v1.emailMessages.get({ emailMessageId: id }, { signal }),
    ...LATER,
  });
  const owner = useQuery({
    queryKey: ["v1", team.id, "message", id, "owner"],
    queryFn: () => readOwner(team.v1, message.data as Message),
    enabled: message.data !== undefined,
    ...LATER,
  });
  const library = useLibrary(team, message.data !== undefined);
  return (
    <Stack>
      <Answer query={message}>
        {(found) => (
          <Answer query={owner}>
            {(belongs) => (
              <Answer query={library}>
                {(known) => <One team={team} message={found} owner={belongs} library={known} />}
              </Answer>
            )}
          </Answer>
        )}
      </Answer>
    </Stack>
  );
};

type Props = { team: Team; message: Message; owner: Owner; library: Library };

const One = ({ team, message, owner, library }: Props) => {
  const { email } = useAbout();
  const search = route.useSearch() as Search;
  const editor = useRef<EditorHandle>(null);
  const editing = useEditing(team, message);
  const [typed, setTyped] = useDraft<Record<string, string>>(`values ${team.id ?? ""} ${message.id}`, {});
  const person = usePerson(team, search.as);
  const compiled = useCompiled({
    message,
    source: editing.source,
    library,
    owner,
    typed,
    person: person.data ?? undefined,
    publicUrl: email?.publicUrl || undefined,
  });
  const { problems, lmxProblems, verdict, values } = compiled;
  const why = lockOf(message, owner);
  const locked = why !== undefined;
  const kind = kindOf(message);
  const kept = message.warnings?.find(({ rule }) => rule === "mailspan.changeNotTaken");
  return (
    <>
      <LeaveGuard isChanged={editing.isChanged} />
      <Head message={message} owner={owner} locked={locked} />
      {why !== undefined && <Locked team={team} message={message} why={why} />}
      {kept && (
        <Alert color="orange" title="A change that the message could not take">
          {kept.message}
        </Alert>
      )}
      {editing.isConflict && <Conflict editing={editing} />}
      {editing.hasAside && <Aside onBringBack={editing.bringBack} />}
      <Toolbar team={team} message={message} editing={editing} verdict={verdict} values={values} locked={locked} />
      <MessageFields editing={editing} problems={problems} locked={locked} hasCopies={kind !== "campaign"} />
      <div className="editing">
        <Stack gap="md" miw={0}>
          <LmxEditor
            handle={editor}
            label="LMX of the message"
            kind={kind}
            value={editing.source.lmx}
            onChange={(lmx) => editing.change({ lmx })}
            problems={lmxProblems}
            variables={library.variables}
            components={library.components}
            themes={library.themes}
            readOnly={locked}
          />
          <Guardian
            verdict={verdict}
            onGo={({ path, line, column }) => {
              if (path.startsWith("lmx")) editor.current?.goTo({ line, column });
              else document.getElementById(idOfField(path))?.focus();
            }}
          />
        </Stack>
        <Shown
          kind={kind}
          editing={editing}
          compiled={compiled}
          typed={typed}
          locked={locked}
          search={search}
          person={person}
          footer={library.footer}
          onType={setTyped}
        />
      </div>
    </>
  );
};
