import { Stack, Text } from "@mantine/core";
import { api } from "../../api/api.ts";
import type { Command } from "../../parts/acts/shell.ts";
import { FormDialog } from "../../parts/form/form-dialog.tsx";
import { Copyable } from "../../parts/states.tsx";
import type { Domain } from "./domain-words.ts";

/** Makes a link to DNS records for a DNS manager without a login. */
export const ShareRecords = ({ team, domain, command }: { team: string; domain: Domain; command: Command }) => {
  const fields = { team, domainId: domain.id };
  return (
    <FormDialog
      opener="Share the records"
      openerProps={{ variant: "default", size: "xs" }}
      title={`Share the DNS records of ${domain.name}`}
      first={{}}
      label="Make the link"
      run={() => api.email.domains.share(fields)}
      after={(made) => <Made {...made} />}
      asked={() => ({ api: "email", name: "domains.share", fields })}
      command={() => command}
    >
      {() => (
        <Text size="sm">
          Makes a link for the person who manages the DNS. Everyone who has the link sees these DNS records and what the
          last check found, without a login, and nothing else. It ends after 7 days, or when the domain is deleted;
          until then it cannot be taken back.
        </Text>
      )}
    </FormDialog>
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
