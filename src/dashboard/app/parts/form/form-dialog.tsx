import { Button, Fieldset, Group, Stack } from "@mantine/core";
import { type FormErrors, type UseFormReturnType, useForm } from "@mantine/form";
import { type FocusEvent, type FormEvent, type ReactNode, useRef, useState } from "react";
import { RequestError } from "../../api/client.ts";
import { useAct } from "../../api/use-act.ts";
import type { Asked } from "../acts/commands.ts";
import { CopyAs } from "../acts/copy-as.tsx";
import { useDraft } from "../acts/draft.ts";
import { Refused } from "../acts/refused.tsx";
import type { Command } from "../acts/shell.ts";
import { toast } from "../acts/toast.tsx";
import { isSame } from "../acts/unsaved-fields.ts";
import { useBusy, useTyped } from "../dialog.tsx";
import { DialogButton, type DialogButtonProps } from "./dialog-button.tsx";

/** Fields of a form by name. */
type Values = Record<string, unknown>;

export type Form<V extends Values> = UseFormReturnType<V>;

export type FormProps<V extends Values, R> = {
  /** Values of the empty form, or stored ones. */
  first: V;
  /** Name of the kept text, which stays in this tab until the save. Without it, a closed form forgets. */
  draft?: string | undefined;
  /** Checks by field: words that say what to write. */
  check?: { [Name in keyof V]?: (value: V[Name], values: V) => string | undefined };
  /** Words of the button, a verb with its count. */
  label: string | ((values: V) => string);
  /** False: there is nothing to save yet. */
  isReady?: (values: V) => boolean;
  color?: string;
  run: (values: V) => Promise<R>;
  /** The outcome, as a toast. */
  done?: (result: R, values: V) => string;
  onDone?: (result: R, values: V) => void;
  /** Shown in place of the form after the save, such as a secret. */
  after?: (result: R, close: () => void) => ReactNode;
  /** Equivalent operation. */
  asked?: ((values: V) => Asked | undefined) | undefined;
  command?: (values: V) => Command | undefined;
  /** Words for a refusal, in place of the usual ones. */
  refusal?: (error: Error, again: () => void) => ReactNode;
  children: (form: Form<V>) => ReactNode;
};

const errorsOf = <V extends Values>(values: V, check: FormProps<V, unknown>["check"] = {}): FormErrors =>
  Object.fromEntries(
    Object.keys(check).flatMap((name) => {
      const wrong = check[name as keyof V]?.(values[name as keyof V], values);
      return wrong === undefined ? [] : [[name, wrong]];
    }),
  );

/** The field that the service refuses, if the form has it. */
const refusedField = (error: Error | null, values: Values): string | undefined =>
  error instanceof RequestError && (error.path?.split(".")[0] ?? "") in values ? error.path : undefined;

/**
 * The form of a dialog: its text is kept, its fields are locked while it saves, a field is checked when it is left. The
 * dialog closes after the save.
 */
export const DialogForm = <V extends Values, R>(props: FormProps<V, R> & { onClose: () => void }) => {
  const { draft = "", check, label, isReady, color, run, done, onDone, after, asked, command } = props;
  const { refusal, children, onClose } = props;
  // A poll may bring other values while the form is open.
  const [first] = useState(props.first);
  const [kept, keep, clear] = useDraft<V>(draft, first);
  const left = useRef(new Set<string>());
  const form = useForm<V>({
    initialValues: draft === "" ? first : { ...first, ...kept },
    validate: (values) => errorsOf(values, check),
    onValuesChange: (values) => {
      if (draft !== "") keep(values);
      const wrong = errorsOf(values, check);
      form.setErrors(Object.fromEntries(Object.entries(wrong).filter(([name]) => left.current.has(name))));
      if (save.isError) save.reset();
    },
  });
  const values = form.getValues();
  const save = useAct({
    mutationFn: () => run(values),
    onSuccess: (result) => {
      clear();
      if (done) toast(done(result, values));
      if (!after) onClose();
      onDone?.(result, values);
    },
    onError: (error) => {
      const field = refusedField(error, values);
      if (field === undefined) return;
      form.setFieldError(field, error.message);
      // The fields are locked until the next drawing.
      setTimeout(() => form.getInputNode(field)?.focus());
    },
  });
  useBusy(save.isPending);
  useTyped(!isSame(values, first) && save.data === undefined);
  if (after && save.data !== undefined) return after(save.data, onClose);
  const isOff = isReady?.(values) === false;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    for (const name of Object.keys(values)) left.current.add(name);
    const { hasErrors, errors } = form.validate();
    if (!hasErrors && !isOff) save.mutate();
    else form.getInputNode(Object.keys(errors)[0] ?? "")?.focus();
  };
  const onBlur = ({ target, relatedTarget }: FocusEvent<HTMLElement>) => {
    const { path } = target.dataset;
    // A press on a button of the form is a decision of its own.
    if (path === undefined || relatedTarget instanceof HTMLButtonElement) return;
    left.current.add(path);
    form.setFieldError(path, errorsOf(values, check)[path]);
  };
  const operation = asked?.(values);
  return (
    <form onSubmit={submit} noValidate>
      <Fieldset variant="unstyled" p={0} disabled={save.isPending} onBlur={onBlur}>
        <Stack gap="md">
          {save.error &&
            refusedField(save.error, values) === undefined &&
            (refusal?.(save.error, () => save.mutate()) ?? (
              <Refused error={save.error} onProved={() => save.mutate()} />
            ))}
          {children(form)}
          <Group justify="space-between" gap="xs">
            {operation ? <CopyAs asked={operation} command={command?.(values)} /> : <span />}
            <Group gap="xs">
              <Button variant="default" onClick={onClose}>
                Cancel
              </Button>
              <Button
                type="submit"
                color={color}
                loading={save.isPending}
                disabled={isOff}
                data-autofocus={Object.keys(first).length === 0 || undefined}
              >
                {typeof label === "string" ? label : label(values)}
              </Button>
            </Group>
          </Group>
        </Stack>
      </Fieldset>
    </form>
  );
};

/** A button, or an item of the menu of more actions, that opens a form. */
export const FormDialog = <V extends Values, R>({
  opener,
  openerProps,
  shortcut,
  title,
  size,
  onOpen,
  ...form
}: FormProps<V, R> & Omit<DialogButtonProps, "asked" | "children">) => (
  <DialogButton
    opener={opener}
    openerProps={openerProps}
    shortcut={shortcut}
    title={title}
    size={size}
    onOpen={onOpen}
    asked={form.asked?.(form.first)}
  >
    {(close) => <DialogForm {...form} onClose={close} />}
  </DialogButton>
);
