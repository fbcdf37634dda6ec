import { useCallback, useEffect, useRef } from "react";

type Props = { html: string; width: number; title: string; withImages: boolean };

/** Shows a mail without origin or scripts; `withImages` permits images. */
export const MailFrame = ({ html, width, title, withImages }: Props) => {
  const frame = useRef<HTMLIFrameElement>(null);
  const draw = useCallback(() => frame.current?.contentWindow?.postMessage({ html }, "*"), [html]);
  useEffect(() => {
    const onMessage = (event: MessageEvent) => {
      if (event.source === frame.current?.contentWindow && event.data === "ready") draw();
    };
    addEventListener("message", onMessage);
    draw();
    return () => removeEventListener("message", onMessage);
  }, [draw]);
  return (
    <iframe
      ref={frame}
      src={withImages ? "/preview" : "/preview?images=0"}
      sandbox="allow-scripts"
      title={title}
      width={width}
      height={600}
      style={{ maxWidth: "100%", border: "1px solid var(--mantine-color-default-border)", background: "white" }}
    />
  );
};
