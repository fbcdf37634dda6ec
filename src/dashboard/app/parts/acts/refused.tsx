import { Alert, Button, Group, PasswordInput, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useState } from "react";
import { api } from "../../api/api.ts";
import { isLost, RequestError, wasDoneBefore } from "../../api/client.ts";
import { EXPIRED, isLoggedOut } from "../../api/queries.ts";
import { useAbout } from "../../api/use-about.ts";
import { useAct } from "../../api/use-act.ts";
import { Failure } from "../failure.tsx";

const needsProof = (error: Error): boolean => error instanceof RequestError && error.code === "proof_required";

/**
 * Shows a refusal. An old login is renewed in place, then `onProved` repeats the action. A lost answer is reported as
 * possibly done.
 *
 * @param isReading true for reads before an action
 */
export const Refused = ({ error, onProved, isReading = false }: Props) => {
  const { data: isExpired } = useQuery({ queryKey: EXPIRED, queryFn: () => false, enabled: false });
  // The person logged in again, so the action can be repeated.
  if (isLoggedOut(error) && isExpired !== true) return null;
  if (needsProof(error) && onProved) return <Proof onProved={onProved} />;
  if (isReading && isLost(error)) return <Failure error={error} {...(onProved ? { onRetry: onProved } : {})} />;
  if (wasDoneBefore(error)) return <DoneBefore />;
  if (isLost(error)) return <Lost error={error as RequestError} />;
  return <Failure title="This was refused" error={error} />;
};

type Props = { error: Error; onProved?: (() => void) | undefined; isReading?: boolean };

const DoneBefore = () => (
  <Alert variant="light" color="span" title="Done. The first try had worked." role="alert">
    <Text size="sm">
      Only the answer to that try was lost. Close this and look at the page: it shows what is there now. Once more would
      do it twice.
    </Text>
  </Alert>
);

const Lost = ({ error: { code, message, lost } }: { error: RequestError }) => (
  <Alert color="orange" title="No answer, so this may or may not be done" role="alert">
    <Text size="sm">
      {message.replace(/ Try again\.$/, "")}{" "}
      {lost === "keyed"
        ? "Try again with the same fields: it is not done twice."
        : "Look at the page, or at its list, before you try again: what was done would be done twice."}
    </Text>
    <Text size="xs">{code}</Text>
  </Alert>
);

/** A nested form is not allowed in HTML, and the outer one would be submitted too. */
const Proof = ({ onProved }: { onProved: () => void }) => {
  const { me } = useAbout();
  const [token, setToken] = useState("");
  const prove = useAct({
    mutationFn: () => api.dashboard.session.prove(token === "" ? {} : { token }),
    onSuccess: onProved,
  });
  const show = useAct({
    // Loads only for people with a passkey.
    mutationFn: async () => {
      const { showPasskey } = await import("../passkeys/passkeys.ts");
      return api.dashboard.session.prove({ passkey: await showPasskey("proof") });
    },
    onSuccess: onProved,
  });
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    prove.mutate();
  };
  return (
    <Alert color="orange" title="Confirm that it is you">
      <Stack gap="xs">
        {me.passkeys > 0 && (
          <Button onClick={() => show.mutate()} loading={show.isPending} data-autofocus>
            Use a passkey
          </Button>
        )}
        {show.error && (
          <Text size="sm" role="alert">
            {show.error.message}
          </Text>
        )}
        <Text size="sm">
          Your login is older than 15 minutes. {me.passkeys > 0 ? "Or give the admin token." : "Give the admin token."}{" "}
          The token is <code>ADMIN_TOKEN</code>: on your machine in <code>.dev.vars</code>, after a deployment where you
          keep its secrets. With Cloudflare Access, leave it empty.
        </Text>
        <Group align="flex-end" gap="xs">
          <PasswordInput
            label="Admin token"
            value={token}
            onChange={(event) => setToken(event.currentTarget.value)}
            onKeyDown={onKey}
            autoComplete="current-password"
            error={prove.error?.message}
            data-autofocus={me.passkeys === 0 || undefined}
          />
          <Button onClick={() => prove.mutate()} loading={prove.isPending}>
            Continue
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
};
