import { Group, Stack, Text } from "@mantine/core";
import { api } from "../../api/api.ts";
import { ActButton } from "../../parts/acts/act.tsx";
import { Time } from "../../parts/text.tsx";
import type { Passkey } from "./queries.ts";

/** Revocable passkeys. `of`: owner; without it, the current person. */
export const Passkeys = ({ passkeys, of }: { passkeys: readonly Passkey[]; of?: string }) => (
  <Stack gap={4}>
    {passkeys.map(({ id, name, createdAt, lastUsedAt, synced }) => (
      <Group key={id} gap="xs">
        <Text size="sm">
          {name}
          {synced ? ", synced" : ""}: made <Time at={createdAt} />,{" "}
          {lastUsedAt === null ? "not used since" : <>used </>}
          {lastUsedAt !== null && <Time at={lastUsedAt} />}
        </Text>
        <ActButton
          variant="outline"
          color="red"
          size="compact-xs"
          aria-label={of === undefined ? `Revoke ${name}` : `Revoke ${name} of ${of}`}
          act={{
            title: of === undefined ? `Revoke ${name}?` : `Revoke ${name} of ${of}?`,
            label: "Revoke",
            color: "red",
            effect: () => ({
              text: [
                "It logs nobody in from now on.",
                of === undefined
                  ? "Your other sessions end."
                  : `The sessions of ${of} end, and so do recovery codes and an open link of ${of}.`,
                ...(passkeys.length === 1
                  ? [
                      `It is the last passkey: ${of === undefined ? "a recovery code or " : ""}a new link is needed then.`,
                    ]
                  : []),
              ].join(" "),
            }),
            run: () => api.dashboard.passkeys.remove({ passkeyId: id }),
            done: () => `${name} is revoked.`,
            asked: { api: "dashboard", name: "passkeys.remove", fields: { passkeyId: id } },
          }}
        >
          Revoke
        </ActButton>
      </Group>
    ))}
  </Stack>
);
