import { Button, Group, Select, Stack, Table, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useAct } from "../../api/use-act.ts";
import { useButtonKey } from "../../frame/use-keys.ts";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { off, useDenied } from "../../parts/acts/denied.ts";
import { Refused } from "../../parts/acts/refused.tsx";
import { toast } from "../../parts/acts/toast.ts";
import { Dialog, useBusy } from "../../parts/dialog.tsx";
import { Headings } from "../../parts/listing.tsx";
import { Answer } from "../../parts/states.tsx";
import { type Team, TeamPage } from "../../team/team.tsx";
import { Usage } from "./usage.tsx";

type Type = "string" | "number" | "boolean" | "date";

export const Properties = () => (
  <TeamPage
    title="Properties"
    actions={(team) => <NewProperty team={team} />}
    more={(team) => (
      <CopyAs
        asked={
          team.id === undefined
            ? { api: "v1", name: "contactProperties.list" }
            : { api: "email", name: "properties.usage", fields: { team: team.id } }
        }
      />
    )}
  >
    {(team) => (team.id === undefined ? <Found team={team} /> : <Usage team={team.id} />)}
  </TeamPage>
);

/** Another email service has no usage data. */
const Found = ({ team }: { team: Team }) => {
  const query = useQuery({
    queryKey: ["v1", team.id, "properties"],
    queryFn: async () => {
      const [all, custom] = await Promise.all([
        team.v1.contactProperties.list({}),
        team.v1.contactProperties.list({ list: "custom" }),
      ]);
      const own = new Set(custom.map(({ name }) => name));
      return all.map((property) => ({ ...property, isOwn: own.has(property.name) }));
    },
  });
  return <Answer query={query}>{(properties) => <Shown properties={properties} />}</Answer>;
};

type Property = { name: string; label: string; type: string; isOwn: boolean };

const Shown = ({ properties }: { properties: readonly Property[] }) => (
  <Table.ScrollContainer minWidth={480}>
    <Table aria-label="properties">
      <Headings of={["Name", "Label", "Type", "Origin"]} />
      <Table.Tbody>
        {properties.map(({ name, label, type, isOwn }) => (
          <Table.Tr key={name}>
            <Table.Td className="mono">{name}</Table.Td>
            <Table.Td>{label}</Table.Td>
            <Table.Td>{type}</Table.Td>
            <Table.Td>{isOwn ? "of this team" : "standard"}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Table.ScrollContainer>
);

const NewProperty = ({ team }: { team: Team }) => {
  const [opened, { open, close }] = useDisclosure();
  const denied = useDenied({ api: "v1", name: "contactProperties.create" });
  useButtonKey("n");
  return (
    <>
      <Button size="xs" {...off(denied)} onClick={() => denied === undefined && open()} data-key="n">
        New property
      </Button>
      <Dialog opened={opened} onClose={close} title="New property">
        <Form team={team} onClose={close} />
      </Dialog>
    </>
  );
};

const Form = ({ team, onClose }: { team: Team; onClose: () => void }) => {
  const [name, setName] = useState("");
  const [type, setType] = useState<Type>("string");
  const create = useAct({
    mutationFn: () => team.v1.contactProperties.create({ name: name.trim(), type }),
    onSuccess: () => {
      toast(`${name.trim()} is created.`);
      onClose();
    },
  });
  useBusy(create.isPending);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {create.error && <Refused error={create.error} onProved={() => create.mutate()} />}
        <TextInput
          label="Name"
          description="Letters and digits, the first one a small letter: planName"
          required
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus
        />
        <Select
          label="Type"
          data={["string", "number", "boolean", "date"]}
          value={type}
          onChange={(value) => setType((value ?? "string") as Type)}
          allowDeselect={false}
        />
        <Group justify="space-between">
          <CopyAs asked={{ api: "v1", name: "contactProperties.create", fields: { name: name.trim(), type } }} />
          <Button type="submit" loading={create.isPending}>
            Create
          </Button>
        </Group>
      </Stack>
    </form>
  );
};
