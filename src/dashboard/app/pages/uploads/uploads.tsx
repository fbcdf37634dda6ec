import { Button, CopyButton, Group, Stack, Text } from "@mantine/core";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../../api/api.ts";
import { ActButton } from "../../parts/acts/act.tsx";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import type { Filters } from "../../parts/filters.ts";
import type { Column } from "../../parts/list/list-table.tsx";
import { Listing } from "../../parts/list/listing.tsx";
import { useScan } from "../../parts/scan.ts";
import { Empty } from "../../parts/states.tsx";
import { Id, Time } from "../../parts/text.tsx";
import { Uses } from "../../parts/usage/usage.tsx";
import { sumOf, type Usage } from "../../parts/usage/usage-words.ts";
import { EmailPage } from "../../team/team.tsx";
import { AddPictures } from "./add.tsx";
import { lmxOf, sizeOf } from "./file.ts";
import { fileAddress } from "./send.ts";

type Upload = Awaited<ReturnType<typeof api.email.uploads.list>>["data"][number];

export const Uploads = () => (
  <EmailPage
    title="Pictures"
    more={(id) => <CopyAs asked={{ api: "email", name: "uploads.list", fields: { team: id } }} />}
  >
    {(id, { v1 }) => (
      <Stack>
        <AddPictures team={id} v1={v1} />
        <List team={id} />
      </Stack>
    )}
  </EmailPage>
);

const idOf = ({ id }: Upload): string => id;
const route = getRouteApi("/team/templates/pictures");

const columnsFor = (team: string): readonly Column<Upload>[] => [
  { title: "Picture", cell: (upload) => <Thumbnail team={team} upload={upload} />, width: 120 },
  {
    title: "Address",
    cell: ({ id, url }) => (
      <Stack gap={4} miw={220}>
        <Text span className="mono wrap">
          {url}
        </Text>
        <Group gap={4}>
          <CopyText text={url} label="Copy the address" />
          <CopyText text={lmxOf(url)} label="Copy the LMX" />
        </Group>
        <Id>{id}</Id>
      </Stack>
    ),
  },
  { title: "Type", cell: ({ contentType }) => contentType.replace("image/", "") },
  { title: "Size", cell: ({ bytes }) => sizeOf(bytes) },
  { title: "Uploaded", cell: ({ completedAt }) => <Time at={completedAt} />, width: 140 },
  { title: "Change", cell: (upload) => <Delete team={team} upload={upload} /> },
];

const List = ({ team }: { team: string }) => {
  const { cursor } = route.useSearch() as Filters;
  const navigate = useNavigate();
  const scan = useScan<Upload>(
    ["email", team, "uploads"],
    (at, signal) => api.email.uploads.list({ team, cursor: at, perPage: "50" as never }, { signal }),
    { cursor, idOf },
  );
  return (
    <Listing
      what="uploads"
      scan={scan}
      columns={columnsFor(team)}
      idOf={idOf}
      isFiltered={false}
      onClear={() => {}}
      onOlder={(next) => void navigate({ to: "/templates/pictures", search: { cursor: next } })}
      empty={<Empty title="No picture yet">A picture that is uploaded here has an address for messages.</Empty>}
    />
  );
};

const CopyText = ({ text, label }: { text: string; label: string }) => (
  <CopyButton value={text}>
    {({ copied, copy }) => (
      <Button size="compact-xs" variant="default" onClick={copy} aria-label={`${label}: ${text}`}>
        {copied ? "Copied" : label}
      </Button>
    )}
  </CopyButton>
);

/** Served by the dashboard, because the page may not load other email services. */
const Thumbnail = ({ team, upload: { id } }: { team: string; upload: Upload }) => {
  const [isLost, setLost] = useState(false);
  if (isLost) return <Text size="xs">not there</Text>;
  return (
    <img
      src={fileAddress(team, id)}
      alt=""
      loading="lazy"
      width={96}
      height={64}
      className="whole"
      onError={() => setLost(true)}
    />
  );
};

const consequence = (usage: Usage): string =>
  usage.total + usage.components.length === 0
    ? "No message and no component shows it. Mail that was sent with it shows an empty place from then on. This cannot be undone."
    : `${sumOf(usage)} There, and in mail that was sent before, its place is empty from then on. This cannot be undone.`;

const Delete = ({ team, upload: { id, url } }: { team: string; upload: Upload }) => (
  <ActButton
    color="red"
    variant="outline"
    aria-label={`Delete ${id}`}
    act={{
      title: "Delete this picture?",
      label: "Delete",
      color: "red",
      word: "delete",
      effect: async () => {
        const usage = await api.email.uploads.usage({ team, uploadId: id });
        return {
          text: (
            <Stack gap="xs">
              <Group>
                <Thumbnail team={team} upload={{ id } as Upload} />
                <Text size="xs" className="wrap">
                  {url}
                </Text>
              </Group>
              <Text size="sm">{consequence(usage)}</Text>
              <Uses usage={usage} />
            </Stack>
          ),
        };
      },
      run: () => api.email.uploads.remove({ team, uploadId: id }),
      done: () => "The picture is deleted.",
      asked: { api: "email", name: "uploads.remove", fields: { team, uploadId: id } },
    }}
  >
    Delete
  </ActButton>
);
