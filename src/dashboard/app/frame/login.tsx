import { Alert, Button, Center, Code, Paper, PasswordInput, Stack, Text, Title } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useEffect, useState } from "react";
import { api } from "../api/api.ts";
import { EXPIRED } from "../api/queries.ts";
import { Dialog } from "../parts/dialog.tsx";

/** The code in the link that `npm start` prints. It is taken out of the address at once. */
const codeInAddress = (): string | undefined => {
  const [, code] = /^#code=(.+)$/.exec(location.hash) ?? [];
  if (code !== undefined) history.replaceState(null, "", location.pathname + location.search);
  return code;
};

const Form = ({ onDone }: { onDone: () => void }) => {
  const [token, setToken] = useState("");
  const login = useMutation({
    mutationFn: (given: { token?: string; code?: string }) => api.dashboard.session.create(given),
    onSuccess: onDone,
  });
  const { mutate } = login;
  useEffect(() => {
    const code = codeInAddress();
    // Without a code, Cloudflare Access may have let the person through already.
    mutate(code === undefined ? {} : { code });
  }, [mutate]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate({ token });
  };
  const isFirst = login.variables?.token === undefined && login.variables?.code === undefined;
  return (
    <form onSubmit={submit}>
      <Stack>
        <PasswordInput
          label="Admin token"
          description="The value of ADMIN_TOKEN"
          value={token}
          onChange={(event) => setToken(event.currentTarget.value)}
          autoComplete="current-password"
          data-autofocus
          required
        />
        {login.error && !isFirst && (
          <Alert color="red" role="alert">
            {login.error.message}
          </Alert>
        )}
        <Button type="submit" loading={login.isPending && !isFirst}>
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
        <Form onDone={() => queries.invalidateQueries()} />
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
