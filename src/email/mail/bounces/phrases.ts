/**
 * Subject of a refusal's words. `pause`: a limit or condition of the mailbox or of one transaction that passes.
 * `sender`: our address, server, rate or reputation, or a receiver's rule. `address`: the address is refused without a
 * reason. `denied`: a rule without a subject. `rejected`: not even that.
 */
export type Meaning =
  | "pause"
  | "sender"
  | "full"
  | "content"
  | "unknown"
  | "address"
  | "outage"
  | "denied"
  | "later"
  | "rejected";

/** Any text within a sentence. */
const gap = (most: number): string => `[^.;\\n]{0,${most}}`;
/** Text within a sentence that still speaks of the recipient. */
const same = (most: number): string =>
  `(?:(?!send|from |accept|client|server|author|allow|permi|polic|block|list)[^.;\\n]){0,${most}}`;

const PERSON =
  "\\b(?:users?|mail ?box|recipients?|addressees?|(?<!\\bip |\\bmac )address(?:ee|es)?|e-?mail|accounts?|alias|local[- ]?part|person|inbox|customer|subscriber|maildrop|destination|rcpt|username)\\b";
const NOT = "(?:not|n.t|no longer|never)(?: an?| be| yet| currently| longer| appear| to)*";
const GONE = `(?:unknown|${NOT} (?:exist\\w*|found|valid|known|active|available|present|registered|recogni[sz]ed|listed|local|in use)|invalid|inactive|disabled|de-?activated|suspended|discontinued|expired|terminated|blocked (?:due to|because of|for) inactiv|closed|deleted|removed|unavailable|frozen|non-?existent|unrout?able|undeliverable|unrecogni[sz]ed|obsolete|cancell?ed|archived|is wrong|has moved|been replaced)`;
const NO_SUCH =
  "(?:unknown|invalid|no such|no known|non-?existent|unroute?able|unrecogni[sz]ed|inactive|disabled|deactivated|illegal|incorrect|obsolete|undeliverable|malformed|nonexisting|bad)";
const HOST = "(?:\\bhost|domain|mail server|mail exchanger|mail host)(?: names?)?";

const SPAM = "(?<![\\w.])(?:anti-?)?spam(?:my|ming|mer)?(?!\\w*\\.[a-z])";
const LISTS =
  "spamhaus|spamcop|\\bsorbs\\b|barracuda ?(?:central|reputation|networks)|abuseat|cloudmark|uribl|surbl|mailspike|sender ?(?:base|score)|uceprotect|invaluement|hostkarma|junkemailfilter|backscatterer|spamrl|proofpoint[^ \\n]{0,30}dnsbl";

