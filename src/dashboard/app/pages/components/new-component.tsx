import { Textarea } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import type { Team } from "../../team/team.tsx";
import { NewNamed } from "./new-named.tsx";

const FIRST = { name: "", lmx: "<Paragraph>Acme, 1 Main Street</Paragraph>" };

export const NewComponent = ({ team }: { team: Team }) => {
  const navigate = useNavigate();
  return (
    <NewNamed
      noun="component"
      draftKey={`new component ${team.id}`}
      first={FIRST}
      create={(fields) => team.v1.components.create(fields)}
      asked={(fields) => ({ api: "v1", name: "components.create", fields })}
      onCreated={(componentId) => void navigate({ to: "/templates/components/$componentId", params: { componentId } })}
    >
      {(form) => (
        <Textarea
          label="LMX"
          description="The page of the component has the editor and a preview"
          autosize
          minRows={3}
          maxRows={12}
          {...form.getInputProps("lmx")}
          classNames={{ input: "mono" }}
        />
      )}
    </NewNamed>
  );
};
