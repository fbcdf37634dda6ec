import { bridge, dashboard, email, v1 } from "virtual:routes";
import { Button, Menu, Text } from "@mantine/core";
import { Icon } from "../icons.tsx";
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

/** What a page shows or does, as text for a terminal or a program. `command`: the command of this repository that does the same. */
export const CopyAs = ({ asked, command }: { asked: Asked | Each; command?: Command | undefined }) => {
  const { curl, program } = textsOf(asked);
  const line = command && lineOf(command);
  // Every form that asks for an act has this: it says before the act what the role does not allow.
  const denied = useDenied("list" in asked ? { api: asked.list.api, name: asked.each } : asked);
  const copy = (what: string, text: string) => () => copyText(what, text);
  return (
    <>
      {denied !== undefined && (
        <Text size="sm" w="100%">
          {denied}
        </Text>
      )}
      {/* Mantine's placeholder for the focus is no item of a menu: without it, the first item has the focus. */}
      <Menu position="bottom-end" withinPortal withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <Button size="xs" variant="default" leftSection={<Icon name="copy" size={14} />}>
            Copy as
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={copy("The curl command is", curl)}>curl</Menu.Item>
          <Menu.Item onClick={copy("The program is", program)}>JavaScript</Menu.Item>
          {line !== undefined && <Menu.Item onClick={copy("The command is", line)}>{line}</Menu.Item>}
        </Menu.Dropdown>
      </Menu>
    </>
  );
};
