import { Alert, Anchor, Button, Code, PasswordInput, Stack, Text, TextInput, Title } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ChangeEvent, type FormEvent, useEffect, useState } from "react";
import { api } from "../api/api.ts";
import { RequestError } from "../api/client.ts";
import { EXPIRED } from "../api/queries.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Mark } from "../parts/mark.tsx";
import { knowsPasskeys, namedOrigin, showPasskey } from "../parts/passkeys/passkeys.ts";
import { knowsAccess } from "./access.ts";

const codeInAddress = (): string | undefined => {
  const [, code] = /^#code=(.+)$/.exec(location.hash) ?? [];
  if (code !== undefined) history.replaceState(null, "", location.pathname + location.search);
  return code;
};

/** `byItself`: an automatic login, its refusal is not shown. */
type Given = { token?: string; code?: string; recovery?: string; byPasskey?: true; byItself?: true };

/** Access succeeded but the role is missing. This is shown even after an automatic login. */
const isOfRole = (error: unknown): boolean => error instanceof RequestError && error.code === "role_required";

/** `canLeave`: navigation loses nothing. */
const Form = ({ onDone, canLeave = false }: { onDone: () => void; canLeave?: boolean }) => {
  const [text, setText] = useState("");
  const [isRecovering, setRecovering] = useState(false);
  const [hasAccess] = useState(knowsAccess);
  const login = useMutation({
    mutationFn: async ({ byItself: _, byPasskey, ...given }: Given) =>
      api.dashboard.session.create(byPasskey ? { passkey: await showPasskey("login") } : given),
    onSuccess: onDone,
  });
  const { mutate } = login;
  useEffect(() => {
    const code = codeInAddress();
    if (code !== undefined) mutate({ code });
    // Cloudflare Access may have authenticated the person already.
    else if (!hasAccess) mutate({ byItself: true });
  }, [mutate, hasAccess]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate(isRecovering ? { recovery: text } : { token: text });
  };
  const turn = () => {
    setRecovering(!isRecovering);
    setText("");
    login.reset();
  };
  const { byItself, byPasskey, token, recovery } = login.variables ?? {};
  const isSent = token !== undefined || recovery !== undefined;
  return (
    <form onSubmit={submit}>
      <Stack>
        {hasAccess && (
          <Button onClick={() => mutate({})} loading={login.isPending && !isSent && !byPasskey} data-autofocus>
            Log in with Cloudflare Access
          </Button>
        )}
        {hasAccess && canLeave && (
          <Anchor href="/cdn-cgi/access/logout" size="sm">
            Log out of Cloudflare Access
          </Anchor>
        )}
        <Secret isRecovery={isRecovering} text={text} onType={setText} hasFocus={!hasAccess} />
        {login.error && (!byItself || isOfRole(login.error)) && (
          <Alert color="red" role="alert">
            {login.error.message}
          </Alert>
        )}
        <Button type="submit" variant={hasAccess ? "default" : "filled"} loading={login.isPending && isSent}>
          Log in
        </Button>
        {knowsPasskeys() && (
          <Button
            variant="default"
            onClick={() => mutate({ byPasskey: true })}
            loading={login.isPending && byPasskey === true}
          >
            Use a passkey
          </Button>
        )}
        <Anchor component="button" type="button" size="sm" onClick={turn}>
          {isRecovering ? "Use the admin token" : "Use a recovery code"}
        </Anchor>
        <Hints />
      </Stack>
    </form>
  );
};

type SecretProps = { isRecovery: boolean; text: string; onType: (text: string) => void; hasFocus: boolean };

const Secret = ({ isRecovery, text, onType, hasFocus }: SecretProps) => {
  const field = {
    value: text,
    required: true,
    "data-autofocus": hasFocus || undefined,
    onChange: (event: ChangeEvent<HTMLInputElement>) => onType(event.currentTarget.value),
  };
  return isRecovery ? (
    <TextInput
      label="Recovery code"
      description="One of the ten that you keep. Each works once"
      autoComplete="one-time-code"
      {...field}
    />
  ) : (
    <PasswordInput
      label="Admin token"
      description="The value of ADMIN_TOKEN"
      autoComplete="current-password"
      {...field}
    />
  );
};

const Hints = () => (
  <>
    <Text size="sm" c="dimmed">
      On your machine the token is in <Code>.dev.vars</Code>, and <Code>npm start</Code> prints a link that logs you in.
      On Cloudflare it is the secret that <Code>npm run deploy</Code> made.
    </Text>
    {namedOrigin(location) !== location.origin && (
      <Text size="sm" c="dimmed">
        Passkeys work at <Anchor href={namedOrigin(location)}>{namedOrigin(location)}</Anchor>.
      </Text>
    )}
  </>
);

export const LoginPage = () => {
  const queries = useQueryClient();
  return (
    <main className="door">
      <div className="door-card">
        <Mark size={34} />
        <Title order={1}>Log in to Mailspan</Title>
        <Form onDone={() => queries.invalidateQueries()} canLeave />
      </div>
    </main>
  );
};

/** Login over the open page, so typed text stays. */
export const LoginDialog = () => {
  const queries = useQueryClient();
  const done = () => {
    queries.setQueryData(EXPIRED, false);
    queries.invalidateQueries();
  };
  return (
    <Dialog opened onClose={() => {}} withCloseButton={false} title="Your session has ended" centered>
      <Form onDone={done} />
    </Dialog>
  );
};
