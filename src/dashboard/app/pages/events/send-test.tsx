import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api } from "../../api/api.ts";
import { RequestError } from "../../api/client.ts";
import { useAct } from "../../api/use-act.ts";
import { useButtonKey } from "../../frame/use-keys.ts";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { off, useDenied } from "../../parts/acts/denied.ts";
import { useDraft } from "../../parts/acts/draft.ts";
import { Refused } from "../../parts/acts/refused.tsx";
import { toast } from "../../parts/acts/toast.ts";
import { Dialog, useBusy } from "../../parts/dialog.tsx";
import type { Team } from "../../team/team.tsx";
import { propertiesIn } from "./values.ts";

type Pattern = Awaited<ReturnType<Team["v1"]["eventPatterns"]["get"]>>;

export const SendTest = ({ team, pattern }: { team: Team; pattern: Pattern }) => {
  const [opened, { open, close }] = useDisclosure();
  const denied = useDenied({ api: "v1", name: "events.send" });
  useButtonKey("n");
  return (
    <>
      <Button size="xs" variant="default" {...off(denied)} onClick={() => denied === undefined && open()} data-key="n">
        Send a test event
      </Button>
      <Dialog opened={opened} onClose={close} title={`Send a test event: ${pattern.eventName}`}>
        <Form team={team} pattern={pattern} onClose={close} />
      </Dialog>
    </>
  );
};

const Form = ({ team, pattern, onClose }: { team: Team; pattern: Pattern; onClose: () => void }) => {
  const [email, setEmail] = useState("");
  const [texts, setTexts, clear] = useDraft<Record<string, string>>(`event ${team.id} ${pattern.id}`, {});
  const properties = propertiesIn(pattern.eventProperties, texts);
  const fields = {
    email: email.trim(),
    eventName: pattern.eventName,
    ...(Object.keys(properties).length > 0 ? { eventProperties: properties } : {}),
  };
  const send = useAct({
    mutationFn: () => team.v1.events.send(fields),
    onSuccess: () => {
      clear();
      toast(`The event is sent for ${fields.email}.`);
      onClose();
    },
  });
  useBusy(send.isPending);
  const wrong = send.error instanceof RequestError ? send.error.path : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Effect team={team} pattern={pattern} />
        {send.error && <Refused error={send.error} onProved={() => send.mutate()} />}
        <TextInput
          label="Address of the contact"
          description="A contact with it is created where there is none"
          type="email"
          required
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          error={wrong === "email" ? send.error?.message : undefined}
          data-autofocus
        />
        {pattern.eventProperties.map(({ name, type }) => (
          <TextInput
            key={name}
            label={name}
            description={type === "boolean" ? "true or false" : type}
            inputMode={type === "number" ? "decimal" : undefined}
            value={texts[name] ?? ""}
            onChange={(event) => setTexts({ ...texts, [name]: event.currentTarget.value })}
            error={wrong === `eventProperties.${name}` ? send.error?.message : undefined}
          />
        ))}
        <Group justify="space-between">
          <CopyAs asked={{ api: "v1", name: "events.send", fields }} />
          <Button type="submit" loading={send.isPending}>
            Send
          </Button>
        </Group>
      </Stack>
    </form>
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
