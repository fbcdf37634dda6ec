import { Text } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../../api/api.ts";
import { ActButton } from "../../parts/acts/act.tsx";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { FormDialog } from "../../parts/form/form-dialog.tsx";
import { More } from "../../parts/page/more.tsx";
import { CHECKS, EndpointFields } from "./endpoint-fields.tsx";
import { changesOf, type Draft, draftOf, type Endpoint, lacksEvents } from "./endpoint-words.ts";
import { ReplayButton } from "./replay.tsx";
import { Secret } from "./secret.tsx";

type Given = Parameters<typeof api.email.webhooks.update>[0];
type Props = { team: string; endpoint: Endpoint };

const text = (words: string) => <Text size="sm">{words}</Text>;

export const EndpointActs = ({ team, endpoint }: Props) => (
  <>
    {endpoint.enabled && <TestButton team={team} endpoint={endpoint} />}
    <More>
      <EditButton team={team} endpoint={endpoint} />
      {endpoint.enabled && <ReplayButton team={team} webhookId={endpoint.id} />}
      <RotateButton team={team} endpoint={endpoint} />
      <SwitchButton team={team} endpoint={endpoint} />
      <DeleteButton team={team} endpoint={endpoint} />
      <CopyAs asked={{ api: "email", name: "webhooks.get", fields: { team, webhookId: endpoint.id } }} />
    </More>
  </>
);

const TestButton = ({ team, endpoint }: Props) => (
  <ActButton
    act={{
      title: "Send a test event?",
      label: "Send",
      effect: () => ({
        text: text(
          `testing.testEvent is posted to ${endpoint.url}, whatever events it wants. What it answers is below.`,
        ),
      }),
      run: () => api.email.webhooks.test({ team, webhookId: endpoint.id }),
      done: () => "The test event is on its way.",
      asked: { api: "email", name: "webhooks.test", fields: { team, webhookId: endpoint.id } },
    }}
  >
    Send a test event
  </ActButton>
);

const SwitchButton = ({ team, endpoint: { id, enabled, url } }: Props) => {
  const fields = { team, webhookId: id, enabled: !enabled };
  return (
    <ActButton
      act={{
        title: enabled ? "Disable this webhook?" : "Enable this webhook?",
        label: enabled ? "Disable" : "Enable",
        effect: () => ({
          text: text(
            enabled
              ? `Nothing is posted to ${url} any more. What waits is kept, and what happens meanwhile can be replayed for 30 days.`
              : `What waits is posted to ${url} at once. What happened while it was disabled comes with a replay.`,
          ),
        }),
        run: () => api.email.webhooks.update(fields as Given),
        done: () => (enabled ? "The webhook is disabled." : "The webhook is enabled."),
        asked: { api: "email", name: "webhooks.update", fields },
      }}
    >
      {enabled ? "Disable" : "Enable"}
    </ActButton>
  );
};

const DeleteButton = ({ team, endpoint: { id, url } }: Props) => {
  const navigate = useNavigate();
  const fields = { team, webhookId: id };
  return (
    <ActButton
      act={{
        title: "Delete this webhook?",
        label: "Delete",
        color: "red",
        word: "delete",
        effect: () => ({
          text: text(
            `Nothing is posted to ${url} any more, what waits neither. Its attempts are deleted. This cannot be undone.`,
          ),
        }),
        run: () => api.email.webhooks.remove(fields),
        done: () => "The webhook is deleted.",
        onDone: () => void navigate({ to: "/settings/webhooks" }),
        asked: { api: "email", name: "webhooks.remove", fields },
      }}
    >
      Delete the webhook
    </ActButton>
  );
};

const EditButton = ({ team, endpoint }: Props) => {
  // A poll may bring another version while the form is open.
  const [before, setBefore] = useState(endpoint);
  const fieldsFor = (draft: Draft) => ({ team, webhookId: endpoint.id, ...changesOf(before, draft) });
  return (
    <FormDialog<Draft, unknown>
      opener="Edit"
      title="Edit this webhook"
      onOpen={() => setBefore(endpoint)}
      size="lg"
      draft={`webhook ${team} ${endpoint.id}`}
      first={draftOf(endpoint)}
      check={CHECKS}
      label="Save"
      isReady={(draft) => Object.keys(changesOf(before, draft)).length > 0 && !lacksEvents(draft)}
      run={(draft) => api.email.webhooks.update(fieldsFor(draft) as Given)}
      done={() => "The webhook is changed."}
      asked={(draft) => ({ api: "email", name: "webhooks.update", fields: fieldsFor(draft) })}
    >
      {(form) => <EndpointFields form={form} />}
    </FormDialog>
  );
};

const RotateButton = ({ team, endpoint }: Props) => {
  const fields = { team, webhookId: endpoint.id, rotateSecret: true };
  return (
    <FormDialog
      opener="Replace the secret"
      title="Replace the secret?"
      first={{}}
      label="Replace"
      run={() => api.email.webhooks.update(fields as Given)}
      after={({ secret = "" }, close) => <Secret secret={secret} onClose={close} />}
      asked={() => ({ api: "email", name: "webhooks.update", fields })}
    >
      {() =>
        text(
          "A new secret is made and shown once. For 24 hours the former one signs too, so that you can replace it at your endpoint meanwhile.",
        )
      }
    </FormDialog>
  );
};
