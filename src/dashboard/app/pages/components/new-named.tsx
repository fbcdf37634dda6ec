import { TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import type { Asked } from "../../parts/acts/commands.ts";
import { filled } from "../../parts/form/checks.ts";
import { type Form, FormDialog } from "../../parts/form/form-dialog.tsx";

type Props<D extends { name: string }> = {
  noun: string;
  draftKey: string;
  first: D;
  about?: string;
  create: (draft: D) => Promise<{ id: string }>;
  begins?: string;
  asked: (draft: D) => Asked;
  onCreated: (id: string) => void;
  /** Additional fields. */
  children?: (form: Form<D>) => ReactNode;
};

/** The compiler does not know the fields of a generic draft. */
const NAMED = { name: filled("Write a name") };

const named = <D extends { name: string }>(draft: D): D => ({ ...draft, name: draft.name.trim() });

/** Button and form for a named item. Typed text stays until creation. */
export const NewNamed = <D extends { name: string }>(props: Props<D>) => (
  <FormDialog<D, { id: string }>
    opener={`New ${props.noun}`}
    shortcut="n"
    title={`New ${props.noun}`}
    draft={props.draftKey}
    first={props.first}
    check={NAMED as never}
    label="Create"
    run={(draft) => props.create(named(draft))}
    done={(_, draft) => `${named(draft).name} is created${props.begins === undefined ? "" : `, ${props.begins}`}.`}
    onDone={({ id }) => props.onCreated(id)}
    asked={(draft) => props.asked(named(draft))}
  >
    {(form) => (
      <>
        <TextInput
          label="Name"
          description={props.about}
          maxLength={100}
          {...form.getInputProps("name")}
          data-autofocus
        />
        {props.children?.(form)}
      </>
    )}
  </FormDialog>
);
