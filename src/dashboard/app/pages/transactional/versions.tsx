import { Code, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Panel } from "../../parts/cards/cards.tsx";
import { type Column, ListTable } from "../../parts/list/list-table.tsx";
import { Answer } from "../../parts/states.tsx";
import type { Team } from "../../team/team.tsx";
import { changedFields, type DiffLine, diffLines, hunksOf } from "./line-diff.ts";
import type { Listed } from "./state.ts";

type Message = Awaited<ReturnType<Team["v1"]["emailMessages"]["get"]>>;

export const Versions = ({ team, email }: { team: Team; email: Listed }) => {
  const { draftEmailMessageId: draft, publishedEmailMessageId: published } = email;
  return (
    <Panel title="Published and draft">
      {published === null && (
        <Text size="sm">Nothing is published yet: a request to send it is refused until the draft is published.</Text>
      )}
      {draft === null && (
        <Text size="sm">There is no draft. What is published can be changed after one is created.</Text>
      )}
      {draft !== null && published !== null && <Both team={team} draft={draft} published={published} />}
    </Panel>
  );
};

const Both = ({ team, draft, published }: { team: Team; draft: string; published: string }) => {
  const query = useQuery({
    queryKey: ["v1", team.id, "messages", published, draft],
    queryFn: ({ signal }) =>
      Promise.all(
        [published, draft].map((emailMessageId) => team.v1.emailMessages.get({ emailMessageId }, { signal })),
      ),
  });
  return (
    <Answer query={query} rows={3}>
      {([before, after]) => <Difference before={before as Message} after={after as Message} />}
    </Answer>
  );
};

const NOT_CONTENT = new Set(["id", "lmx", "contentRevisionId", "updatedAt", "warnings", "transactionalId"]);

const Difference = ({ before, after }: { before: Message; after: Message }) => {
  const names = Object.keys(after).filter((name) => !NOT_CONTENT.has(name));
  const fields = changedFields(before, after, names);
  const lines = diffLines(before.lmx, after.lmx);
  const isSame = lines.every(({ kind }) => kind === "same");
  if (fields.length === 0 && isSame) return <Text size="sm">The draft is the same as what is published.</Text>;
  return (
    <Stack gap="xs">
      <Text size="sm">Publishing would change this:</Text>
      {fields.length > 0 && (
        <ListTable what="fields that differ" rows={fields} columns={COLUMNS} idOf={({ name }) => name} isCompact />
      )}
      {!isSame && <Lines lines={lines} />}
    </Stack>
  );
};

const COLUMNS: readonly Column<ReturnType<typeof changedFields>[number]>[] = [
  { title: "Field", cell: ({ name }) => name },
  { title: "Published", cell: ({ before }) => before || "–" },
  { title: "Draft", cell: ({ after }) => after || "–" },
];

const SIGNS = { same: " ", gone: "-", new: "+" } as const;
/** Signs repeat the meaning of the colors. */
const Lines = ({ lines }: { lines: readonly DiffLine[] }) => (
  <Code block tabIndex={0} role="group" aria-label="LMX, published and draft" className="lines">
    {hunksOf(lines).map((hunk, n) =>
      "skipped" in hunk ? (
        // biome-ignore lint/suspicious/noArrayIndexKey: their order never changes
        <div key={n}>… {hunk.skipped} lines are the same</div>
      ) : (
        hunk.lines.map(({ kind, text }, m) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: their order never changes
          <div key={`${n} ${m}`} className="diff" data-kind={kind}>
            {SIGNS[kind]} {text}
          </div>
        ))
      ),
    )}
  </Code>
);
