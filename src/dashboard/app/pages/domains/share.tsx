import { Button, Group, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { api } from "../../api/api.ts";
import { useAct } from "../../api/use-act.ts";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { off, useDenied } from "../../parts/acts/denied.ts";
import { Refused } from "../../parts/acts/refused.tsx";
import type { Command } from "../../parts/acts/shell.ts";
import { Dialog, useBusy } from "../../parts/dialog.tsx";
import { Copyable } from "../../parts/states.tsx";
import type { Domain } from "./domain-words.ts";

type Props = { team: string; domain: Domain; command: Command };

/** Makes a link to DNS records for a DNS manager without a login. */
export const ShareRecords = (props: Props) => {
  const [opened, { open, close }] = useDisclosure();
  const denied = useDenied({ api: "email", name: "domains.share" });
  return (
    <>
      <Button size="xs" variant="default" {...off(denied)} onClick={() => denied === undefined && open()}>
        Share the records
      </Button>
      <Dialog opened={opened} onClose={close} title={`Share the DNS records of ${props.domain.name}`}>
        <Make {...props} />
      </Dialog>
    </>
  );
};

const Make = ({ team, domain, command }: Props) => {
  const fields = { team, domainId: domain.id };
  const make = useAct({ mutationFn: () => api.email.domains.share(fields) });
  useBusy(make.isPending);
  if (make.data) return <Made {...make.data} />;
  return (
    <Stack gap="sm">
      {make.error && <Refused error={make.error} onProved={() => make.mutate()} />}
      <Text size="sm">
        Makes a link for the person who manages the DNS. Everyone who has the link sees these DNS records and what the
        last check found, without a login, and nothing else. It ends after 7 days, or when the domain is deleted; until
        then it cannot be taken back.
      </Text>
      <Group justify="space-between">
        <CopyAs asked={{ api: "email", name: "domains.share", fields }} command={command} />
        <Button onClick={() => make.mutate()} loading={make.isPending} data-autofocus>
          Make the link
        </Button>
      </Group>
    </Stack>
  );
};

const Made = ({ url, expiresAt }: { url: string; expiresAt: string }) => (
  <Stack gap="sm" role="status">
    <Copyable text={url} label="Copy the link" />
    <Text size="sm">
      Everyone who has it can see these DNS records and nothing else, until{" "}
      <time dateTime={expiresAt}>
        {new Date(expiresAt).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" })}
      </time>{" "}
      (7 days). Another one can be made at any time.
    </Text>
  </Stack>
);
