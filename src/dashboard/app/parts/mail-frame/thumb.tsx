import "./thumb.css";
import { MailFrame } from "./frame.tsx";

/** A small picture of a mail: the mail itself in a sandbox, scaled. Its text is not read and takes no focus. */
export const MailThumb = ({ html, name }: { html: string; name: string }) => (
  <div className="thumb" role="img" aria-label={`Picture of ${name}`}>
    <div inert>
      <MailFrame html={html} width={600} title={name} withImages={false} />
    </div>
  </div>
);
