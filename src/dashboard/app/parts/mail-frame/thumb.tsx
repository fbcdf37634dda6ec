import "./thumb.css";
import { MailFrame } from "./frame.tsx";
import { previewOf } from "./preview.ts";
import { type Sign, withSigns } from "./signs.ts";

type Props = {
  /** Undefined: an empty sheet. */
  html: string | undefined;
  name: string;
  /** `tall`: the whole mail in a panel that scrolls. */
  size?: "card" | "tall";
  signs?: readonly Sign[];
};

/** A small picture of a mail: the mail itself in a sandbox, light and scaled. Its text is not read and takes no focus. */
export const MailThumb = ({ html, name, size = "card", signs = [] }: Props) => (
  <div
    className="thumb"
    data-size={size}
    role="img"
    aria-label={`Picture of ${name}`}
    tabIndex={size === "tall" ? 0 : undefined}
  >
    <div inert>
      {html !== undefined && (
        <MailFrame
          html={withSigns(previewOf(html, { isDark: false, withImages: false }), signs)}
          width={600}
          title={name}
          withImages={false}
          isWhole={size === "tall"}
        />
      )}
    </div>
  </div>
);