/** Meanings by phrases. The first meaning with a phrase in the text counts. */
const PHRASES: readonly (readonly [Meaning, readonly string[]])[] = [
  [
    "pause",
    [
      `receiving (?:e?mails?|messages) (?:too|at a rate)|recipient thread limit|receiv\\w+ (?:too many|limit)`,
      "gr[ea]y-?list|postgrey|grey\\.rbl|unverified address:|verification in progress",
      `(?:mail ?box|user|account|recipient)${gap(30)}(?:temporar\\w+|currently) ${gap(15)}(?:disabled|inactive|locked|suspended|unavailable|blocked|frozen)`,
      `(?:mail ?box|user|account|recipient)${gap(30)}(?:disabled|inactive|locked|suspended|unavailable|blocked|frozen)${gap(12)} temporar`,
      `temporar\\w+${gap(15)}(?:disabled|inactive|locked|suspended|unavailable)${gap(20)}(?:mail ?box|user|account)`,
      `(?:not found|look-?up|resol\\w+|name server|\\bdns)${gap(40)}(?:try again|temporar|servfail|timed? ?out)|servfail|temporar\\w+ (?:look-?up|name|dns|failure in name)`,
      "too many hops|hop count|(?:mail|routing|forwarding) loop|loops? back|loop detected|looping",
    ],
  ],
  [
    "content",
    [
      `virus(?![ /-]{1,3}(?:scan|filter|gateway|engine|and spam|or spam|and anti|spam))|malware|trojan|infected|attachments?${gap(40)}(?:not allowed|block|prohibited|reject|not accept|illegal|denied|removed|type)|(?:illegal|banned|prohibited|forbidden|blocked|dangerous|executable)${gap(12)}(?:attachment|files?|content[- ]type|extension)|potential[^;\\n]{0,16}security issue`,
    ],
  ],
  [
    "sender",
    [
      // Rate and volume.
      `\\b(?:sent|sending|send|mailed|mail) (?:to )?(?:too many|more than)|too many (?:invalid|unknown|bad|wrong|non-?existent|unwanted|spams?|unsolicited)`,
      "too many (?:e?mails?|messages|connections|sessions|smtp|errors|concurrent|simultaneous|requests)(?! (?:in|on) )|too much (?:e?mail|spam)",
      `too many recipients ${gap(10)}(?:from|per |within|today|for your|(?:this|in an?|in the last|last) (?:\\d+ )?(?:second|minute|hour|day))`,
      "(?:rate|hourly|volume|sending|connection|concurrency) ?(?:limit|quota)|rate[- ](?:limited|controlled)|rate exceeded|throttl|slow(?:er| down)",
      `unusual${gap(20)}(?:rate|volume|traffic)|unexpected volume|user complaints|frequency|per (?:session|connection)|complaint rate|(?:directory|address|mail) harvest|harvest\\w* attack|dictionary attack`,
      `(?:recipients?|messages?|e?mails?|connections?|rcpts?) (?:per|an?|each|every) (?:second|minute|hour|day)\\b|\\b(?:hourly|daily)${gap(30)}(?:exceed|reach|limit|quota|maximum)|(?:exceed\\w*|reached|limit|maximum)${gap(20)}\\b(?:hourly|daily)\\b`,
      "too (?:fast|quickly|frequent)|\\b(?:exceeded|caused|used) by (?:the |your )?sender",
      `(?:exceed\\w*|reached|limit|maximum|max)${gap(40)}(?:e?mails|messages|recipients|connections|failures)${gap(12)}\\b(?:per|an|in|within|each|this) (?:a |one |the )?(?:second|minute|hour|day)`,
      `\\byou(?:'ve|r \\w+)? (?:have |has |are )?(?:exceed|reached)|message would take you over`,
      // Server, name and network of the sender.
      "\\bptr\\b|\\br-?dns\\b|fcrdns|reverse[- ](?:dns|look-?up|host ?name|name|ip)|(?:find|resolve) your (?:reverse|host|ip|address|domain|server)|dynamic(?:ally)?[- /](?:ip|host|address|assigned|zomb)|generic (?:dns|ptr|r?dns|host)|mismatch\\w* client|unresolvable (?:relay|client|sender|host)|invalid dns",
      `\\b(?:helo|ehlo)\\b${gap(40)}(?:reject|invalid|denied|block|syntax|name|fqdn|fully|\\bnot\\b|\\bbad\\b|match|must|requir|spoof|forg)|(?:invalid|bad|bogus|forged|rejected|fake)${gap(15)}\\b(?:helo|ehlo)\\b|fully[- ]qualified host`,
      `\\b(?:ips?|client|network|subnet|cidr|connecting host|client host|sending mta)\\b${gap(60)}(?:block|denied|reject|banned|refused|not (?:allowed|permitted|accepted|authori)|forbidden|prohibited|black|listed|invalid|limit|frequen|spam|abus|suspicious|low|poor|\\bbad\\b)`,
      `(?:block|denied|reject|banned|refused|forbidden|prohibited|blacklist|listed|invalid|bad)\\w*${gap(20)}\\b(?:ips?|ip address|client|network|subnet)\\b(?! not)`,
      "host network not allowed|\\bip ?[=:] ?\\[?\\d|\\byour (?:server|ip|ips|host|hostname|network|domain|mail ?server|isp|smtp|e?mail provider|remotehost|mta|access)\\b|you are not allowed|not allowed to (?:connect|relay|send)",
      `(?:not?|n.t) (?:be )?accept(?:ing|ed)?${gap(25)} from|(?:messages?|e?mails?) from \\[?\\d|refus\\w+ (?:mail|e?mails|messages|connections) from|no access from|connections? (?:will )?not (?:be )?accepted|connection (?:denied|rejected|blocked)|connection refused[.;,:] (?:this|ip|\\d|\\[\\d|your|too)|forbidden|go away|service for you\\b|use (?:the smtp server of )?your (?:own )?(?:isp|provider)|not accepting connections`,
      "(?:refused|does ?n.t want|unwilling) to talk to (?:me|you)",
      // Lists, reputation, spam.
      LISTS,
      "\\b[drxspu](?:ns)?bls?\\b|\\bdnsbls?\\b|\\b[dr]{1,2}bl\\b|\\(bl\\)|(?:block|black|deny|ban|reject|white|access|realtime|rbl)[ -]?lis(?:t|ted|ting|ts)\\b|(?:is|are|was|been) (?:currently )?(?:listed|banned)|(?<!not )listed (?:at|in|on|by)|reputation|banned",
      `blocked (?:by|using|for|due(?! to inact)|because(?! of inact)|from|at|see|-)|${SPAM}|help_spam|suspected|bounce attack|\\bdt:spm|junk ?mail|unsolicited|\\bu[bc]e\\b|bulk (?:(?:e-?)?mail|messages?|senders?|traffic)|(?<![\\w.-])(?:advertis(?:ements?|ing)|promotional)(?![\\w-]*\\.[a-z])\\b|commercial (?:e-?mail|message|bulk)|marketing (?:e-?mail|message)|opt(?:ed|s|ing)?[- ]?out|unsubscribed|\\bscored\\b|\\b(?:score|points)\\b ?(?:of|is|was|:|=)? ?[-+]?\\d|\\d (?:spam )?points\\b|phish|\\babus(?:e|ive)\\b|mass mail`,
      // Sender address and its proof.
      `\\b(?:sender|return[- ]?path|envelope[- ]?from|mail[- ]?from|from address|from header|from field)\\b${gap(60)}(?:reject|denied|refused|unknown|invalid|verif|not\\b|n.t\\b|block|bann|domain|must|\\bis in\\b|listed|unauth|empty|missing|unresolv|unrout|fail|spoof|\\d)`,
      `(?:reject|invalid|unknown|unroutable|unrouteable|unauthenticated|bad|bogus|forged|blocked|unverified|suspicious|valid|empty|blank|null|illegal|refus\\w+)${gap(15)}(?:\\bsenders?\\b|return[- ]?path|envelope[- ]?from|mail[- ]?from|from address|from header|\\bfrom:|\\bfrom domain)`,
      "\\bfrom: |\\bbatv\\b|backscatter|bounce address|multiple from",
      `\\b(?:dmarc|spf|dkim|dnssec)\\b|unauthenticated|\\bauthentication (?:checks?|fail|level|result|information|requirement)|not (?:pass|meet)${gap(30)}(?:authentic|requirement|level|check)|anti-?spoof|spoof|impersonat`,
      `relay(?:ing)?${gap(20)}(?:denied|not|access|prohibited|disallowed|refused|forbidden)|(?:unable|permitted|allowed|cannot|refus\\w+|not|no)${gap(8)} to relay|we do not relay|rcpthosts|insecure mail relay|open (?:relay|proxy)`,
      "(?:newly|recently) (?:registered|observed|created|seen)|(?:domain|sender) (?:name )?(?:is |was )?too (?:new|young)|messages? (?:from \\S{1,40} )?(?:weren.t|were not|was not|wasn.t) sent|\\b(?:ou|sc|dy)-00\\d\\b|\\b(?:hvu|rly|dyn|con|rtr):[a-z]{1,2}\\d?\\b|(?:address|domain|identity|sender) is (?:not verified|unverified)|not owned by|(?:permitted|authori[sz]ed|allowed|approved|trusted) senders?|\\byour (?:e-?mail )?address|authentication (?:is )?required|must (?:first )?(?:authenticate|issue a? ?starttls)|tls (?:is )?required|not authenticated",
      // Rules of the recipient.
      `preferences?\\b|only accept${gap(25)}(?:mail|messages|senders|members|from)|accepts? only|restricted|not (?:authori[sz]ed|permitted|allowed|approved|subscribed) (?:to|by|for)|resolver\\.rst\\.(?!\\w{0,30}size)|members?[- ]only|moderat|organi[sz]ation\\w* (?:settings|policy)|(?:you|sender|address) ha(?:ve|s) been (?:block|reject)|blocked by (?:the )?(?:recipient|user)|refuse[sd]? to (?:receive|accept)|(?:user|recipient)${gap(10)} (?:has )?(?:blocked|refuse[sd])|challenge|whitelist|recipient.s (?:filter|settings|rule)`,
      "wegen spam|als spam|absender\\w*[^.\\n]{0,40}(?:abgelehnt|ungültig|unbekannt|nicht|gesperrt)|rdns|gesperrt wegen",
      "considéré comme spam|exp[ée]diteur[^.\\n]{0,40}(?:refus|invalide|rejet|bloqu)|[ée]metteur invalide|mail rejete|service refus",
      "rechazado por spam|remitente[^.\\n]{0,40}(?:rechaz|bloque|no v[aá]lid|denegad)|remetente[^.\\n]{0,40}(?:rejeit|bloque|inv[aá]lid)|mittente[^.\\n]{0,40}(?:rifiut|bloccat|non valid)",
      "отправител[^.\\n]{0,40}(?:отклон|заблок|запрещ|отказ)|спам|スパム|迷惑メール|受信拒否|送信者[^。\\n]{0,20}拒否|垃圾(?:邮件|郵件)|发件人[^。\\n]{0,20}(?:拒|限)|发信频率|拒收|频率",
    ],
  ],
  [
    "full",
    [
      `(?:mail ?box|mail ?dir|mail ?folder|mail ?file|inbox|account|user|storage|recipient)${gap(40)}(?:is |are )?(?:full\\b|over ?quota)|full mail ?box`,
      `(?:out of|over|exceed\\w*|insufficient|not enough|no more|no)(?! system)${gap(30)}(?:quota|storage|disk space|mailbox space|space left)`,
      `quota${gap(30)}(?:exceed|full|reached|used|violation)|quota violation`,
      `(?:mail ?box|mail ?dir|user|account|recipient)${gap(40)}(?:exceed\\w*|over|reached|beyond)${gap(30)}(?:limit|quota|size|space|allowed|storage)|over ?quota|(?:mail ?box|quota|storage|account|space)(?: size| space| quota)? limit|too much mail data|space has been used|full capacity|too many messages on`,
      "postfach[^.\\n]{0,30}(?:voll|überfüllt)|speicherplatz[^.\\n]{0,30}(?:voll|überschritten|erschöpft)|kontingent[^.\\n]{0,30}(?:überschritten|erschöpft)",
      "bo[iî]te[^.\\n]{0,40}(?:pleine|saturée)|quota[^.\\n]{0,20}dépassé",
      "buz[oó]n[^.\\n]{0,40}(?:llen[oa])|caixa[^.\\n]{0,40}(?:cheia|lotada)|casella[^.\\n]{0,30}piena|postvak[^.\\n]{0,20}vol\\b|skrzynka[^.\\n]{0,30}(?:pełna|przepełniona)|(?:cuota|cota)[^.\\n]{0,20}(?:exced|super|ultrapass)",
      "ящик[^.\\n]{0,30}(?:переполнен|превышен)|(?:メールボックス|受信箱|メール容量)[^。\\n]{0,20}(?:いっぱい|容量|一杯|満)|(?:邮箱|信箱|空间|容量)[^。\\n]{0,10}(?:已满|满|不足|超)",
    ],
  ],
  [
    "content",
    [
      `(?:message|e?mail|content|body|header|size|lines?)(?: (?:is|are|was|data|file|size|length|body|header|has|with|text)){0,4} too (?:big|large|long)|(?:message|e?mail|content|body|header|size)${gap(30)}(?:size exceeds|exceeds?${gap(30)}(?:size|limit|maximum)|larger than)`,
      `(?:message|mail|maximum|header)${gap(20)}(?:size|length)${gap(30)}(?:limit|exceed|maximum)|exceed\\w*${gap(30)}(?:message|mail) (?:size|length)`,
      `\\blines?\\b${gap(20)}(?:limit|too long|length|longer than)|(?:recip|send)sizelimit`,
      `(?:message|content)${gap(30)}(?:rejected|blocked|denied)${gap(30)}content|\\bcontent (?:rejected|denied|blocked|filter|not acceptable|restriction)|(?:unacceptable|prohibited|objectionable) content`,
      `\\bheaders?\\b${gap(20)}(?:invalid|malformed|missing|error|not accepted|duplicate|improper)|(?:missing|duplicate|multiple|invalid|malformed)${gap(20)}(?:headers?|mime|message-id|subject|date:|content-type)|rfc ?[258]?[38]22|not rfc|mime (?:complexity|error|format)|(?:8-?bit|non-?(?:ascii|encoded))(?: header)? (?:data|characters?)|bare (?:lf|cr|linefeed)|smtputf8|null (?:byte|char)`,
      "nachricht[^.\\n]{0,30}zu gro(?:ß|ss)|message trop volumineux|taille[^.\\n]{0,20}message[^.\\n]{0,20}(?:limite|dépass)|mensaje demasiado grande|mensagem muito grande|サイズ[^。\\n]{0,10}超|邮件[^。\\n]{0,10}(?:过大|太大|超)",
    ],
  ],
  // The order matters: a transaction with too many recipients is no rate.
  ["pause", ["too many recipients|recipient (?:count|limit) exceeded|too many rcpt"]],
  [
    "unknown",
    [
      `${PERSON}${same(50)}${GONE}`,
      `${NO_SUCH}(?: (?:or|and|local|final|virtual|destination|envelope|recipient|email|e-mail|to|\\/)){0,3}[ /-]{0,3}${same(18)}${PERSON}`,
      "cuda_nsu|user_?unknown|unknown_?user|no_?such_?user|recip(?:ient)? ?not ?found|invalid[-_]recipient|bad(?:rcpt|recipient)to|recipientnotfound|exrecipnotfound|recipnotfound",
      `…[^\\w…]{0,6}(?:\\w{1,12} )?(?:is |was |are )?(?:unknown|not found|does(?:n.t| not) exist|not known|no such|not (?:an? )?(?:valid|known|existing|active)|inactive|disabled|no longer|not exist|unroute?able)`,
      `\\bno (?:mail ?box|account|user|one|person|recipient|local)\\b${gap(12)}(?:here|by (?:that|this)|with (?:that|this)|available|named|at this|found|matching|called)|nobody (?:here|by)|user not local|not (?:an? )?(?:local|our|valid|known|current|existing|active)${gap(12)}${PERSON}|not email address`,
      `not (?:listed )?(?:in|on)${gap(20)}(?:directory|address book|recipient table|user (?:table|list|database)|validrcptto|alias)|no longer (?:employed|works?|with (?:us|the|this)|accepts? (?:mail|messages)|in use|valid|active|at this)|left the (?:company|organi)`,
      `doesn.t have an? [\\w.-]{1,60} account|(?:address|user|recipient|mailbox|account|you) (?:couldn.t|wasn.t|could not|was not) (?:be )?(?:found|recogni)|couldn.t be found|wasn.t found|missing home directory`,
      // Domain.
      `${HOST}${same(40)}(?:unknown|not found|does(?:n.t| not) exist|non-?existent|invalid|could(?:n.t| not) be (?:found|resolved|located)|not (?:valid|exist|known|configured|appear to (?:be|exist))|has no (?:mx|mail)|not? (?:accept|receive)(?:s|ing)? (?:any )?(?:e-?)?mail(?! from)|is dead|expired)`,
      `(?:unknown|invalid|illegal|no such|non-?existent|unroute?able|unresolvable|bad)(?: (?:destination|recipient|remote|mail|e-?mail|target)){0,2} ?(?:host|domain)`,
      `\\bno\\b${gap(12)}(?:\\bmx\\b|mail exchangers?|mail servers?|mail hosts?)|null[- ]?mx|(?:could ?n.t|could not|cannot|can.t|unable to|not) (?:find|locate)${gap(25)}(?:mail exchanger|\\bmx\\b|mail host|\\bhost\\b|\\bdomain\\b|mail server)|\\bmx\\b${gap(30)}(?:non-?existent|not exist|no smtp service|invalid)|nxdomain|name or service not known|name service error[^\\n]{0,80}(?:not found|no data)|no data record of requested type|(?:domain|host) look-?up (?:failed|failure)(?! \\(?t)|no route to (?:domain|recipient)`,
      "does(?:n.t| not) accept (?:any )?(?:e-?)?mail(?! from)",
      "(?:empfänger|benutzer|adresse|adressat|postfach|e-mail-adresse|konto)[^.\\n]{0,60}(?:unbekannt|nicht (?:gefunden|vorhanden|existent|bekannt|gültig)|existiert nicht|ungültig|konnte nicht gefunden|deaktiviert|gelöscht)|unbekannte\\w* (?:empfänger|benutzer|adress)|kein\\w* (?:solche\\w* )?(?:benutzer|empfänger|postfach)",
      "(?:destinataire|utilisateur|adresse|bo[iî]te|compte)[^.\\n]{0,60}(?:inconnue?|n.existe (?:pas|plus)|introuvable|invalide|inexistant|d[ée]sactiv|non trouv|archiv)",
      "(?:destinatario|usuario|direcci[oó]n|buz[oó]n|cuenta|persona)[^.\\n]{0,60}(?:desconocid|no existe|no (?:se ha|ha sido|se) (?:podido )?encontr|inexistente|inv[aá]lid|no v[aá]lid|desactivad|deshabilitad)|no existe (?:el |la |ese |esa |dicha )?(?:usuario|cuenta|buz[oó]n|persona|direcci[oó]n|destinatario)",
      "(?:destinat[aá]rio|usu[aá]rio|endere[cç]o|caixa|conta)[^.\\n]{0,60}(?:desconhecid|n[aã]o existe|n[aã]o (?:foi )?encontrad|inexistente|inv[aá]lid|desativad)",
      "(?:destinatario|utente|indirizzo|casella)[^.\\n]{0,60}(?:sconosciut|non esiste|inesistente|non (?:è stat[oa] )?trovat|disattivat|non valid)|nessun utente",
      "(?:ontvanger|gebruiker|adres|mailbox|postvak)[^.\\n]{0,60}(?:onbekend|bestaat niet|niet (?:gevonden|bekend))|(?:użytkownik|adres|odbiorc|skrzynk|konto)[^.\\n]{0,40}(?:nie istnieje|nieznan|nie znaleziono)",
      "(?:пользовател|получател|адрес|ящик)[^.\\n]{0,60}(?:не найден|не существует|неизвест|отключен|заблокирован|удал[её]н)|не (?:существует|найден\\w*)[^.\\n]{0,30}(?:пользовател|получател|адрес|ящик)|нет такого (?:пользовател|адрес|ящик)",
      "(?:ユーザー?|宛先|アドレス|メールボックス|受信者)[^。\\n]{0,40}(?:見つかりません|見つかりませんでした|存在しません|存在しない|不明|無効)",
      "(?:用户|收件人|地址|邮箱|帐户|账号|帐号|账户|收件者)[^。\\n]{0,20}(?:不存在|未找到|找不到|无效|不正确|停用|禁用|注销)|사용자[^.\\n]{0,20}(?:없|알 수)|수신자[^.\\n]{0,20}(?:없|존재하지)",
    ],
  ],
  [
    "address",
    [
      `(?:recipients?|address(?:es)?)${same(20)}(?:was |were |is )?(?:rejected|refused|not accepted|denied)|reject\\w* (?:the )?recipient`,
    ],
  ],
  [
    "outage",
    [
      `temporar|deferred|resources? (?:temporarily )?unavailable|timed? ?out|retry (?:time|timeout)|connection (?:was )?(?:refused|reset|lost|dropped|closed|failed)|lost connection|could not connect|not? (?:route to host|reachable)|unreachable|in the queue too long|giving up|expired|network error|overloaded|not respond|internal error|system error|configuration error`,
      "vorübergehend|temporaire|temporal(?:mente)?|временно|一時的|暂时|zeitüberschreitung",
    ],
  ],
  [
    "denied",
    [
      "denied|\\bpolic(?:y|ies)\\b|prohibited|not (?:allowed|permitted|authori[sz]ed)|administrative|security|\\bblocked\\b|filter|unwanted|violat|unacceptable|disallowed|suspicious|prevented",
      "richtlinie|nicht erlaubt|gesperrt|bloqu[ée]|interdit|pol[ií]tica|bloqueado|bloccato|заблок|политик|запрещ|ポリシー|拒否|策略|禁止",
    ],
  ],
  ["later", ["try (?:your )?(?:again|later)|later\\b|unavailable"]],
  [
    "rejected",
    [
      "reject|refus(?:ed|al)|declin|not accept|abgelehnt|verweiger|rejet|refus[ée]|rechaz|rejeit|rifiut|отклон|отказ|拒绝|拒絕",
    ],
  ],
];

