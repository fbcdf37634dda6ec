import "./states.css";
import { ActionIcon, CopyButton } from "@mantine/core";
import { Icon } from "./icons.tsx";

/** Code or data to read and copy. `name`: what it is, for screen readers. `isDiff`: lines begin with + or −. */
export const CodeBlock = ({ name, text, isDiff = false }: { name: string; text: string; isDiff?: boolean }) => (
  <div className="code">
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it may scroll, also by keys */}
    <section aria-label={name} tabIndex={0}>
      {isDiff
        ? text.split("\n").map((line, n) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines keep their order
            <span key={n} data-line={line.startsWith("+") ? "+" : /^[-−]/.test(line) ? "-" : undefined}>
              {`${line}\n`}
            </span>
          ))
        : text}
    </section>
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <ActionIcon variant="default" size="sm" onClick={copy} aria-label={copied ? "Copied" : `Copy: ${name}`}>
          <Icon name={copied ? "check" : "copy"} size={14} />
        </ActionIcon>
      )}
    </CopyButton>
  </div>
);
