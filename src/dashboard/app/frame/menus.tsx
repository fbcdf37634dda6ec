import { type MantineColorScheme, Menu, useMantineColorScheme } from "@mantine/core";
import type { ReactNode } from "react";
import { api } from "../api/api.ts";
import { useAct } from "../api/use-act.ts";
import { useLeave } from "../parts/acts/leave.ts";
import { Icon } from "../parts/icons.tsx";
import { MeButton } from "./me-button.tsx";

const SCHEMES: readonly [MantineColorScheme, string][] = [
  ["auto", "As the system"],
  ["light", "Light"],
  ["dark", "Dark"],
];

/** The menu of the person who is logged in. */
export const MeMenu = ({ onHelp }: { onHelp: () => void }) => {
  const { setColorScheme, colorScheme } = useMantineColorScheme();
  const logOut = useLogOut();
  return (
    <Menu position="top-end" withinPortal withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <MeButton />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Colors</Menu.Label>
        {SCHEMES.map(([scheme, label]) => (
          <Menu.Item
            key={scheme}
            role="menuitemradio"
            aria-checked={scheme === colorScheme}
            closeMenuOnClick={false}
            onClick={() => setColorScheme(scheme)}
            rightSection={scheme === colorScheme && <Icon name="check" />}
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={onHelp}>Keys</Menu.Item>
        <Menu.Item onClick={() => logOut.mutate()}>Log out</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
};

const useLogOut = () => {
  const leave = useLeave();
  return useAct({ mutationFn: () => leave(() => api.dashboard.session.delete()) });
};

type TeamProps = {
  name: string;
  team: string | undefined;
  teams: readonly { id: string; name: string }[];
  onChoose: (team: string) => void;
  children: ReactNode;
};

/** The choice of a team, where there are several. */
export const TeamMenu = ({ name, team, teams, onChoose, children }: TeamProps) => (
  <Menu position="bottom-start" width="target" withinPortal withInitialFocusPlaceholder={false}>
    <Menu.Target>
      <button type="button" className="side-team" aria-label={`Team: ${name}`}>
        {children}
        <Icon name="updown" size={14} />
      </button>
    </Menu.Target>
    <Menu.Dropdown>
      {teams.map((one) => (
        <Menu.Item key={one.id} onClick={() => onChoose(one.id)} leftSection={one.id === team && <Icon name="check" />}>
          {one.name === one.id ? one.id : `${one.name} (${one.id})`}
        </Menu.Item>
      ))}
    </Menu.Dropdown>
  </Menu>
);
