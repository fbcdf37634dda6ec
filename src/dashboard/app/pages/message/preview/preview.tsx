import { Button, Code, Group, SegmentedControl, Stack, Switch } from "@mantine/core";
import { useState } from "react";
import { MailFrame } from "../../../parts/mail-frame/frame.tsx";
import { hasRemote, previewOf } from "../../../parts/mail-frame/preview.ts";
import type { Filled } from "./filled.ts";
import { InboxLine } from "./inbox-line.tsx";

const VIEWS = [
  { value: "desktop", label: "Desktop" },
  { value: "mobile", label: "Mobile" },
  { value: "inbox", label: "Inbox" },
  { value: "text", label: "Text" },
  { value: "source", label: "Source" },
];
const WIDTHS: Readonly<Record<string, number>> = { desktop: 600, mobile: 375 };

type Props = {
  mail: Filled;
  marked: string;
  view: string;
  dark: boolean;
  onView: (view: string) => void;
  onDark: (dark: boolean) => void;
};

export const Preview = ({ mail, marked, view, dark, onView, onDark }: Props) => (
  <Stack gap="xs">
    <Group gap="sm">
      <SegmentedControl size="xs" aria-label="View" data={VIEWS} value={view} onChange={onView} />
      {view in WIDTHS && (
        <Switch size="xs" label="Dark" checked={dark} onChange={(event) => onDark(event.currentTarget.checked)} />
      )}
    </Group>
    {view in WIDTHS && <Rendered html={marked} width={WIDTHS[view] ?? 600} dark={dark} />}
    {view === "inbox" && <InboxLine mail={mail} />}
    {view === "text" && <Verbatim text={mail.text} label="Text of the mail" />}
    {view === "source" && <Verbatim text={mail.html} label="HTML of the mail" />}
  </Stack>
);

const Rendered = ({ html, width, dark }: { html: string; width: number; dark: boolean }) => {
  const [withImages, setWithImages] = useState(false);
  return (
    <>
      {!withImages && hasRemote(html) && (
        <Button size="xs" variant="default" onClick={() => setWithImages(true)}>
          Load images
        </Button>
      )}
      <MailFrame
        key={String(withImages)}
        html={previewOf(html, { isDark: dark, withImages })}
        width={width}
        title="The mail as its recipient sees it"
        withImages={withImages}
      />
    </>
  );
};

const Verbatim = ({ text, label }: { text: string; label: string }) => (
  <Code block aria-label={label} tabIndex={0} role="region" className="lines scrolls">
    {text}
  </Code>
);
