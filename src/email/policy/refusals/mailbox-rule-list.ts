type Rule = readonly [rule: string, pattern: RegExp, meaning: string, cure: string];
type Provider = { provider: string; sign: RegExp; url: string; rules: readonly Rule[] };

const SLOWER = "Send fewer mails there for some days, first to people who open them";
const CLEANER = "Send only to people who asked for the mail, and remove those who never open it";

/** Rules of mailbox providers, as their pages and refusals name them. A rule's name has its pattern. */
export const PROVIDERS: readonly Provider[] = [
  {
    provider: "Gmail",
    sign: /\bgsmtp\b|\bgmail\b|google/i,
    url: "https://support.google.com/a/answer/3726730",
    rules: [
      [
        "4.7.28",
        /\b[45]\.7\.28\b/,
        "too much mail that people did not want came from this IP address or domain",
        SLOWER,
      ],
      [
        "5.7.23",
        /\b[45]\.7\.23\b/,
        "the sending IP address has no reverse DNS name that leads back to it",
        "Let the mail provider set the PTR record, or use another mail provider",
      ],
      [
        "5.7.24",
        /\b[45]\.7\.24\b/,
        "the SPF record of the domain has suspicious entries",
        "Name only your own mail providers in the SPF record of the return path",
      ],
      [
        "5.7.25",
        /\b[45]\.7\.25\b/,
        "the sending IP address has no reverse DNS name that leads back to it",
        "Let the mail provider set the PTR record, or use another mail provider",
      ],
      [
        "5.7.26",
        /\b[45]\.7\.26\b/,
        "neither SPF nor DKIM passed, or DMARC failed",
        "Publish the records that the page of the sending domain lists",
      ],
      [
        "5.7.27",
        /\b[45]\.7\.27\b/,
        "SPF did not pass",
        "Publish the SPF record of the return path that the page of the sending domain lists",
      ],
      ["5.7.29", /\b[45]\.7\.29\b/, "the mail came without TLS", "Use a mail provider that sends with TLS"],
      [
        "5.7.30",
        /\b[45]\.7\.30\b/,
        "DKIM did not pass",
        "Publish the DKIM key that the page of the sending domain lists",
      ],
      [
        "5.7.32",
        /\b[45]\.7\.32\b/,
        "the From address is of another domain than SPF and DKIM",
        "Sign with the domain of the From address, or a domain above it",
      ],
      [
        "5.7.40",
        /\b[45]\.7\.(?:31|40)\b/,
        "the domain has no DMARC record with a policy",
        "Publish a DMARC record, such as v=DMARC1; p=none",
      ],
      ["UnsolicitedMessageError", /UnsolicitedMessageError|likely unsolicited/i, "the mail looks like spam", CLEANER],
      [
        "UnsolicitedRateLimitError",
        /UnsolicitedRateLimitError|unusual rate of/i,
        "too much mail that people did not want came from this IP address or domain",
        SLOWER,
      ],
      [
        "DMARC policy",
        /DMARC policy/i,
        "DMARC failed, and the policy of the domain asks to refuse such mail",
        "Let SPF or DKIM pass for the domain of the From address",
      ],
      ["low reputation", /low reputation/i, "the sending domain or IP address has a low reputation", CLEANER],
      [
        "RFC 5322",
        /RFC ?5322|RfcMessageNonCompliant/i,
        "the mail has a header that is not valid or occurs twice",
        "Remove headers that you set yourself, and send again",
      ],
      [
        "BlockedMessage",
        /BlockedMessage|potential\b.{0,20}security issue/i,
        "the mail has an attachment or a link that may harm",
        "Send a link instead of the attachment",
      ],
    ],
  },
  {
    provider: "Yahoo",
    sign: /yahoo|postmaster\.aol|\[(?:TSS?|BL|PH|AU|RL|GL)\d\d\]/i,
    url: "https://senders.yahooinc.com/smtp-error-codes/",
    rules: [
      ["TSS04", /\bTSS?0?4\b/, "too many complaints, or more mail than before from this IP address", SLOWER],
      ["TSS02", /\bTSS?0?2\b/, "too many complaints, or more mail than before from this IP address", SLOWER],
      ["TSS05", /\bTSS?0?5\b/, "too many complaints, or more mail than before from this IP address", SLOWER],
      [
        "TSS07",
        /\bTSS?0?7\b/,
        "the sending IP address is on a blocklist",
        "Let the mail provider have the IP address removed from Spamhaus's list",
      ],
      [
        "TSS09",
        /\bTSS?0?9\b/,
        "all mail from this IP address is refused, because of complaints",
        "Ask Yahoo to look again, through its sender hub",
      ],
      [
        "TSS11",
        /\bTSS?11\b/,
        "all mail from this IP address is refused, because of complaints",
        "Ask Yahoo to look again, through its sender hub",
      ],
      [
        "BL21",
        /\bBL21\b/,
        "the sending IP address is on Spamhaus's list",
        "Let the mail provider have the IP address removed from that list",
      ],
      [
        "BL23",
        /\bBL23\b/,
        "the sending IP address is on Spamhaus's list of infected hosts",
        "Let the mail provider have the IP address removed from that list",
      ],
      [
        "PH01",
        /\bPH01\b/,
        "the content looks like phishing",
        "Link only to your own domains, and say clearly who sends",
      ],
      ["AU01", /\bAU01\b/, "DKIM or DMARC failed", "Publish the records that the page of the sending domain lists"],
      ["RL01", /\bRL01\b/, "too many mails in a short time", SLOWER],
      [
        "5.7.9",
        /\b5\.7\.9\b/,
        "DMARC failed, the content is suspicious, or the sender has a bad reputation",
        "Let SPF or DKIM pass for the domain of the From address, and compare the links in the mail",
      ],
    ],
  },
  {
    provider: "Microsoft",
    sign: /outlook|hotmail|office\.com|microsoft|\bAS\(?\d{3,}|\b(?:S3150|S3140|S775)\b|\b(?:OU|RP|SC|DY)-00\d\b|\b[45]\.7\.(?:5|6|7)\d\d\b/i,
    url: "https://learn.microsoft.com/exchange/troubleshoot/email-delivery/ndr/non-delivery-reports-in-exchange-online",
    rules: [
      [
        "5.7.515",
        /\b5\.7\.515\b/,
        "SPF, DKIM and DMARC do not all pass for the From domain, as Outlook.com asks of large senders",
        "Publish the records that the page of the sending domain lists",
      ],
      [
        "5.7.509",
        /\b5\.7\.509\b/,
        "DMARC failed, and the policy of the domain asks to refuse such mail",
        "Let SPF or DKIM pass for the domain of the From address",
      ],
      [
        "5.7.511",
        /\b5\.7\.511\b/,
        "the sending IP address is banned",
        "Let the mail provider write to delist@messaging.microsoft.com",
      ],
      [
        "5.7.606",
        /\b5\.7\.6(?:0[6-9]|[1-4]\d)\b/,
        "the sending IP address is banned",
        "Let the mail provider ask for its removal at sender.office.com",
      ],
      ["4.7.650", /\b4\.7\.65\d\b/, "the sending IP address is limited because of its reputation", SLOWER],
      ["4.7.500", /\b4\.7\.500\b/, "Microsoft slows down mail from this IP address", SLOWER],
      [
        "5.7.708",
        /\b5\.7\.70[5-8]\b/,
        "mail from this IP address or tenant is not accepted, because it is new or has a low reputation",
        "Send through another mail provider, or less",
      ],
      [
        "S3150",
        /\bS3150\b/,
        "the network of the sending IP address is on Microsoft's blocklist",
        "Let the mail provider ask for its removal at sender.office.com or at the Outlook.com sender support",
      ],
      [
        "S3140",
        /\bS3140\b/,
        "the network of the sending IP address is on Microsoft's blocklist",
        "Let the mail provider ask for its removal at sender.office.com or at the Outlook.com sender support",
      ],
      ["S775", /\bS775\b/, "the sending IP address is limited because of its reputation", SLOWER],
      ["RP-001", /\bRP-00[1-3]\b/, "the sending IP address has sent more than its reputation allows", SLOWER],
      ["OU-002", /\bOU-00[12]\b/, "the mail, or its sender, is taken for spam", CLEANER],
      ["SC-001", /\bSC-00[1-4]\b/, "the mail, or its sender, is taken for spam", CLEANER],
      [
        "DY-001",
        /\bDY-00[12]\b/,
        "the sending IP address is one of a dial-in or home network",
        "Use a mail provider with its own IP addresses",
      ],
      [
        "5.7.1 blocked network",
        /block ?list|blocked network/i,
        "the network of the sending IP address is on Microsoft's blocklist",
        "Let the mail provider ask for its removal at sender.office.com",
      ],
    ],
  },
  {
    provider: "Apple",
    sign: /icloud|support\.apple|\bapple\b|\[(?:CS|HM|HC)\d\d\]/i,
    url: "https://support.apple.com/102322",
    rules: [
      ["CS01", /\bCS01\b/, "its filter takes the mail or its links for spam", CLEANER],
      ["CS02", /\bCS02\b/, "its filter takes the mail or its links for spam", CLEANER],
      ["HM08", /\bHM08\b/, "its filter takes the sender or the links of the mail for spam", CLEANER],
      [
        "DMARC policy",
        /DMARC policy/i,
        "DMARC failed, and the policy of the domain asks to refuse such mail",
        "Let SPF or DKIM pass for the domain of the From address",
      ],
      [
        "excessive volume",
        /excessive volume/i,
        "too many mails to one mailbox or from one IP address in a short time",
        SLOWER,
      ],
      ["local policy", /local policy/i, "its filter takes the mail for spam", CLEANER],
    ],
  },
  {
    provider: "T-Online",
    sign: /t-online|\bIP[=:]\S{1,50} - A problem occurred/i,
    url: "https://postmaster.t-online.de/",
    rules: [
      [
        "(BL)",
        /\(BL\)|problem occurred|t-online/i,
        "the sending IP address is not known there, or has a bad reputation",
        "Let the mail provider write to tosa@rx.t-online.de, with a website that names who sends",
      ],
    ],
  },
  {
    provider: "GMX and WEB.DE",
    sign: /postmaster\.(?:gmx|web\.de|1und1|mail\.com)|gmx\.net|web\.de/i,
    url: "https://postmaster.gmx.net/en/error-messages",
    rules: [
      [
        "policy restrictions",
        /policy restriction|black ?list|reputation|bad dns|invalid dns|sender address|null mx|web\.de/i,
        "the sending IP address or the domain of the sender does not meet its rules",
        "Check reverse DNS, and that the domain of the From address and of the return path takes mail",
      ],
    ],
  },
  {
    provider: "Orange",
    sign: /\b(?:ofr|lpn)_?\w{0,8}_?\d{3}\b|orange/i,
    url: "https://postmaster.orange.fr/",
    rules: [
      ["506", /_?506\b/, "the mail is taken for spam", CLEANER],
      ["103", /_?(?:103|104|109)\b/, "too many connections or mails from this IP address", SLOWER],
      ["102", /_?(?:102|510|511)\b/, "the sending IP address has a bad reputation", SLOWER],
    ],
  },
  {
    provider: "GoDaddy",
    sign: /\bIB\d{3}[a-z]?\b|secureserver|godaddy|has sent to too many recipients/i,
    url: "https://www.godaddy.com/help/what-does-my-email-bounceback-mean-3568",
    rules: [
      [
        "IB103",
        /\bIB10[3-6]\b/,
        "the sending IP address is on a blocklist",
        "Let the mail provider have the IP address removed from that list",
      ],
      [
        "IB108",
        /\bIB108\b/,
        "the sending IP address has no reverse DNS name",
        "Let the mail provider set the PTR record",
      ],
      ["IB110", /\bIB11[01]\b/, "too much spam came from this IP address", CLEANER],
      [
        "IB112",
        /\bIB11[23]\b/,
        "too many addresses that do not exist were mailed from this IP address",
        "Remove old addresses, then send less there for a day",
      ],
      ["IB212", /\bIB212\b/, "the content is taken for spam", CLEANER],
      [
        "IB607",
        /\bIB60\d[a-z]?\b|too many recipients/i,
        "more recipients in an hour than it takes from one IP address",
        SLOWER,
      ],
    ],
  },
  {
    provider: "Comcast",
    sign: /comcast|xfinity/i,
    url: "https://postmaster.comcast.net/smtp-error-codes.php",
    rules: [
      [
        "BL000000",
        /\bBL\d{6}\b/,
        "the sending IP address is on a blocklist",
        "Let the mail provider ask for its removal at postmaster.comcast.net",
      ],
      ["RL000001", /\bRL\d{6}\b/, "too many mails in a short time for the reputation of this IP address", SLOWER],
    ],
  },
  {
    provider: "Spamhaus",
    sign: /spamhaus/i,
    url: "https://check.spamhaus.org/",
    rules: [
      [
        "blocklist",
        /spamhaus/i,
        "the server refuses whom Spamhaus lists: the sending IP address, or a domain in the mail",
        "Look the IP address and the domains up at check.spamhaus.org, and have them removed",
      ],
    ],
  },
  {
    provider: "Barracuda",
    sign: /barracuda/i,
    url: "https://www.barracudacentral.org/rbl/removal-request",
    rules: [
      [
        "reputation",
        /barracuda/i,
        "the sending IP address is on Barracuda's blocklist",
        "Let the mail provider ask for its removal at barracudacentral.org",
      ],
    ],
  },
  {
    provider: "Proofpoint",
    sign: /proofpoint|pphosted|cloudmark/i,
    url: "https://ipcheck.proofpoint.com/",
    rules: [
      [
        "reputation",
        /proofpoint|pphosted|cloudmark/i,
        "the sending IP address has a bad reputation, or the mail is taken for spam",
        "Let the mail provider ask for a removal at ipcheck.proofpoint.com",
      ],
    ],
  },
  {
    provider: "Mimecast",
    sign: /mimecast/i,
    url: "https://community.mimecast.com/s/article/email-security-cloud-gateway-mimecast-smtp-error-codes",
    rules: [
      [
        "554",
        /not allowed|polic|reputation|spam|mimecast 554/i,
        "the sender or the content does not pass the rules of the recipient's company",
        "Ask the recipient's administrator to allow your domain",
      ],
    ],
  },
];
