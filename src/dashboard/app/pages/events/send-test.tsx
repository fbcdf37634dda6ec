import { Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/api.ts";
import { address } from "../../parts/form/checks.ts";
import { FormDialog } from "../../parts/form/form-dialog.tsx";
import type { Team } from "../../team/team.tsx";
import { propertiesIn } from "./values.ts";

type Pattern = Awaited<ReturnType<Team["v1"]["eventPatterns"]["get"]>>;

type Fields = { email: string; eventProperties: Record<string, string> };

export const SendTest = ({ team, pattern }: { team: Team; pattern: Pattern }) => {
  const fieldsOf = ({ email, eventProperties: texts }: Fields) => {
    const properties = propertiesIn(pattern.eventProperties, texts);
    return {
      email: email.trim(),
      eventName: pattern.eventName,
      ...(Object.keys(properties).length > 0 ? { eventProperties: properties } : {}),
    };
  };
  return (
    <FormDialog<Fields, unknown>
      opener="Send a test event"
      openerProps={{ variant: "default" }}
      shortcut="n"
      title={`Send a test event: ${pattern.eventName}`}
      draft={`event ${team.id} ${pattern.id}`}
      first={{ email: "", eventProperties: {} }}
      check={{ email: address }}
      label="Send"
      run={(values) => team.v1.events.send(fieldsOf(values))}
      done={(_, { email }) => `The event is sent for ${email.trim()}.`}
      asked={(values) => ({ api: "v1", name: "events.send", fields: fieldsOf(values) })}
    >
      {(form) => (
        <>
          <Effect team={team} pattern={pattern} />
          <TextInput
            label="Address of the contact"
            description="A contact with it is created where there is none"
            type="email"
            {...form.getInputProps("email")}
            data-autofocus
          />
          {pattern.eventProperties.map(({ name, type }) => (
            <TextInput
              key={name}
              label={name}
              description={type === "boolean" ? "true or false" : type}
              inputMode={type === "number" ? "decimal" : undefined}
              error={form.errors[`eventProperties.${name}`]}
              value={form.getValues().eventProperties[name] ?? ""}
              onChange={({ currentTarget }) =>
                form.setFieldValue("eventProperties", {
                  ...form.getValues().eventProperties,
                  [name]: currentTarget.value,
                })
              }
            />
          ))}
        </>
      )}
    </FormDialog>
  );
};

/** Test events are real: they start running workflows and send mail. */
const Effect = ({ team: { id }, pattern }: { team: Team; pattern: Pattern }) => {
  const { data } = useQuery({
    queryKey: ["email", id, "event-patterns", pattern.id, "usage"],
    queryFn: () => api.email.eventPatterns.usage({ team: id ?? "", eventPatternId: pattern.id }),
    enabled: id !== undefined,
  });
  const running = data?.workflows.filter(({ status }) => status === "Sending").map(({ name }) => `"${name}"`) ?? [];
  if (data && running.length === 0)
    return <Text size="sm">It is stored for the contact. No workflow runs that it starts.</Text>;
  return (
    <Text size="sm">
      {running.length === 0
        ? "It is a real event: workflows that it starts send their mails."
        : `It is a real event. The contact enters ${running.join(", ")}, and gets the mails of it.`}
    </Text>
  );
};
