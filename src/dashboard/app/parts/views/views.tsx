import { Button, Group, Menu, Stack, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useLocation, useRouter } from "@tanstack/react-router";
import { type FormEvent, useRef, useState } from "react";
import { api } from "../../api/api.ts";
import { useAct } from "../../api/use-act.ts";
import { Refused } from "../acts/refused.tsx";
import { toast } from "../acts/toast.ts";
import { Dialog, useBusy } from "../dialog.tsx";
import { pathOf, pathWithoutPage } from "../filters.ts";
import { viewsQuery } from "./query.ts";

export const Views = () => {
  const [isOpen, setIsOpen] = useState(false);
  const [isSaving, setIsSaving] = useState(false);
  const router = useRouter();
  const { pathname, searchStr } = useLocation();
  const { data, error } = useQuery({ ...viewsQuery, enabled: isOpen || isSaving });
  const views = (data?.data ?? []).filter(({ path }) => pathOf(path) === pathname);
  const path = pathWithoutPage(pathname, searchStr);
  const shown = views.filter((view) => isSame(view.path, path));
  const button = useRef<HTMLButtonElement>(null);
  const remove = useAct({
    stays: true,
    mutationFn: (name: string) => api.dashboard.views.delete({ name }),
    onSuccess: (_, name) => toast(`The view "${name}" is deleted.`),
    onError: ({ message }) => toast(message, "red"),
  });
  return (
    <>
      <Menu
        opened={isOpen}
        onChange={setIsOpen}
        position="bottom-start"
        withinPortal
        withInitialFocusPlaceholder={false}
      >
        <Menu.Target>
          <Button size="xs" variant="default" ref={button}>
            Views
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {views.map((view) => (
            <Menu.Item key={view.name} onClick={() => router.history.push(view.path)}>
              {view.name}
            </Menu.Item>
          ))}
          {error && <Menu.Item disabled>{error.message}</Menu.Item>}
          <Menu.Item onClick={() => setIsSaving(true)}>Save this view</Menu.Item>
          {shown.map(({ name }) => (
            <Menu.Item key={name} onClick={() => remove.mutate(name)}>
              Delete "{name}"
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Dialog
        opened={isSaving}
        onClose={() => setIsSaving(false)}
        title="Save this view"
        // The opener in the menu is gone.
        returnFocus={false}
        onExitTransitionEnd={() => button.current?.focus()}
      >
        <Save path={path} names={(data?.data ?? []).map(({ name }) => name)} onClose={() => setIsSaving(false)} />
      </Dialog>
    </>
  );
};

const isSame = (saved: string, shown: string): boolean => {
  const search = saved.indexOf("?");
  return pathWithoutPage(pathOf(saved), search < 0 ? "" : saved.slice(search)) === shown;
};

const Save = ({ path, names, onClose }: { path: string; names: readonly string[]; onClose: () => void }) => {
  const [name, setName] = useState("");
  const isThere = names.includes(name.trim());
  const save = useAct({
    mutationFn: () => api.dashboard.views.save({ name, path }),
    onSuccess: (view) => {
      toast(`The view "${view.name}" is saved.`);
      onClose();
    },
  });
  useBusy(save.isPending);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Text size="sm">The page with its filters, for everybody who logs in. Go to a page finds it by its name.</Text>
        {save.error && <Refused error={save.error} onProved={() => save.mutate()} />}
        <TextInput
          label="Name"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          description={isThere ? "There is a view with this name. It is replaced." : undefined}
          maxLength={80}
          autoComplete="off"
          data-autofocus
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" size="xs" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" size="xs" loading={save.isPending} disabled={name.trim() === ""}>
            {isThere ? "Replace" : "Save"}
          </Button>
        </Group>
      </Stack>
    </form>
  );
};
