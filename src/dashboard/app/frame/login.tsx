import { Alert, Anchor, Button, Center, Code, Paper, PasswordInput, Stack, Text, Title } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useEffect, useState } from "react";
import { api } from "../api/api.ts";
import { EXPIRED } from "../api/queries.ts";
import { Dialog } from "../parts/dialog.tsx";
import { knowsAccess } from "./access.ts";

/** The code in the link that `npm start` prints. It is taken out of the address at once. */
const codeInAddress = (): string | undefined => {
  const [, code] = /^#code=(.+)$/.exec(location.hash) ?? [];
  if (code !== undefined) history.replaceState(null, "", location.pathname + location.search);
  return code;
};

/** What a person logs in with. `byItself`: no person has asked for it, so that a refusal is not shown. */
type Given = { token?: string; code?: string; byItself?: true };

/** `canLeave`: nothing behind it is lost where the person goes to another page. */
const Form = ({ onDone, canLeave = false }: { onDone: () => void; canLeave?: boolean }) => {
  const [token, setToken] = useState("");
  const [hasAccess] = useState(knowsAccess);
  const login = useMutation({
    mutationFn: ({ byItself: _, ...given }: Given) => api.dashboard.session.create(given),
    onSuccess: onDone,
  });
  const { mutate } = login;
  useEffect(() => {
    const code = codeInAddress();
    if (code !== undefined) mutate({ code });
    // At the first visit, Cloudflare Access may have let the person through already.
    else if (!hasAccess) mutate({ byItself: true });
  }, [mutate, hasAccess]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate({ token });
  };
  const { byItself, token: sent } = login.variables ?? {};
  return (
    <form onSubmit={submit}>
      <Stack>
        {hasAccess && (
          <Button onClick={() => mutate({})} loading={login.isPending && sent === undefined} data-autofocus>
            Log in with Cloudflare Access
          </Button>
        )}
        {hasAccess && canLeave && (
          <Anchor href="/cdn-cgi/access/logout" size="sm">
            Log out of Cloudflare Access
          </Anchor>
        )}
        <PasswordInput
          label="Admin token"
          description="The value of ADMIN_TOKEN"
          value={token}
          onChange={(event) => setToken(event.currentTarget.value)}
          autoComplete="current-password"
          data-autofocus={!hasAccess || undefined}
          required
        />
        {login.error && !byItself && (
          <Alert color="red" role="alert">
            {login.error.message}
          </Alert>
        )}
        <Button
          type="submit"
          variant={hasAccess ? "default" : "filled"}
          loading={login.isPending && sent !== undefined}
        >
          Log in
        </Button>
        <Text size="sm" c="dimmed">
          On your machine the token is in <Code>.dev.vars</Code>, and <Code>npm start</Code> prints a link that logs you
          in. On Cloudflare it is the secret that <Code>npm run deploy</Code> made.
        </Text>
      </Stack>
    </form>
  );
};

/** The page of a person who is not logged in. */
export const LoginPage = () => {
  const queries = useQueryClient();
  return (
    <Center mih="100vh" p="md" component="main">
      <Paper withBorder p="xl" maw={420} w="100%">
        <Title order={1} size="h2" mb="md">
          Mailspan
        </Title>
        <Form onDone={() => queries.invalidateQueries()} canLeave />
      </Paper>
    </Center>
  );
};

/** Login over the open page: what was typed there stays. */
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
