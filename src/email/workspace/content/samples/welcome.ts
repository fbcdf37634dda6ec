import type { SampleTemplate } from "./sample.ts";

/** Once per new account: one next step, and a person who answers replies. */
export const welcome: SampleTemplate = {
  id: "tpl_welcome",
  name: "Welcome",
  subject: "Welcome to Acme, {data.name}",
  previewText: "Your account is ready. Three short steps and your team is up and running.",
  fromName: "Sam from Acme",
  fromEmail: "hello",
  lmx: `<Style buttonBodyColor="#4f46e5" textLinkColor="#4f46e5" />
<H1>Welcome aboard, {data.name}</H1>
<Paragraph>Your account is ready. Most teams see their first result within ten minutes; here is the shortest way there.</Paragraph>
<OrderedList>
  <ListItem><Strong>Connect your data.</Strong> Pick a source, or start with the sample project to look around.</ListItem>
  <ListItem><Strong>Invite a teammate.</Strong> Everything is easier to judge with a second pair of eyes.</ListItem>
  <ListItem><Strong>Choose your alerts.</Strong> We stay quiet until something needs you.</ListItem>
</OrderedList>
<Button href="https://app.example.com/start">Set up your workspace</Button>
<Section blockColor="#f5f3ff" blockBorderRadius="8" paddingTop="20" paddingBottom="20">
  <H3>Rather see it first?</H3>
  <Paragraph>Walk through a finished workspace, with nothing to install. <Link href="https://example.com/tour">Take the four-minute tour</Link></Paragraph>
</Section>
<Paragraph>If you get stuck, reply to this email. It reaches a person on our team, and we answer within one working day.</Paragraph>
<Paragraph>Glad you are here,<Br/>Sam</Paragraph>
`,
};
