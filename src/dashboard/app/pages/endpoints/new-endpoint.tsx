import { api } from "../../api/api.ts";
import { FormDialog } from "../../parts/form/form-dialog.tsx";
import { CHECKS, EndpointFields } from "./endpoint-fields.tsx";
import { type Draft, EMPTY, fieldsOf, lacksEvents } from "./endpoint-words.ts";
import { Secret } from "./secret.tsx";

type Given = Parameters<typeof api.email.webhooks.create>[0];

export const NewEndpoint = ({ team }: { team: string }) => (
  <FormDialog<Draft, { secret: string }>
    opener="New webhook"
    shortcut="n"
    title="New webhook"
    size="lg"
    draft={`webhook ${team}`}
    first={EMPTY}
    check={CHECKS}
    label="Add"
    isReady={(draft) => !lacksEvents(draft)}
    run={(draft) => api.email.webhooks.create({ team, ...fieldsOf(draft) } as Given)}
    after={({ secret }, close) => <Secret secret={secret} onClose={close} />}
    asked={(draft) => ({ api: "email", name: "webhooks.create", fields: { team, ...fieldsOf(draft) } })}
  >
    {(form) => <EndpointFields form={form} />}
  </FormDialog>
);
