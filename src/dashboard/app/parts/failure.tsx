import { Alert, Button, Stack, Text } from "@mantine/core";
import { RequestError } from "../api/client.ts";

/** Shows an error in the server's words, with a retry. */
export const Failure = ({
  error,
  onRetry,
  title = "This could not be read",
}: {
  error: Error;
  onRetry?: () => void;
  title?: string;
}) => {
  const known = error instanceof RequestError ? error : undefined;
  const facts = [known?.code, known?.requestId].filter(Boolean).join(" · ");
  return (
    <Alert color="red" title={title} role="alert">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{error.message}</Text>
        {facts !== "" && <Text size="xs">{facts}</Text>}
        {onRetry && (
          <Button size="xs" variant="default" onClick={onRetry}>
            Try again
          </Button>
        )}
      </Stack>
    </Alert>
  );
};
