import type { SampleTemplate } from "./sample.ts";

/** For each payment: the amount first, then the details for accounting. */
export const receipt: SampleTemplate = {
  id: "tpl_receipt",
  name: "Receipt",
  subject: "Your receipt for {data.amount}",
  previewText: "{data.description}, paid on {data.date}. Nothing left to do.",
  fromName: "Acme Billing",
  fromEmail: "billing",
  lmx: `<H2>Thank you, {data.name}</H2>
<Paragraph>We have received your payment. There is nothing left to do; keep this email for your records.</Paragraph>
<Section blockColor="#fafafa" blockBorderRadius="10">
  <Paragraph fontSize="13" paddingBottom="2"><Text textColor="#71717a">Amount paid</Text></Paragraph>
  <H1 fontSize="36" paddingBottom="20">{data.amount}</H1>
  <Divider paddingTop="0" paddingBottom="16" />
  <Columns widths="35,65" stackOnMobile="false" paddingBottom="10">
    <ColumnItem><Paragraph fontSize="14"><Text textColor="#71717a">Description</Text></Paragraph></ColumnItem>
    <ColumnItem><Paragraph fontSize="14" align="right"><Strong textColor="#18181b">{data.description}</Strong></Paragraph></ColumnItem>
  </Columns>
  <Columns widths="35,65" stackOnMobile="false" paddingBottom="10">
    <ColumnItem><Paragraph fontSize="14"><Text textColor="#71717a">Date paid</Text></Paragraph></ColumnItem>
    <ColumnItem><Paragraph fontSize="14" align="right"><Strong textColor="#18181b">{data.date}</Strong></Paragraph></ColumnItem>
  </Columns>
  <Columns widths="35,65" stackOnMobile="false">
    <ColumnItem><Paragraph fontSize="14"><Text textColor="#71717a">Reference</Text></Paragraph></ColumnItem>
    <ColumnItem><Paragraph fontSize="14" align="right"><Strong textColor="#18181b">{data.reference}</Strong></Paragraph></ColumnItem>
  </Columns>
</Section>
<Paragraph>Need a VAT number on it, or does something look wrong? Reply to this email and quote the reference above.</Paragraph>
<Paragraph><Link href="https://app.example.com/billing">See all your invoices</Link></Paragraph>
`,
};
