/** Export of another product. `no`: those who get no mail. `settings`: what a person has to say besides the guess. */
export type Dialect = {
  product: string;
  name?: string;
  csv: string;
  yes: readonly string[];
  no: readonly string[];
  settings?: object;
};

const to = (name: string) => `${name}@example.com`;
const lines = (...all: string[]) => `${all.join("\n")}\n`;

export const dialects: readonly Dialect[] = [
  {
    product: "Mailchimp, audience export",
    csv: lines(
      '"Email Address","First Name","Last Name",MEMBER_RATING,OPTIN_TIME,OPTIN_IP,CONFIRM_TIME,CONFIRM_IP,LATITUDE,LONGITUDE,GMTOFF,DSTOFF,TIMEZONE,CC,REGION,UNSUB_TIME,UNSUB_CAMPAIGN_TITLE,UNSUB_CAMPAIGN_ID,UNSUB_REASON,UNSUB_REASON_OTHER,LEID,EUID,NOTES,TAGS',
      `${to("a1")},Ada,Lovelace,2,"2020-02-03 04:05:06",192.0.2.1,"2020-02-03 04:05:06",192.0.2.1,,,,,,,,,,,,,101,e1,,"""vip"""`,
      `${to("a2")},Bob,Byron,2,"2020-02-03 04:05:06",192.0.2.1,"2020-02-03 04:05:06",192.0.2.1,,,,,,,,"2021-03-04 05:06:07","March news",7,NORMAL,,102,e2,,`,
    ),
    yes: ["a1"],
    no: ["a2"],
  },
  {
    product: "Mailchimp, cleaned addresses",
    name: "cleaned_members_export_1a2b.csv",
    csv: lines(
      '"Email Address","First Name","Last Name",MEMBER_RATING,OPTIN_TIME,OPTIN_IP,CONFIRM_TIME,CONFIRM_IP,LATITUDE,LONGITUDE,GMTOFF,DSTOFF,TIMEZONE,CC,REGION,CLEAN_TIME,CLEAN_CAMPAIGN_TITLE,CLEAN_CAMPAIGN_ID,LEID,EUID,NOTES,TAGS',
      `${to("b1")},Ada,L,2,,,"2020-02-03 04:05:06",192.0.2.1,,,,,,,,"2022-01-02 03:04:05",May,7,101,e1,,`,
    ),
    yes: [],
    no: ["b1"],
  },
  {
    product: "Mailchimp, unsubscribed addresses without a column that says so",
    name: "unsubscribed_segment_export.csv",
    csv: lines("Email Address,First Name", `${to("c1")},Ada`),
    yes: [],
    no: ["c1"],
    settings: { allUnsubscribed: true },
  },
  {
    product: "Kit",
    csv: lines(
      "id,first_name,email,status,created_at,tags",
      `1,Ada,${to("d1")},active,2024-01-02 03:04:05 UTC,`,
      `2,Bob,${to("d2")},cancelled,2024-01-02 03:04:05 UTC,`,
      `3,Eve,${to("d3")},bounced,2024-01-02 03:04:05 UTC,`,
      `4,Joe,${to("d4")},complained,2024-01-02 03:04:05 UTC,`,
      `5,Kim,${to("d5")},inactive,2024-01-02 03:04:05 UTC,`,
    ),
    yes: ["d1"],
    no: ["d2", "d3", "d4", "d5"],
  },
  {
    product: "HubSpot",
    csv: lines(
      "Record ID,First Name,Last Name,Email,Email Domain,Unsubscribed from all email,Email hard bounce reason,Email address quarantine reason,Marketing contact status,Create Date",
      `1,Ada,L,${to("e1")},example.com,false,,,Marketing contact,2024-01-02 03:04`,
      `2,Bob,B,${to("e2")},example.com,true,,,Marketing contact,2024-01-02 03:04`,
      `3,Eve,C,${to("e3")},example.com,,UNKNOWN_USER,,Marketing contact,2024-01-02 03:04`,
      `4,Joe,D,${to("e4")},example.com,,,,Non-marketing contact,2024-01-02 03:04`,
      `5,Kim,E,${to("e5")},example.com,,,SUSPENSION_REMEDIATION,Marketing contact,2024-01-02 03:04`,
    ),
    yes: ["e1"],
    no: ["e2", "e3", "e4", "e5"],
  },
  {
    product: "Substack",
    csv: lines(
      "email,active_subscription,expiry,plan,email_disabled,digest_enabled,created_at,first_payment_at",
      `${to("f1")},false,,other,false,false,2024-01-02T03:04:05.678Z,`,
      `${to("f2")},true,,yearly,true,false,2024-01-02T03:04:05.678Z,2024-02-03T03:04:05.678Z`,
    ),
    yes: ["f1"],
    no: ["f2"],
  },
  {
    product: "Beehiiv",
    csv: lines(
      "id,email,status,subscription_tier,created_at,utm_source,utm_medium,referring_site,total_opens,total_clicks",
      `1,${to("g1")},active,free,2024-01-02 03:04:05 UTC,,,,1,0`,
      `2,${to("g2")},inactive,free,2024-01-02 03:04:05 UTC,,,,1,0`,
      `3,${to("g3")},validating,free,2024-01-02 03:04:05 UTC,,,,0,0`,
    ),
    yes: ["g1"],
    no: ["g2", "g3"],
  },
  {
    product: "Ghost",
    csv: lines(
      "id,email,name,note,subscribed_to_emails,complimentary_plan,stripe_customer_id,created_at,deleted_at,labels,tiers",
      `m1,${to("h1")},Grace Hopper,,true,false,,2024-01-15T10:00:00.000Z,,,`,
      `m2,${to("h2")},Kat Johnson,,false,false,,2024-02-01T12:30:00.000Z,,,`,
    ),
    yes: ["h1"],
    no: ["h2"],
  },
  {
    product: "Keila",
    csv: lines(
      "Email,First name,Last name,Data,Status,External ID",
      `${to("i1")},Ada,L,{},active,x1`,
      `${to("i2")},Bob,B,{},unsubscribed,x2`,
      `${to("i3")},Eve,C,{},unreachable,x3`,
    ),
    yes: ["i1"],
    no: ["i2", "i3"],
  },
  {
    product: "Resend",
    csv: lines(
      "id,email,first_name,last_name,created_at,unsubscribed",
      `1,${to("j1")},Ada,L,2025-01-02,false`,
      `2,${to("j2")},Bob,L,2025-01-02,true`,
    ),
    yes: ["j1"],
    no: ["j2"],
  },
  {
    product: "Customer.io",
    csv: lines(
      "id,email,created_at,unsubscribed,first_name",
      `u1,${to("k1")},1704164645,,Ada`,
      `u2,${to("k2")},1704164645,true,Bob`,
    ),
    yes: ["k1"],
    no: ["k2"],
  },
  {
    product: "Loops",
    csv: lines("email,firstName,userId,subscribed", `${to("l1")},A,l1,true`, `${to("l2")},B,l2,false`),
    yes: ["l1"],
    no: ["l2"],
  },
  {
    product: "Shopify",
    csv: lines(
      "Customer ID,First Name,Last Name,Email,Accepts Email Marketing,Default Address Company,Default Address Address1,Default Address Address2,Default Address City,Default Address Province Code,Default Address Country Code,Default Address Zip,Default Address Phone,Phone,Accepts SMS Marketing,Total Spent,Total Orders,Note,Tax Exempt,Tags",
      `'1,Ada,L,${to("n1")},yes,,1 Main Street,,Bath,,GB,'BA1 1AA,,,no,0.00,0,,no,vip`,
      `'2,Bob,B,${to("n2")},no,,2 Main Street,,Bath,,GB,'BA1 1AA,,,yes,0.00,0,,no,`,
    ),
    yes: ["n1"],
    no: ["n2"],
  },
  {
    product: "Stripe, subscriptions",
    csv: lines(
      "id,Customer ID,Customer Description,Customer Email,Customer Name,Plan,Product,Quantity,Currency,Interval,Amount,Status,Created (UTC),Start (UTC),Current Period Start (UTC),Current Period End (UTC),Trial Start (UTC),Trial End (UTC),Application Fee Percent,Coupon,Tax Percent,Canceled At (UTC),Ended At (UTC)",
      `sub_1,cus_1,,${to("o1")},Ada Lovelace,p,prod_1,1,usd,month,10.00,active,2024-01-02 03:04,2024-01-02 03:04,2024-05-02 03:04,2024-06-02 03:04,,,,,,,`,
      `sub_2,cus_2,,${to("o2")},Bob Byron,p,prod_1,1,usd,month,10.00,canceled,2024-01-02 03:04,2024-01-02 03:04,2024-05-02 03:04,2024-06-02 03:04,,,,,,2024-05-06 07:08,2024-05-06 07:08`,
    ),
    yes: ["o1"],
    no: ["o2"],
    settings: { mapping: { "Customer Email": "email", Status: "subscribed", "Canceled At (UTC)": "unsubscribed" } },
  },
  {
    product: "Brevo",
    csv: lines(
      "CONTACT ID;EMAIL;LASTNAME;FIRSTNAME;OPT_IN;EMAIL_BLACKLISTED;SMS;ADDED_TIME",
      `1;${to("p1")};L;Ada;true;false;;02-01-2024`,
      `2;${to("p2")};B;Bob;true;true;;02-01-2024`,
      `3;${to("p3")};C;Eve;false;false;;02-01-2024`,
    ),
    yes: ["p1"],
    no: ["p2", "p3"],
  },
  {
    product: "ActiveCampaign",
    csv: lines(
      "Id,Email,First Name,Last Name,Phone,Status,Date Subscribed,Date Unsubscribed,Bounced Hard,Bounced Soft",
      `1,${to("q1")},Ada,L,,Active,2024-01-02 03:04:05,0000-00-00 00:00:00,0,1`,
      `2,${to("q2")},Bob,B,,Unsubscribed,2024-01-02 03:04:05,2024-03-02 03:04:05,0,0`,
      `3,${to("q3")},Eve,C,,Unconfirmed,,0000-00-00 00:00:00,0,0`,
      `4,${to("q4")},Joe,D,,Active,2024-01-02 03:04:05,,2,0`,
    ),
    yes: ["q1"],
    no: ["q2", "q3", "q4"],
  },
  {
    product: "MailerLite",
    csv: lines(
      "Subscriber,Name,Last name,Sent,Opens,Clicks,Subscribed,Unsubscribed,Location",
      `${to("r1")},Ada,L,3,1,0,2024-01-02 03:04:05,,`,
      `${to("r2")},Bob,B,3,1,0,2024-01-02 03:04:05,2024-03-02 03:04:05,`,
    ),
    yes: ["r1"],
    no: ["r2"],
  },
  {
    product: "Klaviyo",
    csv: lines(
      "Email,First Name,Last Name,Email Marketing Consent,Email Marketing Consent Timestamp,Email Suppressions,SMS Marketing Consent",
      `${to("s1")},Ada,L,SUBSCRIBED,2024-01-02T03:04:05+00:00,[],UNSUBSCRIBED`,
      `${to("s2")},Bob,B,UNSUBSCRIBED,2024-01-02T03:04:05+00:00,[],SUBSCRIBED`,
      `${to("s3")},Eve,C,NEVER_SUBSCRIBED,,[],NEVER_SUBSCRIBED`,
      `${to("s4")},Joe,D,SUBSCRIBED,2024-01-02T03:04:05+00:00,"[""HARD_BOUNCE""]",`,
    ),
    yes: ["s1"],
    no: ["s2", "s3", "s4"],
  },
  {
    product: "SendGrid, global unsubscribes",
    name: "suppression_unsubscribes.csv",
    csv: lines("email,created", `${to("t1")},1704164645`),
    yes: [],
    no: ["t1"],
    settings: { allUnsubscribed: true },
  },
  {
    product: "listmonk",
    csv: lines(
      "uuid,email,name,attributes,status,created_at,updated_at",
      `u1,${to("u1")},Ada Lovelace,{},enabled,2024-01-02T03:04:05Z,2024-01-02T03:04:05Z`,
      `u2,${to("u2")},Bob Byron,{},blocklisted,2024-01-02T03:04:05Z,2024-01-02T03:04:05Z`,
      `u3,${to("u3")},Eve,{},disabled,2024-01-02T03:04:05Z,2024-01-02T03:04:05Z`,
    ),
    yes: ["u1"],
    no: ["u2", "u3"],
  },
  {
    product: "systeme.io",
    csv: lines(
      "Email,First name,Surname,Date Registered,Unsubscribed,Bounced",
      `${to("v1")},Ada,L,2024-01-02 03:04:05,No,No`,
      `${to("v2")},Bob,B,2024-01-02 03:04:05,Yes,No`,
      `${to("v3")},Eve,C,2024-01-02 03:04:05,No,Yes`,
    ),
    yes: ["v1"],
    no: ["v2", "v3"],
  },
  {
    product: "a German spreadsheet",
    csv: lines(
      "E-Mail;Vorname;Newsletter;Abgemeldet am",
      `${to("w1")};Ada;ja;`,
      `${to("w2")};Bob;nein;`,
      `${to("w3")};Eve;ja;31.12.2023`,
    ),
    yes: ["w1"],
    no: ["w2", "w3"],
  },
  {
    product: "a French spreadsheet",
    csv: lines("Courriel;Prénom;Désabonné", `${to("x1")};Ada;faux`, `${to("x2")};Bob;vrai`),
    yes: ["x1"],
    no: ["x2"],
  },
  {
    product: "a list where only a cross says yes",
    csv: lines("email,Newsletter", `${to("y1")},x`, `${to("y2")},`),
    yes: ["y1"],
    no: ["y2"],
  },
];
