import { Drawer } from "@mantine/core";
import type { NavEntry } from "../parts/page/navigation.ts";
import { Me } from "./me.tsx";
import { Links, TeamSwitch } from "./side.tsx";

type Props = { opened: boolean; onClose: () => void; onHelp: () => void; entries: readonly NavEntry[] };

/** All entries, the team and the person, on a phone. */
export const PhoneMenu = ({ opened, onClose, onHelp, entries }: Props) => (
  <Drawer opened={opened} onClose={onClose} title="Menu" position="bottom" size="auto">
    <TeamSwitch />
    <nav aria-label="Pages">
      <Links entries={entries} onGo={onClose} />
    </nav>
    <Me
      onHelp={() => {
        onClose();
        onHelp();
      }}
    />
  </Drawer>
);
