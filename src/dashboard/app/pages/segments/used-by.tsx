import { Anchor, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { Fragment } from "react";
import { api } from "../../api/api.ts";
import { ActButton } from "../../parts/acts/act.tsx";
import { Answer } from "../../parts/states.tsx";

type User = Awaited<ReturnType<typeof api.email.audience.usage>>["data"][number];

const usageOf = (team: string, audienceSegmentId: string) => api.email.audience.usage({ team, audienceSegmentId });

export const UsedBy = ({ team, segmentId }: { team: string; segmentId: string }) => {
  const query = useQuery({
    queryKey: ["email", team, "segment-usage", segmentId],
    queryFn: () => usageOf(team, segmentId),
  });
  return (
    <Answer query={query} rows={1}>
      {({ data }) => (
        <Text size="sm" className="wrap">
          {data.length === 0
            ? "No workflow uses it, and no campaign that is not sent yet."
            : data.map((user, index) => (
                <Fragment key={user.id}>
                  {index === 0 ? "Used by " : ", "}
                  <Named user={user} />
                </Fragment>
              ))}
        </Text>
      )}
    </Answer>
  );
};

const Named = ({ user: { kind, id, name } }: { user: User }) =>
  kind === "workflow" ? (
    <>
      the workflow{" "}
      <Anchor
        size="sm"
        renderRoot={(props) => <Link to="/workflows/$workflowId" params={{ workflowId: id }} {...props} />}
      >
        {name}
      </Anchor>
    </>
  ) : (
    <>
      the campaign{" "}
      <Anchor
        size="sm"
        renderRoot={(props) => <Link to="/campaigns/$campaignId" params={{ campaignId: id }} {...props} />}
      >
        {name}
      </Anchor>
    </>
  );

export const DeleteSegment = ({
  team,
  segment: { id, name },
}: {
  team: string;
  segment: { id: string; name: string };
}) => {
  const navigate = useNavigate();
  return (
    <ActButton
      color="red"
      variant="outline"
      act={{
        title: `Delete the segment ${name}?`,
        label: "Delete",
        color: "red",
        word: "delete",
        effect: async () => {
          const { data } = await usageOf(team, id);
          if (data.length === 0)
            return {
              text: <Text size="sm">Its filter is gone then. No contact is changed. This cannot be undone.</Text>,
            };
          const users = data.map((one) => `the ${one.kind} "${one.name}"`).join(", ");
          return { nothing: true, text: <Text size="sm">It is used by {users}. Change these first.</Text> };
        },
        run: () => api.email.audience.removeSegment({ team, audienceSegmentId: id }),
        done: () => `${name} is deleted.`,
        onDone: () => void navigate({ to: "/segments", search: { team } }),
        asked: { api: "email", name: "audience.removeSegment", fields: { team, audienceSegmentId: id } },
      }}
    >
      Delete
    </ActButton>
  );
};
