import { compile, compileLine } from "../../../../lib/lmx/compile.ts";
import { fill } from "../../../../lib/lmx/fill.ts";
import type { Styles } from "./styles.ts";

const SAMPLE = `<H1>Your order is on its way</H1>
<Paragraph>Hello Ada, we have packed your order and gave it to the carrier. You can <Link href="https://example.com/">follow it</Link> until it arrives.</Paragraph>
<Button href="https://example.com/">Follow the order</Button>
<Divider />
<H2>What is in it</H2>
<UnorderedList>
<ListItem>A notebook with 200 pages</ListItem>
<ListItem>Two pencils</ListItem>
</UnorderedList>
<H3>Questions?</H3>
<Paragraph>Answer this mail. A person reads it.</Paragraph>`;

const SUBJECT = "Your order is on its way";

/** HTML of the sample, or the problem. */
export const sampleWith = (styles: Styles): { html: string } | { problem: string } => {
  const id = "thm_preview";
  const { compiled, problems } = compile(
    SAMPLE,
    "transactional",
    { subject: compileLine(SUBJECT, "transactional").parts ?? [] },
    { themes: { [id]: styles }, defaultThemeId: id },
  );
  return compiled ? { html: fill(compiled.html, {}) } : { problem: problems[0]?.message ?? "" };
};
