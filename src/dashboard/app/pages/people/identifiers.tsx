import { Group, Text } from "@mantine/core";
import { Id, Time } from "../../parts/text.tsx";
import type { Contact, KnownPerson } from "./queries.ts";

type Identifier = KnownPerson["identifiers"][number];

const WORDS = { email: "address", userId: "user id", ref: "provider's id" } as const;

/** Identifiers from the contact and from webhooks, with source and time. */
export const Identifiers = ({ contact, known }: { contact: Contact | undefined; known: KnownPerson | undefined }) => {
  const told = known?.identifiers ?? [];
  const isTold = (kind: Identifier["kind"], value: string) =>
    told.some((one) => one.kind === kind && one.value.toLowerCase() === value.toLowerCase());
  return (
    <>
      {contact?.email && !isTold("email", contact.email) && <Id>{contact.email}</Id>}
      {contact?.userId && !isTold("userId", contact.userId) && <Id>{contact.userId}</Id>}
      {told.map((one) => (
        <Group key={`${one.kind} ${one.source ?? ""} ${one.value}`} gap={4} wrap="nowrap">
          <Id>{one.value}</Id>
          <Text span size="xs">
            {one.source ?? WORDS[one.kind]}
            {one.learnedAt !== null && ", told "}
            {one.learnedAt !== null && <Time at={one.learnedAt} />}
          </Text>
        </Group>
      ))}
      {contact && <Id>{contact.id}</Id>}
    </>
  );
};
