import { Button, Menu, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useLocation, useRouter } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { api } from "../../api/api.ts";
import { useAct } from "../../api/use-act.ts";
import { toast } from "../acts/toast.tsx";
import { Dialog } from "../dialog.tsx";
import { pathOf, pathWithoutPage } from "../filters.ts";
import { filled } from "../form/checks.ts";
import { DialogForm } from "../form/form-dialog.tsx";
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
    onError: ({ message }) => toast(message, { tone: "bad" }),
  });
  return (
    <>
      <Menu
        opened={isOpen}
        onChange={setIsOpen}
        position="bottom-start"
        portalProps={{ target: "#main" }}
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
  const isThere = (name: string) => names.includes(name.trim());
  return (
    <DialogForm
      first={{ name: "" }}
      check={{ name: filled("Write a name that your team knows") }}
      label={({ name }) => (isThere(name) ? "Replace" : "Save")}
      run={({ name }) => api.dashboard.views.save({ name, path })}
      done={({ name }) => `The view "${name}" is saved.`}
      onClose={onClose}
    >
      {(form) => (
        <>
          <Text size="sm">The page with its filters, for everybody who logs in. Search finds it by its name.</Text>
          <TextInput
            label="Name"
            description={isThere(form.getValues().name) ? "There is a view with this name. It is replaced." : undefined}
            maxLength={80}
            autoComplete="off"
            {...form.getInputProps("name")}
            data-autofocus
          />
        </>
      )}
    </DialogForm>
  );
};
