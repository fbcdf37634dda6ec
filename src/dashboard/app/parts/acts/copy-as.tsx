import { bridge, email, v1 } from "virtual:routes";
import { Button, Menu } from "@mantine/core";
import { Icon } from "../icons.tsx";
import { type Asked, curlOf, programOf } from "./commands.ts";
import { toast } from "./toast.ts";

const TABLES = { bridge, email, v1 };

/** What a page shows or does, as text for a terminal or a program. `command`: the command of this repository that does the same. */
export const CopyAs = ({ asked, command }: { asked: Asked; command?: string | undefined }) => {
  const table = TABLES[asked.api];
  const copy = (what: string, text: string) => () =>
    void navigator.clipboard.writeText(text).then(
      () => toast(`${what} copied.`),
      () => toast("This browser did not allow to copy.", "red"),
    );
  return (
    // Mantine's placeholder for the focus is no item of a menu: without it, the first item has the focus.
    <Menu position="bottom-end" withinPortal withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <Button size="xs" variant="default" leftSection={<Icon name="copy" size={14} />}>
          Copy as
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={copy("The curl command is", curlOf(table, asked))}>curl</Menu.Item>
        <Menu.Item onClick={copy("The program is", programOf(table, asked))}>JavaScript</Menu.Item>
        {command !== undefined && <Menu.Item onClick={copy("The command is", command)}>{command}</Menu.Item>}
      </Menu.Dropdown>
    </Menu>
  );
};
