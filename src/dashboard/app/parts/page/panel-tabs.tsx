import { Tabs } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { TabCount } from "./tabs.tsx";

type Panel = { value: string; label: string; count?: number | undefined; content: () => ReactNode };

/** Content beside facts, which are below it where there is no room. */
export const Split = ({ aside, label, children }: { aside: ReactNode; label: string; children: ReactNode }) => (
  <div className="split">
    <div>{children}</div>
    <aside aria-label={label}>{aside}</aside>
  </div>
);

/** Shows one thing, one part at a time. `count`: how many there are, if known. `around`: what holds the parts. */
export const PanelTabs = ({
  tabs,
  value,
  onChange,
  around = (panels) => panels,
}: {
  tabs: readonly (Panel | false)[];
  value?: string;
  onChange?: (value: string) => void;
  around?: (panels: ReactNode) => ReactNode;
}) => {
  const shown = tabs.filter((tab) => tab !== false);
  const [own, setOwn] = useState(shown[0]?.value ?? "");
  const show = (next: string | null) => (onChange ?? setOwn)(next ?? "");
  return (
    <Tabs value={value ?? own} onChange={show} keepMounted={false}>
      <Tabs.List className="panel-tabs">
        {shown.map(({ value: name, label, count }) => (
          <Tabs.Tab key={name} value={name}>
            {label}
            <TabCount of={count} />
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {around(
        shown.map(({ value: name, content }) => (
          <Tabs.Panel key={name} value={name}>
            {(value ?? own) === name && content()}
          </Tabs.Panel>
        )),
      )}
    </Tabs>
  );
};
