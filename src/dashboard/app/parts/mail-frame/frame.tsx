import { useCallback, useEffect, useRef, useState } from "react";

type Props = { html: string; width: number; title: string; withImages: boolean; isWhole?: boolean };

/** Px, unless the whole mail is shown. */
const HEIGHT = 600;

/** Shows a mail without origin or scripts; `withImages` permits images. `isWhole`: as high as the mail. */
export const MailFrame = ({ html, width, title, withImages, isWhole = false }: Props) => {
  const frame = useRef<HTMLIFrameElement>(null);
  const [height, setHeight] = useState(HEIGHT);
  const draw = useCallback(() => frame.current?.contentWindow?.postMessage({ html }, "*"), [html]);
  useEffect(() => {
    const onMessage = (event: MessageEvent) => {
      if (event.source !== frame.current?.contentWindow) return;
      if (event.data === "ready") draw();
      if (isWhole && typeof event.data === "number") setHeight(Math.max(HEIGHT, event.data));
    };
    addEventListener("message", onMessage);
    draw();
    return () => removeEventListener("message", onMessage);
  }, [draw, isWhole]);
  return (
    <iframe
      ref={frame}
      src={withImages ? "/preview" : "/preview?images=0"}
      sandbox="allow-scripts"
      title={title}
      width={width}
      height={height}
      style={{ maxWidth: "100%", border: "1px solid var(--mantine-color-default-border)", background: "white" }}
    />
  );
};
