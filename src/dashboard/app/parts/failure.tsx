import { Button } from "@mantine/core";
import { RequestError } from "../api/client.ts";
import { Note } from "./cards/cards.tsx";
import { Icon } from "./icons.tsx";

/** An error in the server's words, with a retry. `isBlock`: in the place of a whole list. */
export const Failure = ({
  error,
  onRetry,
  title = "This cannot be loaded.",
  isBlock = false,
}: {
  error: Error;
  onRetry?: () => void;
  title?: string;
  isBlock?: boolean;
}) => {
  const known = error instanceof RequestError ? error : undefined;
  const facts = [known?.code, known?.requestId].filter(Boolean).join(" · ");
  const retry = onRetry && (
    <Button
      size={isBlock ? "sm" : "xs"}
      variant="default"
      leftSection={<Icon name="retry" size={16} />}
      onClick={onRetry}
    >
      Try now
    </Button>
  );
  if (isBlock)
    return (
      <div className="empty" data-tone="bad" role="alert">
        <span aria-hidden>
          <Icon name="warning" size={22} />
        </span>
        <h2>{title}</h2>
        <p>{error.message}</p>
        {facts !== "" && <p className="empty-facts">{facts}</p>}
        {retry}
      </div>
    );
  return (
    <Note tone="bad" title={title} role="alert">
      {error.message}
      {facts !== "" && <span className="note-facts">{facts}</span>}
      {retry && <div className="note-acts">{retry}</div>}
    </Note>
  );
};
