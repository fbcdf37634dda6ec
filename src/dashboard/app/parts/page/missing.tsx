import { Anchor, Button, Group, Text } from "@mantine/core";
import { spotlight } from "@mantine/spotlight";
import { Link, useLocation } from "@tanstack/react-router";
import { Icon } from "../icons.tsx";
import { placeAt } from "./navigation.ts";
import { Page, PageHead } from "./page.tsx";

export const Missing = () => (
  <Page title="This page does not exist">
    <Text>
      The address is wrong, or belongs to a part of Mailspan that is not deployed. The{" "}
      <Anchor renderRoot={(props) => <Link to="/" {...props} />}>overview</Anchor> says what is.
    </Text>
    <Group>
      <SearchButton />
    </Group>
  </Page>
);

/** Instead of one thing that is not there: says so, and where it may be. */
export const NotThere = ({ kind, message }: { kind: string; message: string }) => {
  const { pathname } = useLocation();
  const place = placeAt(pathname);
  return (
    <>
      <PageHead name={`This ${kind} does not exist`} isMissing />
      <Text>{message}</Text>
      <Group>
        {place && (
          <Button variant="default" renderRoot={(props) => <Link to={place.to} {...props} />}>
            {place.label}
          </Button>
        )}
        <SearchButton />
      </Group>
    </>
  );
};

const SearchButton = () => (
  <Button variant="default" leftSection={<Icon name="search" />} onClick={spotlight.open}>
    Search
  </Button>
);

const HALVES = { bridge: "the bridge", email: "the email service" };

export const MissingHalf = ({ title, half }: { title: string; half: keyof typeof HALVES }) => (
  <Page title={title}>
    <Text>
      This page needs {HALVES[half]}, which is not deployed here. The{" "}
      <Anchor renderRoot={(props) => <Link to="/" {...props} />}>overview</Anchor> says what is.
    </Text>
  </Page>
);
