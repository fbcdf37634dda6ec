import { Button, type ButtonProps, Group, Menu, Stack, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useContext, useId, useState } from "react";
import { useAct } from "../../api/use-act.ts";
import { Dialog, useBusy } from "../dialog.tsx";
import type { IconName } from "../icon-paths.ts";
import { Icon } from "../icons.tsx";
import { InMore } from "../page/in-more.ts";
import { Loading } from "../states.tsx";
import type { Asked } from "./commands.ts";
import { CopyAs } from "./copy-as.tsx";
import { off, useDenied } from "./denied.ts";
import { Refused } from "./refused.tsx";
import type { Command } from "./shell.ts";
import { toast } from "./toast.tsx";

/**
 * Effect of an action in numbers. `nothing`: disables the button. `count`: number to type.
 * `label`, `asked` and `command` replace values of the action.
 */
export type Effect = {
  text: ReactNode;
  nothing?: boolean;
  label?: string;
  count?: number | undefined;
  asked?: Asked;
  command?: Command;
};

/** An action that changes data. */
export type Act<R> = {
  title: string;
  label: string;
  /** Loads when the dialog opens, often by a dry run. */
  effect: () => Promise<Effect> | Effect;
  /** Confirmation text for an irreversible action. */
  word?: string | undefined;
  color?: string;
  /** `effect`: as shown and confirmed. */
  run: (effect: Effect | undefined) => Promise<R>;
  done: (result: R) => string;
  /** Tone of `done`; good without it. */
  toneOf?: (result: R) => "good" | "bad" | "wait";
  onDone?: (result: R) => void;
  /** Equivalent operation. Undefined if only the dashboard can do it. */
  asked: Asked | undefined;
  command?: Command;
};

/** Button with a confirmation dialog that shows the effect. The action is fixed once opened. */
export const ActButton = <R,>({
  act,
  children,
  icon,
  ...button
}: { act: Act<R>; children: ReactNode; icon?: IconName } & ButtonProps) => {
  const [opened, setOpened] = useState<Act<R>>();
  const denied = useDenied(act.asked);
  const open = () => denied === undefined && setOpened(act);
  const back = useContext(InMore);
  const close = () => {
    setOpened(undefined);
    // The item that opened the dialog is hidden by now.
    if (back) setTimeout(back);
  };
  const dialog = <ActDialog act={opened} onClose={close} />;
  if (back)
    return (
      <>
        <Menu.Item leftSection={icon && <Icon name={icon} />} color={act.color} {...off(denied)} onClick={open}>
          {children}
        </Menu.Item>
        <InMore value={undefined}>{dialog}</InMore>
      </>
    );
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={icon && <Icon name={icon} size={14} />}
        {...button}
        {...off(denied)}
        onClick={open}
      >
        {children}
      </Button>
      {dialog}
    </>
  );
};

/** Action dialog with an external trigger. Stays open while running. */
export const ActDialog = <R,>({ act, onClose }: { act: Act<R> | undefined; onClose: () => void }) => (
  <Dialog opened={act !== undefined} onClose={onClose} title={act?.title}>
    {act && <Confirm act={act} onClose={onClose} />}
  </Dialog>
);

/** Accepts thousands separators. */
const isTyped = (typed: string, word: string): boolean =>
  typed === word || (/^\d+$/.test(word) && typed.trim().replaceAll(/(?<=\d)[,. '’](?=\d{3})/g, "") === word);

const Confirm = <R,>({ act, onClose }: { act: Act<R>; onClose: () => void }) => {
  const [typed, setTyped] = useState("");
  const effect = useQuery({
    queryKey: ["effect", useId(), act.title],
    queryFn: async () => act.effect(),
    // The person confirms the shown data, so it is never refetched.
    staleTime: "static",
    gcTime: 0,
    retry: false,
  });
  const run = useAct({
    mutationFn: () => act.run(effect.data),
    onSuccess: (result) => {
      toast(act.done(result), { tone: act.toneOf?.(result) ?? "good" });
      onClose();
      act.onDone?.(result);
    },
  });
  useBusy(run.isPending);
  const { count, asked, command } = { ...act, ...effect.data };
  const word = count === undefined ? act.word : String(count);
  const isReady = effect.data !== undefined && !effect.data.nothing && (word === undefined || isTyped(typed, word));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady) run.mutate();
  };
  return (
    <Stack gap="sm">
      {effect.isPending && <Loading rows={2} />}
      {effect.error && <Refused error={effect.error} onProved={() => void effect.refetch()} isReading />}
      {effect.data && <div>{effect.data.text}</div>}
      {run.error && <Refused error={run.error} onProved={() => run.mutate()} />}
      <form onSubmit={submit}>
        <Stack gap="sm">
          {word !== undefined && !effect.data?.nothing && (
            <TextInput
              label={`Type "${word}" to confirm`}
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
              autoComplete="off"
            />
          )}
          <Group justify="space-between">
            {asked ? <CopyAs asked={asked} command={command} /> : <span />}
            <Group gap="xs">
              <Button variant="default" onClick={onClose} disabled={run.isPending}>
                Cancel
              </Button>
              <Button type="submit" color={act.color} loading={run.isPending} disabled={!isReady}>
                {effect.data?.label ?? act.label}
              </Button>
            </Group>
          </Group>
        </Stack>
      </form>
    </Stack>
  );
};
