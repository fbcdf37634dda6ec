import { Select, SimpleGrid, Stack, TextInput } from "@mantine/core";
import type { FieldProblem } from "../../../../lib/lmx/message/compile-message.ts";
import type { MessageSource } from "../../../../lib/lmx/message/message-source.ts";
import { RequestError } from "../../api/client.ts";
import type { Editing } from "./editing.ts";
import { senderProblem } from "./source.ts";

type Name = Exclude<keyof MessageSource, "lmx" | "emailFormat" | `${string}Fallbacks`>;
type Field = { name: Name; label: string; hint?: string };

const MAIN: readonly Field[] = [
  { name: "subject", label: "Subject" },
  { name: "previewText", label: "Preview text", hint: "Inboxes show it after the subject" },
  { name: "fromName", label: "Sender's name", hint: "Empty: that of the team" },
  { name: "fromEmail", label: "Sender's address", hint: "The part before the @. Empty: that of the team" },
  { name: "replyToEmail", label: "Replies to", hint: "A whole address. Empty: that of the team, else the sender" },
];
const COPIES: readonly Field[] = [
  { name: "ccEmail", label: "Copy to" },
  { name: "bccEmail", label: "Hidden copy to" },
];
const LANGUAGE: Field = { name: "languageCode", label: "Language", hint: "A language tag, such as en or pt-BR" };

/** Label of an editable field. */
export const labelOf = (name: string): string =>
  [...MAIN, ...COPIES, LANGUAGE].find((field) => field.name === name)?.label ?? name;

/** Input id of a field. Guardian findings link to it. */
export const idOfField = (name: string): string => `field-${name}`;

type Props = { editing: Editing; problems: readonly FieldProblem[]; locked: boolean; hasCopies: boolean };

export const MessageFields = ({ editing, problems, locked, hasCopies }: Props) => {
  const input = (field: Field) => (
    <Input key={field.name} field={field} editing={editing} problems={problems} locked={locked} />
  );
  return (
    <Stack gap="xs">
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md" verticalSpacing="xs">
        {MAIN.slice(0, 2).map(input)}
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="md" verticalSpacing="xs">
        {MAIN.slice(2).map(input)}
      </SimpleGrid>
      <details>
        <summary>More fields</summary>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md" verticalSpacing="xs" mt="xs">
          {hasCopies && COPIES.map(input)}
          {input(LANGUAGE)}
          <Select
            label="Look"
            description="Plain looks like a mail that a person wrote"
            data={[
              { value: "styled", label: "Styled" },
              { value: "plain", label: "Plain" },
            ]}
            value={editing.source.emailFormat}
            onChange={(value) => editing.change({ emailFormat: value === "plain" ? "plain" : "styled" })}
            allowDeselect={false}
            disabled={locked}
          />
        </SimpleGrid>
      </details>
    </Stack>
  );
};

const Input = ({
  field: { name, label, hint },
  editing: { source, change, error },
  problems,
  locked,
}: { field: Field } & Omit<Props, "hasCopies">) => {
  const refused = error instanceof RequestError && error.path === name ? error.message : undefined;
  const wrong = name === "fromEmail" ? senderProblem(source[name]) : undefined;
  const problem = problems.find((one) => one.field === name && one.severity === "error")?.message;
  return (
    <TextInput
      id={idOfField(name)}
      label={label}
      description={hint}
      error={problem ?? wrong ?? refused}
      value={source[name]}
      onChange={(event) => change({ [name]: event.currentTarget.value })}
      readOnly={locked}
      autoComplete="off"
    />
  );
};
