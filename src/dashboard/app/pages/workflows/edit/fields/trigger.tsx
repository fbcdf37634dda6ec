import { Group, Select, Switch, Text } from "@mantine/core";
import type { TriggerDraft } from "../draft.ts";
import { ChangeList } from "../list.tsx";
import { EventField } from "./event.tsx";
import type { FieldProps } from "./props.ts";
import { QueryFields } from "./query.tsx";

const TYPES = [
  { value: "EventTrigger", label: "An event is received" },
  { value: "SignupTrigger", label: "A person is created" },
  { value: "ContactPropertyTrigger", label: "A property changes" },
  { value: "AddToListTrigger", label: "A person joins the mailing list" },
];

export const TriggerFields = (props: FieldProps<TriggerDraft>) => {
  const { team, draft, problem, onChange } = props;
  const { typeName, eventName, reEligible } = draft;
  return (
    <>
      <Select
        label="It starts when"
        placeholder="Nothing starts it yet"
        data={TYPES}
        value={typeName === "" ? null : typeName}
        error={problem("typeName")}
        onChange={(value) => value && onChange({ ...draft, typeName: value as TriggerDraft["typeName"] })}
        allowDeselect={false}
      />
      {typeName === "EventTrigger" && (
        <EventField
          team={team}
          value={eventName}
          error={problem("eventName")}
          onChange={(name) => onChange({ ...draft, eventName: name })}
        />
      )}
      {typeName === "ContactPropertyTrigger" && <QueryFields {...props} />}
      {typeName === "AddToListTrigger" && (
        <Group>
          <ChangeList {...props} />
        </Group>
      )}
      {typeName === "SignupTrigger" && (
        <Text size="sm">
          By a request, a form or an event. An import starts it only where it says so. With double opt-in, when the
          person confirms.
        </Text>
      )}
      {typeName !== "" && typeName !== "SignupTrigger" && (
        <Switch
          label="A person can enter more than once"
          description="Each time that it happens. Otherwise once, ever"
          checked={reEligible}
          onChange={({ currentTarget }) => onChange({ ...draft, reEligible: currentTarget.checked })}
        />
      )}
    </>
  );
};
