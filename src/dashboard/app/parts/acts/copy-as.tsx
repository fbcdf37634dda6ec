import { bridge, dashboard, email, v1 } from "virtual:routes";
import { Button, Menu, Text } from "@mantine/core";
import { useContext } from "react";
import { Icon } from "../icons.tsx";
import { InMore } from "../page/in-more.ts";
import { type Asked, curlOf, curlOfEach, type Each, programOf, programOfEach } from "./commands.ts";
import { copyText } from "./copy-text.ts";
import { useDenied } from "./denied.ts";
import { type Command, lineOf } from "./shell.ts";

const TABLES = { bridge, email, v1, dashboard };

const textsOf = (asked: Asked | Each): { curl: string; program: string } => {
  if ("list" in asked) {
    const table = TABLES[asked.list.api];
    return { curl: curlOfEach(table, asked), program: programOfEach(table, asked) };
  }
  const table = TABLES[asked.api];
  return { curl: curlOf(table, asked), program: programOf(table, asked) };
};

/** Copies an operation for a terminal or program. `command`: this repository's equivalent. */
export const CopyAs = ({
  asked,
  command,
  what = "Copy as command",
}: {
  asked: Asked | Each;
  command?: Command | undefined;
  /** Heading in the menu of more actions. */
  what?: string;
}) => {
  const { curl, program } = textsOf(asked);
  const line = command && lineOf(command);
  // Shown in every action form, so it also reports denied roles.
  const denied = useDenied("list" in asked ? { api: asked.list.api, name: asked.each } : asked);
  const copy = (what: string, text: string) => () => copyText(what, text);
  const items = (
    <>
      <Menu.Item onClick={copy("The curl command is", curl)}>curl</Menu.Item>
      <Menu.Item onClick={copy("The program is", program)}>JavaScript</Menu.Item>
      {line !== undefined && <Menu.Item onClick={copy("The command is", line)}>{line}</Menu.Item>}
    </>
  );
  if (useContext(InMore))
    return (
      <>
        <Menu.Label>{what}</Menu.Label>
        {items}
      </>
    );
  return (
    <>
      {denied !== undefined && (
        <Text size="sm" w="100%">
          {denied}
        </Text>
      )}
      {/* The focus placeholder of Mantine is no menu item. Without it, the first item gets the focus. */}
      <Menu position="bottom-end" withinPortal withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <Button size="xs" variant="default" leftSection={<Icon name="copy" size={14} />}>
            Copy as
          </Button>
        </Menu.Target>
        <Menu.Dropdown>{items}</Menu.Dropdown>
      </Menu>
    </>
  );
};
