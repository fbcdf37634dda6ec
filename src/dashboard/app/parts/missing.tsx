import { Anchor, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Page } from "./page.tsx";

export const Missing = () => (
  <Page title="There is no such page">
    <Text>
      The address is wrong, or belongs to a part of Mailspan that is not deployed.{" "}
      <Anchor renderRoot={(props) => <Link to="/" {...props} />}>Overview</Anchor>
    </Text>
  </Page>
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