const MATCHERS = PHRASES.map(([meaning, phrases]) => ({ meaning, pattern: new RegExp(phrases.join("|"), "iu") }));

const COMMAND = "(?:mail from|rcpt to|helo|ehlo|lhlo|initial connection|connect|data|end of data)";

/** Names of the step of the protocol: they say when, not why. */
const STEP = new RegExp(
  `(?:in reply to (?:the )?|after (?:pipelined )?|(?:like|rejected|refused) (?:our|the|my) |>>> ?|command:?\\s{0,4}\\(?|\\bsent: ?)${COMMAND}\\b(?: command)?:?(?: ?<[^>\\n]{0,80}>)?(?: size=\\d{1,12})?:?`,
  "giu",
);

/** Steps before the recipient is named. */
const EARLY = new RegExp(
  [
    "(?:in reply to (?:the )?|after (?:pipelined )?|(?:like|rejected|refused) (?:our|the|my) |>>> ?|command:?\\s{0,4}\\(?|\\bsent: ?)(?:mail from|helo|ehlo|initial connection|connect)\\b",
    "but (?:sender was rejected|my name was rejected|greeting failed)",
    "refused to talk to me",
  ].join("|"),
  "iu",
);

/** Returns the subject of words without names; undefined if no phrase tells it. */
export const subjectOf = (words: string): Meaning | undefined => {
  const said = words.replace(STEP, " ");
  return MATCHERS.find(({ pattern }) => pattern.test(said))?.meaning;
};

/** True if the words say that the mail was refused before its recipient was named. */
export const isBeforeRecipient = (words: string): boolean => EARLY.test(words);

/** Returns the words of the step at which a mail was refused before its recipient was named. */
export const earlyStep = (words: string): string | undefined => EARLY.exec(words)?.[0];
